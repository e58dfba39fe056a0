//! A factor of a product: an element, or the sum or the difference of two, which is reduced when it is read.
//!
//! Elements are in [0, p), so that one p is added or subtracted at most, and a factor is in [0, p) too. In residues factors are elements:
//! sums of those stay unreduced there as it is.

use crate::form::Form;
use bilinear_program::Ref;

/// How the second element counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

/// A factor; its elements are values of a line, or places of a record.
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
    /// What it reads.
    pub(crate) fn reads(self) -> impl Iterator<Item = T> {
        [self.first].into_iter().chain(self.second.map(|(_, y)| y))
    }

    /// The same of other elements.
    pub(crate) fn map<U>(self, mut of: impl FnMut(T) -> U) -> Factor<U> {
        Factor { first: of(self.first), second: self.second.map(|(sign, y)| (sign, of(y))) }
    }
}

impl Factor<Ref> {
    /// The value of a sum of elements; `None` if it takes more than two, or other coefficients than those of a factor.
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
