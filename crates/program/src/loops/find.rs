//! Finds the loops of a plan.
//!
//! An iteration begins at each step whose operation is one of a few *heads*: one operation (the squaring of a Miller loop), or two
//! (a ladder, which takes one of two steps for each digit). Iterations with the same operations, the same wiring among themselves
//! and the same operands from before the loop have one body. What they read of earlier iterations is carried in slots: values that
//! stand at the same operand of a body, or are the same result of it, belong to one slot (union and find, Tarjan, JACM 22, 1975).
//! Whatever this guesses wrong, `trace.rs` finds, and the loop ends before it.
//!
//! Time: linear in the steps from the first to the last iteration, for each first step and each choice of heads that is tried.

use super::trace::{Flat, follow};
use super::{Body, BodyStep, Carried, Loop, Part, Source};
use crate::op::Ref;
use crate::program::{Operation, Program, Step};
use std::collections::HashMap;

/// The most steps of an iteration.
const LONGEST: usize = 64;
/// The fewest iterations of a loop.
const FEWEST: usize = 3;
/// A loop may begin so many steps later than it could if that makes it smaller.
const LATER: usize = 12;
/// The iterations with which a loop is tried first.
const FIRST: usize = 8;

/// The parts of the plan.
pub(super) fn outline(program: &Program) -> Vec<Part> {
    let flat = Flat::new(program);
    let finder = Finder { operations: program.plan().iter().map(Step::operation).collect(), flat };
    let steps = finder.operations.len();
    // what was tried, by its first step
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

impl Finder<'_> {
    /// The loop from this step that saves the most steps, and how many, less one for eight iterations. A body that is used once
    /// saves nothing, and its steps count against the loop.
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

    /// The longest loop that begins at this step and whose iterations begin with these operations. It is tried with twice as many
    /// iterations each time, so that a run that is none is found out by its first ones.
    fn find(&self, begin: usize, heads: &[Operation]) -> Option<Loop> {
        let bounds = self.bounds(begin, heads);
        let mut most = bounds.len() - 1;
        let (mut found, mut tried) = (None, 0);
        let mut next = FIRST.min(most);
        while next >= FEWEST && next > tried {
            match self.guess(&bounds[..=next]) {
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

    /// Where iterations begin, and where the last one ends.
    fn bounds(&self, begin: usize, heads: &[Operation]) -> Vec<usize> {
        let mut bounds = vec![begin];
        for (step, operation) in self.operations.iter().enumerate().skip(begin + 1) {
            if heads.contains(operation) {
                bounds.push(step);
            } else if step - bounds[bounds.len() - 1] >= LONGEST {
                break;
            }
        }
        // the last head begins an iteration if it is followed by what followed another
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

    /// The loop of these iterations, or how many of them may be one.
    fn guess(&self, bounds: &[usize]) -> Result<Loop, usize> {
        let iterations = bounds.len() - 1;
        let (groups, digits) = self.groups(bounds);
        let crossing = |number: usize, v: u32| self.flat.last[v as usize] >= bounds[number + 1];
        // one class for what stands at one operand, and for what is one result
        let mut classes = Classes::default();
        for group in &groups {
            for (step, sources) in group.sources.iter().enumerate() {
                for (i, _) in sources.iter().enumerate().filter(|(_, source)| **source == SOME_SLOT) {
                    let read = group.iterations.iter().map(|n| self.flat.operands[bounds[*n] + step][i]);
                    classes.unite(read.filter(|x| self.flat.made_from(*x, bounds[0])).map(|x| x.0));
                }
                for result in 0..self.flat.results[bounds[group.iterations[0]] + step].len() {
                    let made = group.iterations.iter().filter_map(|n| {
                        let v = self.flat.results[bounds[*n] + step][result]?;
                        crossing(*n, v).then_some(v)
                    });
                    classes.unite(made);
                }
            }
        }
        let mut slots = Slots { numbers: HashMap::new(), carried: vec![] };
        let mut bodies = vec![];
        for group in &groups {
            let mut next: Vec<(usize, Source)> = vec![];
            for step in 0..group.operations.len() {
                for result in 0..self.flat.results[bounds[group.iterations[0]] + step].len() {
                    let mut made = group.iterations.iter().filter_map(|n| {
                        let v = self.flat.results[bounds[*n] + step][result]?;
                        crossing(*n, v).then_some(v)
                    });
                    let Some(v) = made.next() else { continue };
                    let slot = slots.of(classes.of(v), self.flat.program.kinds()[v as usize]);
                    if next.iter().any(|(taken, _)| *taken == slot) {
                        return Err(group.iterations[group.iterations.len() - 1]);
                    }
                    next.push((slot, Source::Made { step, result }));
                }
            }
            bodies.push(Body { steps: vec![], next, emitted: self.emitted(group, bounds) });
        }
        for (group, body) in groups.iter().zip(&mut bodies) {
            for (step, (operation, sources)) in group.operations.iter().zip(&group.sources).enumerate() {
                let mut operands = sources.clone();
                for (i, source) in operands.iter_mut().enumerate().filter(|(_, source)| **source == SOME_SLOT) {
                    let read = || group.iterations.iter().map(|n| (*n, self.flat.operands[bounds[*n] + step][i]));
                    let made = read().find(|(_, x)| self.flat.made_from(*x, bounds[0]));
                    let Some((_, made)) = made else { return Err(group.iterations[0]) };
                    let slot = slots.of(classes.of(made.0), self.flat.program.kinds()[made.number()]);
                    *source = Source::Carried(slot);
                    for (n, x) in read().filter(|(_, x)| !self.flat.made_from(*x, bounds[0])) {
                        if *slots.carried[slot].entry.get_or_insert(x) != x {
                            return Err(n);
                        }
                    }
                }
                body.steps.push(BodyStep { operation: *operation, operands });
            }
        }
        let emits_from = self.emits_from(bounds);
        let steps = bounds[0]..bounds[iterations];
        let mut looped = Loop { steps, carried: slots.carried, bodies, digits, emits_from };
        let followed = follow(&self.flat, &looped);
        if followed.iterations < iterations || followed.complete < iterations {
            return Err(followed.complete);
        }
        for (slot, x) in looped.carried.iter_mut().zip(followed.state) {
            let made = x.filter(|x| self.flat.made_from(*x, bounds[0]));
            slot.exit = made.map(|x| x.0).filter(|v| self.flat.last[*v as usize] >= bounds[iterations]);
        }
        Ok(looped)
    }

    /// The iterations by body, and the body of each.
    fn groups(&self, bounds: &[usize]) -> (Vec<Group>, Vec<usize>) {
        let mut groups: Vec<Group> = vec![];
        let mut known: HashMap<(&[Operation], Vec<Vec<Source>>), usize> = HashMap::new();
        for (number, bound) in bounds.windows(2).enumerate() {
            let operations = &self.operations[bound[0]..bound[1]];
            let sources = self.sources(bounds[0], bound[0], bound[1]);
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
        let mut digits = vec![0; bounds.len() - 1];
        for (number, group) in groups.iter().enumerate() {
            group.iterations.iter().for_each(|i| digits[*i] = number);
        }
        (groups, digits)
    }

    /// Where the operands of an iteration come from, in a loop that begins at a step.
    fn sources(&self, first: usize, begin: usize, end: usize) -> Vec<Vec<Source>> {
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
                Some((step, _)) if step >= first => SOME_SLOT,
                _ => Source::Fixed(*x),
            }
        };
        self.flat.operands[begin..end].iter().map(|operands| operands.iter().map(source).collect()).collect()
    }

    /// The first of these steps' outputs that are the same in every lane.
    fn emits_from(&self, bounds: &[usize]) -> usize {
        let made = self.flat.results[bounds[0]..bounds[bounds.len() - 1]].iter().flatten().flatten();
        made.filter_map(|v| self.flat.emission.get(v)).min().copied().unwrap_or(0)
    }

    /// The outputs that are the same in every lane and that an iteration makes.
    fn emitted(&self, group: &Group, bounds: &[usize]) -> Vec<Source> {
        let begin = bounds[group.iterations[0]];
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

/// Slots in the order in which they are met.
struct Slots {
    numbers: HashMap<u32, usize>,
    carried: Vec<Carried>,
}

impl Slots {
    /// The slot of a class.
    fn of(&mut self, class: u32, kind: bilinear_field::Kind) -> usize {
        *self.numbers.entry(class).or_insert_with(|| {
            self.carried.push(Carried { kind, entry: None, exit: None });
            self.carried.len() - 1
        })
    }
}
