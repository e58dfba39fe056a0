//! A program that host code calls again and again on the residues of one store. Its memory is borrowed once, and a
//! call copies the residues that it takes and leaves. The memory holds one vector, of which only the first lane has a
//! meaning. Routines are linked to that memory once for each binding.
//!
//! A plan that begins with calls of one routine, each on the results of the one before, can be entered behind some of
//! them: what the first call would read is then written where the next call reads it.
//!
//! `unsafe`: as in the head of `execute`. An entry writes what the plan has live at that point: the values that the
//! skipped calls would have left, and inputs, whose places hold nothing else from then on. A plan that reads anything
//! else behind an entry has no `CallPlan`.
#![allow(unsafe_code)]

use super::link::Linked;
use super::memory::{Bases, Memory};
use super::{Executable, run};
use crate::idle::Borrowed;
use crate::machine::Calls;
use crate::places::{Place, PlacedStep};
use crate::program::Output;
use crate::store::Store;
use bilinear_field::Kind;
use std::collections::HashSet;

/// The plan of a program for calls from host code.
pub(super) struct CallPlan {
    /// The routines that are called, each with its binding.
    calls: Vec<(u32, u32)>,
    steps: Steps<Place>,
}

/// The steps of a plan, with values at places or addresses `P`.
struct Steps<P> {
    /// For each number of skipped calls, where the first inputs go.
    entries: Vec<Vec<P>>,
    /// The calls of the first routine, by number.
    first: Vec<usize>,
    /// The steps after the calls of the first routine.
    rest: Vec<Step<P>>,
}

/// A step of the plan.
enum Step<P> {
    /// Copies inputs, from this one on, to their places.
    Take(usize, Vec<P>),
    /// Copies an element.
    Copy { from: P, to: P },
    /// Runs a call, by number.
    Call(usize),
    /// Leaves the outputs, from the first on, that are in these places.
    Leave(Vec<P>),
}

impl Steps<Place> {
    /// Returns these steps with addresses for places.
    fn at(&self, at: impl Fn(Place) -> *mut ()) -> Steps<*mut ()> {
        let all = |places: &Vec<Place>| places.iter().map(|place| at(*place)).collect::<Vec<_>>();
        let step = |step: &Step<Place>| match step {
            Step::Take(input, to) => Step::Take(*input, all(to)),
            Step::Copy { from, to } => Step::Copy { from: at(*from), to: at(*to) },
            Step::Call(call) => Step::Call(*call),
            Step::Leave(from) => Step::Leave(all(from)),
        };
        Steps {
            entries: self.entries.iter().map(all).collect(),
            first: self.first.clone(),
            rest: self.rest.iter().map(step).collect(),
        }
    }
}

/// A plan linked to a memory.
pub(super) struct LinkedCalls {
    calls: Vec<Linked>,
    steps: Steps<*mut ()>,
}

impl LinkedCalls {
    fn new(plan: &CallPlan, executable: &Executable, memory: &Memory) -> Self {
        let bases = Bases::new(memory, executable, 0);
        let calls = plan.calls.iter().map(|called| memory.linked_to(executable, *called, bases)).collect();
        LinkedCalls { calls, steps: plan.steps.at(|place| bases.elem(place)) }
    }
}

impl CallPlan {
    /// Creates the plan; `None` if the program does anything but take elements, call routines and leave results, or
    /// cannot be entered behind the calls of its first routine.
    fn new(executable: &Executable) -> Option<Self> {
        let [stage] = &executable.placed.stages[..] else { return None };
        let is_stored = |output: &Output| matches!(output, Output::Stored(_));
        if stage.shared_inversion.is_some() || !executable.program.outputs().iter().all(is_stored) {
            return None;
        }
        let loads = stage.steps.iter().map_while(|step| match step {
            PlacedStep::Load { input, to } => Some((*input, *to)),
            _ => None,
        });
        let mut inputs: Vec<(u32, Place)> = loads.collect();
        let steps = &stage.steps[inputs.len()..];
        // the first inputs, in whatever order they are loaded
        inputs.sort_by_key(|(input, _)| *input);
        if inputs.iter().zip(0..).any(|((input, _), i)| *input != i) {
            return None;
        }
        let inputs: Vec<Place> = inputs.into_iter().map(|(_, place)| place).collect();
        let mut first: Option<(u32, Vec<u32>)> = None;
        let mut rest: Vec<Step<Place>> = vec![];
        let mut calls: Vec<(u32, u32)> = vec![];
        let mut number = |call: (u32, u32)| {
            calls.iter().position(|other| *other == call).unwrap_or_else(|| {
                calls.push(call);
                calls.len() - 1
            })
        };
        for step in steps {
            match (step, rest.last_mut()) {
                (PlacedStep::Call { routine, binding }, None) if first.as_ref().is_none_or(|(r, _)| r == routine) => {
                    first.get_or_insert((*routine, vec![])).1.push(*binding);
                }
                (PlacedStep::Call { routine, binding }, _) => rest.push(Step::Call(number((*routine, *binding)))),
                (PlacedStep::Load { input, to }, Some(Step::Take(from, places)))
                    if *from + places.len() == *input as usize =>
                {
                    places.push(*to);
                }
                (PlacedStep::Load { input, to }, _) => rest.push(Step::Take(*input as usize, vec![*to])),
                (PlacedStep::Copy { from, to }, _) => rest.push(Step::Copy { from: *from, to: *to }),
                (PlacedStep::Store { output, from }, Some(Step::Leave(places))) if places.len() == *output as usize => {
                    places.push(*from);
                }
                (PlacedStep::Store { output: 0, from }, _) => rest.push(Step::Leave(vec![*from])),
                _ => return None,
            }
        }
        let first = first?;
        let entries = entries(executable, inputs, &first)?;
        if !entries.iter().enumerate().all(|(skipped, entry)| reads_what_is_there(executable, entry, &steps[skipped..]))
        {
            return None;
        }
        let first = first.1.iter().map(|binding| number((first.0, *binding))).collect();
        Some(CallPlan { calls, steps: Steps { entries, first, rest } })
    }
}

