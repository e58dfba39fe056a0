//! The memory of a run: a table of places for each kind. Places are never read before they are written, so nothing is cleared
//! between runs; a run that finds no idle memory makes one.
#![allow(unsafe_code)]

use super::Executable;
use super::link::Links;
use crate::places::{ByKind, Place, Placed};
use bilinear_field::Kind;
use bilinear_field::{Blank, Lanes};

/// The memory of one run. What shared places hold is one vector's at a time.
pub(super) struct Memory<F: Lanes> {
    /// Constants, locals, then the plan's.
    elems: Vec<F::Elem>,
    /// Locals, then the plan's.
    wides: Vec<F::Wide>,
    masks: Vec<F::Mask>,
    /// The places of each vector's own, one vector after the other.
    vector_elems: Vec<F::Elem>,
    vector_wides: Vec<F::Wide>,
    vector_masks: Vec<F::Mask>,
    /// The routines, by number.
    pub(super) linked: Vec<Links>,
    pub(super) places: Places<F>,
}

// SAFETY: the pointers of a memory point into its own vectors, which do not move while they are in use.
unsafe impl<F: Lanes> Send for Memory<F> {}

/// A list of blanks.
pub(super) fn blanks<T: Blank>(len: usize) -> Vec<T> {
    std::iter::repeat_with(T::blank).take(len).collect()
}

impl<F: Lanes> Memory<F> {
    pub(super) fn new(executable: &Executable<F>) -> Self {
        let Executable { field, placed, constants, .. } = executable;
        let [le, lw, lm] = placed.locals.map(|n| n as usize);
        let [se, sw, sm] = placed.shared.map(|n| n as usize);
        let mut elems = constants.clone();
        elems.extend(blanks::<F::Elem>(le + se));
        let (mut wides, mut masks) = (blanks(lw + sw), vec![field.mask(false); lm + sm]);
        let places = Places { elems: elems.as_mut_ptr(), wides: wides.as_mut_ptr(), masks: masks.as_mut_ptr() };
        let linked = placed.routines.iter().map(|_| Links::default()).collect();
        Memory { elems, wides, masks, vector_elems: vec![], vector_wides: vec![], vector_masks: vec![], linked, places }
    }

    /// Overwrites every place but those of constants with 0.
    pub(super) fn wipe(&mut self, field: &F, constants: usize) {
        let (zero, mut wide) = (field.zero(), F::Wide::blank());
        field.mul_wide(&mut wide, &zero, &zero);
        for values in [&mut self.elems[constants..], &mut self.vector_elems] {
            wipe(values, &zero);
        }
        for values in [&mut self.wides, &mut self.vector_wides] {
            wipe(values, &wide);
        }
        for values in [&mut self.masks, &mut self.vector_masks] {
            wipe(values, &field.mask(false));
        }
    }

    /// Places for so many vectors. Links to other places are forgotten.
    pub(super) fn reserve(&mut self, field: &F, counts: ByKind<u32>, vectors: usize) {
        let [e, w, m] = counts.map(|n| n as usize * vectors);
        if self.vector_elems.len() < e || self.vector_wides.len() < w || self.vector_masks.len() < m {
            self.linked.iter_mut().for_each(Links::clear);
        }
        if self.vector_elems.len() < e {
            self.vector_elems = blanks(e);
        }
        if self.vector_wides.len() < w {
            self.vector_wides = blanks(w);
        }
        if self.vector_masks.len() < m {
            self.vector_masks = vec![field.mask(false); m];
        }
    }
}

#[cfg(test)]
impl<F: Lanes> Memory<F> {
    /// How many places of elements and unreduced values, other than those of constants, hold something but 0; and how many there are.
    pub(super) fn left(&self, field: &F, constants: usize) -> (usize, usize) {
        let holds = |x: &F::Elem| !field.lane(field.is_zero(x), 0);
        let unreduced = |w: &F::Wide| {
            let mut x = field.zero();
            field.reduce(&mut x, &[bilinear_field::plus(w)]);
            holds(&x)
        };
        let elems = self.elems[constants..].iter().chain(&self.vector_elems);
        let wides = self.wides.iter().chain(&self.vector_wides);
        let places = elems.clone().count() + wides.clone().count();
        (elems.filter(|x| holds(x)).count() + wides.filter(|w| unreduced(w)).count(), places)
    }
}

