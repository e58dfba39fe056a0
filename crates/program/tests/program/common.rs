//! Helpers of the tests: primes, random numbers, recording of a formula, and runs of it over the reference and on machines.
#![allow(unreachable_pub)]

use bilinear_field::bounds::Rules;
use bilinear_field::reference::Reference;
use bilinear_field::{Engine, Field, LIMBS, Margin, Prime, WORDS, rules};
use bilinear_program::ranges::prove;
use bilinear_program::{Batch, Input, Machine, Output, Program, Recorder, Uniforms, Value, machine};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

/// xorshift64*: deterministic, so that a failure names its seed.
pub struct Rng(pub u64);

impl Rng {
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below n.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// Returns any residue.
    pub fn residue(&mut self, p: &BigUint) -> BigUint {
        (0..=p.bits() / 64).fold(BigUint::ZERO, |x, _| (x << 64u32) + self.word()) % p
    }

    /// Returns 0, 1, p − 1, or any residue.
    pub fn edge(&mut self, p: &BigUint) -> BigUint {
        match self.below(8) {
            0 => BigUint::ZERO,
            1 => BigUint::one(),
            2 => p - 1u32,
            _ => self.residue(p),
        }
    }
}

/// Returns the largest prime ≡ 3 (mod 4) of this many bits, by Fermat's test: the sizes are fixed, so this is a
/// search and not a proof.
pub fn prime(bits: u64) -> BigUint {
    let mut p = (BigUint::one() << bits) - 1u32;
    let is_prime = |p: &BigUint| [2u32, 3, 5, 7].iter().all(|a| BigUint::from(*a).modpow(&(p - 1u32), p).is_one());
    while !is_prime(&p) {
        p -= 4u32;
    }
    p
}

/// No spare bit in 4 words; too few in 5 limbs, so that lanes take 8.
pub const FULL: u64 = 256;
/// Two spare bits in 4 words, and those that towers need in 5 limbs.
pub const TIGHT: u64 = 254;
/// Sixteen spare bits in 4 words, where a multiple takes its place.
pub const SHORT: u64 = 240;
/// Forty spare bits in 10 words.
pub const ROOMY: u64 = 600;
/// Twelve spare bits in 8 words, 20 in 10 limbs.
pub const LONG: u64 = 500;
/// All sizes.
pub const SIZES: [u64; 5] = [FULL, TIGHT, SHORT, ROOMY, LONG];

/// The values that a formula takes, or makes: elements, truth values and residues that are the same in every lane.
pub struct Values<F: Prime> {
    pub elems: Vec<F::Elem>,
    pub masks: Vec<F::Mask>,
    pub uniforms: Vec<F::Elem>,
}

impl<F: Prime> Default for Values<F> {
    fn default() -> Self {
        Values { elems: vec![], masks: vec![], uniforms: vec![] }
    }
}

/// A formula over any prime field.
pub trait Formula {
    /// The numbers of elements, truth values and residues of one prepared argument that the formula takes.
    const INPUTS: [usize; 3];
    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F>;
}

/// Records the program of a formula.
pub fn record<W: Formula>(p: &BigUint, formula: &W) -> Program {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let [elems, masks, uniforms] = W::INPUTS;
        let given = Values {
            elems: (0..elems).map(|_| ports.elem()).collect(),
            masks: (0..masks).map(|_| ports.mask()).collect(),
            uniforms: (0..uniforms).map(|_| ports.uniform(0)).collect(),
        };
        let made = formula.run(&recorder, &given);
        made.elems.iter().for_each(|x| ports.output(x));
        made.masks.iter().for_each(|m| ports.output_mask(*m));
        made.uniforms.iter().for_each(|x| ports.output_uniform(x));
    });
    program.unwrap()
}

/// One lane of the inputs of a formula: elements, truth values.
pub type Lane = (Vec<BigUint>, Vec<bool>);

/// Returns inputs of a lane, edge cases among them.
pub fn lane(rng: &mut Rng, p: &BigUint, elems: usize, masks: usize) -> Lane {
    ((0..elems).map(|_| rng.edge(p)).collect(), (0..masks).map(|_| rng.below(2) == 1).collect())
}

/// Replays a program over the reference, on one lane and a prepared argument.
pub fn replay(program: &Program, (elems, masks): &Lane, uniforms: &[BigUint]) -> Lane {
    let r = Reference::new(program.modulus()).unwrap();
    let (mut own, mut truths) = (elems.iter(), masks.iter());
    let inputs = program.inputs().iter().map(|input| match input {
        Input::Elem { .. } => Value::Elem(own.next().unwrap().clone()),
        Input::Mask { .. } => Value::Mask(*truths.next().unwrap()),
        Input::Uniform { index, .. } => Value::Elem(uniforms[*index as usize].clone()),
    });
    let inputs: Vec<Value<Reference>> = inputs.collect();
    let (mut elems, mut truths) = (vec![], vec![]);
    for (output, value) in program.outputs().iter().zip(program.replay(&r, &inputs)) {
        match output {
            Output::Elem(_) | Output::Stored(_) => elems.push(value.elem().clone()),
            Output::Mask(_) => truths.push(value.mask()),
            Output::Uniform(_) => {}
        }
    }
    (elems, truths)
}

/// Returns the machines that compute with a modulus on this processor.
pub fn machines(p: &BigUint) -> Vec<Arc<dyn Machine>> {
    Engine::available()
        .filter(|engine| engine.suits(p))
        .map(|engine| machine(engine, p, Margin::default()).unwrap())
        .collect()
}

