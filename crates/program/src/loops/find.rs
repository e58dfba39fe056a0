//! Finds the loops of a plan.
//!
//! An iteration begins at each step whose operation is one of a few *heads*: one operation (the squaring of a Miller
//! loop), or two (a ladder, which takes one of two steps for each digit). For each first step and each choice of
//! heads, `guess.rs` makes a loop of the iterations that follow. The loop that saves the most steps is taken.
//!
//! The time is linear in the steps from the first to the last iteration, for each first step and each choice of heads that is tried.

use super::guess::guess;
use super::trace::Flat;
use super::{Loop, Part};
use crate::program::{Operation, Program, Step};
use bilinear_field::CollectVec;
use std::collections::HashMap;

/// The greatest number of steps of an iteration.
const LONGEST: usize = 64;
/// The smallest number of iterations of a loop.
const FEWEST: usize = 3;
/// A loop may begin fewer than this many steps later than it could, if that makes it smaller.
const LATER: usize = 12;
/// The number of iterations with which a loop is tried first.
const FIRST: usize = 8;

/// Returns the parts of the plan.
pub(super) fn outline(program: &Program) -> Vec<Part> {
    let flat = Flat::new(program);
    let finder = Finder { operations: program.plan().iter().map(Step::operation).collect_vec(), flat };
    let steps = finder.operations.len();
    // the loops that were tried, by their first step
    let mut tried: HashMap<usize, Option<(usize, Loop)>> = HashMap::new();
    let (mut parts, mut next) = (vec![], 0);
    while next < steps {
        let mut best: Option<(usize, Loop)> = None;
        for begin in next..(next + LATER).min(steps) {
            let found = tried.entry(begin).or_insert_with(|| finder.best_from(begin));
            // a step that is passed over saves nothing
            let gain = found.as_ref().map(|(gain, _)| gain.saturating_sub(begin - next));
            if gain > best.as_ref().map_or(Some(0), |(gain, _)| Some(*gain)) {
                best = gain.zip(found.as_ref().map(|(_, looped)| looped.clone()));
            }
        }
        let Some((_, looped)) = best else {
            parts.push(Part::Step(next));
            next += 1;
            continue;
        };
        parts.extend((next..looped.steps.start).map(Part::Step));
        next = looped.steps.end;
        parts.push(Part::Loop(looped));
    }
    parts
}

struct Finder<'p> {
    flat: Flat<'p>,
    operations: Vec<Operation>,
}

impl Finder<'_> {
    /// Returns the loop from this step that saves the most steps, and how many it saves, less one for every eight
    /// iterations. A body that is used only once saves nothing, and its steps count against the loop.
    fn best_from(&self, begin: usize) -> Option<(usize, Loop)> {
        let first = self.operations[begin];
        let near = &self.operations[begin..self.operations.len().min(begin + LONGEST)];
        let second = near.iter().find(|operation| **operation != first);
        let choices = [vec![first], second.map_or(vec![], |second| vec![first, *second])];
        let mut best = None;
        for heads in choices.iter().filter(|heads| !heads.is_empty()) {
            let Some(looped) = self.find(begin, heads) else { continue };
            let once = |number: &usize| looped.digits.iter().filter(|digit| *digit == number).count() == 1;
            let single: usize = (0..looped.bodies.len()).filter(once).map(|i| looped.bodies[i].steps.len()).sum();
            let cost = looped.size() + single + looped.digits.len() / 8 + 1;
            let gain = looped.steps.len().saturating_sub(cost);
            if gain > best.as_ref().map_or(0, |(gain, _)| *gain) {
                best = Some((gain, looped));
            }
        }
        best
    }

    /// Returns the longest loop that begins at this step and whose iterations begin with these operations. Each try has
    /// twice as many iterations as the one before, so that a run that is not a loop is found out by its first iterations.
    fn find(&self, begin: usize, heads: &[Operation]) -> Option<Loop> {
        let bounds = self.bounds(begin, heads);
        let mut most = bounds.len() - 1;
        let (mut found, mut tried) = (None, 0);
        let mut next = FIRST.min(most);
        while next >= FEWEST && next > tried {
            match guess(&self.flat, &self.operations, &bounds[..=next]) {
                Ok(looped) => {
                    found = Some(looped);
                    tried = next;
                    next = (2 * next).min(most);
                }
                Err(fewer) => {
                    most = fewer.min(next - 1);
                    next = most;
                }
            }
        }
        found
    }

    /// Returns where iterations begin, and where the last one ends.
    fn bounds(&self, begin: usize, heads: &[Operation]) -> Vec<usize> {
        let mut bounds = vec![begin];
        for (step, operation) in self.operations.iter().enumerate().skip(begin + 1) {
            if heads.contains(operation) {
                bounds.push(step);
            } else if step - bounds[bounds.len() - 1] >= LONGEST {
                break;
            }
        }
        // the last head begins an iteration if the steps that follow it are those that followed another head
        let last = bounds[bounds.len() - 1];
        let lengths = bounds.windows(2).filter(|pair| {
            let body = &self.operations[pair[0]..pair[1]];
            self.operations[last..].starts_with(body)
        });
        if let Some(length) = lengths.map(|pair| pair[1] - pair[0]).max() {
            bounds.push(last + length);
        }
        bounds
    }
}
