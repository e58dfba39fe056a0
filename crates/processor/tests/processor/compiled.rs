//! Tests of random programs, compiled for processors with few and with many registers, against their replay.

use crate::execution::alu;
use bilinear_field::reference::Reference;
use bilinear_field::{Blank, Field, Lanes, Prime, minus, plus, times};
use bilinear_processor::{Image, Issue, Machine, Names, Opcode, compile, simulate};
use bilinear_program::{Elem, Mask, Program, Recorder, Value, Wide};
use num_bigint::BigUint;
use proptest::prelude::*;

const P: u64 = 0xffff_ffff_ffff_ffc5;
/// The number of elements that pass from one step to the next.
const STATE: usize = 6;

/// The operations of a step, as random numbers.
type Step = Vec<[u8; 4]>;

/// A random program: steps that run in some order, most of them several times.
#[derive(Clone, Debug)]
struct Source {
    steps: Vec<Step>,
    order: Vec<u8>,
}

fn source() -> impl Strategy<Value = Source> {
    let step = prop::collection::vec(any::<[u8; 4]>(), 1..12);
    let order = prop_oneof![
        prop::collection::vec(0..4_u8, 1..12),
        // one or two steps, many times
        prop::collection::vec(0..2_u8, 20..60),
        prop::collection::vec(Just(0_u8), 5..30),
    ];
    (prop::collection::vec(step, 4), order).prop_map(|(steps, order)| Source { steps, order })
}

/// Records the operation that the numbers stand for.
fn operation(f: &Recorder, state: &mut [Elem], constants: &[Elem], mask: &mut Mask, [code, x, y, z]: [u8; 4]) {
    let all: Vec<Elem> = state.iter().chain(constants).copied().collect();
    let pick = |n: u8| all[usize::from(n) % all.len()];
    let [a, b, c] = [x, y, z].map(pick);
    let coeff = [1, -1, 2, 3, -4, 7][usize::from(z) % 6];
    let terms = [plus(&a), minus(&b), times(coeff, &c)];
    let mut out = Elem::blank();
    let mut pair: [Elem; 2] = Blank::blank();
    let (mut v, mut w) = (Wide::blank(), Wide::blank());
    match code % 20 {
        0 => f.mul(&mut out, &a, &b),
        1 => f.sqr(&mut out, &a),
        2 => f.add(&mut out, &a, &b),
        3 => f.sub(&mut out, &a, &b),
        4 => f.sum(&mut out, &terms),
        5 => f.mul_sum(&mut out, &a, &b, &terms[..2]),
        6 => f.sqr_sum(&mut out, &a, &terms[1..]),
        7 => f.three_and_two(&mut out, &a, &b, z % 2 == 0),
        8 => {
            f.mul_wide(&mut v, &a, &b);
            f.sqr_wide(&mut w, &c);
            f.reduce(&mut out, &[times(coeff, &v), minus(&w)]);
        }
        9 => {
            f.mul_wide(&mut v, &a, &b);
            f.lin(&mut w, &[times(3, &v)]);
            f.reduce_three_and_two(&mut out, &[plus(&w), plus(&v)], &c, z % 2 == 0);
        }
        10 => f.complex_mul(&mut pair, &[a, b], &[c, a]),
        11 => f.complex_sqr(&mut pair, &[a, b]),
        12 => {
            let mut wides: [Wide; 2] = Blank::blank();
            f.complex_sums_mul_wide(&mut wides, [&[a, b], &[c, b], &[b, c], &[a, a]]);
            wides.iter().zip(&mut pair).for_each(|(w, out)| f.reduce(out, &[plus(w)]));
        }
        13 => *mask = f.is_zero(&a),
        14 => *mask = f.and(*mask, f.not(f.is_zero(&b))),
        15 => f.inv(&mut out, &a),
        16 => {
            let mut xs = [a, b, c];
            f.inv_many(&mut xs);
            out = xs[usize::from(z) % 3];
        }
        17 => {
            // there are no quotients if a divisor is 0
            let mut quotients: [Elem; 2] = Blank::blank();
            let zero = f.quotients(&mut quotients, &constants[5], &[a, b]);
            f.select(&mut out, zero, &c, &quotients[usize::from(z) % 2]);
        }
        18 => {
            // unreduced values with several readers, one of them a negative sum
            let mut u = Wide::blank();
            f.mul_wide(&mut u, &a, &b);
            f.sqr_wide(&mut v, &c);
            f.lin(&mut w, &[minus(&u), times(-2, &v)]);
            f.reduce(&mut pair[0], &[times(coeff, &w), plus(&u)]);
            f.reduce(&mut pair[1], &[plus(&w), times(coeff, &v)]);
        }
        _ => f.select(&mut out, *mask, &a, &b),
    }
    let place = usize::from(x ^ y) % state.len();
    match code % 20 {
        10..=12 | 18 => {
            state[place] = pair[0];
            state[(place + 1) % STATE] = pair[1];
        }
        13 | 14 => {}
        _ => state[place] = out,
    }
}