/// Returns the rules of the machines with ranges. Lanes take more limbs where a modulus fills its own.
pub fn rules_of(p: &BigUint) -> Vec<Arc<dyn Rules>> {
    [Engine::Mont, Engine::Ifma, Engine::Rns]
        .into_iter()
        .filter_map(|engine| rules(engine, p, WORDS, LIMBS, Margin::default()))
        .collect()
}

/// Returns a prepared argument of these residues.
pub fn uniforms(machine: &dyn Machine, residues: &[BigUint]) -> Uniforms {
    let recorder = Recorder::new(machine.modulus()).unwrap();
    let keep = recorder.record(|ports| {
        for _ in residues {
            let x = ports.elem();
            ports.output_uniform(&x);
        }
    });
    let keep = Arc::new(keep.unwrap());
    let mut batch = Batch::new(&keep, machine, 1);
    for (i, x) in residues.iter().enumerate() {
        batch.set(0, i, 0, &x.to_u64_digits());
    }
    machine.load(&keep).run(&mut batch);
    batch.uniforms().unwrap()
}

/// Runs a program on a machine, on vectors of lanes, the last of which may have fewer, each with its prepared
/// arguments. Checks that reductions of forms near 0 change nothing.
pub fn run(
    machine: &dyn Machine,
    program: &Arc<Program>,
    vectors: &[Vec<Lane>],
    streams: &[Vec<Uniforms>],
) -> Vec<Lane> {
    let suited = machine.suited(program);
    let made = run_suited(machine, &suited, vectors, streams);
    if let Some((near, _)) = machine.near(&suited) {
        assert_eq!(run_suited(machine, &near, vectors, streams), made, "forms near 0, {}", machine.name());
    }
    made
}

fn run_suited(
    machine: &dyn Machine,
    program: &Arc<Program>,
    vectors: &[Vec<Lane>],
    streams: &[Vec<Uniforms>],
) -> Vec<Lane> {
    let loaded = machine.load(program);
    let run = || {
        let mut batch = Batch::new(program, machine, vectors.len());
        for (v, lanes) in vectors.iter().enumerate() {
            for (lane, (elems, masks)) in lanes.iter().enumerate() {
                elems.iter().enumerate().for_each(|(i, x)| batch.set(v, i, lane, &x.to_u64_digits()));
                masks.iter().enumerate().for_each(|(i, m)| batch.set_mask(v, i, lane, *m));
            }
            batch.set_streams(v, streams[v].clone());
        }
        loaded.run(&mut batch);
        batch
    };
    // a second run over the same places must not see what the first one left
    let (again, batch) = (run(), run());
    let outputs = program.outputs().iter();
    let masks = outputs.clone().filter(|o| matches!(o, Output::Mask(_))).count();
    let elems = outputs.filter(|o| matches!(o, Output::Elem(_) | Output::Stored(_))).count();
    let integer = |words: &[u64]| words.iter().rev().fold(BigUint::ZERO, |x, w| (x << 64u32) + *w);
    let mut all = vec![];
    for (v, lanes) in vectors.iter().enumerate() {
        for lane in 0..lanes.len() {
            let read = |batch: &Batch| -> Lane {
                (
                    (0..elems).map(|i| integer(batch.get(v, i, lane))).collect(),
                    (0..masks).map(|i| batch.get_mask(v, i, lane)).collect(),
                )
            };
            assert_eq!(read(&batch), read(&again), "two runs, {}", machine.name());
            all.push(read(&batch));
        }
    }
    all
}

/// Divides lanes into vectors of a machine. The last vector may have fewer lanes.
pub fn ragged(machine: &dyn Machine, lanes: &[Lane]) -> Vec<Vec<Lane>> {
    lanes.chunks(machine.lanes()).map(<[Lane]>::to_vec).collect()
}

/// Checks that a formula recorded and replayed over the reference, and run by every machine, equals the formula
/// itself over the reference.
pub fn agrees<W: Formula>(what: &str, formula: &W, bits: u64, seed: u64) {
    let p = prime(bits);
    let program = Arc::new(record(&p, formula));
    let mut rng = Rng(seed);
    let [elems, masks, residues] = W::INPUTS;
    let prepared: Vec<BigUint> = (0..residues).map(|_| rng.edge(&p)).collect();
    // three vectors of eight lanes, the last one ragged
    let lanes: Vec<Lane> = (0..21).map(|_| lane(&mut rng, &p, elems, masks)).collect();
    for rules in rules_of(&p) {
        assert_eq!(prove(&program, &rules).violations, Vec::<String>::new(), "{what}: ranges, {bits} bits");
    }
    let r = Reference::new(&p).unwrap();
    let direct = |(elems, masks): &Lane| -> Lane {
        let given = Values { elems: elems.clone(), masks: masks.clone(), uniforms: prepared.clone() };
        let made = formula.run(&r, &given);
        (made.elems, made.masks)
    };
    let want: Vec<Lane> = lanes.iter().map(direct).collect();
    for (lane, want) in lanes.iter().zip(&want) {
        assert_eq!(&replay(&program, lane, &prepared), want, "{what}: replay, {bits} bits, seed {seed:#x}");
    }
    for machine in machines(&p) {
        let vectors = ragged(&*machine, &lanes);
        let own = if prepared.is_empty() { vec![] } else { vec![uniforms(&*machine, &prepared)] };
        let streams = vec![own; vectors.len()];
        let got = run(&*machine, &program, &vectors, &streams);
        for (lane, (got, want)) in got.iter().zip(&want).enumerate() {
            assert_eq!(got, want, "{what}: {}, lane {lane}, {bits} bits, seed {seed:#x}", machine.name());
        }
    }
}

/// The coefficients of an element of F_p^12.
pub fn flat<F: Field>(x: &[[[F::Elem; 2]; 3]; 2]) -> Vec<F::Elem> {
    x.iter().flatten().flatten().cloned().collect()
}
