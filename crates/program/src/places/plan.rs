//! Places for the values of a plan: assigned at the first step that uses a value, and free again after the last one.
//! An operand or a result of an operation on all vectors has a place in each vector, and so has a value that is
//! needed after such an operation. All other values have places that vectors share.

use super::pool::{Pairs, Pool};
use super::routine::{Constants, Drafted, Routines};
use super::{Binding, ByKind, MAX_BITS, Place, Placed, PlacedStep, Ports, Selection, SharedInversion, Stage};
use crate::op::Ref;
use crate::program::{Call, Input, Output, Program, Step};
use bilinear_field::Kind;
use std::collections::HashMap;

/// Assigns places to the values of the plan.
pub(super) fn place(program: &Program, routines: Routines, mut constants: Constants, entry_bits: usize) -> Placed {
    let mut plan = Plan::new(program, &routines.drafted, entry_bits);
    let stages = plan.stages(&mut constants);
    let count = constants.places.len() as u32;
    let arguments = |kind: Kind| {
        let of = |d: &Drafted| d.arguments.iter().filter(|(_, k)| *k == kind).count() as u32;
        routines.drafted.iter().map(of).max().unwrap_or(0)
    };
    Placed {
        constants: constants.places,
        locals: routines.locals,
        arguments: Kind::ALL.map(arguments),
        shared: plan.shared.each_ref().map(Pool::len),
        vector: plan.vector.each_ref().map(Pool::len),
        routines: routines.drafted.iter().map(|d| d.finish(count, routines.locals)).collect(),
        bindings: plan.bindings,
        stages,
    }
}

/// A step of the plan, or its outputs: something that reads and makes values.
struct Event {
    /// The step of the program; for the outputs, the number of steps.
    step: usize,
    stage: u32,
    /// For a call, the value of each argument, including those that only the routine needs. Otherwise the operands,
    /// then the results.
    values: Vec<Ref>,
    /// The number of values that are read, which come first.
    read: usize,
    /// The positions of pairs of operands that cannot lie side by side and are copied.
    copied: Vec<(usize, usize)>,
}

/// A table among the residues of a prepared argument, from which a call selects.
struct Table {
    stream: u32,
    /// The number of residues from one entry to the next.
    stride: u32,
    /// For each result that is taken: its number, the plan's value, and the index of its first residue.
    firsts: Vec<(u32, u32, u32)>,
}

struct Plan<'p> {
    program: &'p Program,
    ports: Ports,
    kinds: Vec<Kind>,
    pairs: Pairs,
    events: Vec<Event>,
    /// For each unit, by its first value: the last event that touches it.
    last: Vec<usize>,
    /// For each unit, whether an operation on all vectors lies between two events that use it.
    crosses: Vec<bool>,
    place: Vec<Option<Place>>,
    shared: ByKind<Pool>,
    vector: ByKind<Pool>,
    bindings: Vec<Binding>,
    /// The number of each binding, by its routine and places.
    numbers: HashMap<(u32, Vec<Place>), u32>,
    /// For each routine, the places of each argument in the last calls, the latest first. So a value that passes
    /// through many calls of one routine stays in few places, and calls have few bindings.
    recent: Vec<Vec<Vec<Place>>>,
    /// For each value, the argument as which it is read first.
    reader: Vec<Option<Argument>>,
    /// The most masks by which a selection chooses.
    entry_bits: usize,
}

/// An argument of a routine: the number of the routine and that of the argument.
type Argument = (u32, usize);

/// The number of places of an argument that are remembered.
const RECENT: usize = 6;

impl<'p> Plan<'p> {
    fn new(program: &'p Program, routines: &[Drafted], entry_bits: usize) -> Self {
        let kinds = program.kinds().to_vec();
        let mut plan = Plan {
            program,
            ports: Ports::of(program),
            pairs: Pairs::new(kinds.len()),
            kinds,
            events: vec![],
            last: vec![],
            crosses: vec![],
            place: vec![],
            shared: Default::default(),
            vector: Default::default(),
            bindings: vec![],
            numbers: HashMap::new(),
            recent: routines.iter().map(|routine| vec![vec![]; routine.arguments.len()]).collect(),
            reader: vec![],
            entry_bits: entry_bits.min(MAX_BITS),
        };
        plan.list_events(routines);
        plan.tie(routines);
        plan.live();
        plan
    }

