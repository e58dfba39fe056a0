//! The plan of a program as loops: what a machine with little memory for code executes, and what a reader wants to see.
//!
//! A plan is a flat list of steps. A Miller loop or a power appears in it as a run of steps that repeats a few *bodies*, such as
//! "square, doubling step" and "square, doubling step, addition step". [`Program::outline`] finds these runs and writes each as a
//! [`Loop`]: the bodies, the sequence of digits that chooses among them, and the values that one iteration hands to the next. Each
//! of these has the same slot in every iteration, as a variable of the loop or a register would.
//!
//! Pairs of a product are not a loop: their steps lie within one iteration, since they share its squaring.
//!
//! How they are found is in `find.rs` and `guess.rs`. A loop is accepted only after `trace.rs` has followed all its iterations and found exactly
//! the steps of the plan. [`Program::replay_outline`] says what an outline means.

mod find;
mod guess;
mod replay;
mod trace;

use crate::op::Ref;
use crate::program::{Operation, Program};
use bilinear_field::Kind;
use std::ops::Range;

/// A part of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The step of this number.
    Step(usize),
    /// A run of steps.
    Loop(Loop),
}

/// A run of steps of the plan as a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The steps that it stands for.
    pub steps: Range<usize>,
    /// The values that an iteration hands to the next, by slot.
    pub carried: Vec<Carried>,
    /// What an iteration may do; all are different.
    pub bodies: Vec<Body>,
    /// The body of each iteration.
    pub digits: Vec<usize>,
    /// Where the outputs that its bodies emit begin, among the outputs of their kind.
    pub emits_from: usize,
}

/// A slot of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// What it holds.
    pub kind: Kind,
    /// What it holds before the first iteration, if an iteration reads that: a constant, or a value of the plan.
    pub entry: Option<Ref>,
    /// The plan's value that it holds after the last iteration, if something after the loop reads it.
    pub exit: Option<u32>,
}

/// The steps of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// In order.
    pub steps: Vec<BodyStep>,
    /// The slots that hold another value in the next iteration, and which. What is not listed is kept.
    pub next: Vec<(usize, Source)>,
    /// The outputs of kind [`Output::Uniform`](crate::Output::Uniform) that it makes. They follow those of earlier iterations.
    pub emitted: Vec<Source>,
}

/// A step of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyStep {
    /// What is done.
    pub operation: Operation,
    /// Where each operand is found.
    pub operands: Vec<Source>,
}

/// Where a step of a body finds an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A constant, or a value of the plan that was made before the loop.
    Fixed(Ref),
    /// What a slot holds when the iteration begins.
    Carried(usize),
    /// A result of an earlier step of the iteration; both by number.
    Made {
        /// The step of the body.
        step: usize,
        /// Which of its results, counted with those that the plan does not take.
        result: usize,
    },
    /// A residue of a prepared argument.
    Streamed {
        /// Which argument.
        stream: u32,
        /// How many residues lie between it and the last one that was read before the iteration.
        ahead: u32,
    },
}

impl Body {
    /// How many residues of each prepared argument it reads, as far as it reads any.
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
    /// The steps of all its bodies.
    pub fn size(&self) -> usize {
        self.bodies.iter().map(|body| body.steps.len()).sum()
    }
}

impl Program {
    /// The plan with its runs of equal steps as loops. Every step of the plan is in one part; parts are in the order of the plan.
    pub fn outline(&self) -> Vec<Part> {
        find::outline(self)
    }
}
