//! A whole computation as blocks of closed code and loops, over values that are each made once.

use crate::compile::closed::Straight;
use crate::isa::Opcode;
use bilinear_program::Ref;

/// A value of the computation. The constants are numbered first.
pub(crate) type Value = u32;

/// An operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) opcode: Opcode,
    pub(crate) out: Value,
    args: [Value; 3],
    sources: u8,
    /// The number of the value in the recorded routine, if it has one.
    pub(crate) recorded: Option<u32>,
}

impl Line {
    /// The values that the line reads.
    pub(crate) fn args(&self) -> &[Value] {
        &self.args[..usize::from(self.sources)]
    }
}

/// A block of straight-line code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) lines: Vec<Line>,
    /// The lines at which routines begin, with the names of the routines.
    pub(crate) names: Vec<(usize, &'static str)>,
}

/// A value that each iteration of a loop replaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The value as the bodies read it; also the value after the loop.
    pub(crate) header: Value,
    /// The value before the first iteration.
    pub(crate) initial: Value,
}

/// A body of a loop: what an iteration may do after the common part.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) block: Block,
    /// The next value of each slot.
    pub(crate) next: Vec<Value>,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) slots: Vec<Slot>,
    /// The code with which every iteration begins.
    pub(crate) common: Block,
    /// The bodies among which an iteration chooses.
    pub(crate) bodies: Vec<Body>,
    /// The body of each iteration.
    pub(crate) digits: Vec<usize>,
}

/// A part of a computation.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Block(Block),
    Loop(Loop),
}

/// A computation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    /// The number of values that are constants.
    pub(crate) constants: u32,
    pub(crate) inputs: Vec<Value>,
    pub(crate) outputs: Vec<Value>,
    pub(crate) nodes: Vec<Node>,
}

impl Block {
    /// Appends straight-line code on these arguments. Its values are numbered from `next` on; returns the values of its
    /// results.
    pub(crate) fn call(&mut self, name: &'static str, code: &Straight, args: &[Value], next: &mut Value) -> Vec<Value> {
        let first = *next;
        let value = |x: Ref| match (x.is_constant(), x.number()) {
            (true, number) => number as Value,
            (false, number) if number < code.params => args[number],
            (false, number) => first + (number - code.params) as Value,
        };
        self.names.push((self.lines.len(), name));
        for (line, recorded) in code.lines.iter().zip(&code.recorded) {
            let mut args = [0; 3];
            line.args().iter().zip(&mut args).for_each(|(x, arg)| *arg = value(*x));
            let sources = line.args().len() as u8;
            self.lines.push(Line { opcode: line.opcode, out: *next, args, sources, recorded: *recorded });
            *next += 1;
        }
        code.results.iter().map(|x| value(*x)).collect()
    }
}

impl Loop {
    /// Returns the name of the first routine in an iteration.
    pub(crate) fn name(&self) -> &'static str {
        let blocks = [&self.common].into_iter().chain(self.bodies.iter().map(|body| &body.block));
        blocks.flat_map(|block| block.names.first()).map(|(_, name)| *name).next().unwrap_or("a loop")
    }
}

impl Node {
    /// Returns the blocks of the node.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        match self {
            Node::Block(block) => vec![block],
            Node::Loop(repeated) => {
                [&repeated.common].into_iter().chain(repeated.bodies.iter().map(|b| &b.block)).collect()
            }
        }
    }

    /// Returns the values that the node reads, including those that it makes itself.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Value> {
        let mut all: Vec<Value> = vec![];
        for block in self.blocks() {
            all.extend(block.lines.iter().flat_map(Line::args));
        }
        if let Node::Loop(Loop { slots, bodies, .. }) = self {
            all.extend(slots.iter().map(|slot| slot.initial));
            all.extend(bodies.iter().flat_map(|body| &body.next));
        }
        all.into_iter()
    }
}
