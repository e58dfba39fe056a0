//! Programs that no recorder makes: all damage is refused, with the place where it is, and whatever is not refused runs.

use crate::common::{Rng, TIGHT, lane, prime, ragged, record, replay, rules_of, run, uniforms};
use crate::formulas::{Everything, Inversions, Loop, Partners};
use bilinear_field::MAX_TERMS;
use bilinear_field::reference::Reference;
use bilinear_program::ranges::prove;
use bilinear_program::{
    Call, Code, Fault, Input, Kind, Machine, Native, Op, Output, Parts, Program, ProgramError, Ref, Routine, Step, Term,
};
use num_bigint::BigUint;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

const E: Kind = Kind::Elem;

fn value(v: usize) -> Term {
    Term { coeff: 1, value: Ref::value(v) }
}

fn times(coeff: i32, v: usize) -> Term {
    Term { coeff, value: Ref::value(v) }
}

/// The parts of m ? 2·a·b − 3·k : a, by one routine; then the inverse of the result, and k divided by it.
fn small() -> Parts {
    let op = |code, operands, value| Op { code, operands, value };
    let routine = Routine {
        name: "mix",
        params: 3,
        kinds: vec![E, E, Kind::Mask, Kind::Wide, E, E, E],
        ops: vec![
            op(Code::MulWide, 0..2, 3),
            op(Code::Reduce, 2..3, 4),
            op(Code::Sum, 3..5, 5),
            op(Code::Select, 5..8, 6),
        ],
        operands: vec![
            value(0),
            value(1),
            times(2, 3),
            value(4),
            Term { coeff: -3, value: Ref::constant(0) },
            value(2),
            value(5),
            value(0),
        ],
        results: vec![5, 6],
    };
    Parts {
        modulus: prime(TIGHT),
        constants: vec![5u32.into()],
        routines: vec![routine],
        kinds: vec![E, E, Kind::Mask, E, E, E, Kind::Mask],
        inputs: vec![
            Input::Elem { value: 0 },
            Input::Uniform { value: 1, stream: 0, index: 1 },
            Input::Mask { value: 2 },
        ],
        outputs: vec![Output::Elem(Ref::value(5)), Output::Mask(Ref::value(6)), Output::Uniform(Ref::constant(0))],
        plan: vec![
            Step::Call(Call { routine: 0, args: vec![0, 1, 2], results: vec![None, Some(3)] }),
            Step::Shared { code: Code::Invert, args: vec![Ref::value(3)], results: vec![4] },
            Step::Shared { code: Code::Quotients, args: vec![Ref::constant(0), Ref::value(4)], results: vec![5, 6] },
        ],
    }
}

fn call(parts: &mut Parts) -> &mut Call {
    let Step::Call(call) = &mut parts.plan[0] else { panic!("a call") };
    call
}

fn shared(parts: &mut Parts, step: usize) -> (&mut Code, &mut Vec<Ref>, &mut Vec<u32>) {
    let Step::Shared { code, args, results } = &mut parts.plan[step] else { panic!("a shared operation") };
    (code, args, results)
}

/// Checks that a damaged program is refused with this error.
fn refused(what: &str, damage: impl FnOnce(&mut Parts), want: ProgramError) {
    let mut parts = small();
    damage(&mut parts);
    assert_eq!(parts.verify().err(), Some(want), "{what}");
}

fn operation(operation: usize, reason: Fault) -> ProgramError {
    ProgramError::Operation { routine: 0, name: "mix", operation, reason }
}

fn routine(reason: Fault) -> ProgramError {
    ProgramError::Routine { routine: 0, name: "mix", reason }
}

fn step(step: usize, reason: Fault) -> ProgramError {
    ProgramError::Step { step, reason }
}

fn port(port: usize, reason: Fault) -> ProgramError {
    ProgramError::Port { port, reason }
}

