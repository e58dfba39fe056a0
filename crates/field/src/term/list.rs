//! Short lists of terms on the stack. Unused places cost nothing: they are never initialised.

use super::{Term, plus};
use arrayvec::ArrayVec;

/// The number of terms of the longest linear form that an extension field or an engine builds before it calls the
/// kernels.
const CAPACITY: usize = 24;

/// The number of terms of the longest linear form that an engine accepts from outside; a product and the sum of a group
/// are added to it before the kernels are called.
pub const MAX_TERMS: usize = CAPACITY - 2;

/// A short list of terms on the stack, by which an extension field passes a linear form down, coefficient by
/// coefficient. The list is built in place, since moving it would copy all of it.
pub struct List<'a, T>(ArrayVec<Term<'a, T>, CAPACITY>);

impl<T> Default for List<'_, T> {
    #[inline(always)]
    fn default() -> Self {
        List(ArrayVec::new_const())
    }
}

impl<'a, T> List<'a, T> {
    /// Creates the empty list.
    #[inline(always)]
    pub fn new() -> Self {
        List::default()
    }

    #[inline(always)]
    fn push(&mut self, term: Term<'a, T>) {
        if self.0.try_push(term).is_err() {
            too_long();
        }
    }

    /// Appends `scale`·Σ c·x_i, where i picks one coefficient of each extension-field term.
    ///
    /// # Panics
    /// Panics beyond 24 terms: a formula of that size is a mistake of its author.
    #[inline(always)]
    pub fn pick<const D: usize>(&mut self, scale: i32, terms: &[Term<'a, [T; D]>], i: usize) -> &mut Self {
        for t in terms {
            self.push(Term { coeff: scale * t.coeff, value: &t.value[i] });
        }
        self
    }

    /// Appends `scale`·Σ c·x.
    ///
    /// # Panics
    /// Panics beyond 24 terms.
    #[inline(always)]
    pub fn all(&mut self, scale: i32, terms: &[Term<'a, T>]) -> &mut Self {
        for t in terms {
            self.push(Term { coeff: scale * t.coeff, value: t.value });
        }
        self
    }

    /// Appends Σ c·x for a part x of each value.
    ///
    /// # Panics
    /// Panics beyond 24 terms.
    pub fn of_each<S>(&mut self, terms: &[Term<'a, S>], part: impl Fn(&'a S) -> &'a T) -> &mut Self {
        for t in terms {
            self.push(Term { coeff: t.coeff, value: part(t.value) });
        }
        self
    }

    /// Appends the halves of elements of F_p(i).
    #[inline(always)]
    pub(crate) fn halves(&mut self, elements: &[&'a [T; 2]]) -> &mut Self {
        for element in elements.iter().copied() {
            self.push(plus(&element[0]));
            self.push(plus(&element[1]));
        }
        self
    }

    /// The terms.
    #[inline(always)]
    pub fn terms(&self) -> &[Term<'a, T>] {
        &self.0
    }
}

#[cold]
fn too_long() -> ! {
    panic!("a linear form of more than {CAPACITY} terms")
}
