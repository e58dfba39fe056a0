//! Makes a loop of given iterations, as far as they form one.
//!
//! Iterations with the same operations, the same wiring among their steps and the same operands from before the loop
//! have one body. What they read from earlier iterations is carried in slots: values that stand at the same operand
//! of a body, or are the same result of a body, belong to one slot (union and find, Tarjan, JACM 22, 1975).
//! `trace.rs` finds whatever is guessed wrong here, and the loop then ends before it.

use super::trace::{Flat, follow};
use super::{Body, BodyStep, Carried, Loop, Source};
use crate::op::Ref;
use crate::program::Operation;
use bilinear_field::CollectVec;
use bilinear_field::Kind;
use std::collections::HashMap;

/// Returns the loop of the iterations that begin at these steps, the last of which is the end of the last iteration.
/// If they do not form a loop, returns how many of them may.
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

/// The iterations with one body.
struct Group {
    operations: Vec<Operation>,
    /// The sources, by step and operand. The slot of a source `Carried` is not known yet.
    sources: Vec<Vec<Source>>,
    /// The numbers of the iterations.
    iterations: Vec<usize>,
}

impl Group {
    /// Returns true if these iterations read what those of another group read, except that they read slots where the
    /// others read values from before the loop.
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

/// The iterations of which a loop is made.
struct Guess<'f, 'p> {
    flat: &'f Flat<'p>,
    /// The operation of every step of the plan.
    operations: &'f [Operation],
    /// Where each iteration begins, and where the last one ends.
    bounds: &'f [usize],
}

impl Guess<'_, '_> {
    /// Returns what the iterations of a body read at an operand of a step, with the numbers of the iterations.
    fn read<'a>(&'a self, group: &'a Group, step: usize, operand: usize) -> impl Iterator<Item = (usize, Ref)> + 'a {
        group.iterations.iter().map(move |n| (*n, self.flat.operands[self.bounds[*n] + step][operand]))
    }

    /// The number of results of a step of a body.
    fn results(&self, group: &Group, step: usize) -> usize {
        self.flat.results[self.bounds[group.iterations[0]] + step].len()
    }

    /// Returns the value of a result of a step, for each iteration of a body after which something reads it.
    fn made<'a>(&'a self, group: &'a Group, step: usize, result: usize) -> impl Iterator<Item = u32> + 'a {
        group.iterations.iter().filter_map(move |n| {
            let v = self.flat.results[self.bounds[*n] + step][result]?;
            (self.flat.last[v as usize] >= self.bounds[n + 1]).then_some(v)
        })
    }

    /// Returns true if the loop makes the value.
    fn is_made(&self, x: Ref) -> bool {
        self.flat.made_from(x, self.bounds[0])
    }

    /// Unites the values at each operand of a body into one class, and likewise the values of each result.
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

    /// Returns the slots that a body sets.
    ///
    /// # Errors
    /// Returns the last iteration of the body if two of its results belong to one slot.
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

    /// Returns the steps of a body, with the slots that they read, and sets what enters the loop in these slots.
    ///
    /// # Errors
    /// Returns the iteration that reads the second value if two values enter in one slot, and the first iteration if
    /// the loop makes nothing that a slot would carry.
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

    /// Returns the iterations, grouped by body.
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
        // a value that enters the loop is carried from there on, though its first readers find it as it was before the loop
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

    /// Returns the sources of the operands of an iteration.
    fn sources(&self, begin: usize, end: usize) -> Vec<Vec<Source>> {
        // the smallest index of a residue of each prepared argument that the iteration reads
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
        self.flat.operands[begin..end].iter().map(|operands| operands.iter().map(source).collect_vec()).collect_vec()
    }

    /// Returns the number of the first output of these steps that is the same in every lane.
    fn emits_from(&self) -> usize {
        let bounds = self.bounds;
        let made = self.flat.results[bounds[0]..bounds[bounds.len() - 1]].iter().flatten().flatten();
        made.filter_map(|v| self.flat.emission.get(v)).min().copied().unwrap_or(0)
    }

    /// Returns the outputs of an iteration that are the same in every lane.
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
        emitted.into_iter().map(|(_, source)| source).collect_vec()
    }
}

/// Classes of values.
#[derive(Default)]
struct Classes {
    /// For each value, another value of its class; none for the value that stands for the class.
    above: HashMap<u32, u32>,
}

impl Classes {
    /// Returns the value that stands for the class of this one.
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

    /// Puts all these values into one class.
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

/// The slots, one for each class, in the order in which classes are met.
struct Slots {
    classes: Classes,
    numbers: HashMap<u32, usize>,
    carried: Vec<Carried>,
}

impl Slots {
    fn new(classes: Classes) -> Self {
        Slots { classes, numbers: HashMap::new(), carried: vec![] }
    }

    /// Returns the slot of a value of this kind, and adds one for a new class.
    fn of(&mut self, v: u32, kind: Kind) -> usize {
        *self.numbers.entry(self.classes.of(v)).or_insert_with(|| {
            self.carried.push(Carried { kind, entry: None, exit: None });
            self.carried.len() - 1
        })
    }
}
