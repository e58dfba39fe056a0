//! The plan of a program as loops: what a machine with little memory for code executes, and what a reader wants to see.
//!
//! A plan is a flat list of steps. A Miller loop or a power appears in it as a run of steps that repeats a few *bodies*, such as
//! "square, doubling step" and "square, doubling step, addition step". [`Program::outline`] finds these runs and writes each as a
//! [`Loop`]: the bodies, the sequence of digits that chooses among them, and the values that one iteration hands to the next. Each
//! of these has the same slot in every iteration, as a variable of the loop or a register would.
//!
//! Pairs of a product are not a loop: their steps lie within one iteration, since they share its squaring.
//!
//! The files `find.rs` and `guess.rs` find the loops. A loop is accepted only after `trace.rs` has followed all its
//! iterations and found exactly the steps of the plan.

mod find;
mod guess;
mod trace;

use crate::op::Ref;
use crate::program::{Operation, Program};
use bilinear_field::Kind;
use std::ops::Range;

/// A part of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The step with this number.
    Step(usize),
    /// A run of steps as a loop.
    Loop(Loop),
}

/// A run of steps of the plan as a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The steps for which the loop stands.
    pub steps: Range<usize>,
    /// The values that an iteration hands to the next, by slot.
    pub carried: Vec<Carried>,
    /// The bodies from which an iteration chooses; all are different.
    pub bodies: Vec<Body>,
    /// The number of the body of each iteration.
    pub digits: Vec<usize>,
    /// The number of the first output that the bodies emit, among the outputs of that kind.
    pub emits_from: usize,
}

/// A slot of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The kind of the values in the slot.
    pub kind: Kind,
    /// The value before the first iteration, if an iteration reads it: a constant, or a value of the plan.
    pub entry: Option<Ref>,
    /// The plan's value that is in the slot after the last iteration, if something after the loop reads it.
    pub exit: Option<u32>,
}

/// The steps of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The steps, in order.
    pub steps: Vec<BodyStep>,
    /// The slots that hold another value in the next iteration, and the source of that value. All other slots keep theirs.
    pub next: Vec<(usize, Source)>,
    /// The outputs of kind [`Output::Uniform`](crate::Output::Uniform) that the body makes. They follow those of
    /// earlier iterations.
    pub emitted: Vec<Source>,
}

/// A step of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyStep {
    /// The operation that the step performs.
    pub operation: Operation,
    /// The source of each operand.
    pub operands: Vec<Source>,
}

/// The source of an operand in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A constant, or a value of the plan that was made before the loop.
    Fixed(Ref),
    /// The value that a slot holds when the iteration begins.
    Carried(usize),
    /// A result of an earlier step of the iteration.
    Made {
        /// The number of the step in the body.
        step: usize,
        /// The number of the result. Results that the plan does not take count as well.
        result: usize,
    },
    /// A residue of a prepared argument.
    Streamed {
        /// The number of the argument.
        stream: u32,
        /// The number of residues between this one and the last one that was read before the iteration.
        ahead: u32,
    },
}

impl Body {
    /// Returns the numbers of residues that the body reads of prepared arguments, for each argument of which it reads any.
    pub fn streamed(&self) -> Vec<(u32, u32)> {
        let mut read: Vec<(u32, u32)> = vec![];
        for source in self.steps.iter().flat_map(|step| &step.operands) {
            let Source::Streamed { stream, ahead } = *source else { continue };
            match read.iter_mut().find(|(s, _)| *s == stream) {
                Some((_, count)) => *count = (*count).max(ahead + 1),
                None => read.push((stream, ahead + 1)),
            }
        }
        read
    }
}

impl Loop {
    /// The number of steps of all bodies.
    pub fn size(&self) -> usize {
        self.bodies.iter().map(|body| body.steps.len()).sum()
    }
}

impl Program {
    /// Returns the plan with its runs of equal steps as loops. Every step of the plan is in one part; parts are in
    /// the order of the plan.
    pub fn outline(&self) -> Vec<Part> {
        find::outline(self)
    }
}