    fn list_events(&mut self, routines: &[Drafted]) {
        let mut stage = 0;
        for (step, what) in self.program.plan().iter().enumerate() {
            let (values, read) = match what {
                Step::Call(call) => {
                    let given = call.args.iter().copied().map(Some).chain(call.results.iter().copied());
                    let mut values: Vec<Ref> = vec![];
                    let arguments = &routines[call.routine as usize].arguments;
                    for ((_, kind), v) in arguments.iter().zip(given.chain(std::iter::repeat(None))) {
                        let v = v.unwrap_or_else(|| {
                            self.kinds.push(*kind);
                            self.pairs.push()
                        });
                        values.push(Ref(v));
                    }
                    (values, call.args.len())
                }
                Step::Shared { args, results, .. } => {
                    (args.iter().copied().chain(results.iter().map(|v| Ref(*v))).collect(), args.len())
                }
            };
            self.events.push(Event { step, stage, values, read, copied: vec![] });
            stage += u32::from(matches!(what, Step::Shared { .. }));
        }
        let values: Vec<Ref> = self.program.outputs().iter().map(|o| o.value()).collect();
        let read = values.len();
        self.events.push(Event { step: self.program.plan().len(), stage, values, read, copied: vec![] });
    }

    /// Puts values side by side, as far as possible: first those that calls make, then those that calls read.
    fn tie(&mut self, routines: &[Drafted]) {
        for reads in [false, true] {
            for event in &mut self.events {
                let Some(Step::Call(call)) = self.program.plan().get(event.step) else { continue };
                for (i, j) in &routines[call.routine as usize].pairs {
                    if (*i < event.read) == reads && !self.pairs.tie(event.values[*i].0, event.values[*j].0) {
                        event.copied.push((*i, *j));
                    }
                }
            }
        }
    }

    /// Determines how long units live.
    fn live(&mut self) {
        let values = self.kinds.len();
        (self.last, self.crosses, self.place) = (vec![0; values], vec![false; values], vec![None; values]);
        self.reader = vec![None; values];
        let mut first: Vec<Option<u32>> = vec![None; values];
        for (i, event) in self.events.iter().enumerate() {
            let meets = matches!(self.program.plan().get(event.step), Some(Step::Shared { .. }));
            if let Some(Step::Call(call)) = self.program.plan().get(event.step) {
                for (argument, v) in event.values[..event.read].iter().enumerate() {
                    self.reader[v.number()].get_or_insert((call.routine, argument));
                }
            }
            for v in event.values.iter().filter(|v| !v.is_constant()) {
                let unit = self.pairs.unit(v.0).0 as usize;
                self.last[unit] = i;
                let begun = *first[unit].get_or_insert(event.stage);
                self.crosses[unit] |= meets || begun != event.stage;
            }
        }
    }

