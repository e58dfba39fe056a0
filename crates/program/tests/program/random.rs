//! Random sound programs: routines and plans that no formula has, with values of every kind that pass between calls,
//! halves with any partners, and vectors that meet in between. Machines compute what their replay does.

use crate::common::{Lane, Rng, SIZES, lane, machines, prime, replay, rules_of, run, uniforms};
use bilinear_program::ranges::prove;
use bilinear_program::{Call, Code, Input, Kind, Op, Output, Parts, Program, Ref, Routine, Step, Term};
use num_bigint::BigUint;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

const CONSTANTS: usize = 3;

/// Returns the kinds of the operands of a code, and the kind of further terms, if it may have some.
fn operands(code: Code) -> (Vec<Kind>, Option<Kind>) {
    use Kind::{Elem, Mask, Wide};
    match code {
        Code::Mul | Code::MulWide | Code::Add | Code::Sub | Code::ThreePlusTwo | Code::ThreeMinusTwo => {
            (vec![Elem; 2], None)
        }
        Code::Sqr | Code::SqrWide | Code::IsZero | Code::IsOdd | Code::Copy => (vec![Elem], None),
        Code::MulSum => (vec![Elem; 2], Some(Elem)),
        Code::SqrSum => (vec![Elem], Some(Elem)),
        Code::Sum => (vec![], Some(Elem)),
        Code::Lin | Code::Reduce | Code::ReduceNear => (vec![], Some(Wide)),
        Code::ReduceThreePlusTwo | Code::ReduceThreeMinusTwo => (vec![Elem], Some(Wide)),
        Code::ReduceThreePlusTwoNear | Code::ReduceThreeMinusTwoNear => (vec![Elem], Some(Wide)),
        Code::ComplexMul | Code::ComplexMulWide | Code::ComplexSumSqrWide => (vec![Elem; 4], None),
        Code::ComplexSumsMulWide => (vec![Elem; 8], None),
        Code::ComplexSumsMulLin => (vec![Elem; 8], Some(Wide)),
        Code::ComplexSumSqrLin => (vec![Elem; 4], Some(Wide)),
        Code::ComplexSqr | Code::ComplexSqrWide => (vec![Elem; 2], None),
        Code::Select => (vec![Mask, Elem, Elem], None),
        Code::And => (vec![Mask; 2], None),
        Code::Not => (vec![Mask], None),
        Code::Invert | Code::Quotients => unreachable!("they are none of a routine's"),
    }
}

fn results(code: Code) -> Vec<Kind> {
    match code {
        Code::MulWide | Code::SqrWide | Code::Lin => vec![Kind::Wide],
        Code::ComplexMul | Code::ComplexSqr => vec![Kind::Elem; 2],
        Code::ComplexMulWide | Code::ComplexSqrWide | Code::ComplexSumsMulWide | Code::ComplexSumSqrWide => {
            vec![Kind::Wide; 2]
        }
        Code::ComplexSumsMulLin | Code::ComplexSumSqrLin => vec![Kind::Wide; 2],
        Code::IsZero | Code::IsOdd | Code::And | Code::Not => vec![Kind::Mask],
        _ => vec![Kind::Elem],
    }
}

/// Returns a value of a kind, or a constant; recent values more often. Returns `None` if there is none.
fn pick(rng: &mut Rng, kinds: &[Kind], kind: Kind) -> Option<Ref> {
    if kind == Kind::Elem && rng.below(6) == 0 {
        return Some(Ref::constant(rng.below(CONSTANTS)));
    }
    value(rng, kinds, kind).map(|v| Ref::value(v as usize))
}

fn value(rng: &mut Rng, kinds: &[Kind], kind: Kind) -> Option<u32> {
    let all: Vec<u32> = (0..).zip(kinds).filter(|(_, k)| **k == kind).map(|(v, _)| v).collect();
    let recent = &all[all.len().saturating_sub(if rng.below(2) == 0 { 3 } else { all.len() })..];
    (!recent.is_empty()).then(|| recent[rng.below(recent.len())])
}

