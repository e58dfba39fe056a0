//! What a run with secret masks leaves in the memory of the process, on stack and heap: no value that depends on the
//! masks. The memory is written to a file before it is known what to look for there.

use crate::common::{TIGHT, prime};
use bilinear_field::{Engine, Field, Margin, Prime, at, plus};
use bilinear_program::{Batch, Loaded, Machine, Program, Recorder, machine};
use num_bigint::BigUint;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// The secret: the steps that square, and do not cube.
const DIGITS: [bool; 6] = [true, false, false, true, true, false];
/// The value with which the steps begin.
const BASE: u64 = 0x1234_5678_9abc_def1;

/// Returns the program x ← digit ? x² : x³ for each digit, whether x is odd, and 1/x, of which only x·(1/x) is output.
fn program(p: &BigUint) -> Program {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let mut x = ports.elem();
        for _ in DIGITS {
            let digit = ports.mask();
            x = recorder.routine("step", || {
                at! {recorder; xx = sqr(&x); w = mul_wide(&xx, &x); xxx = reduce(&[plus(&w)]); next = select(digit, &xx, &xxx);}
                next
            });
        }
        let odd = recorder.is_odd(&x);
        at! {recorder; inverse = inv(&x); own = select(odd, &inverse, &inverse); one = mul(&own, &x);}
        ports.output(&one);
    });
    program.unwrap()
}

/// A word that stands for what kernels leave on the stack.
const LITTER: u64 = 0x5eed_7e57_0b5e_55ed;

/// Leaves litter where a run will have its frames.
#[inline(never)]
fn litter() {
    std::hint::black_box(&mut [std::hint::black_box(LITTER); 1 << 12]);
}

/// Runs the program, with the same values in every lane. Returns the loaded program, which keeps the memory of the run.
fn run(machine: &dyn Machine, program: &Arc<Program>, is_secret: bool) -> Arc<dyn Loaded> {
    let batch = Batch::new(program, machine, 2);
    let mut batch = if is_secret { batch.secret() } else { batch };
    for vector in 0..2 {
        for lane in 0..machine.lanes() {
            batch.set(vector, 0, lane, &[BASE]);
            DIGITS.iter().enumerate().for_each(|(i, digit)| batch.set_mask(vector, i, lane, *digit));
        }
    }
    let loaded = machine.load(program);
    litter();
    loaded.run(&mut batch);
    assert_eq!(batch.get(1, 0, 0)[0], 1);
    loaded
}

/// A copier of memory, made before there is anything to copy: memory that it allocated later might overwrite the values.
struct Dump {
    memory: File,
    copy: File,
    maps: String,
    buffer: Vec<u8>,
}

impl Dump {
    fn new(file: &Path) -> Self {
        Dump {
            memory: File::open("/proc/self/mem").unwrap(),
            copy: File::create(file).unwrap(),
            maps: String::with_capacity(1 << 20),
            buffer: vec![0; 1 << 16],
        }
    }

    /// Copies all memory that this process may write to.
    fn take(mut self) {
        File::open("/proc/self/maps").unwrap().read_to_string(&mut self.maps).unwrap();
        for map in self.maps.lines().filter(|map| map.contains(" rw")) {
            let (first, last) = map.split(' ').next().unwrap().split_once('-').unwrap();
            let [first, last] = [first, last].map(|address| u64::from_str_radix(address, 16).unwrap());
            self.memory.seek(SeekFrom::Start(first)).unwrap();
            let mut left = last - first;
            while left > 0 {
                let part = &mut self.buffer[..left.min(1 << 16) as usize];
                // another test may have given it back meanwhile
                if self.memory.read_exact(part).is_err() {
                    break;
                }
                self.copy.write_all(part).unwrap();
                left -= part.len() as u64;
            }
        }
    }
}

/// Returns every value that depends on the digits: after each step, and those that inversions in lanes and of several
/// values make of the last value, with its inverse.
fn secrets(p: &BigUint) -> Vec<BigUint> {
    let mut x = BigUint::from(BASE);
    let steps = DIGITS.iter().map(|digit| {
        x = x.modpow(&if *digit { 2u32 } else { 3u32 }.into(), p);
        x.clone()
    });
    let mut all: Vec<BigUint> = steps.collect();
    for k in 0..=4 {
        let power = x.modpow(&(1u32 << k).into(), p);
        all.extend([power.modinv(p).unwrap(), power]);
    }
    all
}

