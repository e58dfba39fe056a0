//! The loop of given iterations, as far as they are one.
//!
//! Iterations with the same operations, the same wiring among their steps and the same operands from before the loop have one body.
//! What they read of earlier iterations is carried in slots: values that stand at the same operand of a body, or are the same
//! result of it, belong to one slot (union and find, Tarjan, JACM 22, 1975). Whatever this guesses wrong, `trace.rs` finds, and
//! the loop ends before it.

use super::trace::{Flat, follow};
use super::{Body, BodyStep, Carried, Loop, Source};
use crate::op::Ref;
use crate::program::Operation;
use bilinear_field::Kind;
use std::collections::HashMap;

/// The loop of the iterations that begin at these steps, the end of the last one included, or how many of them may be one.
pub(super) fn guess(flat: &Flat<'_>, operations: &[Operation], bounds: &[usize]) -> Result<Loop, usize> {
    let iterations = bounds.len() - 1;
    let guess = Guess { flat, operations, bounds };
    let groups = guess.groups();
    let mut digits = vec![0; iterations];
    for (number, group) in groups.iter().enumerate() {
        group.iterations.iter().for_each(|i| digits[*i] = number);
    }
    let mut slots = Slots::new(guess.classes(&groups));
    let mut bodies = vec![];
    for group in &groups {
        let next = guess.next(group, &mut slots)?;
        bodies.push(Body { steps: vec![], next, emitted: guess.emitted(group) });
    }
    for (group, body) in groups.iter().zip(&mut bodies) {
        body.steps = guess.steps(group, &mut slots)?;
    }
    let (steps, emits_from) = (bounds[0]..bounds[iterations], guess.emits_from());
    let mut looped = Loop { steps, carried: slots.carried, bodies, digits, emits_from };
    let followed = follow(flat, &looped);
    if followed.iterations < iterations || followed.complete < iterations {
        return Err(followed.complete);
    }
    for (slot, x) in looped.carried.iter_mut().zip(followed.state) {
        let made = x.filter(|x| flat.made_from(*x, bounds[0]));
        slot.exit = made.map(|x| x.0).filter(|v| flat.last[*v as usize] >= bounds[iterations]);
    }
    Ok(looped)
}

/// Iterations with one body.
struct Group {
    operations: Vec<Operation>,
    /// By step and operand. Where it is `Carried` the slot is not known yet.
    sources: Vec<Vec<Source>>,
    /// The numbers of the iterations.
    iterations: Vec<usize>,
}

impl Group {
    /// Whether its iterations read what those of another group read, but slots where the other ones read what was made before the
    /// loop.
    fn reads_entries_of(&self, other: &Group) -> bool {
        self.sources.iter().zip(&other.sources).all(|(here, there)| {
            let entry = |(here, there): (&Source, &Source)| {
                here == there || (*here == SOME_SLOT && matches!(there, Source::Fixed(_)))
            };
            here.len() == there.len() && here.iter().zip(there).all(entry)
        })
    }
}

/// Stands for a slot that is not known yet.
const SOME_SLOT: Source = Source::Carried(usize::MAX);

/// Iterations of which a loop is made.
struct Guess<'f, 'p> {
    flat: &'f Flat<'p>,
    /// Of every step of the plan.
    operations: &'f [Operation],
    /// Where each iteration begins, and where the last one ends.
    bounds: &'f [usize],
}

impl Guess<'_, '_> {
    /// What the iterations of a body read at an operand of a step, with the numbers of the iterations.
    fn read<'a>(&'a self, group: &'a Group, step: usize, operand: usize) -> impl Iterator<Item = (usize, Ref)> + 'a {
        group.iterations.iter().map(move |n| (*n, self.flat.operands[self.bounds[*n] + step][operand]))
    }

    /// How many results a step of a body has.
    fn results(&self, group: &Group, step: usize) -> usize {
        self.flat.results[self.bounds[group.iterations[0]] + step].len()
    }