#[test]
fn the_sound_program_runs() {
    let program = Arc::new(small().verify().unwrap());
    let machine = Native::new("reference", Reference::new(program.modulus()).unwrap());
    let stream = uniforms(&machine, &[1u32.into(), 7u32.into()]);
    for (m, want) in [(true, 2u32 * 11 * 7 - 15), (false, 11)] {
        let lanes = vec![vec![(vec![11u32.into()], vec![m])]];
        let got = run(&machine, &program, &lanes, &[vec![stream.clone()]]);
        assert_eq!(got, [(vec![BigUint::from(want) * 5u32], vec![false])]);
        let (replayed, _) = replay(&program, &lanes[0][0], &[1u32.into(), 7u32.into()]);
        assert_eq!(replayed[0], BigUint::from(want) * 5u32);
    }
}

#[test]
fn damaged_operations_are_refused_by_their_numbers() {
    let at = |parts: &mut Parts, i: usize, term: Term| parts.routines[0].operands[i] = term;
    refused("a value that is not yet made", |p| at(p, 2, times(2, 4)), operation(1, Fault::Undefined(0)));
    refused("an operation that reads itself", |p| at(p, 3, value(5)), operation(2, Fault::Undefined(0)));
    refused("a value that there is not", |p| at(p, 7, value(99)), operation(3, Fault::Undefined(2)));
    let constant = Term { coeff: 1, value: Ref::constant(1) };
    refused("a constant that there is not", |p| at(p, 1, constant), operation(0, Fault::Undefined(1)));
    refused("a truth value as a factor", |p| at(p, 0, value(2)), operation(0, Fault::Kind(0)));
    refused("an element as an unreduced value", |p| at(p, 2, value(0)), operation(1, Fault::Kind(0)));
    let constant = Term { coeff: 1, value: Ref::constant(0) };
    refused("a constant as an unreduced value", |p| at(p, 2, constant), operation(1, Fault::Kind(0)));
    refused("a constant as a truth value", |p| at(p, 5, constant), operation(3, Fault::Kind(0)));
    refused("an unreduced value in a sum", |p| at(p, 4, value(3)), operation(2, Fault::Kind(1)));
    for coeff in [0, 4097, -4097, i32::MIN, i32::MAX] {
        refused("a coefficient", |p| at(p, 4, times(coeff, 0)), operation(2, Fault::Coefficient(coeff)));
    }
    refused("a coefficient of a factor", |p| at(p, 1, times(2, 1)), operation(0, Fault::Coefficient(2)));
    refused("another code", |p| p.routines[0].ops[0].code = Code::Sqr, operation(0, Fault::Count(2)));
    refused("a shared code", |p| p.routines[0].ops[0].code = Code::Invert, operation(0, Fault::Place));
    refused("a code with other results", |p| p.routines[0].ops[0].code = Code::Mul, operation(0, Fault::Numbering));
    let two = |p: &mut Parts| (p.routines[0].ops[0].code, p.routines[0].ops[0].operands) = (Code::ComplexMul, 0..2);
    refused("a code with more operands", two, operation(0, Fault::Count(2)));
    refused("no operands", |p| p.routines[0].ops[3].operands = 5..5, operation(3, Fault::Count(0)));
    refused("operands out of range", |p| p.routines[0].ops[3].operands = 5..99, operation(3, Fault::Count(94)));
    #[allow(clippy::reversed_empty_ranges)]
    let backwards = |p: &mut Parts| p.routines[0].ops[3].operands = 8..5;
    refused("operands backwards", backwards, operation(3, Fault::Count(0)));
    let long = |p: &mut Parts| {
        p.routines[0].operands.extend(vec![value(0); 2 + MAX_TERMS + 1]);
        p.routines[0].ops[2].operands = 8..(8 + 2 + MAX_TERMS as u32 + 1);
    };
    refused("too many terms", long, operation(2, Fault::Count(2 + MAX_TERMS + 1)));
    for v in [0, 3, 5, u32::MAX] {
        refused("a result by another number", |p| p.routines[0].ops[1].value = v, operation(1, Fault::Numbering));
    }
    refused("a result of another kind", |p| p.routines[0].kinds[4] = Kind::Wide, operation(1, Fault::Numbering));
    refused("a result without its kind", |p| p.routines[0].kinds.truncate(6), operation(3, Fault::Numbering));
    let swapped = |p: &mut Parts| p.routines[0].ops.swap(0, 1);
    refused("operations in another order", swapped, operation(0, Fault::Undefined(0)));
}

