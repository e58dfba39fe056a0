//! The kernels on the host: they are compiled once by g++ with `shim/` in the place of CUDA, into a program for a
//! device and into a driver's library.

use bilinear_cuda::{Arithmetic, Code, Device, DeviceError, Encoding, Launch, Port, Properties, Shape, Slot, Work};
use num_bigint::BigUint;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Returns the folder of the program that runs the kernels and of `libcuda.so`, and builds both on the first call.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cuda");
        std::fs::create_dir_all(&folder).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("shim/main.cpp");
        let [object, program, library] = ["main.o", "shim", "libcuda.so"].map(|name| folder.join(name));
        let compile = ["-std=c++17", "-O2", "-ftree-vectorize", "-fPIC", "-Wall", "-Wno-unknown-pragmas", "-c"];
        run_compiler(Command::new("g++").args(compile).arg(source).arg("-o").arg(&object));
        run_compiler(Command::new("g++").arg(&object).arg("-o").arg(program));
        run_compiler(Command::new("g++").arg("-shared").arg(&object).arg("-o").arg(library));
        folder
    })
}

fn run_compiler(command: &mut Command) {
    let compiled = command.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

/// The number that stands for the kernels of residues in the place of the threads per pairing.
const RESIDUES: u32 = 16;

/// A device that runs kernels on this host.
pub(crate) struct Shim {
    properties: Properties,
    /// Whether the threads of a block run in the reverse order.
    backwards: bool,
    /// The number of launches that succeed before all fail.
    good: AtomicUsize,
    /// The number of pieces of memory that are left to the device, if there is such a limit.
    pieces: Mutex<Option<usize>>,
    /// The number of words copied to the device.
    copied: AtomicUsize,
    /// The largest number of words that the values of a launch took.
    taken: AtomicUsize,
    /// A word of the tables of the kernels of residues, and the bits of it that are wrong.
    flipped: Option<(usize, u32)>,
}

impl Shim {
    pub(crate) fn new(properties: Properties) -> Shim {
        Shim {
            properties,
            backwards: false,
            good: AtomicUsize::new(usize::MAX),
            pieces: Mutex::new(None),
            copied: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
            flipped: None,
        }
    }

    /// Makes the device fail after `launches` launches.
    pub(crate) fn failing(self, launches: usize) -> Shim {
        Shim { good: AtomicUsize::new(launches), ..self }
    }

    /// Leaves only `pieces` pieces of memory to the device, or all memory with `None`.
    pub(crate) fn leave(&self, pieces: Option<usize>) {
        *self.pieces.lock().unwrap() = pieces;
    }

    /// Returns the number of words copied to the device since the last call.
    pub(crate) fn copied(&self) -> usize {
        self.copied.swap(0, Ordering::SeqCst)
    }

    /// Returns the largest number of words that the values of a launch took since the last call.
    pub(crate) fn taken(&self) -> usize {
        self.taken.swap(0, Ordering::SeqCst)
    }

    /// Returns the number of launches until the device fails.
    pub(crate) fn left(&self) -> usize {
        self.good.load(Ordering::SeqCst)
    }
}

/// Returns the properties of a device on which launches of a few pairings are possible.
pub(crate) fn properties() -> Properties {
    Properties {
        name: "shim".to_owned(),
        lanes: 2,
        width: 8,
        arithmetic: Arithmetic::Words,
        vectors: 8,
        memory: 1 << 20,
        kept: 1 << 20,
        shared: 1 << 20,
        inverting: 3,
    }
}

impl Device for Shim {
    type Memory = Vec<u32>;
    type Queue = ();
    type Host = Vec<u32>;

    fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Fails if no memory is left, since kernels take memory too.
    fn prepare(&self, words: usize, _residues: Option<usize>) -> Result<(), DeviceError> {
        if *self.pieces.lock().unwrap() == Some(0) { Err(DeviceError::Memory { words }) } else { Ok(()) }
    }

    fn queue(&self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn allocate(&self, (): &(), words: usize) -> Result<Vec<u32>, DeviceError> {
        if let Some(left) = &mut *self.pieces.lock().unwrap() {
            *left = left.checked_sub(1).ok_or(DeviceError::Memory { words })?;
        }
        // words that were never written are not 0
        Ok(vec![0xabad_cafe; words])
    }

    fn host(&self, words: usize) -> Vec<u32> {
        vec![0xabad_cafe; words]
    }

    fn copy_in(&self, (): &(), to: &mut Vec<u32>, words: Vec<u32>) -> Result<(), DeviceError> {
        to[..words.len()].copy_from_slice(&words);
        self.copied.fetch_add(words.len(), Ordering::SeqCst);
        Ok(())
    }

    fn copy_out(&self, (): &(), from: &Vec<u32>, at: usize, words: &mut Vec<u32>) -> Result<(), DeviceError> {
        let end = at + words.len();
        words.copy_from_slice(&from[at..end]);
        Ok(())
    }

    /// Writes the words that `shim/main.cpp` reads: N, threads per pairing (0 to invert), pairings, blocks, threads
    /// of a block, 1 for backwards; steps; the slots of an inversion and the pairings of a thread; words of
    /// constants, slots and places, those that a block shares; K, moduli, words of places elsewhere, words of
    /// tables; threads that split a number; words of places of a pairing that a group shares; then the modulus,
    /// records, constants, tables, slots.
    fn launch(&self, (): &(), launch: Launch<'_, Vec<u32>>) -> Result<(), DeviceError> {
        if self.good.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |good| good.checked_sub(1)).is_err() {
            return Err(DeviceError::Failed { action: "launching", reason: "it was told to".to_owned() });
        }
        let (mut width, mut steps, mut inversion, mut place_words) = (0, 0, [0; 3], 0);
        let (mut records, mut constants): (&[u32], &[u32]) = (&[], &[]);
        let mut tables = vec![];
        let (mut kernel, mut moduli, mut far_words, mut split, mut near) = (0, 0, 0, 1, 0);
        let mut taken = launch.slots.len();
        let blocks = launch.blocks;
        match &launch.work {
            Work::Single { code, places } => {
                (width, steps, place_words) = (1, code.steps, places.len());
                taken += place_words;
                (records, constants) = (code.records, code.constants);
            }
            Work::Split { code, split: threads, places } => {
                (width, steps, place_words, split) = (1, code.steps, places.len(), *threads);
                taken += place_words;
                (records, constants) = (code.records, code.constants);
            }
            Work::Group { code, width: threads, shared, near: own, far } => {
                (width, steps, place_words, near) = (*threads, code.steps, *shared as usize, *own);
                far_words = far.as_ref().map_or(0, |(_, words)| *words);
                // in whole tiles of 32 pairings
                let tiles = blocks * (launch.threads / threads).div_ceil(32);
                assert!(far.as_ref().is_none_or(|(memory, words)| memory.len() == (tiles * 32 * words) as usize));
                taken += far.as_ref().map_or(0, |(memory, _)| memory.len());
                (records, constants) = (code.records, code.constants);
            }
            Work::Residues { code, moduli: n, kernel: k, tables: all, shared, far } => {
                (width, steps, kernel, moduli) = (RESIDUES, code.steps, *k, *n);
                (records, constants, tables) = (code.records, code.constants, Vec::clone(all));
                if let Some((word, bits)) = self.flipped {
                    tables[word] ^= bits;
                }
                place_words = *shared as usize;
                taken += far.as_ref().map_or(0, |(memory, _)| memory.len());
                far_words = far.as_ref().map_or(0, |(_, words)| *words);
            }
            Work::Invert { inversion: ends, split: threads, each } => {
                (inversion, split) = ([ends.from, ends.to, *each], *threads);
            }
            _ => unreachable!("no other kernel"),
        }
        self.taken.fetch_max(taken, Ordering::SeqCst);
        let Launch { words, modulus, slots, count, threads, .. } = launch;
        let mut job = vec![words as u32, width, count, blocks, threads, u32::from(self.backwards), steps];
        job.extend(inversion);
        job.extend([constants.len() as u32, slots.len() as u32, place_words as u32]);
        job.extend([kernel, moduli, far_words, tables.len() as u32, split, near]);
        [modulus, records, constants, &tables, slots].iter().for_each(|part| job.extend_from_slice(part));

        let written = answer(job);
        assert_eq!(written.len(), slots.len());
        slots.copy_from_slice(&written);
        Ok(())
    }
}

/// Runs the program on a job and returns its answer.
fn answer(job: Vec<u32>) -> Vec<u32> {
    let bytes: Vec<u8> = job.into_iter().flat_map(u32::to_le_bytes).collect();
    let mut child = Command::new(folder().join("shim")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let mut bytes = vec![];
    child.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
    assert!(child.wait().unwrap().success());
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect()
}

/// Returns the residues modulo 2^32 − c of sums of three words, the lowest first, and of their two lower words.
pub(crate) fn folded(sums: &[([u32; 3], u32)]) -> Vec<[u32; 2]> {
    let mut job = vec![0; 19];
    job[1] = sums.len() as u32;
    sums.iter().for_each(|(words, c)| job.extend(words.iter().chain([c])));
    answer(job).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// The order in which a batch is launched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// The number of pairings of a block.
    pub(crate) groups: usize,
    /// The number of pairings of a thread that inverts, or of the threads that split a number.
    pub(crate) each: usize,
    /// Whether the threads of a block run in the reverse order.
    pub(crate) backwards: bool,
    /// The number of threads that split a number, or 1.
    pub(crate) split: usize,
}

/// Executes an encoding for the rows of a batch and returns the outputs of each row.
pub(crate) fn run(encoding: &Encoding, rows: &[Vec<Port>], order: Order) -> Vec<Vec<Port>> {
    run_on(&Shim { backwards: order.backwards, ..Shim::new(properties()) }, encoding, rows, order)
}

/// Executes an encoding as `run` does, with wrong bits in a word of the tables of the kernels of residues.
pub(crate) fn run_flipped(
    encoding: &Encoding,
    rows: &[Vec<Port>],
    order: Order,
    word: usize,
    bits: u32,
) -> Vec<Vec<Port>> {
    run_on(&Shim { flipped: Some((word, bits)), ..Shim::new(properties()) }, encoding, rows, order)
}

fn run_on(shim: &Shim, encoding: &Encoding, rows: &[Vec<Port>], order: Order) -> Vec<Vec<Port>> {
    let shape = Shape { groups: order.groups, each: Some(order.each), split: order.split };
    let code = Code::new(shim, encoding, shape).unwrap();
    let modulus = encoding.modulus();
    let constants = code.constants(shim, |constants| {
        for (slot, port) in encoding.inputs().iter().zip(&rows[0]) {
            if let (Slot::Constant(number), Port::Elem(x)) = (slot, port) {
                constants.set(*number, &encoding.element(x));
            }
        }
    });
    let outputs = code.run(shim, rows.len(), Some(&constants.unwrap()), |values| {
        for (pairing, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), encoding.inputs().len());
            for (slot, port) in encoding.inputs().iter().zip(row) {
                match (slot, port) {
                    (Slot::Elem(at), Port::Elem(x)) => values.set(*at, pairing, &x.to_u64_digits()),
                    (Slot::Mask(at), Port::Mask(m)) => values.set_mask(*at, pairing, *m),
                    (Slot::Constant(_), Port::Elem(_)) => {}
                    other => panic!("an input of its kind: {other:?}"),
                }
            }
        }
    });
    let outputs = outputs.unwrap();
    assert_eq!(shim.taken(), code.memory(rows.len()));
    let port = |slot: &Slot, pairing: usize| match slot {
        Slot::Elem(at) => {
            let mut words = vec![0; modulus.words().div_ceil(2)];
            outputs.get(*at, pairing, &mut words);
            let halves = words.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect();
            Port::Elem(BigUint::new(halves))
        }
        Slot::Mask(at) => Port::Mask(outputs.get_mask(*at, pairing)),
        Slot::Constant(_) => panic!("no output is a constant"),
    };
    (0..rows.len()).map(|g| encoding.outputs().iter().map(|slot| port(slot, g)).collect()).collect()
}
