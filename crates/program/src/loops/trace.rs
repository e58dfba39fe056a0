//! Follows a loop, iteration by iteration, along the steps of the plan for which it stands.

use super::{Body, Loop, Source};
use crate::op::Ref;
use crate::program::{Input, Output, Program};
use bilinear_field::CollectVec;
use std::collections::HashMap;

/// The steps of a plan, with facts about its values.
pub(super) struct Flat<'p> {
    pub(super) program: &'p Program,
    /// The operands of each step.
    pub(super) operands: Vec<Vec<Ref>>,
    /// The results of each step, where the plan takes them.
    pub(super) results: Vec<Vec<Option<u32>>>,
    /// For each value, the step that makes it and the number of the result; `None` for inputs.
    pub(super) maker: Vec<Option<(usize, usize)>>,
    /// For each value, the number of the last step that reads it; the number of steps for an output of one residue per lane.
    pub(super) last: Vec<usize>,
    /// For each value that is a residue of a prepared argument, the argument and the index of the residue.
    pub(super) streamed: Vec<Option<(u32, u32)>>,
    /// The outputs that are the same residue in every lane, in order.
    pub(super) emitted: Vec<Ref>,
    /// For each value that goes out as the same residue in every lane, the number of the first such output.
    pub(super) emission: HashMap<u32, usize>,
}

impl<'p> Flat<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let values = program.kinds().len();
        let mut flat = Flat {
            program,
            operands: vec![],
            results: vec![],
            maker: vec![None; values],
            last: vec![0; values],
            streamed: vec![None; values],
            emitted: vec![],
            emission: HashMap::new(),
        };
        for input in program.inputs() {
            if let Input::Uniform { value, stream, index } = *input {
                flat.streamed[value as usize] = Some((stream, index));
            }
        }
        for (number, step) in program.plan().iter().enumerate() {
            let (operands, results) = (step.operands(), step.results());
            for (i, v) in results.iter().enumerate() {
                if let Some(v) = v {
                    flat.maker[*v as usize] = Some((number, i));
                }
            }
            for x in operands.iter().filter(|x| !x.is_constant()) {
                flat.last[x.number()] = number;
            }
            flat.operands.push(operands);
            flat.results.push(results);
        }
        for output in program.outputs() {
            let x = output.value();
            if let Output::Uniform(x) = output {
                let first = *flat.emission.entry(x.0).or_insert(flat.emitted.len());
                if first < flat.emitted.len() && !x.is_constant() {
                    // output twice: a value that is read after the loop
                    flat.last[x.number()] = program.plan().len();
                }
                flat.emitted.push(*x);
            } else if !x.is_constant() {
                flat.last[x.number()] = program.plan().len();
            }
        }
        flat
    }

    /// Returns the prepared argument and the index of an operand that is a residue of one.
    pub(super) fn residue(&self, x: Ref) -> Option<(u32, u32)> {
        if x.is_constant() { None } else { self.streamed[x.number()] }
    }

    /// Returns, for each prepared argument, the first residue after all that the steps before this one read.
    fn read_before(&self, step: usize) -> HashMap<u32, u32> {
        let mut read = HashMap::new();
        for (stream, index) in self.operands[..step].iter().flatten().filter_map(|x| self.residue(*x)) {
            let next = read.entry(stream).or_insert(0);
            *next = (*next).max(index + 1);
        }
        read
    }

    /// Returns true if this step or a later one makes the value.
    pub(super) fn made_from(&self, x: Ref, first: usize) -> bool {
        !x.is_constant() && self.maker[x.number()].is_some_and(|(step, _)| step >= first)
    }
}

/// The extent to which a loop does what the plan does.
pub(super) struct Followed {
    /// The number of iterations that do what the plan does.
    pub(super) iterations: usize,
    /// The greatest number of iterations that do what the plan does and leave everything that is read later in a slot.
    pub(super) complete: usize,
    /// The contents of the slots after all iterations that do what the plan does.
    pub(super) state: Vec<Option<Ref>>,
}

/// Follows a loop from its first step, as long as it does what the plan does.
pub(super) fn follow(flat: &Flat<'_>, looped: &Loop) -> Followed {
    let mut walk = Walk {
        flat,
        state: looped.carried.iter().map(|slot| slot.entry).collect_vec(),
        streams: flat.read_before(looped.steps.start),
        emitted: looped.emits_from,
        begun: looped.steps.start,
    };
    let (mut iterations, mut complete) = (0, 0);
    // values that the loop has made and that something may still read
    let mut alive: Vec<u32> = vec![];
    for digit in &looped.digits {
        let begun = walk.begun;
        if walk.iteration(&looped.bodies[*digit]).is_none() {
            break;
        }
        iterations += 1;
        alive.extend(flat.results[begun..walk.begun].iter().flatten().flatten());
        alive.retain(|v| flat.last[*v as usize] >= walk.begun);
        if alive.iter().all(|v| walk.state.contains(&Some(Ref(*v)))) {
            complete = iterations;
        }
    }
    Followed { iterations, complete, state: walk.state }
}

/// The state of a loop that is being followed.
struct Walk<'f, 'p> {
    flat: &'f Flat<'p>,
    /// The contents of the slots.
    state: Vec<Option<Ref>>,
    /// For each prepared argument, the first residue after all that were read.
    streams: HashMap<u32, u32>,
    /// The number of the next output that is the same in every lane.
    emitted: usize,
    /// The number of the next step.
    begun: usize,
}

impl Walk<'_, '_> {
    /// Does one iteration of a body; `None` if the plan does something else.
    fn iteration(&mut self, body: &Body) -> Option<()> {
        let end = self.begun + body.steps.len();
        let operands = self.flat.operands.get(self.begun..end)?;
        for ((step, operands), done) in body.steps.iter().zip(operands).zip(&self.flat.program.plan()[self.begun..end])
        {
            let found = |(source, x): (&Source, &Ref)| {
                match *source {
                    Source::Streamed { stream, ahead } => {
                        self.flat.residue(*x) == Some((stream, self.next_of(stream) + ahead))
                    }
                    other => self.resolve(other) == Some(*x),
                }
                .then_some(())
            };
            if done.operation() != step.operation || operands.len() != step.operands.len() {
                return None;
            }
            step.operands.iter().zip(operands).try_for_each(found)?;
        }
        for (number, source) in (self.emitted..).zip(&body.emitted) {
            (self.flat.emitted.get(number).copied() == self.resolve(*source)).then_some(())?;
        }
        let made = self.flat.results[self.begun..end].iter().flatten().flatten();
        if made.filter(|v| self.flat.emission.contains_key(v)).count() != body.emitted.len() {
            return None;
        }
        self.emitted += body.emitted.len();
        for (stream, count) in body.streamed() {
            self.streams.insert(stream, self.next_of(stream) + count);
        }
        let next: Vec<(usize, Option<Ref>)> =
            body.next.iter().map(|(slot, from)| (*slot, self.resolve(*from))).collect_vec();
        for (slot, x) in next {
            self.state[slot] = x;
        }
        self.begun = end;
        Some(())
    }

    /// The index of the next residue of a prepared argument.
    fn next_of(&self, stream: u32) -> u32 {
        self.streams.get(&stream).copied().unwrap_or(0)
    }

    /// Returns the value of the plan that a source is in this iteration.
    fn resolve(&self, source: Source) -> Option<Ref> {
        match source {
            Source::Fixed(x) => Some(x),
            Source::Carried(slot) => self.state[slot],
            Source::Made { step, result } => self.flat.results.get(self.begun + step)?.get(result).copied()?.map(Ref),
            Source::Streamed { .. } => None,
        }
    }
}
