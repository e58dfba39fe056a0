//! What a loop does, iteration by iteration: the steps of the plan that it stands for.

use super::{Body, Loop, Source};
use crate::op::Ref;
use crate::program::{Input, Output, Program};
use std::collections::HashMap;

/// The steps of a plan with what is known of its values.
pub(super) struct Flat<'p> {
    pub(super) program: &'p Program,
    /// The operands of each step.
    pub(super) operands: Vec<Vec<Ref>>,
    /// The results of each step, as far as the plan takes them.
    pub(super) results: Vec<Vec<Option<u32>>>,
    /// For each value the step that makes it, and which of its results it is; `None` for what comes in.
    pub(super) maker: Vec<Option<(usize, usize)>>,
    /// For each value the number of the last step that reads it, or the number of steps for what goes out as one residue a lane.
    pub(super) last: Vec<usize>,
    /// For each value which residue of which prepared argument it is.
    pub(super) streamed: Vec<Option<(u32, u32)>>,
    /// The outputs that are the same residue in every lane, in order.
    pub(super) emitted: Vec<Ref>,
    /// The first of them that each value is.
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
                    // goes out twice: a value that somebody reads after the loop
                    flat.last[x.number()] = program.plan().len();
                }
                flat.emitted.push(*x);
            } else if !x.is_constant() {
                flat.last[x.number()] = program.plan().len();
            }
        }
        flat
    }

    /// Which residue of which prepared argument an operand is.
    pub(super) fn residue(&self, x: Ref) -> Option<(u32, u32)> {
        if x.is_constant() { None } else { self.streamed[x.number()] }
    }

    /// The first residue of each prepared argument after all that the steps before this one read.
    fn read_before(&self, step: usize) -> HashMap<u32, u32> {
        let mut read = HashMap::new();
        for (stream, index) in self.operands[..step].iter().flatten().filter_map(|x| self.residue(*x)) {
            let next = read.entry(stream).or_insert(0);
            *next = (*next).max(index + 1);
        }
        read
    }

    /// Whether a value was made by this step or a later one.
    pub(super) fn made_from(&self, x: Ref, first: usize) -> bool {
        !x.is_constant() && self.maker[x.number()].is_some_and(|(step, _)| step >= first)
    }
}

/// How far a loop does what the plan does.
pub(super) struct Followed {
    /// The iterations that do.
    pub(super) iterations: usize,
    /// The most of them after which everything that is read later is in a slot.
    pub(super) complete: usize,
    /// What the slots hold after all that do.
    pub(super) state: Vec<Option<Ref>>,
}

/// Follows a loop from its first step, as far as it does what the plan does.
pub(super) fn follow(flat: &Flat<'_>, looped: &Loop) -> Followed {
    let mut walk = Walk {
        flat,
        state: looped.carried.iter().map(|slot| slot.entry).collect(),
        streams: flat.read_before(looped.steps.start),
        emitted: looped.emits_from,
        begun: looped.steps.start,
    };
    let (mut iterations, mut complete) = (0, 0);
    // what the loop made and something may still read
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

/// What a loop has done so far.
struct Walk<'f, 'p> {
    flat: &'f Flat<'p>,
    /// What the slots hold.
    state: Vec<Option<Ref>>,
    /// The first residue of each prepared argument after all that were read.
    streams: HashMap<u32, u32>,
    /// The next output that is the same in every lane.
    emitted: usize,
    /// The next step.
    begun: usize,
}

impl Walk<'_, '_> {
    /// Does what a body does; `None` if the plan does something else.
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
            body.next.iter().map(|(slot, from)| (*slot, self.resolve(*from))).collect();
        for (slot, x) in next {
            self.state[slot] = x;
        }
        self.begun = end;
        Some(())
    }

    /// The next residue of a prepared argument.
    fn next_of(&self, stream: u32) -> u32 {
        self.streams.get(&stream).copied().unwrap_or(0)
    }

    /// The value of the plan that a source is in this iteration.
    fn resolve(&self, source: Source) -> Option<Ref> {
        match source {
            Source::Fixed(x) => Some(x),
            Source::Carried(slot) => self.state[slot],
            Source::Made { step, result } => self.flat.results.get(self.begun + step)?.get(result).copied()?.map(Ref),
            Source::Streamed { .. } => None,
        }
    }
}
