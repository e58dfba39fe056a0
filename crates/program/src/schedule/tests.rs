//! Faults planted in schedules are found: by the check, or by the values where the check cannot know.
#![allow(clippy::unwrap_used)]

use super::{Schedule, Unit};
use crate::program::Program;
use crate::recorder::Recorder;
use crate::replay::Value;
use bilinear_field::reference::Reference;
use bilinear_field::{Field, at, minus, plus, times};
use num_bigint::BigUint;

/// The modulus 2^89 − 1. It has to be prime: the reference inverts by Fermat's little theorem.
fn p() -> BigUint {
    (BigUint::from(1u32) << 89u32) - 1u32
}

/// Powers and sums of four elements, chained by products in F_p(i), and one inversion.
fn program() -> Program {
    let f = Recorder::new(&p()).unwrap();
    let program = f.record(|ports| {
        let mut x = [ports.elem(), ports.elem()];
        let (y, mask) = ([ports.elem(), ports.elem()], ports.mask());
        for _ in 0..6 {
            let mut w = Default::default();
            f.complex_mul_wide(&mut w, &x, &y);
            at! {f;
                re = reduce(&[plus(&w[0]), times(3, &w[1])]); im = reduce(&[minus(&w[0]), plus(&w[1])]);
                other = mul(&x[0], &y[1]); sum = sum(&[plus(&re), times(-5, &other)]);
            }
            at! {f; once = add(&sum, &im); twice = add(&once, &re);}
            x = [twice, im];
        }
        at! {f; inverse = inv(&x[0]); out = select(mask, &inverse, &x[1]);}
        ports.output(&out);
        ports.output(&x[1]);
    });
    program.unwrap()
}

fn schedule() -> Schedule {
    let schedule = Schedule::new(&program(), 3, 100);
    assert_eq!(schedule.check(), Ok(()));
    schedule
}

fn values(schedule: &Schedule) -> Vec<BigUint> {
    let inputs: Vec<Value<Reference>> =
        [2u32, 3, 5, 7].map(|x| Value::Elem(x.into())).into_iter().chain([Value::Mask(true)]).collect();
    let outputs = schedule.replay(&Reference::new(&p()).unwrap(), &inputs);
    outputs.iter().map(|x| x.elem().clone()).collect()
}

/// Returns the first bundle of a unit with more than one operation.
fn full(schedule: &Schedule, unit: Unit) -> usize {
    schedule.bundles.iter().position(|b| b.unit == unit && b.ops.len() > 1).unwrap()
}

#[test]
fn values_are_those_of_the_program() {
    let inputs: Vec<Value<Reference>> =
        [2u32, 3, 5, 7].map(|x| Value::Elem(x.into())).into_iter().chain([Value::Mask(true)]).collect();
    let want = program().replay(&Reference::new(&p()).unwrap(), &inputs);
    let want: Vec<BigUint> = want.iter().map(|x| x.elem().clone()).collect();
    assert_eq!(values(&schedule()), want);
}

#[test]
fn what_is_read_too_early_is_found() {
    // each bundle changes places with the next one, if that reads what it makes
    let good = schedule();
    let mut found = 0;
    for i in 0..good.bundles.len() - 1 {
        let (first, second) = (good.bundles[i].ops.clone(), good.bundles[i + 1].ops.clone());
        let mut joined = good.clone();
        joined.bundles[i].ops.end = second.end;
        joined.bundles.remove(i + 1);
        joined.width = 100;
        let made = |ops: &std::ops::Range<u32>| good.routine.ops[ops.start as usize].value as usize;
        let reads = good.routine.ops[second.start as usize..second.end as usize].iter().any(|op| {
            good.routine.operands(op).iter().any(|t| !t.value.is_constant() && t.value.number() >= made(&first))
        });
        let same = good.bundles[i].unit == good.bundles[i + 1].unit && good.bundles[i].unit != Unit::Inversion;
        match joined.check() {
            Err(fault) => {
                assert!(fault.contains(&format!("bundle {i}:")) && (reads || !same), "{fault}");
                assert_eq!(fault.contains("an operand"), same, "{fault}");
            }
            Ok(()) => assert!(same && !reads),
        }
        found += usize::from(same && reads);
    }
    assert!(found > 0, "no bundle depends on one of its unit before it");
}

#[test]
fn a_swap_is_found() {
    // two results of a bundle change places: nothing is out of order, but the values differ
    let good = schedule();
    let want = values(&good);
    for unit in [Unit::Product, Unit::Reduction] {
        let mut bad = good.clone();
        let at = bad.bundles[full(&good, unit)].ops.start as usize;
        let (first, second) = (bad.routine.ops[at].operands.clone(), bad.routine.ops[at + 1].operands.clone());
        bad.routine.ops[at].operands = second;
        bad.routine.ops[at + 1].operands = first;
        assert_eq!(bad.check(), Ok(()));
        assert_ne!(values(&bad), want, "{unit:?}");
    }
    // two operations of different bundles change places
    let mut refused = 0;
    for i in 0..good.routine.ops.len() {
        for j in i + 1..good.routine.ops.len() {
            let mut bad = good.clone();
            let (a, b) = (good.routine.ops[i].clone(), good.routine.ops[j].clone());
            bad.routine.ops[i] = crate::Op { value: a.value, ..b.clone() };
            bad.routine.ops[j] = crate::Op { value: b.value, ..a.clone() };
            match bad.check() {
                Ok(()) if good.routine.operands(&a) == good.routine.operands(&b) && a.code == b.code => {}
                Ok(()) => assert_ne!(values(&bad), want, "operations {i} and {j}"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn other_faults_are_found() {
    let good = schedule();
    let (products, reductions) = (full(&good, Unit::Product), full(&good, Unit::Reduction));
    let found = |what: &str, fault: &dyn Fn(&mut Schedule)| {
        let mut bad = good.clone();
        fault(&mut bad);
        let reason = bad.check().unwrap_err();
        assert!(reason.contains(what), "{reason}");
    };
    found("operations", &|s| s.width = 1);
    found("another unit", &|s| s.bundles[products].unit = Unit::Linear);
    let after = format!("bundle {} does not begin", products + 1);
    found(&after, &|s| s.bundles[products].ops.end -= 1);
    found("no bundle has operation", &|s| s.bundles.truncate(3));
    found("does not begin", &|s| s.bundles[reductions].ops.end = 1 << 20);
    let operand = |s: &mut Schedule, value| {
        let op = s.routine.ops[s.bundles[reductions].ops.start as usize].clone();
        s.routine.operands[op.operands.start as usize].value = value;
    };
    // an element where an unreduced value belongs, a constant that does not exist, a value that is made later
    for value in [crate::Ref::value(0), crate::Ref::constant(99), crate::Ref::value(good.routine.kinds.len() - 1)] {
        found("an operand", &|s| operand(s, value));
    }
    found("operation 2 of bundle", &|s| s.routine.ops[2].value += 1);
    found("output 1 is not", &|s| s.outputs[1] = crate::Output::Elem(crate::Ref::value(1 << 20)));
}