    /// What a result of a step is in each iteration of a body in which something after the iteration reads it.
    fn made<'a>(&'a self, group: &'a Group, step: usize, result: usize) -> impl Iterator<Item = u32> + 'a {
        group.iterations.iter().filter_map(move |n| {
            let v = self.flat.results[self.bounds[*n] + step][result]?;
            (self.flat.last[v as usize] >= self.bounds[n + 1]).then_some(v)
        })
    }

    /// Whether the loop makes a value.
    fn is_made(&self, x: Ref) -> bool {
        self.flat.made_from(x, self.bounds[0])
    }

    /// One class for what stands at one operand of a body, and for what is one result of it.
    fn classes(&self, groups: &[Group]) -> Classes {
        let mut classes = Classes::default();
        for group in groups {
            for (step, sources) in group.sources.iter().enumerate() {
                for (i, _) in sources.iter().enumerate().filter(|(_, source)| **source == SOME_SLOT) {
                    classes.unite(self.read(group, step, i).filter(|(_, x)| self.is_made(*x)).map(|(_, x)| x.0));
                }
                (0..self.results(group, step)).for_each(|i| classes.unite(self.made(group, step, i)));
            }
        }
        classes
    }

    /// The slots that a body sets.
    ///
    /// # Errors
    /// If two of its results belong to one slot: its last iteration.
    fn next(&self, group: &Group, slots: &mut Slots) -> Result<Vec<(usize, Source)>, usize> {
        let mut next: Vec<(usize, Source)> = vec![];
        for step in 0..group.operations.len() {
            for result in 0..self.results(group, step) {
                let Some(v) = self.made(group, step, result).next() else { continue };
                let slot = slots.of(v, self.flat.program.kinds()[v as usize]);
                if next.iter().any(|(taken, _)| *taken == slot) {
                    return Err(group.iterations[group.iterations.len() - 1]);
                }
                next.push((slot, Source::Made { step, result }));
            }
        }
        Ok(next)
    }

    /// The steps of a body, with the slots that they read; what enters the loop in these.
    ///
    /// # Errors
    /// If two values enter in one slot: the iteration that reads the second.
    fn steps(&self, group: &Group, slots: &mut Slots) -> Result<Vec<BodyStep>, usize> {
        let mut steps = vec![];
        for (step, (operation, sources)) in group.operations.iter().zip(&group.sources).enumerate() {
            let mut operands = sources.clone();
            for (i, source) in operands.iter_mut().enumerate().filter(|(_, source)| **source == SOME_SLOT) {
                let made = self.read(group, step, i).find(|(_, x)| self.is_made(*x));
                let Some((_, made)) = made else { return Err(group.iterations[0]) };
                let slot = slots.of(made.0, self.flat.program.kinds()[made.number()]);
                *source = Source::Carried(slot);
                for (n, x) in self.read(group, step, i).filter(|(_, x)| !self.is_made(*x)) {
                    if *slots.carried[slot].entry.get_or_insert(x) != x {
                        return Err(n);
                    }
                }
            }
            steps.push(BodyStep { operation: *operation, operands });
        }
        Ok(steps)
    }