#[test]
fn damaged_routines_and_constants_are_refused() {
    refused("more kinds than values", |p| p.routines[0].kinds.push(E), routine(Fault::Numbering));
    refused("more parameters than values", |p| p.routines[0].params = 8, routine(Fault::Count(8)));
    refused("a result that there is not", |p| p.routines[0].results = vec![5, 7], routine(Fault::Undefined(7)));
    refused("a parameter as a result", |p| p.routines[0].results = vec![0, 6], routine(Fault::Numbering));
    refused("results out of order", |p| p.routines[0].results = vec![6, 5], routine(Fault::Numbering));
    refused("a result twice", |p| p.routines[0].results = vec![6, 6], routine(Fault::Numbering));
    let p = prime(TIGHT);
    for constant in [p.clone(), &p + 1u32, p << 9u32] {
        refused("a constant above p", |p| p.constants.push(constant), ProgramError::Constant { constant: 1 });
    }
    for modulus in [0u32, 1, 2, 4, 1_000_004] {
        refused("a modulus", |p| p.modulus = modulus.into(), ProgramError::Modulus);
    }
}

#[test]
fn damaged_plans_and_ports_are_refused() {
    refused("a routine that there is not", |p| call(p).routine = 1, step(0, Fault::NoRoutine));
    refused("too few arguments", |p| call(p).args.truncate(2), step(0, Fault::Count(2)));
    refused("too many arguments", |p| call(p).args.push(0), step(0, Fault::Count(4)));
    refused("too few results", |p| call(p).results.truncate(1), step(0, Fault::Results(1)));
    refused("an argument of another kind", |p| call(p).args[1] = 2, step(0, Fault::Kind(2)));
    refused("an argument that is made later", |p| call(p).args[1] = 4, step(0, Fault::Undefined(4)));
    refused(
        "an argument that there is not",
        |p| call(p).args[1] = u32::MAX,
        step(0, Fault::Undefined(u32::MAX as usize)),
    );
    refused("an input that is made", |p| call(p).results[1] = Some(0), step(0, Fault::Twice(0)));
    refused("a value made twice", |p| call(p).results[0] = Some(3), step(0, Fault::Twice(3)));
    refused("a result of another kind", |p| call(p).results[1] = Some(6), step(0, Fault::Kind(6)));
    refused("a result that there is not", |p| call(p).results[1] = Some(7), step(0, Fault::Undefined(7)));
    refused("a step again", |p| p.plan.insert(1, p.plan[0].clone()), step(1, Fault::Twice(3)));
    refused("steps in another order", |p| p.plan.swap(1, 2), step(1, Fault::Undefined(4)));
    refused("a step that is missing", |p| drop(p.plan.remove(1)), step(1, Fault::Undefined(4)));
    refused("a code of routines", |p| *shared(p, 1).0 = Code::Sqr, step(1, Fault::Place));
    refused("nothing to invert", |p| shared(p, 1).1.clear(), step(1, Fault::Count(0)));
    refused("nothing to divide by", |p| shared(p, 2).1.truncate(1), step(2, Fault::Count(1)));
    refused("an inverse of a truth value", |p| shared(p, 1).1[0] = Ref::value(2), step(1, Fault::Kind(2)));
    refused("a numerator of lanes", |p| shared(p, 2).1[0] = Ref::value(0), step(2, Fault::Kind(0)));
    refused("no place for the truth value", |p| shared(p, 2).2.truncate(1), step(2, Fault::Results(1)));
    refused("quotients in the wrong places", |p| shared(p, 2).2.swap(0, 1), step(2, Fault::Kind(6)));
    refused("an input twice", |p| p.inputs[1] = Input::Elem { value: 0 }, port(1, Fault::Twice(0)));
    refused("an input of another kind", |p| p.inputs[0] = Input::Elem { value: 2 }, port(0, Fault::Kind(2)));
    refused("a truth value that is an element", |p| p.inputs[2] = Input::Mask { value: 1 }, port(2, Fault::Kind(1)));
    refused("an input that there is not", |p| p.inputs[0] = Input::Elem { value: 9 }, port(0, Fault::Undefined(9)));
    refused("an input that is missing", |p| p.inputs = p.inputs.split_off(1), step(0, Fault::Undefined(0)));
    refused("an output that is a truth value", |p| p.outputs[0] = Output::Elem(Ref::value(6)), port(3, Fault::Kind(6)));
    refused("a truth value that is none", |p| p.outputs[1] = Output::Mask(Ref::value(5)), port(4, Fault::Kind(5)));
    refused("a constant as a truth value", |p| p.outputs[1] = Output::Mask(Ref::constant(0)), port(4, Fault::Kind(0)));
    let output = Output::Uniform(Ref::constant(1));
    refused("a constant that there is not", |p| p.outputs[2] = output, port(5, Fault::Undefined(1)));
    // a residue of a prepared argument that comes in twice
    let twice = |p: &mut Parts| {
        p.kinds.push(E);
        p.inputs.push(Input::Uniform { value: 7, stream: 0, index: 1 });
    };
    refused("a residue twice", twice, port(3, Fault::Twice(7)));
    for (stream, index) in [(1 << 24, 0), (0, u32::MAX)] {
        let far = |p: &mut Parts| {
            p.kinds.push(E);
            p.inputs.push(Input::Uniform { value: 7, stream, index });
        };
        refused("a residue far away", far, port(3, Fault::Stream(stream.max(index))));
    }
}

