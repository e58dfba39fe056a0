//! Straight-line code of the ALU's own operations, before it has registers: each line makes one value, once.

use crate::isa::{Opcode, Operand};
use bilinear_program::Ref;
use std::collections::HashMap;

/// One operation. Values are numbered: parameters first, then the lines in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub(crate) opcode: Opcode,
    /// Both operands; those of one operand repeat it.
    args: [Ref; 2],
}

impl Line {
    pub(crate) fn new(opcode: Opcode, args: &[Ref]) -> Self {
        let line = Line { opcode, args: [args[0], args[args.len() - 1]] };
        debug_assert_eq!(line.args().len(), args.len(), "the operands of {opcode}");
        line
    }

    /// What it reads.
    pub(crate) fn args(&self) -> &[Ref] {
        &self.args[..sources(self.opcode)]
    }

    /// The same operation on other values.
    pub(crate) fn map(&self, mut to: impl FnMut(Ref) -> Ref) -> Self {
        Line { opcode: self.opcode, args: self.args.map(&mut to) }
    }
}

/// How many registers an instruction reads.
pub(crate) fn sources(opcode: Opcode) -> usize {
    opcode.entry().operands.iter().filter(|kind| **kind == Operand::Source).count()
}

/// Straight-line code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Straight {
    pub(crate) params: usize,
    pub(crate) lines: Vec<Line>,
    pub(crate) results: Vec<Ref>,
    /// The number that the recorded routine has for the value of each line, if it has one.
    pub(crate) recorded: Vec<Option<u32>>,
}

impl Straight {
    /// The value that a line makes.
    pub(crate) fn value(&self, line: usize) -> Ref {
        Ref::value(self.params + line)
    }

    /// The line behind which each value is no longer read: `lines.len()` for results.
    pub(crate) fn last_uses(&self) -> Vec<usize> {
        let mut last = vec![0; self.params + self.lines.len()];
        for (i, line) in self.lines.iter().enumerate() {
            last[self.params + i] = i;
            line.args().iter().filter(|x| !x.is_constant()).for_each(|x| last[x.number()] = i);
        }
        self.results.iter().filter(|x| !x.is_constant()).for_each(|x| last[x.number()] = self.lines.len());
        last
    }

    /// The most values that live at a time: parameters until they are read last, results to the end. An operand that is read
    /// last makes room for the result.
    pub(crate) fn live(&self) -> usize {
        let last = self.last_uses();
        let mut dying = vec![0; self.lines.len() + 1];
        last.iter().for_each(|i| dying[*i] += 1);
        let (mut alive, mut most) = (self.params, self.params);
        for dying in &dying[..self.lines.len()] {
            alive = alive + 1 - dying;
            most = most.max(alive);
        }
        most
    }
}

/// Writes lines; one that is there is not written again.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) straight: Straight,
    known: HashMap<Line, Ref>,
}

impl Writer {
    pub(crate) fn new(params: usize) -> Self {
        Writer { straight: Straight { params, ..Straight::default() }, known: HashMap::new() }
    }

    /// The value of an operation on these.
    pub(crate) fn write(&mut self, opcode: Opcode, args: &[Ref]) -> Ref {
        let line = match (opcode, args) {
            (Opcode::Add | Opcode::Mul, [a, b]) if b < a => Line::new(opcode, &[*b, *a]),
            _ => Line::new(opcode, args),
        };
        let straight = &mut self.straight;
        *self.known.entry(line).or_insert_with(|| {
            straight.lines.push(line);
            straight.recorded.push(None);
            straight.value(straight.lines.len() - 1)
        })
    }
}
