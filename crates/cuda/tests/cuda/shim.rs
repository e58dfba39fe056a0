//! The kernels on the host: compiled once by g++ with `shim/` in the place of CUDA.

use bilinear_cuda::{Encoding, Port, Slot};
use num_bigint::BigUint;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The program that runs them.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cuda-shim");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("shim/main.cpp");
        let arguments = ["-std=c++17", "-O2", "-Wall", "-Wno-unknown-pragmas", "-o"];
        let compiled = Command::new("g++").args(arguments).arg(&program).arg(source).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        program
    })
}

/// How a batch is launched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch {
    /// Pairings of a block.
    pub(crate) groups: u32,
    /// Pairings of a thread that inverts.
    pub(crate) each: u32,
    /// Whether the threads of a block run in the reverse order.
    pub(crate) backwards: bool,
}

/// The words that `shim/main.cpp` reads.
struct Job<'e> {
    encoding: &'e Encoding,
    rows: &'e [Vec<Port>],
    launch: Launch,
}

impl Job<'_> {
    /// N, threads a pairing, pairings, words of slots and of places, pairings of a block and of an inverting thread, words of constants,
    /// twice the stages (and 1 for backwards); then the modulus, the constants, the slots, and of each stage the steps, the records, the
    /// inversions.
    fn words(&self) -> Vec<u32> {
        let Job { encoding, rows, launch } = self;
        let modulus = encoding.modulus();
        let n = modulus.words();
        let mut constants: Vec<u32> = encoding.constants().iter().flat_map(|c| modulus.to_words(c)).collect();
        let mut slots = vec![0; encoding.slots() as usize * rows.len()];
        for (g, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), encoding.inputs().len());
            for (slot, port) in encoding.inputs().iter().zip(row) {
                let mut put = |at: u32, words: Vec<u32>| {
                    for (j, word) in words.into_iter().enumerate() {
                        slots[(at as usize + j) * rows.len() + g] = word;
                    }
                };
                match (slot, port) {
                    (Slot::Elem(at), Port::Elem(x)) => put(*at, modulus.to_words(x)),
                    (Slot::Mask(at), Port::Mask(m)) => put(*at, vec![if *m { u32::MAX } else { 0 }]),
                    (Slot::Constant(k), Port::Elem(x)) => {
                        let at = *k as usize * n;
                        constants[at..at + n].copy_from_slice(&modulus.to_words(&modulus.to_montgomery(x)));
                    }
                    other => panic!("an input of its kind: {other:?}"),
                }
            }
        }
        let stages = 2 * encoding.stages().len() as u32 + u32::from(launch.backwards);
        let mut words = vec![n as u32, encoding.width() as u32, rows.len() as u32, encoding.slots(), encoding.places()];
        words.extend([launch.groups, launch.each, constants.len() as u32, stages]);
        words.extend(modulus.constants());
        words.extend(constants);
        words.extend(slots);
        for stage in encoding.stages() {
            words.push((stage.records.len() / encoding.width()) as u32);
            let bytes: Vec<u8> = stage.records.iter().flat_map(|record| record.to_bytes()).collect();
            words.extend(bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())));
            words.push(stage.inversions.len() as u32);
            words.extend(stage.inversions.iter().flat_map(|inversion| [inversion.from, inversion.to]));
        }
        words
    }
}

/// Executes an encoding for the rows of a batch; the outputs of each.
pub(crate) fn run(encoding: &Encoding, rows: &[Vec<Port>], launch: Launch) -> Vec<Vec<Port>> {
    let job: Vec<u8> = Job { encoding, rows, launch }.words().into_iter().flat_map(u32::to_le_bytes).collect();
    let mut child = Command::new(program()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&job).unwrap();
    let mut bytes = vec![];
    child.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
    assert!(child.wait().unwrap().success(), "{launch:?}");
    let slots: Vec<u32> = bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect();
    let n = encoding.modulus().words();
    let word = |at: usize, g: usize| slots[at * rows.len() + g];
    let port = |slot: &Slot, g: usize| match slot {
        Slot::Elem(at) => Port::Elem(BigUint::new((0..n).map(|j| word(*at as usize + j, g)).collect())),
        Slot::Mask(at) => Port::Mask(word(*at as usize, g) != 0),
        Slot::Constant(_) => panic!("no output is a constant"),
    };
    (0..rows.len()).map(|g| encoding.outputs().iter().map(|slot| port(slot, g)).collect()).collect()
}
