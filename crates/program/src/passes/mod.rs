//! Passes: functions from routine to routine. What a pass returns takes the same parameters and gives the same results, in the same
//! order, with fewer operations; tests replay both, on values and on intervals.
//!
//! * [`common`]: an operation that was done before is not done again;
//! * [`fuse`]: an operation whose result is read once, by an operation with a fused form, becomes part of its reader;
//! * [`cross`], for machines with kernels for it: products in F_p(i) take in what is added to them;
//! * [`order`]: the terms of a form stand in the order of their coefficients;
//! * [`forms`], for machines with kernels and for straight lines: forms of unreduced values take in the forms that they read;
//! * `dead`, after each pass: operations that no result needs are left out.

mod common;
mod cross;
mod forms;
mod fuse;
mod order;
#[cfg(test)]
mod tests;

use crate::op::{Ref, Term};
use crate::program::{Op, Routine};
use bilinear_field::{Arity, Code, Kind};
use std::ops::Range;

/// The passes over every routine, in this order.
const PASSES: [fn(&mut Lines); 4] = [common::common, fuse::three_and_two, fuse::sums, order::terms];

/// Returns the routine as machines execute it.
pub(crate) fn optimise(routine: Routine) -> Routine {
    rewrite(routine, |lines| PASSES.into_iter().for_each(|pass| lines.pass(pass)))
}

/// A function that returns true if a machine has a kernel for an operation whose operands have these coefficients.
pub(crate) type Has<'a> = &'a dyn Fn(Code, &[i32]) -> bool;

/// Returns the routine with the fused operations for which a machine has kernels. Forms that only one form reads
/// become part of that form.
pub(crate) fn suit(routine: Routine, has: Has<'_>) -> Routine {
    rewrite(routine, |lines| {
        lines.pass(|lines| cross::subtracted(lines, has));
        lines.pass(|lines| cross::added(lines, has));
        lines.pass(forms::read_once);
        lines.pass(order::terms);
    })
}

/// The passes over a program that is one straight line.
const STRAIGHT: [fn(&mut Lines); 3] = [common::common, forms::short, order::terms];

/// Returns a straight line of products, sums and reductions, as schedules take it.
pub(crate) fn straighten(routine: Routine) -> Routine {
    rewrite(routine, |lines| STRAIGHT.into_iter().for_each(|pass| lines.pass(pass)))
}

/// Returns the routine after `passes` have rewritten its lines.
fn rewrite(routine: Routine, passes: impl FnOnce(&mut Lines)) -> Routine {
    let mut lines = Lines::of(routine);
    passes(&mut lines);
    lines.routine()
}

/// An operation of a routine that is being rewritten.
#[derive(Clone, Debug)]
struct Line {
    code: Code,
    /// The range of the operands in the list of all operands.
    operands: Range<usize>,
    /// The values that the operation makes.
    makes: Range<u32>,
}

impl Line {
    /// Returns what remains of a line that became part of another one.
    fn gone() -> Self {
        Line { code: Code::Copy, operands: 0..0, makes: 0..0 }
    }

    /// Returns where among the operands the form of unreduced values begins, if the line has one form of such values.
    fn form(&self) -> Option<usize> {
        match self.code.arity() {
            Arity::Form(elements, Kind::Wide) if self.code.forms() == 1 => Some(elements),
            _ => None,
        }
    }
}

/// A routine that is being rewritten. Values keep their numbers.
struct Lines {
    name: &'static str,
    params: usize,
    kinds: Vec<Kind>,
    lines: Vec<Line>,
    /// The operands of all lines, and operands that lines had before.
    terms: Vec<Term>,
    results: Vec<u32>,
}

impl Lines {
    fn of(routine: Routine) -> Self {
        // operations may share operands, lines do not
        let mut terms = Vec::with_capacity(routine.operands.len());
        let line = |op: &Op| {
            let first = terms.len();
            terms.extend_from_slice(routine.operands(op));
            let made = op.code.results(terms.len() - first).len() as u32;
            Line { code: op.code, operands: first..terms.len(), makes: op.value..op.value + made }
        };
        let lines = routine.ops.iter().map(line).collect();
        let Routine { name, params, kinds, results, .. } = routine;
        Lines { name, params, kinds, lines, terms, results }
    }

    /// The operands of a line.
    fn operands(&self, line: &Line) -> &[Term] {
        &self.terms[line.operands.clone()]
    }

    /// Replaces the operands of line i.
    fn set_operands(&mut self, i: usize, operands: &[Term]) {
        let first = self.terms.len();
        self.terms.extend_from_slice(operands);
        self.lines[i].operands = first..self.terms.len();
    }

    /// Runs a pass, and then leaves out what no result needs any more.
    fn pass(&mut self, pass: impl FnOnce(&mut Lines)) {
        pass(self);
        self.drop_dead();
    }

    /// Returns how often each value is read, by operations and by callers.
    fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.kinds.len()];
        for t in self.lines.iter().flat_map(|line| self.operands(line)).filter(|t| !t.value.is_constant()) {
            uses[t.value.number()] += 1;
        }
        self.results.iter().for_each(|v| uses[*v as usize] += 1);
        uses
    }

    /// Returns the line that makes each value; `None` for parameters.
    fn makers(&self) -> Vec<Option<usize>> {
        let mut makers = vec![None; self.kinds.len()];
        for (i, line) in self.lines.iter().enumerate() {
            makers[line.makes.start as usize..line.makes.end as usize].fill(Some(i));
        }
        makers
    }

    /// Replaces one value by another in all operands.
    fn rename(&mut self, from: u32, to: u32) {
        let [from, to] = [from, to].map(|v| Ref::value(v as usize));
        self.terms.iter_mut().filter(|t| t.value == from).for_each(|t| t.value = to);
    }

    /// Removes the lines that no result needs.
    fn drop_dead(&mut self) {
        let mut needed = vec![false; self.kinds.len()];
        self.results.iter().for_each(|v| needed[*v as usize] = true);
        for line in self.lines.iter().rev() {
            if line.makes.clone().any(|v| needed[v as usize]) {
                for t in self.operands(line).iter().filter(|t| !t.value.is_constant()) {
                    needed[t.value.number()] = true;
                }
            }
        }
        self.lines.retain(|line| line.makes.clone().any(|v| needed[v as usize]));
    }

    /// Returns the routine, with its values numbered in order.
    fn routine(self) -> Routine {
        let mut number: Vec<u32> = (0..self.kinds.len() as u32).collect();
        let mut kinds = self.kinds[..self.params].to_vec();
        let mut ops = Vec::with_capacity(self.lines.len());
        let mut operands = Vec::with_capacity(self.lines.iter().map(|line| line.operands.len()).sum());
        for line in &self.lines {
            let (value, first) = (kinds.len() as u32, operands.len() as u32);
            operands.extend(self.operands(line).iter().map(|t| match t.value.is_constant() {
                true => *t,
                false => Term { coeff: t.coeff, value: Ref::value(number[t.value.number()] as usize) },
            }));
            for v in line.makes.clone() {
                number[v as usize] = kinds.len() as u32;
                kinds.push(self.kinds[v as usize]);
            }
            ops.push(Op { code: line.code, operands: first..operands.len() as u32, value });
        }
        let results = self.results.iter().map(|v| number[*v as usize]).collect();
        Routine { name: self.name, params: self.params, kinds, ops, operands, results }
    }
}
