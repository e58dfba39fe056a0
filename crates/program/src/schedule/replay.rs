//! The meaning of a schedule: executed over any field, bundle by bundle. Replay is slow, and it is the specification
//! of every machine that takes schedules.

use super::Schedule;
use crate::op::Ref;
use crate::program::Input;
use crate::ranges::report;
use crate::replay::{Value, apply};
use bilinear_field::CollectVec;
use bilinear_field::bounds::{Bounds, Report, Rules};
use bilinear_field::{Field, Prime};
use std::sync::Arc;

impl Schedule {
    /// Executes the schedule over a field of p elements, and returns the outputs in order. All operations of a bundle
    /// read before any of them writes.
    ///
    /// # Panics
    /// Panics if the inputs do not suit the schedule in number or kind, or if the field has another modulus.
    pub fn replay<F: Prime>(&self, f: &F, inputs: &[Value<F>]) -> Vec<Value<F>> {
        assert_eq!(f.modulus(), &self.modulus, "the schedule is over another field");
        assert_eq!(inputs.len(), self.inputs.len(), "one value for each input is needed");
        let constants: Vec<Value<F>> = self.constants.iter().map(|c| Value::Elem(f.constant(c))).collect_vec();
        let mut values = inputs.to_vec();
        for bundle in &self.bundles {
            let there = &values;
            let ops = &self.routine.ops[bundle.ops.start as usize..bundle.ops.end as usize];
            let made = ops.iter().flat_map(|op| {
                let read = |x: Ref| if x.is_constant() { &constants[x.number()] } else { &there[x.number()] };
                let operands: Vec<(i32, &Value<F>)> =
                    self.routine.operands(op).iter().map(|t| (t.coeff, read(t.value))).collect_vec();
                apply(f, op.code, &operands)
            });
            let made: Vec<Value<F>> = made.collect_vec();
            values.extend(made);
        }
        let get = |x: Ref| if x.is_constant() { &constants[x.number()] } else { &values[x.number()] };
        self.outputs.iter().map(|output| get(output.value()).clone()).collect_vec()
    }

    /// Proves the ranges of the schedule's values under the rules of a machine, from closed inputs. Residues of a
    /// prepared argument and of a store among the outputs must be closed, as for [`prove`](crate::ranges::prove).
    pub fn prove(&self, rules: &Arc<dyn Rules>) -> Report {
        let bounds = Bounds::new(&self.modulus, rules.clone());
        let closed = bounds.zero();
        let inputs = self.inputs.iter().map(|input| match input {
            Input::Elem { .. } | Input::Uniform { .. } => Value::Elem(closed),
            Input::Mask { .. } => Value::Mask(()),
        });
        let outputs = self.replay(&bounds, &inputs.collect_vec());
        report(&bounds, &self.outputs, &outputs)
    }
}