fn routine(rng: &mut Rng) -> Routine {
    let mut kinds: Vec<Kind> = (0..=rng.below(6))
        .map(|_| [Kind::Elem, Kind::Elem, Kind::Elem, Kind::Wide, Kind::Mask][rng.below(5)])
        .collect();
    let (params, mut ops, mut list) = (kinds.len(), vec![], vec![]);
    for _ in 0..=rng.below(14) {
        // the last two are shared codes
        let code = Code::ALL[rng.below(Code::ALL.len() - 2)];
        let (fixed, form) = operands(code);
        let mut own: Vec<Option<Term>> =
            fixed.iter().map(|kind| pick(rng, &kinds, *kind).map(|value| Term { coeff: 1, value })).collect();
        if let Some(kind) = form {
            // one form for each result
            for _ in 0..results(code).len() * (1 + rng.below(4)) {
                let coeff = [1, -1, 2, -3, 7][rng.below(5)];
                own.push(pick(rng, &kinds, kind).map(|value| Term { coeff, value }));
            }
        }
        let Some(own) = own.into_iter().collect::<Option<Vec<Term>>>() else { continue };
        let first = list.len() as u32;
        list.extend(own);
        ops.push(Op { code, operands: first..list.len() as u32, value: kinds.len() as u32 });
        kinds.extend(results(code));
    }
    let results = (params as u32..kinds.len() as u32).filter(|_| rng.below(3) == 0).collect();
    Routine { name: "random", params, kinds, ops, operands: list, results }
}

pub(crate) fn program(p: &BigUint, rng: &mut Rng) -> Program {
    let routines: Vec<Routine> = (0..=rng.below(4)).map(|_| routine(rng)).collect();
    let mut kinds: Vec<Kind> = vec![];
    let mut inputs = vec![];
    for index in 0..4 {
        let value = kinds.len() as u32;
        inputs.extend([Input::Elem { value }, Input::Mask { value: value + 1 }]);
        inputs.push(Input::Uniform { value: value + 2, stream: 0, index });
        kinds.extend([Kind::Elem, Kind::Mask, Kind::Elem]);
    }
    let mut plan = vec![];
    for _ in 0..=rng.below(12) {
        if rng.below(5) == 0 {
            let args: Vec<Ref> = (0..=rng.below(3)).filter_map(|_| pick(rng, &kinds, Kind::Elem)).collect();
            let first = kinds.len() as u32;
            kinds.extend(vec![Kind::Elem; args.len()]);
            plan.push(Step::Shared { code: Code::Invert, results: (first..kinds.len() as u32).collect(), args });
            continue;
        }
        let number = rng.below(routines.len());
        let routine = &routines[number];
        let args: Option<Vec<u32>> = routine.kinds[..routine.params].iter().map(|k| value(rng, &kinds, *k)).collect();
        let Some(args) = args else { continue };
        let results = routine.results.iter().map(|local| {
            (rng.below(4) > 0).then(|| {
                kinds.push(routine.kinds[*local as usize]);
                kinds.len() as u32 - 1
            })
        });
        let results = results.collect();
        plan.push(Step::Call(Call { routine: number as u32, args, results }));
    }
    let outputs = (0..).zip(&kinds).filter(|_| rng.below(2) == 0).filter_map(|(v, kind)| match kind {
        Kind::Elem => Some(Output::Elem(Ref::value(v))),
        Kind::Mask => Some(Output::Mask(Ref::value(v))),
        Kind::Wide => None,
    });
    let outputs = outputs.collect();
    let constants = (0..CONSTANTS).map(|_| rng.edge(p)).collect();
    Parts { modulus: p.clone(), constants, routines, kinds, inputs, outputs, plan }.verify().unwrap()
}

#[test]
fn machines_do_what_the_replay_does() {
    let primes = SIZES.map(prime);
    let machines = primes.each_ref().map(machines);
    let rules = primes.each_ref().map(rules_of);
    let residues: Vec<BigUint> = [0u32, 1, 77, 4].map(BigUint::from).to_vec();
    let mut proved = 0;
    for seed in 0x5eed_b000..0x5eed_b000 + 1000u64 {
        let size = seed as usize % SIZES.len();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut rng = Rng(seed * 0x9e37_79b9);
            let program = Arc::new(program(&primes[size], &mut rng));
            let lanes: Vec<Lane> = (0..17).map(|_| lane(&mut rng, &primes[size], 4, 4)).collect();
            let want: Vec<Lane> = lanes.iter().map(|lane| replay(&program, lane, &residues)).collect();
            let in_range = rules[size].iter().all(|rules| prove(&program, rules).violations.is_empty());
            for machine in &machines[size] {
                let own = || machine.prove(&machine.suited(&program)).is_none_or(|report| report.violations.is_empty());
                if machine.name() != "reference" && !(in_range && own()) {
                    continue;
                }
                let vectors: Vec<Vec<Lane>> = lanes.chunks(machine.lanes()).map(<[Lane]>::to_vec).collect();
                let streams = vec![vec![uniforms(&**machine, &residues)]; vectors.len()];
                assert_eq!(run(&**machine, &program, &vectors, &streams), want, "{}", machine.name());
            }
            in_range
        }));
        assert!(outcome.is_ok(), "seed {seed:#x}");
        proved += usize::from(outcome.unwrap_or(false));
    }
    assert!((200..1000).contains(&proved), "{proved} of 1000 are in range: neither all nor few should be");
}
