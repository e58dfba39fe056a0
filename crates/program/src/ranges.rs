//! Proofs that no value leaves its range: a program run over intervals under a machine's rules.
//!
//! A routine is proved once, on the smallest intervals that contain the arguments of all its calls. Values that a
//! loop carries, and the running products of shared inversions, are widened until they reach a fixed point, so the
//! proof holds for any number of iterations, pairs and vectors. A range without a fixed point is a violation.
//!
//! A program that may be entered behind its first calls is proved for every entry.
//!
//! Inputs are closed. Outputs that the machine keeps in its own form must be closed as well, since another program
//! reads them: residues of a prepared argument, and residues for a store. Other outputs are stored as residues below
//! p, whatever their range.

use crate::program::{Input, Op, Operation, Output, Program, Step};
use crate::replay::Value;
use bilinear_field::bounds::{Bounds, Range, Report, Rules};
use bilinear_field::{Code, Field, Kind, Prime, times};
use std::sync::Arc;

/// The number of rounds after which ranges that still grow are taken to grow for ever.
const ROUNDS: usize = 32;

/// Chooses the operation that takes the place of an operation, from the numbers of the routine and the operation, the
/// code, and the operands c·x.
type Choose<'a> = dyn FnMut([usize; 2], Code, &[(i32, &Value<Bounds>)]) -> Code + 'a;

/// Proves the ranges of a program's values under the rules of a machine.
pub fn prove(program: &Program, rules: &Arc<dyn Rules>) -> Report {
    prove_as(program, rules, &mut |_, code, _| code)
}

/// Returns the program with reductions that estimate no quotient in place of all reductions whose forms are near 0, and
/// the report on its ranges. Elements that are reduced in this way have greater ranges, and so have the forms made of
/// them. Returns `None` if the machine has no such kernels, no form is near 0, or a value would leave its range.
pub fn near(program: &Program, rules: &Arc<dyn Rules>) -> Option<(Program, Report)> {
    let may_be = |op: &Op| op.code.near().is_some_and(|near| rules.has_near(near));
    if !program.routines().iter().flat_map(|routine| &routine.ops).any(may_be) {
        return None;
    }
    let mut parts = program.clone().into_parts();
    let found = prove_as(program, rules, &mut |[routine, op], code, operands| {
        let code = code.near().filter(|near| is_near(*near, operands, &**rules)).unwrap_or(code);
        parts.routines[routine].ops[op].code = code;
        code
    });
    if !found.violations.is_empty() || parts.routines == program.routines() {
        return None;
    }
    let program = parts.verify().unwrap_or_else(|e| unreachable!("a pass of a verified program: {e}"));
    let report = prove(&program, rules);
    report.violations.is_empty().then_some((program, report))
}

/// Returns true if the form of a reduction is near 0, and the machine has kernels for such reductions.
fn is_near(near: Code, operands: &[(i32, &Value<Bounds>)], rules: &dyn Rules) -> bool {
    let wides = |from: usize| operands[from..].iter().map(|(coeff, w)| times(*coeff, w.wide())).collect::<Vec<_>>();
    match near {
        _ if !rules.has_near(near) => false,
        Code::ReduceNear => rules.reduce_near(&wides(0)).is_ok(),
        _ => rules.three_forms_near(&wides(1), *operands[0].1.elem()).is_ok(),
    }
}

/// Proves ranges with the operations that `choose` returns. In the last round `choose` sees the final ranges of the operands.
fn prove_as(program: &Program, rules: &Arc<dyn Rules>, choose: &mut Choose<'_>) -> Report {
    let closed = Bounds::new(program.modulus(), rules.clone()).zero();
    // the ranges that each routine is handed so far
    let mut params: Vec<Vec<Option<Value<Bounds>>>> = program.routines().iter().map(|r| vec![None; r.params]).collect();
    for _ in 0..ROUNDS {
        let bounds = Bounds::new(program.modulus(), rules.clone());
        let (settled, outputs) = round(program, &bounds, closed, &mut params, choose);
        let report = report(&bounds, program.outputs(), &outputs);
        if settled || !report.violations.is_empty() {
            return report;
        }
    }
    let mut report = Report::default();
    report.violations.push(format!("ranges still grow after {ROUNDS} rounds"));
    report
}

/// Returns the report of a run over intervals. The outputs that the machine keeps must be closed as well.
pub(crate) fn report(bounds: &Bounds, outputs: &[Output], values: &[Value<Bounds>]) -> Report {
    let closed = bounds.zero();
    let is_open = |(output, value): &(&Output, &Value<Bounds>)| match output {
        Output::Uniform(_) => closed.hull(bounds.uniform(value.elem())) != closed,
        Output::Stored(_) => closed.hull(*value.elem()) != closed,
        Output::Elem(_) | Output::Mask(_) => false,
    };
    let open = outputs.iter().zip(values).filter(is_open).count();
    let mut report = bounds.report();
    if open > 0 {
        report.violations.push(format!("{open} residues that the machine keeps are not closed"));
    }
    report
}

/// Returns the number of calls at the beginning of a plan behind which it may be entered
/// ([`Calls`](crate::machine::Calls)): calls of one routine, in a program whose outputs are all kept. Behind such a
/// call, inputs stand where its results would be.
fn entries(program: &Program) -> usize {
    let is_stored = |output: &Output| matches!(output, Output::Stored(_));
    let Some(first @ Operation::Call(_)) = program.plan().first().map(Step::operation) else { return 0 };
    let calls = program.plan().iter().take_while(|step| step.operation() == first).count();
    if calls > 1 && program.outputs().iter().all(is_stored) { calls } else { 0 }
}

/// Makes one pass over the plan. Returns whether no routine was handed more than before, and the outputs.
fn round(
    program: &Program,
    bounds: &Bounds,
    closed: Range,
    params: &mut [Vec<Option<Value<Bounds>>>],
    choose: &mut Choose<'_>,
) -> (bool, Vec<Value<Bounds>>) {
    let constants = vec![Value::Elem(closed); program.constants().len()];
    let inputs = program.inputs().iter().map(|input| match input {
        Input::Elem { .. } | Input::Uniform { .. } => Value::Elem(closed),
        Input::Mask { .. } => Value::Mask(()),
    });
    let inputs: Vec<Value<Bounds>> = inputs.collect();
    // the results of each routine on all that its calls so far handed it
    let mut results: Vec<Option<Vec<Value<Bounds>>>> = vec![None; program.routines().len()];
    let (mut settled, mut entries) = (true, entries(program));
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
            let routine = &program.routines()[number];
            routine.evaluate_as(bounds, &constants, &handed, |i, code, operands| choose([number, i], code, operands))
        });
        let mut made = made.clone();
        if entries > 0 {
            entries -= 1;
            made.iter_mut().filter(|value| value.kind() == Kind::Elem).for_each(|x| *x = hull(x, &Value::Elem(closed)));
        }
        made
    });
    (settled, outputs)
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
