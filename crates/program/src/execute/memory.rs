//! The memory of a run: a table of places for each kind. Places are never read before they are written, so nothing is cleared
//! between runs; a run that finds no idle memory allocates one.
#![allow(unsafe_code)]

use super::Executable;
use super::arithmetic::{Arithmetic, Table};
use super::calls::LinkedCalls;
use super::invert::Scratch;
use super::link::{Linked, Links};
use crate::places::{ByKind, Place, SharedInversion};
use bilinear_field::Kind;

/// The memory of one run. Shared places hold the values of one vector at a time.
pub(super) struct Memory {
    /// The places of constants (of elements), of locals, and those that vectors share.
    pub(super) own: ByKind<Table>,
    /// The places that each vector has of its own, one vector after the other.
    vectors: ByKind<Table>,
    /// The places for operations on all vectors.
    pub(super) scratch: Scratch,
    /// The links of the routines, by number.
    pub(super) linked: Vec<Links>,
    /// The program linked for calls from host code, if there are any. It is in a box, so that this is a null pointer
    /// where there are none, and no words of the stack get to the heap in their place.
    pub(super) called: Option<Box<LinkedCalls>>,
}

// SAFETY: the addresses in its links are those of its own tables, of its field, and of that field's constants, all of
// which live and do not move as long as its executable lives.
unsafe impl Send for Memory {}

impl Memory {
    pub(super) fn new(executable: &Executable) -> Self {
        let Executable { arithmetic, placed, constants, links, .. } = executable;
        let own = Kind::ALL.map(|kind| {
            let shared = placed.shared[kind as usize] as usize;
            arithmetic.table(kind, placed.first_argument(kind) as usize + shared)
        });
        for i in 0..constants.len() {
            // SAFETY: a constant, and a place that nothing else uses yet
            unsafe { arithmetic.copy(own[Kind::Elem as usize].at(i), constants.at(i)) };
        }
        let vectors = Kind::ALL.map(|kind| arithmetic.table(kind, 0));
        let scratch = Scratch::new(&**arithmetic);
        Memory { own, vectors, scratch, linked: links.iter().map(|most| Links::new(*most)).collect(), called: None }
    }

    /// Overwrites every place except those of constants with 0.
    pub(super) fn wipe(&mut self, arithmetic: &dyn Arithmetic, constants: usize) {
        for kind in Kind::ALL {
            let first = if kind == Kind::Elem { constants } else { 0 };
            arithmetic.wipe(kind, &mut self.own[kind as usize], first);
            arithmetic.wipe(kind, &mut self.vectors[kind as usize], 0);
        }
        self.scratch.wipe(arithmetic);
    }

    /// Returns a routine linked for the arguments of a binding.
    pub(super) fn linked_to(&self, executable: &Executable, (routine, binding): (u32, u32), bases: Bases) -> Linked {
        let routine = &executable.placed.routines[routine as usize];
        let places = routine.arguments.iter().zip(&executable.placed.bindings[binding as usize].places);
        let mut linked = Linked::new(routine, executable, &self.own);
        linked.bind(places.map(|(kind, place)| bases.address(*kind, *place)));
        linked
    }

    /// Makes sure that there are places for this many vectors, before there are values. If places move, links to the
    /// old ones are discarded.
    pub(super) fn reserve(&mut self, executable: &Executable, vectors: usize) {
        let Executable { placed, arithmetic, .. } = executable;
        let meet =
            placed.stages.iter().filter_map(|stage| stage.shared_inversion.as_ref()).map(SharedInversion::values).max();
        self.scratch.reserve(&**arithmetic, meet.unwrap_or(0) * vectors);
        for kind in Kind::ALL {
            let (table, len) = (&mut self.vectors[kind as usize], placed.vector[kind as usize] as usize * vectors);
            if table.len() < len {
                *table = arithmetic.table(kind, len);
                self.linked.iter_mut().for_each(Links::clear);
                self.called = None;
            }
        }
    }
}

#[cfg(test)]
impl Memory {
    /// Returns how many places of elements and unreduced values, other than those of constants, hold something other
    /// than 0; and how many there are.
    pub(super) fn left<F: bilinear_field::Lanes>(&self, field: &F, constants: usize) -> (usize, usize) {
        let each = |kind: Kind| {
            let first = if kind == Kind::Elem { constants } else { 0 };
            let places = |table: &Table, first| (first..table.len()).map(|i| table.at(i)).collect::<Vec<_>>();
            [places(&self.own[kind as usize], first), places(&self.vectors[kind as usize], 0)].concat()
        };
        let scratch = &self.scratch.elems;
        let holds = |x: &F::Elem| !field.lane(field.is_zero(x), 0);
        let unreduced = |w: &F::Wide| {
            let mut x = field.zero();
            field.reduce(&mut x, &[bilinear_field::plus(w)]);
            holds(&x)
        };
        let (mut elems, wides) = (each(Kind::Elem), each(Kind::Wide));
        elems.extend((Scratch::CONSTANTS..scratch.len()).map(|i| scratch.at(i)));
        // SAFETY: values of these types, which nothing writes
        let elems_left = elems.iter().filter(|x| holds(unsafe { &*x.cast() })).count();
        // SAFETY: the same
        let wides_left = wides.iter().filter(|w| unreduced(unsafe { &*w.cast() })).count();
        (elems_left + wides_left, elems.len() + wides.len())
    }
}

/// The addresses at which the places of one vector begin, and the bytes from one place to the next.
#[derive(Clone, Copy)]
pub(super) struct Bases {
    constants: *mut u8,
    shared: ByKind<*mut u8>,
    vector: ByKind<*mut u8>,
    strides: ByKind<usize>,
}

impl Bases {
    /// The addresses for vector `v`.
    pub(super) fn new(memory: &Memory, executable: &Executable, v: usize) -> Self {
        let Executable { placed, bytes, .. } = executable;
        let shared = Kind::ALL.map(|kind| memory.own[kind as usize].at(placed.first_argument(kind) as usize).cast());
        let vector =
            Kind::ALL.map(|kind| memory.vectors[kind as usize].at(placed.vector[kind as usize] as usize * v).cast());
        Bases { constants: memory.own[Kind::Elem as usize].at(0).cast(), shared, vector, strides: *bytes }
    }

    /// Returns the address of a place. Constants are elements.
    #[inline(always)]
    pub(super) fn address(&self, kind: Kind, place: Place) -> *mut () {
        let (first, i) = match place {
            Place::Constant(i) => (self.constants, i),
            Place::Shared(i) => (self.shared[kind as usize], i),
            Place::Vector(i) => (self.vector[kind as usize], i),
        };
        first.wrapping_add(self.strides[kind as usize] * i as usize).cast()
    }

    #[inline(always)]
    pub(super) fn elem(&self, place: Place) -> *mut () {
        self.address(Kind::Elem, place)
    }

    #[inline(always)]
    pub(super) fn mask(&self, place: Place) -> *mut () {
        self.address(Kind::Mask, place)
    }
}