/// Makes one random change. Numbers stay close to existing ones, so that many of the results are sound.
fn mutate(parts: &mut Parts, rng: &mut Rng) {
    let pick = |rng: &mut Rng, len: usize| rng.below(len.max(1));
    let kind = |rng: &mut Rng| Kind::ALL[rng.below(3)];
    let r = pick(rng, parts.routines.len());
    let values = parts.kinds.len();
    let constants = parts.constants.len();
    let plan = parts.plan.len();
    let reference = |rng: &mut Rng, values: usize| match rng.below(6) {
        0 => Ref::constant(rng.below(constants + 1)),
        _ => Ref::value(rng.below(values + 1)),
    };
    match rng.below(16) {
        0..=7 if !parts.routines.is_empty() => {
            let routine = &mut parts.routines[r];
            let (ops, operands, kinds) = (routine.ops.len(), routine.operands.len(), routine.kinds.len());
            let (o, t) = (pick(rng, ops), pick(rng, operands));
            match rng.below(10) {
                0 => routine.ops[o].code = Code::ALL[rng.below(Code::ALL.len())],
                1 | 2 if operands > 0 => routine.operands[t].value = reference(rng, kinds),
                3 if operands > 0 => routine.operands[t].coeff = [-1, 1, 2, -4096, 4096, 0, 3][rng.below(7)],
                4 => routine.ops[o].operands.end = rng.below(operands + 2) as u32,
                5 => routine.ops[o].value = rng.below(kinds + 1) as u32,
                6 => routine.kinds[rng.below(kinds)] = kind(rng),
                7 => routine.params = rng.below(kinds + 1),
                8 => {
                    routine.results = (0..kinds as u32).filter(|_| rng.below(2) == 1).collect();
                }
                _ => {
                    let (a, b) = (pick(rng, ops), pick(rng, ops));
                    let [first, second] = [a, b].map(|i| routine.ops[i].operands.clone());
                    (routine.ops[a].operands, routine.ops[b].operands) = (second, first);
                }
            }
        }
        8..=11 if plan > 0 => {
            let s = rng.below(plan);
            match &mut parts.plan[s] {
                Step::Call(call) => match rng.below(6) {
                    0 => call.routine = rng.below(parts.routines.len() + 1) as u32,
                    1..=3 if !call.args.is_empty() => {
                        let i = rng.below(call.args.len());
                        call.args[i] = rng.below(values + 1) as u32;
                    }
                    4 if !call.results.is_empty() => {
                        let i = rng.below(call.results.len());
                        call.results[i] = [None, Some(rng.below(values + 1) as u32)][rng.below(2)];
                    }
                    _ => {
                        let step = parts.plan.remove(s);
                        parts.plan.insert(rng.below(plan), step);
                    }
                },
                Step::Shared { code, args, results } => match rng.below(4) {
                    0 => *code = [Code::Invert, Code::Quotients, Code::Mul][rng.below(3)],
                    1 | 2 => {
                        let i = rng.below(args.len());
                        args[i] = reference(rng, values);
                    }
                    _ => {
                        let i = rng.below(results.len());
                        results[i] = rng.below(values + 1) as u32;
                    }
                },
            }
        }
        12 => {
            let v = parts.kinds.len() as u32;
            parts.kinds.push(kind(rng));
            let (stream, index) = (rng.below(2) as u32, rng.below(4) as u32);
            let input =
                [Input::Elem { value: v }, Input::Mask { value: v }, Input::Uniform { value: v, stream, index }];
            parts.inputs.push(input[rng.below(3)]);
        }
        13 => {
            let x = reference(rng, values);
            parts.outputs.push([Output::Elem(x), Output::Uniform(x), Output::Mask(x)][rng.below(3)]);
        }
        14 => {
            let i = pick(rng, values);
            if values > 0 {
                parts.kinds[i] = kind(rng);
            }
        }
        _ => parts.constants.push(7u32.into()),
    }
}

