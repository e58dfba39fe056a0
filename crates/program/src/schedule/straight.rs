//! A program as one straight line of primitive operations: its plan followed from call to call, with shared inversions in between.

use super::primitives::Primitives;
use crate::constants::Constants;
use crate::op::{Ref, Term};
use crate::passes::straighten;
use crate::program::{Input, Op, Program, Routine};
use crate::recorder::{Ports, Recorder};
use crate::replay::Value;
use crate::trace::{Recorded, Trace};
use bilinear_field::CollectVec;
use num_bigint::BigUint;
use std::collections::HashMap;

/// A program as one straight line. The parameters of its routine are the inputs of the program, in order.
pub(super) struct Straight {
    pub(super) routine: Routine,
    pub(super) constants: Vec<BigUint>,
    /// The value of each output of the program.
    pub(super) outputs: Vec<Ref>,
}

impl Straight {
    pub(super) fn of(program: &Program) -> Self {
        let recorder =
            Recorder::new(program.modulus()).unwrap_or_else(|_| unreachable!("a verified program's modulus"));
        let work = |ports: &mut Ports<'_>| {
            let inputs = program.inputs().iter().map(|input| match input {
                Input::Elem { .. } | Input::Uniform { .. } => Value::Elem(ports.elem()),
                Input::Mask { .. } => Value::Mask(ports.mask()),
            });
            let inputs: Vec<Value<Primitives>> = inputs.collect_vec();
            for value in program.replay(&Primitives(recorder.clone()), &inputs) {
                match value {
                    Value::Mask(m) => ports.output_mask(m),
                    other => ports.output(other.elem()),
                }
            }
        };
        recorder.recorded(work, |trace, inputs, outputs, constants| {
            let outputs: Vec<Ref> = outputs.iter().map(|output| output.value()).collect_vec();
            Straight::from(trace, inputs.len(), &outputs, constants)
        })
    }

    fn from(trace: &Trace, params: usize, outputs: &[Ref], table: &dyn Constants) -> Self {
        let (mut constants, mut numbers) = (vec![], HashMap::new());
        let mut number = |x: Ref| match x.is_constant() {
            false => x,
            true => Ref::constant(*numbers.entry(x.number()).or_insert_with(|| {
                constants.push(table.residue(x.number()));
                constants.len() - 1
            })),
        };
        let operands = trace.operands.iter().map(|t| Term { coeff: t.coeff, value: number(t.value) }).collect_vec();
        let outputs: Vec<Ref> = outputs.iter().map(|x| number(*x)).collect_vec();
        let op = |op: &Recorded| Op { code: op.code, operands: op.first..op.first + op.len, value: op.value };
        let results = outputs.iter().filter(|x| !x.is_constant()).map(|x| x.number() as u32);
        let routine = Routine {
            name: "straight",
            params,
            kinds: trace.kinds.clone(),
            ops: trace.ops.iter().map(op).collect_vec(),
            operands,
            results: results.collect_vec(),
        };
        let routine = straighten(&routine);
        let mut made = routine.results.iter().map(|v| Ref(*v));
        let place = |x: &Ref| if x.is_constant() { *x } else { made.next().unwrap_or(*x) };
        let outputs = outputs.iter().map(place).collect_vec();
        Straight { routine, constants, outputs }
    }
}
