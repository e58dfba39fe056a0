//! Passes: functions from routine to routine. What a pass returns takes the same parameters and gives the same results, in the same
//! order, with fewer operations; tests replay both, on values and on intervals.
//!
//! * [`common`]: an operation that was done before is not done again;
//! * [`fuse`]: an operation whose result is read once, by an operation with a fused form, becomes part of its reader;
//! * [`cross`], for machines with kernels for it: products in F_p(i) take in what is added to them;
//! * [`order`]: the terms of a form stand in the order of their coefficients;
//! * [`forms`], for machines with kernels and for straight lines: forms of unreduced values take in the forms that they read;
//! * `dead`, after each pass: operations that no result needs are left out.
//!
//! While passes rewrite a routine, its values keep their numbers, and its list of operands keeps what operations had before.

mod common;
mod cross;
mod forms;
mod fuse;
mod order;
#[cfg(test)]
mod tests;

use crate::op::{Ref, Term};
use crate::program::Routine;
use bilinear_field::Code;

/// The passes over every routine, in this order.
const PASSES: [fn(&mut Routine); 4] = [common::common, fuse::three_and_two, fuse::sums, order::terms];

/// Returns the routine as machines execute it.
pub(crate) fn optimise(routine: &Routine) -> Routine {
    rewrite(routine, |routine| PASSES.into_iter().for_each(|pass| routine.pass(pass)))
}

/// A function that returns true if a machine has a kernel for an operation whose operands have these coefficients.
pub(crate) type Has<'a> = &'a dyn Fn(Code, &[i32]) -> bool;

/// Returns the routine with the fused operations for which a machine has kernels. Forms that only one form reads
/// become part of that form.
pub(crate) fn suit(routine: &Routine, has: Has<'_>) -> Routine {
    rewrite(routine, |routine| {
        routine.pass(|routine| cross::subtracted(routine, has));
        routine.pass(|routine| cross::added(routine, has));
        routine.pass(forms::read_once);
        routine.pass(order::terms);
    })
}

/// The passes over a program that is one straight line.
const STRAIGHT: [fn(&mut Routine); 3] = [common::common, forms::short, order::terms];

/// Returns a straight line of products, sums and reductions, as schedules take it.
pub(crate) fn straighten(routine: &Routine) -> Routine {
    rewrite(routine, |routine| STRAIGHT.into_iter().for_each(|pass| routine.pass(pass)))
}

/// Returns the routine after `passes` have rewritten it.
fn rewrite(routine: &Routine, passes: impl FnOnce(&mut Routine)) -> Routine {
    // operations may share operands, but none that passes change
    let (mut routine, _) = routine.renumbered(routine.ops.iter());
    passes(&mut routine);
    routine.renumbered(routine.ops.iter()).0
}

impl Routine {
    /// Replaces the operands of operation i.
    fn set_operands(&mut self, i: usize, operands: &[Term]) {
        let first = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        self.ops[i].operands = first..self.operands.len() as u32;
    }

    /// Runs a pass, and then leaves out what no result needs any more.
    fn pass(&mut self, pass: impl FnOnce(&mut Routine)) {
        pass(self);
        self.drop_dead();
    }

    /// Returns how often each value is read, by operations and by callers.
    pub(crate) fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.kinds.len()];
        for t in self.ops.iter().flat_map(|op| self.operands(op)).filter(|t| !t.value.is_constant()) {
            uses[t.value.number()] += 1;
        }
        self.results.iter().for_each(|v| uses[*v as usize] += 1);
        uses
    }

    /// Replaces one value by another in all operands.
    fn rename(&mut self, from: u32, to: u32) {
        let [from, to] = [from, to].map(|v| Ref::value(v as usize));
        self.operands.iter_mut().filter(|t| t.value == from).for_each(|t| t.value = to);
    }

    /// Removes the operations that no result needs.
    fn drop_dead(&mut self) {
        let mut needed = vec![false; self.kinds.len()];
        self.results.iter().for_each(|v| needed[*v as usize] = true);
        for op in self.ops.iter().rev() {
            if op.results().any(|v| needed[v as usize]) {
                for t in self.operands(op).iter().filter(|t| !t.value.is_constant()) {
                    needed[t.value.number()] = true;
                }
            }
        }
        self.ops.retain(|op| op.results().any(|v| needed[v as usize]));
    }
}
