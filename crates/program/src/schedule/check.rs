//! The proof that a schedule can be executed bundle by bundle: every operand was made before its bundle began and is
//! of the right kind, results are numbered as they are made, and no bundle is wider than its unit.

use super::{Schedule, Unit};
use crate::op::{Ref, Term};
use bilinear_field::Kind;

impl Schedule {
    /// Checks that the schedule can be executed.
    ///
    /// # Errors
    /// Returns a description of the first fault that is found.
    pub(crate) fn check(&self) -> Result<(), String> {
        let routine = &self.routine;
        let kind = |x: Ref, made: usize| match (x.is_constant(), x.number()) {
            (true, c) => (c < self.constants.len()).then_some(Kind::Elem),
            (false, v) => routine.kinds.get(v).filter(|_| v < made).copied(),
        };
        let (mut made, mut next) = (routine.params, 0);
        for (bundle, what) in self.bundles.iter().enumerate() {
            let (from, to) = (what.ops.start as usize, what.ops.end as usize);
            let ops = routine.ops.get(from..to).filter(|_| from == next);
            let ops = ops.ok_or_else(|| format!("bundle {bundle} does not begin where the one before ends"))?;
            let most = match what.unit {
                Unit::Linear => usize::MAX,
                Unit::Sum | Unit::Product | Unit::Reduction => self.width,
                Unit::Inversion => 1,
            };
            if ops.is_empty() || ops.len() > most {
                return Err(format!("bundle {bundle}: {} operations", ops.len()));
            }
            let there = made;
            for (operation, op) in (from..).zip(ops) {
                let wrong = |what: &str| Err(format!("operation {operation} of bundle {bundle}: {what}"));
                if Unit::of(op.code) != what.unit {
                    return wrong("another unit");
                }
                let operands = routine.operands(op);
                let is_there = |(i, t): (usize, &Term)| kind(t.value, there) == Some(op.code.operand_kind(i));
                if !operands.iter().enumerate().all(is_there) {
                    return wrong("an operand is of the wrong kind, or not available when the bundle begins");
                }
                let results = op.code.results(operands.len());
                if op.value as usize != made || routine.kinds.get(made..made + results.len()) != Some(&results[..]) {
                    return wrong("results are not numbered in the order in which they are computed");
                }
                made += results.len();
            }
            next = to;
        }
        if next != routine.ops.len() {
            return Err(format!("no bundle has operation {next}"));
        }
        match self.outputs.iter().position(|output| kind(output.value(), made).is_none()) {
            Some(output) => Err(format!("output {output} is not computed")),
            None => Ok(()),
        }
    }
}