    /// The iterations by body.
    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = vec![];
        let mut known: HashMap<(&[Operation], Vec<Vec<Source>>), usize> = HashMap::new();
        for (number, bound) in self.bounds.windows(2).enumerate() {
            let operations = &self.operations[bound[0]..bound[1]];
            let sources = self.sources(bound[0], bound[1]);
            let group = *known.entry((operations, sources)).or_insert_with_key(|(operations, sources)| {
                groups.push(Group { operations: operations.to_vec(), sources: sources.clone(), iterations: vec![] });
                groups.len() - 1
            });
            groups[group].iterations.push(number);
        }
        // what enters the loop is carried from there on, though its first readers find it as it was before
        for i in (0..groups.len()).rev() {
            let enters = |group: &Group| group.operations == groups[i].operations && group.reads_entries_of(&groups[i]);
            if let Some(other) = (0..groups.len()).find(|j| *j != i && enters(&groups[*j])) {
                let iterations = std::mem::take(&mut groups[i].iterations);
                groups[other].iterations.extend(iterations);
                groups[other].iterations.sort_unstable();
                groups.remove(i);
            }
        }
        groups
    }

    /// Where the operands of an iteration come from.
    fn sources(&self, begin: usize, end: usize) -> Vec<Vec<Source>> {
        // the least residue of each prepared argument that the iteration reads
        let mut least: HashMap<u32, u32> = HashMap::new();
        let residue = |x: &Ref| self.flat.residue(*x);
        for (stream, index) in self.flat.operands[begin..end].iter().flatten().filter_map(residue) {
            let least = least.entry(stream).or_insert(index);
            *least = index.min(*least);
        }
        let source = |x: &Ref| {
            if let Some((stream, index)) = residue(x) {
                return Source::Streamed { stream, ahead: index - least[&stream] };
            }
            match if x.is_constant() { None } else { self.flat.maker[x.number()] } {
                Some((step, result)) if step >= begin => Source::Made { step: step - begin, result },
                Some((step, _)) if step >= self.bounds[0] => SOME_SLOT,
                _ => Source::Fixed(*x),
            }
        };
        self.flat.operands[begin..end].iter().map(|operands| operands.iter().map(source).collect()).collect()
    }

    /// The first of these steps' outputs that are the same in every lane.
    fn emits_from(&self) -> usize {
        let bounds = self.bounds;
        let made = self.flat.results[bounds[0]..bounds[bounds.len() - 1]].iter().flatten().flatten();
        made.filter_map(|v| self.flat.emission.get(v)).min().copied().unwrap_or(0)
    }

    /// The outputs that are the same in every lane and that an iteration makes.
    fn emitted(&self, group: &Group) -> Vec<Source> {
        let begin = self.bounds[group.iterations[0]];
        let mut emitted: Vec<(usize, Source)> = vec![];
        for step in 0..group.operations.len() {
            for (result, v) in self.flat.results[begin + step].iter().enumerate() {
                if let Some(output) = v.and_then(|v| self.flat.emission.get(&v)) {
                    emitted.push((*output, Source::Made { step, result }));
                }
            }
        }
        emitted.sort_by_key(|(output, _)| *output);
        emitted.into_iter().map(|(_, source)| source).collect()
    }
}

/// Classes of values.
#[derive(Default)]
struct Classes {
    /// Another value of the class, or none for the one that stands for it.
    above: HashMap<u32, u32>,
}

impl Classes {
    /// The value that stands for the class of this one.
    fn of(&mut self, v: u32) -> u32 {
        let mut top = v;
        while let Some(above) = self.above.get(&top) {
            top = *above;
        }
        let mut below = v;
        while below != top {
            below = self.above.insert(below, top).unwrap_or(top);
        }
        top
    }

    /// Puts all of these into one class.
    fn unite(&mut self, values: impl IntoIterator<Item = u32>) {
        let mut values = values.into_iter();
        let Some(first) = values.next() else { return };
        for v in values {
            let (a, b) = (self.of(first), self.of(v));
            if a != b {
                self.above.insert(b, a);
            }
        }
    }
}

/// A slot for each class, in the order in which they are met.
struct Slots {
    classes: Classes,
    numbers: HashMap<u32, usize>,
    carried: Vec<Carried>,
}

impl Slots {
    fn new(classes: Classes) -> Self {
        Slots { classes, numbers: HashMap::new(), carried: vec![] }
    }

    /// The slot of a value of this kind.
    fn of(&mut self, v: u32, kind: Kind) -> usize {
        *self.numbers.entry(self.classes.of(v)).or_insert_with(|| {
            self.carried.push(Carried { kind, entry: None, exit: None });
            self.carried.len() - 1
        })
    }
}