/// Overwrites values; the compiler may not know that nobody reads what it wrote.
pub(super) fn wipe<T: Clone>(values: &mut [T], zero: &T) {
    values.fill(zero.clone());
    std::hint::black_box(values);
}

/// Bytes of the stack that are overwritten.
const STACK: usize = 1 << 18;

/// Overwrites the stack below the frame that holds it, when it goes.
pub(super) struct WipedStack;

impl Drop for WipedStack {
    #[inline(never)]
    fn drop(&mut self) {
        std::hint::black_box(&mut [0u8; STACK]);
    }
}

/// Where the places of constants and locals begin.
pub(super) struct Places<F: Lanes> {
    elems: *mut F::Elem,
    wides: *mut F::Wide,
    masks: *mut F::Mask,
}

impl<F: Lanes> Places<F> {
    pub(super) fn address(&self, kind: Kind, place: usize) -> *mut () {
        match kind {
            Kind::Elem => self.elems.wrapping_add(place).cast(),
            Kind::Wide => self.wides.wrapping_add(place).cast(),
            Kind::Mask => self.masks.wrapping_add(place).cast(),
        }
    }
}

/// Where the places of one vector begin.
pub(super) struct Bases<F: Lanes> {
    constants: *mut F::Elem,
    shared: (*mut F::Elem, *mut F::Wide, *mut F::Mask),
    vector: (*mut F::Elem, *mut F::Wide, *mut F::Mask),
}

impl<F: Lanes> Clone for Bases<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Lanes> Copy for Bases<F> {}

impl<F: Lanes> Bases<F> {
    /// Of vector `v`.
    pub(super) fn new(memory: &mut Memory<F>, placed: &Placed, v: usize) -> Self {
        let [le, lw, lm] = placed.locals.map(|n| n as usize);
        let [ve, vw, vm] = placed.vector.map(|n| n as usize * v);
        let constants = memory.elems.as_mut_ptr();
        let wides = memory.wides.as_mut_ptr().wrapping_add(lw);
        let masks = memory.masks.as_mut_ptr().wrapping_add(lm);
        Bases {
            constants,
            shared: (constants.wrapping_add(placed.constants.len() + le), wides, masks),
            vector: (
                memory.vector_elems.as_mut_ptr().wrapping_add(ve),
                memory.vector_wides.as_mut_ptr().wrapping_add(vw),
                memory.vector_masks.as_mut_ptr().wrapping_add(vm),
            ),
        }
    }

    #[inline(always)]
    pub(super) fn elem(&self, place: Place) -> *mut F::Elem {
        match place {
            Place::Constant(i) => self.constants.wrapping_add(i as usize),
            Place::Shared(i) => self.shared.0.wrapping_add(i as usize),
            Place::Vector(i) => self.vector.0.wrapping_add(i as usize),
        }
    }

    #[inline(always)]
    pub(super) fn address(&self, kind: Kind, place: Place) -> *mut () {
        match kind {
            Kind::Elem => self.elem(place).cast(),
            Kind::Wide => self.wide(place).cast(),
            Kind::Mask => self.mask(place).cast(),
        }
    }

    fn wide(&self, place: Place) -> *mut F::Wide {
        match place {
            Place::Constant(_) => std::ptr::null_mut(),
            Place::Shared(i) => self.shared.1.wrapping_add(i as usize),
            Place::Vector(i) => self.vector.1.wrapping_add(i as usize),
        }
    }

    pub(super) fn mask(&self, place: Place) -> *mut F::Mask {
        match place {
            Place::Constant(_) => std::ptr::null_mut(),
            Place::Shared(i) => self.shared.2.wrapping_add(i as usize),
            Place::Vector(i) => self.vector.2.wrapping_add(i as usize),
        }
    }
}
