//! A recording: operations in order, one after the other, and the steps that they belong to.

use crate::op::{Ref, Term};
use bilinear_field::{Code, Kind};
use std::ops::Range;

/// A recorded operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded {
    pub(crate) code: Code,
    /// The index of the first operand in the trace's list.
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// The number of the first result.
    pub(crate) value: u32,
    /// The number of results.
    pub(crate) results: u32,
}

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
    pub(crate) ops: Vec<Recorded>,
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
        let (first, len) = (operands.start as u32, operands.len() as u32);
        let value = self.kinds.len() as u32;
        self.kinds.extend_from_slice(&code.results(operands.len()));
        let results = self.kinds.len() as u32 - value;
        self.ops.push(Recorded { code, first, len, value, results });
        Ref::value(value as usize)
    }

    /// The operations with these numbers.
    pub(crate) fn of(&self, numbers: &[u32]) -> impl Iterator<Item = &Recorded> {
        numbers.iter().map(|i| &self.ops[*i as usize])
    }

    pub(crate) fn operands(&self, op: &Recorded) -> &[Term] {
        &self.operands[op.first as usize..(op.first + op.len) as usize]
    }
}