/// Returns where the first inputs go for each number of skipped calls; `None` if a call does not take the results of
/// the one before.
fn entries(executable: &Executable, inputs: Vec<Place>, first: &(u32, Vec<u32>)) -> Option<Vec<Vec<Place>>> {
    let placed = &executable.placed;
    let of_elements = placed.routines[first.0 as usize].arguments.iter().all(|kind| *kind == Kind::Elem);
    let places: Vec<&[Place]> = first.1.iter().map(|number| &placed.bindings[*number as usize].places[..]).collect();
    if !of_elements || places.len() < 2 {
        return None;
    }
    // for each input, the argument that it is, and the result that takes its place in the next call
    let role = |input: &Place| match places[0].iter().position(|place| place == input) {
        Some(argument) => Some(Some((argument, places[0].iter().position(|place| *place == places[1][argument])?))),
        None => Some(None),
    };
    let roles: Vec<Option<(usize, usize)>> = inputs.iter().map(role).collect::<Option<_>>()?;
    let mut entries = vec![inputs];
    let params = executable.program.routines()[first.0 as usize].params;
    for (i, own) in places.iter().enumerate() {
        let next = |(role, place): (&Option<(usize, usize)>, &Place)| match role {
            Some((argument, result)) => (own[*argument] == *place).then(|| own[*result]),
            None => (!own[params..].contains(place)).then_some(*place),
        };
        entries.push(roles.iter().zip(&entries[i]).map(next).collect::<Option<_>>()?);
    }
    Some(entries)
}

/// Returns true if steps read nothing but constants, the places of an entry, and what they have written themselves.
fn reads_what_is_there(executable: &Executable, entry: &[Place], steps: &[PlacedStep]) -> bool {
    let placed = &executable.placed;
    let mut written: HashSet<(usize, Place)> = entry.iter().map(|place| (Kind::Elem as usize, *place)).collect();
    steps.iter().all(|step| {
        let (reads, writes) = match step {
            PlacedStep::Call { routine, binding } => {
                let (kinds, binding) =
                    (&placed.routines[*routine as usize].arguments, &placed.bindings[*binding as usize]);
                let mut reads: Vec<_> =
                    kinds.iter().map(|kind| *kind as usize).zip(binding.places.iter().copied()).collect();
                let writes = reads.split_off(executable.program.routines()[*routine as usize].params);
                (reads, writes)
            }
            PlacedStep::Load { to, .. } => (vec![], vec![(Kind::Elem as usize, *to)]),
            PlacedStep::Copy { from, to } => (vec![(Kind::Elem as usize, *from)], vec![(Kind::Elem as usize, *to)]),
            PlacedStep::Store { from, .. } => (vec![(Kind::Elem as usize, *from)], vec![]),
            _ => return false,
        };
        let is_there = |read: &(usize, Place)| matches!(read.1, Place::Constant(_)) || written.contains(read);
        let all_there = reads.iter().all(is_there);
        written.extend(writes);
        all_there
    })
}

/// A program and the memory that its calls use.
struct Open<'e, W: FnMut(&mut Memory)> {
    executable: &'e Executable,
    memory: Borrowed<'e, Memory, W>,
}

impl Executable {
    /// Opens the program for many calls; `None` if it has no plan for calls.
    pub(crate) fn open(&self) -> Option<Box<dyn Calls + '_>> {
        let plan = self.calls.get_or_init(|| CallPlan::new(self)).as_ref()?;
        let mut memory = self.idle.borrow(|| Memory::new(self), None::<fn(&mut Memory)>);
        memory.reserve(self, 1);
        if memory.called.is_none() {
            memory.called = Some(Box::new(LinkedCalls::new(plan, self, &memory)));
        }
        Some(Box::new(Open { executable: self, memory }))
    }
}

impl<W: FnMut(&mut Memory)> Calls for Open<'_, W> {
    fn call(&mut self, skipped: usize, store: &mut Store, takes: &[u32], leaves: &[u32]) {
        let (ports, f) = (self.executable.program.ports(), &*self.executable.arithmetic);
        assert!(f.owns(store), "a store of this machine");
        assert!(takes.len() == ports.elems_in && leaves.len() == ports.elems_out, "a number for every port");
        let Some(LinkedCalls { calls, steps }) = self.memory.called.as_deref() else {
            unreachable!("it is linked when it is opened")
        };
        // SAFETY: see the head
        unsafe { f.gather_all(&steps.entries[skipped], store, takes) };
        for call in &steps.first[skipped..] {
            run(calls[*call].code());
        }
        for step in &steps.rest {
            match step {
                // SAFETY: places of the plan, in its order; see the head
                Step::Take(input, to) => unsafe { f.gather_all(to, store, &takes[*input..]) },
                // SAFETY: the same
                Step::Copy { from, to } => unsafe { f.copy(*to, *from) },
                Step::Call(call) => run(calls[*call].code()),
                // SAFETY: the same
                Step::Leave(from) => unsafe { f.scatter_all(store, leaves, from) },
            }
        }
    }
}
