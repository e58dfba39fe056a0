//! Short lists of terms on the stack. Unused places cost nothing to set up: they are never written.

#![allow(unsafe_code)]

use super::Term;
use std::mem::MaybeUninit;

/// The longest linear form that an extension field or an engine builds before it reaches the kernels.
const CAPACITY: usize = 24;

/// The longest linear form that an engine takes from outside; a product and the sum of a group are added to it before the kernels.
pub const MOST_TERMS: usize = CAPACITY - 2;

/// A short list of terms on the stack: how an extension field hands a linear form down, coefficient by coefficient. It is
/// built in place, since a list that is moved is copied whole.
pub struct List<'a, T> {
    /// The first `len` are there.
    places: [MaybeUninit<Term<'a, T>>; CAPACITY],
    len: usize,
}

impl<T> Default for List<'_, T> {
    #[inline(always)]
    fn default() -> Self {
        List { places: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }
}

impl<'a, T> List<'a, T> {
    /// Appends a term.
    ///
    /// # Panics
    /// Beyond 24 terms: a formula of that size is an error of its author.
    #[inline(always)]
    pub(super) fn push(&mut self, term: Term<'a, T>) {
        self.places[self.len].write(term);
        self.len += 1;
    }

    /// The terms.
    #[inline(always)]
    pub fn terms(&self) -> &[Term<'a, T>] {
        // SAFETY: the first `len` places are written, `len` ≤ CAPACITY since `push` indexes, and `MaybeUninit` has the layout of
        // what it may hold.
        unsafe { std::slice::from_raw_parts(self.places.as_ptr().cast(), self.len) }
    }
}