/// Returns the bytes of a value in the memory of an engine, in Montgomery form or as an integer: its words; a row of
/// it, and each of its limbs in eight lanes or, behind rows, in the first one. Numbers in limbs may be x + kp. Where
/// memory was freed, its first 16 bytes are different.
fn patterns(engine: Engine, p: &BigUint, x: &BigUint) -> Vec<Vec<u8>> {
    let count: u32 = match engine {
        Engine::Ifma => 5,
        Engine::Rows => 6,
        _ => 0,
    };
    let own = (x << if count > 0 { 52 * count } else { 256 }) % p;
    let mut all: Vec<Vec<u8>> = vec![];
    // short numbers may be anywhere, and so may short limbs
    for form in [x, &own].into_iter().filter(|form| form.bits() + 52 > p.bits()) {
        all.push(form.iter_u64_digits().skip(2).flat_map(u64::to_le_bytes).collect());
        for k in 0..3u32 {
            let number = form + p * k;
            let limb = |j: u32| (&number >> (52 * j)).iter_u64_digits().next().map_or(0, |word| word & ((1 << 52) - 1));
            let limbs: Vec<u64> = (0..count).map(limb).collect();
            if engine == Engine::Rows {
                all.push(limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect());
            }
            all.extend(limbs.iter().filter(|limb| **limb >> 32 > 0).map(|limb| {
                let lanes = if engine == Engine::Rows { [*limb, 0, 0, 0, 0, 0, 0, 0] } else { [*limb; 8] };
                lanes.iter().flat_map(|limb| limb.to_le_bytes()).collect()
            }));
        }
    }
    all
}

/// Returns how often one of the patterns, which are in order, begins at a multiple of 8, as values do.
fn count(memory: &[u8], patterns: &[Vec<u8>]) -> usize {
    let begins = |i: usize, word: &[u8]| {
        let first = patterns.partition_point(|pattern| pattern[..8] < *word);
        let mut same = patterns[first..].iter().take_while(|pattern| pattern[..8] == *word);
        same.any(|pattern| memory[8 * i..].starts_with(pattern))
    };
    memory.chunks_exact(8).enumerate().filter(|(i, word)| **word != [0; 8] && begins(*i, word)).count()
}

#[test]
fn no_secret_value_is_left_in_memory() {
    // a longer one for rows, so that the modulus of the kernels is p itself
    let primes = [TIGHT, 280].map(prime);
    let of = |engine: Engine| &primes[usize::from(engine == Engine::Rows)];
    let programs = primes.each_ref().map(|p| Arc::new(program(p)));
    let folder = std::env::temp_dir().join(format!("bilinear-wiped-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let engines = [Engine::Mont, Engine::Portable, Engine::Ifma, Engine::Rows];
    let engines: Vec<Engine> = engines.into_iter().filter(|engine| engine.is_available()).collect();
    // what a run with public masks leaves stays for good, so these runs come last
    let [secret, public] = [true, false].map(|is_secret| {
        let dumps = engines.iter().map(|engine| {
            let machine = machine(*engine, of(*engine), Margin::default()).unwrap();
            let program = &programs[usize::from(*engine == Engine::Rows)];
            let file = folder.join(format!("{engine}-{is_secret}"));
            let dump = Dump::new(&file);
            // what is freed may be used again or given back: several runs with public masks, with something kept between them
            let runs = if is_secret { 1 } else { 8 };
            let kept = (0..runs).map(|i| {
                let loaded = run(&*machine, program, is_secret);
                (loaded, vec![0u8; 100 << i])
            });
            let kept: Vec<_> = kept.collect();
            dump.take();
            drop(std::hint::black_box(kept));
            file
        });
        dumps.collect::<Vec<_>>()
    });
    let mut left = vec![];
    for (engine, dumps) in engines.into_iter().zip(secret.iter().zip(&public)) {
        let mut patterns: Vec<_> = secrets(of(engine)).iter().flat_map(|x| patterns(engine, of(engine), x)).collect();
        patterns.sort();
        let litter = [LITTER.to_le_bytes().repeat(4)];
        let [secret, public] = [dumps.0, dumps.1].map(|dump| {
            let memory = std::fs::read(dump).unwrap();
            [&patterns[..], &litter].map(|patterns| count(&memory, patterns))
        });
        if secret != [0, 0] {
            left.push((engine, secret));
        }
        assert!(public.iter().all(|found| *found > 0), "{engine}: {public:?} after a run with public masks");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(left.is_empty(), "values, and what was on the stack, after runs with secrets: {left:?}");
}