/// Runs a program that is sound, however odd: on the reference, and on words where its ranges are proved.
fn runs(program: &Arc<Program>, rng: &mut Rng) {
    let p = program.modulus();
    let count = |is: fn(&Input) -> bool| program.inputs().iter().filter(|i| is(i)).count();
    let (elems, masks) = (count(|i| matches!(i, Input::Elem { .. })), count(|i| matches!(i, Input::Mask { .. })));
    let given = lane(rng, p, elems, masks);
    let reference = Native::new("reference", Reference::new(p).unwrap());
    let residues: Vec<BigUint> = (3..8u32).map(BigUint::from).collect();
    let on = |machine: &dyn Machine| {
        let stream = uniforms(machine, &residues);
        let lanes = ragged(machine, std::slice::from_ref(&given));
        run(machine, program, &lanes, &[vec![stream.clone(), stream]])
    };
    let want = on(&reference);
    assert_eq!(want, [replay(program, &given, &residues)]);
    // programs with which a machine could not compute are refused by the proof of ranges
    if rules_of(p).iter().all(|rules| prove(program, rules).violations.is_empty()) {
        let keeps_ranges = |machine: &Arc<dyn Machine>| {
            machine.prove(&machine.suited(program)).is_none_or(|r| r.violations.is_empty())
        };
        for machine in crate::common::machines(p).into_iter().filter(keeps_ranges) {
            assert_eq!(on(&*machine), want, "{}", machine.name());
        }
    }
}

/// The number of trials, which take the gate seconds. `make fuzz` goes on with the target `program`.
const TRIALS: u64 = 20_000;

#[test]
fn what_is_changed_at_random_is_refused_or_runs() {
    let p = prime(TIGHT);
    let sound: Vec<Parts> = [
        small(),
        record(&p, &Everything).into_parts(),
        record(&p, &Partners).into_parts(),
        record(&p, &Inversions).into_parts(),
        record(&p, &Loop(3)).into_parts(),
    ]
    .into();
    let mut ran = 0;
    for seed in 1..=TRIALS {
        let mut rng = Rng(0x5eed_9000_0000 + seed);
        let mut parts = sound[seed as usize % sound.len()].clone();
        for _ in 0..=rng.below(3) {
            mutate(&mut parts, &mut rng);
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let Ok(program) = parts.verify() else { return false };
            runs(&Arc::new(program), &mut rng);
            true
        }));
        assert!(outcome.is_ok(), "seed {:#x}", 0x5eed_9000_0000 + seed);
        ran += u64::from(outcome.unwrap_or(false));
    }
    assert!((TRIALS / 10..TRIALS * 9 / 10).contains(&ran), "{ran} of {TRIALS} ran: neither all nor none should");
}
