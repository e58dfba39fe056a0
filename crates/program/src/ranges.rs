//! Proofs that no value leaves its range: a program run over intervals under a machine's rules.
//!
//! A routine is proved once, for the hull of what all its calls hand it: what a loop carries grows until it settles, so the proof
//! holds for any number of passes, pairs and vectors. A range that does not settle is a violation.
//!
//! What comes in is closed. So must be the residues of a prepared argument that go out, which another program reads as they are;
//! other outputs are stored as residues below p, whatever their range.

use crate::op::{Kind, Ref};
use crate::program::{Input, Output, Program, Step};
use crate::replay::{Value, apply};
use bilinear_field::Field;
use bilinear_field::bounds::{Bounds, Machine, Range, Report};
use std::sync::Arc;

/// Rounds after which ranges that still grow are taken to grow for ever.
const ROUNDS: usize = 32;

/// What a program's values may be under the rules of a machine.
pub fn prove(program: &Program, rules: &Arc<dyn Machine>) -> Report {
    let closed = Bounds::new(program.modulus(), rules.clone()).zero();
    // what each routine is handed so far
    let mut params: Vec<Vec<Option<Value<Bounds>>>> = program.routines().iter().map(|r| vec![None; r.params]).collect();
    for _ in 0..ROUNDS {
        let bounds = Bounds::new(program.modulus(), rules.clone());
        let (settled, open) = round(program, &bounds, closed, &mut params);
        let mut report = bounds.report();
        if open > 0 {
            report.violations.push(format!("{open} residues of a prepared argument are not closed"));
        }
        if settled || !report.violations.is_empty() {
            return report;
        }
    }
    let mut report = Report::default();
    report.violations.push(format!("ranges still grow after {ROUNDS} rounds"));
    report
}

/// One pass over the plan. Whether no routine was handed more than before, and how many residues of a prepared argument go out
/// that are not closed.
fn round(
    program: &Program,
    bounds: &Bounds,
    closed: Range,
    params: &mut [Vec<Option<Value<Bounds>>>],
) -> (bool, usize) {
    let constants = vec![closed; program.constants().len()];
    // joins what the calls hand over, with the results of the round so far
    let mut settled = true;
    let mut results: Vec<Option<Vec<Value<Bounds>>>> = vec![None; program.routines().len()];
    let mut values: Vec<Option<Value<Bounds>>> = vec![None; program.kinds().len()];
    for input in program.inputs() {
        match input {
            Input::Elem { value } | Input::Uniform { value, .. } => {
                values[*value as usize] = Some(Value::Elem(closed));
            }
            Input::Mask { value } => values[*value as usize] = Some(Value::Mask(())),
        }
    }
    let get = |values: &[Option<Value<Bounds>>], x: Ref| match x.is_constant() {
        true => Value::Elem(closed),
        false => values[x.number()].clone().unwrap_or_else(|| unreachable!("a verified program")),
    };
    for step in program.plan() {
        match step {
            Step::Call(call) => {
                let number = call.routine as usize;
                let routine = &program.routines()[number];
                let mut grown = false;
                for (known, x) in params[number].iter_mut().zip(&call.args) {
                    let given = get(&values, Ref::value(*x as usize));
                    let hull = known.as_ref().map_or_else(|| given.clone(), |known| hull(known, &given));
                    if known.as_ref().is_none_or(|known| !same(known, &hull)) {
                        *known = Some(hull);
                        grown = true;
                    }
                }
                if grown || results[number].is_none() {
                    let handed: Vec<Value<Bounds>> = params[number].iter().flatten().cloned().collect();
                    results[number] = Some(routine.values(bounds, &constants, &handed));
                }
                settled &= !grown;
                if let Some(all) = &results[number] {
                    for (local, place) in routine.results.iter().zip(&call.results) {
                        if let Some(place) = place {
                            values[*place as usize] = Some(all[*local as usize].clone());
                        }
                    }
                }
            }
            Step::Shared { code, args, results } => {
                let args: Vec<Value<Bounds>> = args.iter().map(|x| get(&values, *x)).collect();
                let operands: Vec<(i32, &Value<Bounds>)> = args.iter().map(|x| (1, x)).collect();
                for (place, value) in results.iter().zip(apply(bounds, *code, &operands)) {
                    values[*place as usize] = Some(value);
                }
            }
        }
    }
    let kept = program.outputs().iter().filter(|output| matches!(output, Output::Uniform(_)));
    let open = kept.map(|output| *get(&values, output.value()).elem()).filter(|range| closed.hull(*range) != closed);
    (settled, open.count())
}

fn hull(a: &Value<Bounds>, b: &Value<Bounds>) -> Value<Bounds> {
    match a.kind() {
        Kind::Elem => Value::Elem(a.elem().hull(*b.elem())),
        Kind::Wide => Value::Wide(a.wide().hull(*b.wide())),
        Kind::Mask => Value::Mask(()),
    }
}

fn same(a: &Value<Bounds>, b: &Value<Bounds>) -> bool {
    match a.kind() {
        Kind::Elem => a.elem() == b.elem(),
        Kind::Wide => a.wide() == b.wide(),
        Kind::Mask => true,
    }
}
