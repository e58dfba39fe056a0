//! A factor of a product: an element, or the sum or the difference of two elements, which is reduced when it is read.
//!
//! Elements are in [0, p), so that at most one p is added or subtracted, and a factor is in [0, p) too. In
//! residues, factors are single elements, since sums of elements stay unreduced there anyway.

use crate::form::Form;
use bilinear_program::Ref;

/// The sign of the second element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

/// A factor. Its elements are values of a line, or places of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Factor<T> {
    pub(crate) first: T,
    pub(crate) second: Option<(Sign, T)>,
}

impl<T> From<T> for Factor<T> {
    fn from(first: T) -> Self {
        Factor { first, second: None }
    }
}

impl<T> Factor<T> {
    /// Returns the elements that the factor reads.
    pub(crate) fn reads(self) -> impl Iterator<Item = T> {
        [self.first].into_iter().chain(self.second.map(|(_, y)| y))
    }

    /// Maps the elements of the factor.
    pub(crate) fn map<U>(self, mut of: impl FnMut(T) -> U) -> Factor<U> {
        Factor { first: of(self.first), second: self.second.map(|(sign, y)| (sign, of(y))) }
    }
}

impl Factor<Ref> {
    /// Returns the factor that equals a sum of elements, or `None` if the sum has more than two elements or other
    /// coefficients than a factor can have.
    pub(crate) fn of(form: &Form) -> Option<Self> {
        let (first, second) = match form.elements.as_slice() {
            _ if !form.has_elements_alone() => return None,
            [(1, x)] => (*x, None),
            [(1, x), (1, y)] => (*x, Some((Sign::Plus, *y))),
            [(1, x), (-1, y)] | [(-1, y), (1, x)] => (*x, Some((Sign::Minus, *y))),
            _ => return None,
        };
        Some(Factor { first, second })
    }
}
