//! The proof that a schedule can be executed bundle by bundle: every operand was made before its bundle began and is
//! of the right kind, results are numbered as they are made, and no bundle is wider than its unit.

use super::{Schedule, Unit};
use crate::op::Ref;
use bilinear_field::Kind;

/// The reason why a schedule cannot be executed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Bundles do not cover the operations one after the other.
    #[error("bundle {bundle} does not begin where the one before ends")]
    Cover {
        /// The number of the bundle, which is beyond the last one if operations are left.
        bundle: usize,
    },
    /// A bundle is empty, or has more operations than the machine computes at a time.
    #[error(
        "bundle {bundle} has {operations} operations: at least 1, and at most as many as the machine computes at a time, are allowed"
    )]
    Width {
        /// The number of the bundle.
        bundle: usize,
        /// The number of operations in the bundle.
        operations: usize,
    },
    /// An operation belongs to another unit than its bundle.
    #[error("operation {operation} does not belong to the unit of bundle {bundle}")]
    Unit {
        /// The number of the bundle.
        bundle: usize,
        /// The number of the operation.
        operation: usize,
    },
    /// An operand is not there yet, or is of another kind.
    #[error(
        "operation {operation} reads {value}, which is not available when bundle {bundle} begins, or is of the wrong kind"
    )]
    Operand {
        /// The number of the bundle.
        bundle: usize,
        /// The number of the operation.
        operation: usize,
        /// The operand.
        value: Ref,
    },
    /// Results are not numbered as they are made.
    #[error("the results of operation {operation} are not numbered in the order in which they are computed")]
    Numbering {
        /// The number of the operation.
        operation: usize,
    },
    /// An output is made by no operation.
    #[error("output {output} is not computed")]
    Output {
        /// The number of the output.
        output: usize,
    },
}

impl Schedule {
    /// Checks that the schedule can be executed.
    ///
    /// # Errors
    /// Returns an error for the first fault that is found.
    pub fn check(&self) -> Result<(), ScheduleError> {
        let routine = &self.routine;
        let kind = |x: Ref, made: usize| match (x.is_constant(), x.number()) {
            (true, c) => (c < self.constants.len()).then_some(Kind::Elem),
            (false, v) => routine.kinds.get(v).filter(|_| v < made).copied(),
        };
        let (mut made, mut next) = (routine.params, 0);
        for (bundle, what) in self.bundles.iter().enumerate() {
            let (from, to) = (what.ops.start as usize, what.ops.end as usize);
            let ops = routine.ops.get(from..to).filter(|_| from == next).ok_or(ScheduleError::Cover { bundle })?;
            let most = match what.unit {
                Unit::Linear => usize::MAX,
                Unit::Sum | Unit::Product | Unit::Reduction => self.width,
                Unit::Inversion => 1,
            };
            if ops.is_empty() || ops.len() > most {
                return Err(ScheduleError::Width { bundle, operations: ops.len() });
            }
            let there = made;
            for (operation, op) in (from..).zip(ops) {
                if Unit::of(op.code) != what.unit {
                    return Err(ScheduleError::Unit { bundle, operation });
                }
                let operands = routine.operands(op);
                for (i, t) in operands.iter().enumerate() {
                    if kind(t.value, there) != Some(op.code.operand_kind(i)) {
                        return Err(ScheduleError::Operand { bundle, operation, value: t.value });
                    }
                }
                let results = op.code.results(operands.len());
                if op.value as usize != made || routine.kinds.get(made..made + results.len()) != Some(&results[..]) {
                    return Err(ScheduleError::Numbering { operation });
                }
                made += results.len();
            }
            next = to;
        }
        if next != routine.ops.len() {
            return Err(ScheduleError::Cover { bundle: self.bundles.len() });
        }
        match self.outputs.iter().position(|output| kind(output.value(), made).is_none()) {
            Some(output) => Err(ScheduleError::Output { output }),
            None => Ok(()),
        }
    }
}
