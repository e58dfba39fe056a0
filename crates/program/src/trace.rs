//! A recording: operations in order, one after the other, and the steps that they belong to.

use crate::op::{Ref, Term};
use crate::program::Op;
use bilinear_field::{Code, Kind};
use std::ops::Range;

/// A named step: the operations from `from` up to, but without, `to`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// A recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// The kind of each value: inputs and results, in the order in which they came.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) ops: Vec<Op>,
    pub(crate) operands: Vec<Term>,
    /// The named steps, in order and without overlaps.
    pub(crate) named: Vec<Named>,
}

impl Trace {
    /// Discards the whole recording, but keeps the memory.
    pub(crate) fn clear(&mut self) {
        let Trace { kinds, ops, operands, named } = self;
        kinds.clear();
        ops.clear();
        operands.clear();
        named.clear();
    }

    /// Adds an input.
    pub(crate) fn input(&mut self, kind: Kind) -> Ref {
        self.kinds.push(kind);
        Ref::value(self.kinds.len() - 1)
    }

    /// Adds an operation, and returns its first result.
    pub(crate) fn push(&mut self, code: Code, operands: impl IntoIterator<Item = Term>) -> Ref {
        let operands = self.list(operands);
        self.operation(code, operands)
    }

    /// Adds operands to the list, and returns their range.
    pub(crate) fn list(&mut self, operands: impl IntoIterator<Item = Term>) -> Range<usize> {
        let first = self.operands.len();
        self.operands.extend(operands);
        first..self.operands.len()
    }

    /// Adds an operation on the operands in a range of the list, and returns its first result.
    pub(crate) fn operation(&mut self, code: Code, operands: Range<usize>) -> Ref {
        let value = self.kinds.len() as u32;
        self.kinds.extend_from_slice(&code.results(operands.len()));
        self.ops.push(Op { code, operands: operands.start as u32..operands.end as u32, value });
        Ref::value(value as usize)
    }

    /// The operations with these numbers.
    pub(crate) fn of(&self, numbers: &[u32]) -> impl Iterator<Item = &Op> {
        numbers.iter().map(|i| &self.ops[*i as usize])
    }

    pub(crate) fn operands(&self, op: &Op) -> &[Term] {
        op.operands_in(&self.operands)
    }
}