    fn stages(&mut self, constants: &mut Constants) -> Vec<Stage> {
        let (mut stages, mut stage) = (vec![], Stage::default());
        let mut inputs: Vec<Option<usize>> = vec![None; self.kinds.len()];
        for (i, input) in self.program.inputs().iter().enumerate() {
            inputs[input.value() as usize] = Some(i);
        }
        for (i, event) in std::mem::take(&mut self.events).into_iter().enumerate() {
            if let Some(Step::Call(call)) = self.program.plan().get(event.step)
                && self.select(call, i, &mut inputs, &mut stage)
            {
                event.values.iter().for_each(|v| self.release(v.0, i));
                continue;
            }
            // an input is loaded when it is read first
            for v in event.values[..event.read].iter().filter(|v| !v.is_constant()) {
                if let Some(input) = inputs[v.number()].take() {
                    let to = self.place_of(v.0);
                    stage.steps.push(self.load(input, to));
                }
            }
            let routine = match self.program.plan().get(event.step) {
                Some(Step::Call(call)) => Some(call.routine),
                _ => None,
            };
            let mut places: Vec<Place> = Vec::with_capacity(event.values.len());
            for v in &event.values {
                places.push(if v.is_constant() {
                    Place::Constant(constants.one(v.number() as u32))
                } else {
                    self.place[v.number()].unwrap_or_else(|| {
                        let argument = routine.map(|routine| (routine, places.len()));
                        self.place_new(v.0, argument)
                    })
                });
            }
            if let Some(routine) = routine {
                self.remember(routine, &places);
            }
            let mut scratch = vec![];
            for (a, b) in &event.copied {
                let pair = self.shared[Kind::Elem as usize].take(true);
                for (position, to) in [(*a, Place::Shared(pair)), (*b, Place::Shared(pair + 1))] {
                    let from = std::mem::replace(&mut places[position], to);
                    stage.steps.push(PlacedStep::Copy { from, to });
                }
                scratch.push(pair);
            }
            match self.program.plan().get(event.step) {
                Some(Step::Call(call)) => {
                    let binding = self.binding(call.routine, places);
                    stage.steps.push(PlacedStep::Call { routine: call.routine, binding });
                }
                Some(Step::Shared { code, .. }) => {
                    let results = places.split_off(event.read);
                    stage.shared_inversion = Some(SharedInversion { code: *code, args: places, results });
                    stages.push(std::mem::take(&mut stage));
                }
                None => {
                    for (output, from) in places.into_iter().enumerate() {
                        stage.steps.push(self.store(output, from));
                    }
                }
            }
            scratch.into_iter().for_each(|pair| self.shared[Kind::Elem as usize].give(pair, true));
            for v in event.values.iter().filter(|v| !v.is_constant()) {
                self.release(v.0, i);
            }
        }
        stages.push(stage);
        stages
    }

    /// Puts a selection in place of a call that does nothing but select from a table; returns false if the call does
    /// anything else, or if an entry is read elsewhere too. Only the masks are loaded.
    fn select(&mut self, call: &Call, event: usize, inputs: &mut [Option<usize>], stage: &mut Stage) -> bool {
        let Some(Table { stream, stride, firsts }) = self.table(call, event, inputs) else { return false };
        let (mut bits, mut results) = (vec![], vec![]);
        for &v in &call.args {
            if self.kinds[v as usize] != Kind::Mask {
                continue;
            }
            let place = self.place_of(v);
            stage.steps.extend(inputs[v as usize].take().map(|input| self.load(input, place)));
            bits.push(place);
        }
        for (number, v, first) in firsts {
            results.push((number, first, self.place_of(v)));
        }
        stage.steps.push(PlacedStep::Select(Box::new(Selection { stream, stride, bits, results })));
        true
    }

    /// Returns the table from which the call at this event selects; `None` as for [`Plan::select`].
    fn table(&self, call: &Call, event: usize, inputs: &[Option<usize>]) -> Option<Table> {
        let routine = &self.program.routines()[call.routine as usize];
        let bits = call.args.iter().filter(|v| self.kinds[**v as usize] == Kind::Mask).count();
        if !(1..=self.entry_bits).contains(&bits) {
            return None;
        }
        // for each index of an entry, the argument that becomes each result
        let selected = (0..1 << bits).map(|index| routine.selected(index)).collect::<Option<Vec<_>>>()?;
        // the stream and the index of the residue that becomes this result
        let residue = |index: usize, result: u32| {
            let v = call.args[selected[index][result as usize]];
            let is_last = self.last[self.pairs.unit(v).0 as usize] == event;
            match self.program.inputs()[inputs[v as usize].filter(|_| is_last)?] {
                Input::Uniform { stream, index, .. } => Some((stream, index)),
                _ => None,
            }
        };
        let mut firsts = vec![];
        for (number, v) in (0..).zip(&call.results) {
            if let Some(v) = v {
                firsts.push((number, *v, residue(0, number)?.1));
            }
        }
        let (number, _, first) = *firsts.first()?;
        let (stream, second) = residue(1, number)?;
        let stride = second.checked_sub(first)?;
        for index in 0..1 << bits {
            for (number, _, first) in &firsts {
                if residue(index as usize, *number)? != (stream, first + index * stride) {
                    return None;
                }
            }
        }
        Some(Table { stream, stride, firsts })
    }

