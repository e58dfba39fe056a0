//! Straight-line code of the ALU's own operations, before register allocation: each line makes one value, once. A value
//! is an element, or wide: an unreduced sum of products.

use crate::isa::Opcode;
use crate::model::Alu;
use bilinear_program::Ref;
use std::collections::HashMap;

/// One operation. Values are numbered: parameters first, then the results of the lines in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub(crate) opcode: Opcode,
    /// The operands; if there are fewer than three, the last is repeated.
    args: [Ref; 3],
}

impl Line {
    pub(crate) fn new(opcode: Opcode, args: &[Ref]) -> Self {
        let at = |i: usize| args[i.min(args.len() - 1)];
        let line = Line { opcode, args: [at(0), at(1), at(2)] };
        debug_assert_eq!(line.args().len(), args.len(), "the operands of {opcode}");
        line
    }

    /// The values that the line reads.
    pub(crate) fn args(&self) -> &[Ref] {
        &self.args[..sources(self.opcode)]
    }

    /// Returns the same operation on other values.
    pub(crate) fn map(&self, mut to: impl FnMut(Ref) -> Ref) -> Self {
        Line { opcode: self.opcode, args: self.args.map(&mut to) }
    }
}

/// Returns the number of registers that an instruction reads, wide or not.
pub(crate) fn sources(opcode: Opcode) -> usize {
    opcode.entry().operands.iter().filter(|kind| kind.is_read()).count()
}

/// Returns true if the result of the operation is wide.
pub(crate) fn makes_wide(opcode: Opcode) -> bool {
    opcode.entry().operands.first().is_some_and(|kind| kind.is_wide())
}

/// Straight-line code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Straight {
    pub(crate) params: usize,
    pub(crate) lines: Vec<Line>,
    pub(crate) results: Vec<Ref>,
    /// For each line, the number of its value in the recorded routine, if it has one.
    pub(crate) recorded: Vec<Option<u32>>,
}

impl Straight {
    /// Returns the value that a line makes.
    pub(crate) fn value(&self, line: usize) -> Ref {
        Ref::value(self.params + line)
    }

    /// Appends a line and returns its value.
    fn push(&mut self, line: Line) -> Ref {
        self.lines.push(line);
        self.recorded.push(None);
        self.value(self.lines.len() - 1)
    }

    /// Returns for each value the last line that reads it: `lines.len()` for results.
    pub(crate) fn last_uses(&self) -> Vec<usize> {
        let mut last = vec![0; self.params + self.lines.len()];
        for (i, line) in self.lines.iter().enumerate() {
            last[self.params + i] = i;
            line.args().iter().filter(|x| !x.is_constant()).for_each(|x| last[x.number()] = i);
        }
        self.results.iter().filter(|x| !x.is_constant()).for_each(|x| last[x.number()] = self.lines.len());
        last
    }

    /// Returns the largest numbers of elements and of wide values that live at the same time. Parameters live until
    /// they are last read, results to the end. An operand that is read for the last time frees its register for the
    /// result.
    pub(crate) fn live(&self) -> [usize; 2] {
        let last = self.last_uses();
        let is_wide = |x: usize| x.checked_sub(self.params).is_some_and(|line| makes_wide(self.lines[line].opcode));
        let mut dying = vec![[0, 0]; self.lines.len() + 1];
        last.iter().enumerate().for_each(|(x, i)| dying[*i][usize::from(is_wide(x))] += 1);
        let mut alive = [self.params, 0];
        let mut most = alive;
        for (line, dying) in dying[..self.lines.len()].iter().enumerate() {
            alive[usize::from(is_wide(self.params + line))] += 1;
            for kind in [0, 1] {
                alive[kind] -= dying[kind];
                most[kind] = most[kind].max(alive[kind]);
            }
        }
        most
    }

    /// Returns the cycles of the code on an ALU, one line after the other.
    pub(crate) fn cycles(&self, alu: &Alu) -> u64 {
        self.lines.iter().map(|line| alu.cycles(line.opcode.entry().cost)).sum()
    }
}

/// A writer of lines; a line that already exists is not written again.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) straight: Straight,
    known: HashMap<Line, Ref>,
}

impl Writer {
    pub(crate) fn new(params: usize) -> Self {
        Writer { straight: Straight { params, ..Straight::default() }, known: HashMap::new() }
    }

    /// Returns the value of an operation on these operands.
    pub(crate) fn write(&mut self, opcode: Opcode, args: &[Ref]) -> Ref {
        let line = match (opcode, args) {
            (Opcode::Add | Opcode::Mul | Opcode::WMul | Opcode::WAdd, [a, b]) if b < a => Line::new(opcode, &[*b, *a]),
            _ => Line::new(opcode, args),
        };
        let straight = &mut self.straight;
        *self.known.entry(line).or_insert_with(|| straight.push(line))
    }

    /// Returns a value that can be modified in place because nothing else reads it: the value of a second copy of
    /// x's line if this line is among the first `lines`, else x itself.
    pub(crate) fn own(&mut self, x: Ref, lines: usize) -> Ref {
        let at = x.number() - self.straight.params;
        let line = self.straight.lines[at];
        if at < lines {
            return self.straight.push(line);
        }
        self.known.remove(&line);
        x
    }
}