/// Records the program. `None` if a step gives the same value twice, which is not a valid program.
fn record(source: &Source) -> Option<Program> {
    let recorder = Recorder::new(&P.into()).unwrap();
    let constants = [0, 1, 3, P - 1, (P >> 1) + 1, 77].map(|c: u64| recorder.constant(&c.into()));
    recorder
        .record(|ports| {
            let mut state: Vec<Elem> = (0..STATE).map(|_| ports.elem()).collect();
            let mut mask = ports.mask();
            for step in &source.order {
                recorder.routine("step", || {
                    for numbers in &source.steps[usize::from(*step)] {
                        operation(&recorder, &mut state, &constants, &mut mask, *numbers);
                    }
                });
            }
            state.iter().for_each(|x| ports.output(x));
        })
        .ok()
}

fn names() -> Names {
    let number = |prefix: &str, count: usize| (0..count).map(|i| format!("{prefix}{i}")).collect();
    Names { inputs: number("x", STATE + 1), outputs: number("y", STATE) }
}

/// Returns the outputs of a program on the processor, and those of its replay.
fn outputs(program: &Program, image: &Image, inputs: &[u64], truth: bool) -> [Vec<BigUint>; 2] {
    let f = Reference::new(&P.into()).unwrap();
    let residues: Vec<_> = inputs.iter().map(|x| f.constant(&(*x).into())).collect();
    let mut given = residues.clone();
    given.push(f.constant(&u32::from(truth).into()));
    let run = simulate(&f, image, &given, &alu(), 100_000).unwrap();
    let mut values: Vec<Value<Reference>> = residues.into_iter().map(Value::Elem).collect();
    values.push(Value::Mask(f.mask(truth)));
    let replayed = program.replay(&f, &values);
    [run.outputs.iter().map(|x| f.value(x, 0)).collect(), replayed.iter().map(|x| f.value(x.elem(), 0)).collect()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]
    #[test]
    fn compiled_programs_do_what_their_replay_does(
        source in source(),
        inputs in prop::array::uniform6(prop_oneof![Just(0), Just(1), Just(P - 1), 0..P]),
        truth in any::<bool>(),
    ) {
        let program = record(&source);
        prop_assume!(program.is_some());
        let program = program.unwrap();
        let pipelined = Issue::Pipelined { product: 2 };
        for (registers, wide, loops, issue) in [
            (4, 0, false, Issue::Serial),
            (4, 0, true, Issue::Beside),
            (9, 0, true, Issue::Serial),
            (9, 0, true, pipelined),
            (40, 0, false, Issue::Beside),
            (40, 0, true, pipelined),
            // sums of products stay unreduced as far as wide registers permit
            (10, 1, true, Issue::Serial),
            (40, 2, false, Issue::Serial),
            (40, 30, true, Issue::Serial),
        ] {
            let machine = Machine { alu: alu(), issue, registers, wide, spill: true, loops };
            let image = compile(&[&program], &names(), &machine).unwrap();
            let [got, want] = outputs(&program, &image, &inputs, truth);
            prop_assert_eq!(got, want, "{} registers, {} wide, loops {}", registers, wide, loops);
        }
        // without spilling the compiler either says how many registers are needed, or stores nothing but outputs
        let machine = Machine { alu: alu(), issue: Issue::Serial, registers: 12, wide: 0, spill: false, loops: true };
        match compile(&[&program], &names(), &machine) {
            Ok(image) => {
                let [got, want] = outputs(&program, &image, &inputs, truth);
                prop_assert_eq!(got, want);
                let stores = image.instructions.iter().filter(|i| i.opcode == Opcode::St).count();
                prop_assert!(stores <= STATE);
            }
            Err(error) => prop_assert!(error.to_string().contains("values are live at a time"), "{}", error),
        }
    }
}