    /// Returns the number of the binding of these places in calls of a routine.
    fn binding(&mut self, routine: u32, places: Vec<Place>) -> u32 {
        let bindings = &mut self.bindings;
        *self.numbers.entry((routine, places)).or_insert_with_key(|(_, places)| {
            let own = places.iter().any(|place| matches!(place, Place::Vector(_)));
            bindings.push(Binding { places: places.clone(), own });
            bindings.len() as u32 - 1
        })
    }

    fn load(&self, input: usize, to: Place) -> PlacedStep {
        let number = self.ports.inputs[input];
        match self.program.inputs()[input] {
            Input::Elem { .. } => PlacedStep::Load { input: number, to },
            Input::Uniform { stream, index, .. } => PlacedStep::LoadUniform { stream, index, to },
            Input::Mask { .. } => PlacedStep::LoadMask { input: number, to },
        }
    }

    fn store(&self, output: usize, from: Place) -> PlacedStep {
        let number = self.ports.outputs[output];
        match self.program.outputs()[output] {
            Output::Elem(_) | Output::Stored(_) => PlacedStep::Store { output: number, from },
            Output::Uniform(_) => PlacedStep::StoreUniform { output: number, from },
            Output::Mask(_) => PlacedStep::StoreMask { output: number, from },
        }
    }

    /// Remembers the places of the arguments of a call.
    fn remember(&mut self, routine: u32, places: &[Place]) {
        for (recent, place) in self.recent[routine as usize].iter_mut().zip(places) {
            recent.retain(|p| p != place);
            recent.insert(0, *place);
            recent.truncate(RECENT);
        }
    }

    /// Returns the place of a value, and assigns one if it is new.
    fn place_of(&mut self, v: u32) -> Place {
        self.place[v as usize].unwrap_or_else(|| self.place_new(v, None))
    }

    /// Assigns a place to a new value, which is an argument of a call or none. Preferred are free places where the argument
    /// was in earlier calls, and places where the value's next reader had this operand. Places that are both come first.
    fn place_new(&mut self, v: u32, argument: Option<Argument>) -> Place {
        let (first, second) = self.pairs.unit(v);
        let kind = self.kinds[v as usize] as usize;
        let crosses = self.crosses[first as usize];
        let of = |(routine, argument): Argument| &*self.recent[routine as usize][argument];
        let made = argument.map_or(&[][..], of);
        let read = argument.and(self.reader[v as usize]).map_or(&[][..], of);
        let both = made.iter().filter(|place| read.contains(place));
        let of_its_own = |place: &Place| match place {
            Place::Vector(i) if crosses => Some(*i),
            Place::Shared(i) if !crosses => Some(*i),
            _ => None,
        };
        // from the place of the value to that of the first half
        let behind = u32::from(first != v);
        let liked = both.chain(read).chain(made).filter_map(of_its_own).filter_map(|i| i.checked_sub(behind));
        let (pool, own): (_, fn(u32) -> Place) = match crosses {
            true => (&mut self.vector[kind], Place::Vector),
            false => (&mut self.shared[kind], Place::Shared),
        };
        let place = pool.take_of(liked, second.is_some());
        self.place[first as usize] = Some(own(place));
        if let Some(second) = second {
            self.place[second as usize] = Some(own(place + 1));
        }
        self.place[v as usize].unwrap_or_else(|| unreachable!("it was given one"))
    }

    /// Frees the places of a unit after its last event.
    fn release(&mut self, v: u32, now: usize) {
        let (first, second) = self.pairs.unit(v);
        if self.last[first as usize] != now {
            return;
        }
        // only once
        self.last[first as usize] = usize::MAX;
        let kind = self.kinds[v as usize] as usize;
        match self.place[first as usize] {
            Some(Place::Vector(place)) => self.vector[kind].give(place, second.is_some()),
            Some(Place::Shared(place)) => self.shared[kind].give(place, second.is_some()),
            Some(Place::Constant(_)) | None => {}
        }
    }
}
