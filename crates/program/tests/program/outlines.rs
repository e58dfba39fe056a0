//! Outlines written out as the plans for which they stand.

use bilinear_program::loops::{Loop, Part, Source};
use bilinear_program::{Input, Output, Program, Ref};
use std::collections::{HashMap, HashSet};

/// Asserts that an outline, written out step by step, is the plan of its program: every operand is the value that the
/// plan reads there, and whatever is read after a loop leaves the loop in a slot.
pub(crate) fn assert_is_plan(program: &Program, parts: &[Part]) {
    let known = program.inputs().iter().map(|input| Ref::value(input.value() as usize)).collect();
    let residue = |input: &Input| match *input {
        Input::Uniform { value, stream, index } => Some((Ref::value(value as usize), (stream, index))),
        _ => None,
    };
    let residues: HashMap<Ref, (u32, u32)> = program.inputs().iter().filter_map(residue).collect();
    let streamed = residues.iter().map(|(value, at)| (*at, *value)).collect();
    let mut outline = Outline { program, step: 0, known, residues, streamed, next: HashMap::new() };
    let mut emitted = HashMap::new();
    for part in parts {
        match part {
            Part::Step(step) => outline.single(*step),
            Part::Loop(looped) => outline.repeated(looped, &mut emitted),
        }
    }
    assert_eq!(outline.step, program.plan().len(), "all steps");
    let mut uniforms = 0..;
    for output in program.outputs() {
        let own = if let Output::Uniform(_) = output { uniforms.next() } else { None };
        match own.and_then(|i: usize| emitted.get(&i)) {
            Some(x) => assert_eq!(*x, output.value(), "an output that a loop emits"),
            None => outline.check_known(output.value()),
        }
    }
}

/// What is known when a step begins.
struct Outline<'p> {
    program: &'p Program,
    /// The number of the step.
    step: usize,
    /// The values of the plan, without those that loops keep to themselves.
    known: HashSet<Ref>,
    /// The argument and the index of each value that is a residue of a prepared argument, and the reverse.
    residues: HashMap<Ref, (u32, u32)>,
    streamed: HashMap<(u32, u32), Ref>,
    /// For each prepared argument, the first residue after all that were read.
    next: HashMap<u32, u32>,
}

impl Outline<'_> {
    fn check_known(&self, x: Ref) {
        assert!(x.is_constant() || self.known.contains(&x), "{x} is not known at step {}", self.step);
    }

    fn single(&mut self, step: usize) {
        assert_eq!(step, self.step, "steps in order");
        let done = &self.program.plan()[step];
        for x in done.operands() {
            self.check_known(x);
            if let Some((stream, index)) = self.residues.get(&x) {
                let next = self.next.entry(*stream).or_insert(0);
                *next = (*next).max(index + 1);
            }
        }
        self.known.extend(done.results().into_iter().flatten().map(|v| Ref::value(v as usize)));
        self.step += 1;
    }

    fn repeated(&mut self, looped: &Loop, emitted: &mut HashMap<usize, Ref>) {
        assert_eq!(looped.steps.start, self.step, "steps in order");
        let mut slots: Vec<Option<Ref>> = looped.carried.iter().map(|slot| slot.entry).collect();
        slots.iter().flatten().for_each(|x| self.check_known(*x));
        let mut emissions = looped.emits_from..;
        for body in looped.digits.iter().map(|digit| &looped.bodies[*digit]) {
            let plan = &self.program.plan()[self.step..];
            let find = |source: &Source, before: usize| match *source {
                Source::Fixed(x) => {
                    self.check_known(x);
                    x
                }
                Source::Carried(slot) => slots[slot].unwrap(),
                Source::Made { step, result } => Ref::value(plan[..before][step].results()[result].unwrap() as usize),
                Source::Streamed { stream, ahead } => {
                    self.streamed[&(stream, self.next.get(&stream).unwrap_or(&0) + ahead)]
                }
            };
            for (i, (step, done)) in body.steps.iter().zip(plan).enumerate() {
                assert_eq!(step.operation, done.operation(), "step {}", self.step + i);
                let operands: Vec<Ref> = step.operands.iter().map(|source| find(source, i)).collect();
                assert_eq!(operands, done.operands(), "step {}", self.step + i);
            }
            let end = body.steps.len();
            emitted.extend(body.emitted.iter().map(|source| (emissions.next().unwrap(), find(source, end))));
            let next: Vec<(usize, Ref)> = body.next.iter().map(|(slot, source)| (*slot, find(source, end))).collect();
            next.into_iter().for_each(|(slot, x)| slots[slot] = Some(x));
            body.streamed().into_iter().for_each(|(stream, count)| *self.next.entry(stream).or_insert(0) += count);
            self.step += end;
        }
        assert_eq!(looped.steps.end, self.step, "the steps of a loop");
        for (slot, x) in looped.carried.iter().zip(slots) {
            if let Some(exit) = slot.exit {
                assert_eq!(x, Some(Ref::value(exit as usize)), "the value that leaves in a slot");
                self.known.extend(x);
            }
        }
    }
}
