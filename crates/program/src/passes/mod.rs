//! Passes: functions from routine to routine. What a pass returns takes the same parameters and gives the same results, in the same
//! order, with fewer operations; tests replay both, on values and on intervals.
//!
//! * [`common`]: an operation that was done before is not done again;
//! * [`fuse`]: operations whose result is read once, by one that has a fused form, become part of it;
//! * [`cross`], for machines with kernels for it: products in F_p(i) take in what is added to them;
//! * [`order`]: the terms of a form stand in the order of their coefficients;
//! * [`forms`], for machines with kernels and of straight lines: forms of unreduced values take in those that they read;
//! * `dead`, after each: what no result needs is left out.

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

/// What is done to every routine, in this order.
const PASSES: [fn(&mut Lines); 4] = [common::common, fuse::three_and_two, fuse::sums, order::terms];

/// The routine as machines execute it.
pub(crate) fn optimise(routine: Routine) -> Routine {
    rewrite(routine, |lines| PASSES.into_iter().for_each(|pass| lines.pass(pass)))
}

/// Whether a machine has a kernel for an operation whose operands have these coefficients.
pub(crate) type Has<'a> = &'a dyn Fn(Code, &[i32]) -> bool;

/// The routine with the fused operations that a machine has kernels for, and the sums that one form reads as part of that.
pub(crate) fn suit(routine: Routine, has: Has<'_>) -> Routine {
    rewrite(routine, |lines| {
        lines.pass(|lines| cross::subtracted(lines, has));
        lines.pass(|lines| cross::added(lines, has));
        lines.pass(forms::read_once);
        lines.pass(order::terms);
    })
}

/// What is done to a program that is one straight line.
const STRAIGHT: [fn(&mut Lines); 3] = [common::common, forms::short, order::terms];

/// A straight line of products, sums and reductions, as schedules take it.
pub(crate) fn straighten(routine: Routine) -> Routine {
    rewrite(routine, |lines| STRAIGHT.into_iter().for_each(|pass| lines.pass(pass)))
}

/// The routine after what `passes` does to its lines.
fn rewrite(routine: Routine, passes: impl FnOnce(&mut Lines)) -> Routine {
    let mut lines = Lines::of(routine);
    passes(&mut lines);
    lines.routine()
}

/// An operation of a routine that is being rewritten.
#[derive(Clone, Debug)]
struct Line {
    code: Code,
    /// Where its operands stand among all.
    operands: Range<usize>,
    /// The values that it makes.
    makes: Range<u32>,
}

impl Line {
    /// The place of a line that went into another one.
    fn gone() -> Self {
        Line { code: Code::Copy, operands: 0..0, makes: 0..0 }
    }

    /// Where among the operands its form of unreduced values begins, if it has one.
    fn form(&self) -> Option<usize> {
        match self.code.arity() {
            Arity::Form(elements, Kind::Wide) if self.code.forms() == 1 => Some(elements),
            _ => None,
        }
    }
}

/// A routine that is being rewritten: values keep their numbers.
struct Lines {
    name: &'static str,
    params: usize,
    kinds: Vec<Kind>,
    lines: Vec<Line>,
    /// Operands, among them those that lines had before.
    terms: Vec<Term>,
    results: Vec<u32>,
}

impl Lines {
    fn of(routine: Routine) -> Self {
        // operations may share their operands, lines do not
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

    /// Gives line i other operands.
    fn set_operands(&mut self, i: usize, operands: &[Term]) {
        let first = self.terms.len();
        self.terms.extend_from_slice(operands);
        self.lines[i].operands = first..self.terms.len();
    }

    /// Does a pass, and leaves out what no result needs then.
    fn pass(&mut self, pass: impl FnOnce(&mut Lines)) {
        pass(self);
        self.drop_dead();
    }

    /// How often each value is read, by operations and by callers.
    fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.kinds.len()];
        for t in self.lines.iter().flat_map(|line| self.operands(line)).filter(|t| !t.value.is_constant()) {
            uses[t.value.number()] += 1;
        }
        self.results.iter().for_each(|v| uses[*v as usize] += 1);
        uses
    }

    /// The line that makes each value; `None` of parameters.
    fn makers(&self) -> Vec<Option<usize>> {
        let mut makers = vec![None; self.kinds.len()];
        for (i, line) in self.lines.iter().enumerate() {
            makers[line.makes.start as usize..line.makes.end as usize].fill(Some(i));
        }
        makers
    }

    /// Lets everything that reads a value read another one.
    fn rename(&mut self, from: u32, to: u32) {
        let [from, to] = [from, to].map(|v| Ref::value(v as usize));
        self.terms.iter_mut().filter(|t| t.value == from).for_each(|t| t.value = to);
    }

    /// Leaves out what no result needs.
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

    /// The routine, its values numbered in order.
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
