//! Proofs that no value leaves its range: a program run over intervals under a machine's rules.
//!
//! A routine is proved once, on the smallest intervals that contain the arguments of all its calls. Values that a loop carries are
//! widened until they reach a fixed point, so the proof holds for any number of iterations, pairs and vectors. A range without a
//! fixed point is a violation.
//!
//! Inputs are closed. So must be what the machine keeps of the outputs in its own form, which another program reads: residues of a
//! prepared argument, and those for a store. Other outputs are stored as residues below p, whatever their range.

use crate::program::{Input, Output, Program};
use crate::replay::Value;
use bilinear_field::Field;
use bilinear_field::Kind;
use bilinear_field::Prime;
use bilinear_field::bounds::{Bounds, Range, Report, Rules};
use std::sync::Arc;

/// Rounds after which ranges that still grow are taken to grow for ever.
const ROUNDS: usize = 32;

/// What a program's values may be under the rules of a machine.
pub fn prove(program: &Program, rules: &Arc<dyn Rules>) -> Report {
    let closed = Bounds::new(program.modulus(), rules.clone()).zero();
    // what each routine is handed so far
    let mut params: Vec<Vec<Option<Value<Bounds>>>> = program.routines().iter().map(|r| vec![None; r.params]).collect();
    for _ in 0..ROUNDS {
        let bounds = Bounds::new(program.modulus(), rules.clone());
        let (settled, open) = round(program, &bounds, closed, &mut params);
        let mut report = bounds.report();
        if open > 0 {
            report.violations.push(format!("{open} residues that the machine keeps are not closed"));
        }
        if settled || !report.violations.is_empty() {
            return report;
        }
    }
    let mut report = Report::default();
    report.violations.push(format!("ranges still grow after {ROUNDS} rounds"));
    report
}

/// One pass over the plan. Whether no routine was handed more than before, and how many residues that the machine keeps go out that
/// are not closed.
fn round(
    program: &Program,
    bounds: &Bounds,
    closed: Range,
    params: &mut [Vec<Option<Value<Bounds>>>],
) -> (bool, usize) {
    let constants = vec![Value::Elem(closed); program.constants().len()];
    let inputs = program.inputs().iter().map(|input| match input {
        Input::Elem { .. } | Input::Uniform { .. } => Value::Elem(closed),
        Input::Mask { .. } => Value::Mask(()),
    });
    let inputs: Vec<Value<Bounds>> = inputs.collect();
    // what each routine made of what all its calls so far handed it
    let mut results: Vec<Option<Vec<Value<Bounds>>>> = vec![None; program.routines().len()];
    let mut settled = true;
    let outputs = program.walk(bounds, &constants, &inputs, |number, given| {
        let mut grown = false;
        for (known, given) in params[number].iter_mut().zip(given) {
            let hull = known.as_ref().map_or_else(|| given.clone(), |known| hull(known, given));
            if known.as_ref().is_none_or(|known| !same(known, &hull)) {
                *known = Some(hull);
                grown = true;
            }
        }
        settled &= !grown;
        if grown {
            results[number] = None;
        }
        let made = results[number].get_or_insert_with(|| {
            let handed: Vec<Value<Bounds>> = params[number].iter().flatten().cloned().collect();
            program.routines()[number].evaluate(bounds, &constants, &handed)
        });
        made.clone()
    });
    let is_open = |(output, value): &(&Output, &Value<Bounds>)| match output {
        Output::Uniform(_) => closed.hull(bounds.uniform(value.elem())) != closed,
        Output::Kept(_) => closed.hull(*value.elem()) != closed,
        Output::Elem(_) | Output::Mask(_) => false,
    };
    let open = program.outputs().iter().zip(&outputs).filter(is_open);
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
