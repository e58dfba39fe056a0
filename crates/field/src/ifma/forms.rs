//! Forms with large coefficients, in two steps: columns and limbs have no room to multiply sums of many terms at once, and one
//! multiple of a sum costs less than the sum of multiples.

use crate::term::{List, Term, plus, times};

/// The least coefficient for which several terms are summed before they are multiplied, and for which a single one is carried.
const LARGE: [u32; 2] = [3, 9];
/// Terms of a group that are summed without a carry.
pub(super) const RUN: usize = 8;
/// The weight from which on a form of elements of a tight modulus goes by parts.
const HEAVY_SUM: u32 = 12;
/// Of its coefficients, what is left to the second step.
const PART: i32 = 4;

/// Σ c·w = C·Σ(±w) + the rest.
pub(super) struct Grouped<'a, T> {
    /// C.
    pub(super) coefficient: i32,
    /// Σ(±w).
    pub(super) inner: List<'a, T>,
    /// The rest.
    pub(super) outer: List<'a, T>,
}

impl<T> Grouped<'_, T> {
    /// The rest, in the form that it has taken, and C times the sum.
    pub(super) fn joined<'a>(&self, outer: &[Term<'a, T>], sum: &'a T) -> List<'a, T> {
        let mut terms = List::new();
        terms.all(1, outer).all(1, &[times(self.coefficient, sum)]);
        terms
    }
}

/// The terms of the first large coefficient, whatever their signs.
#[inline(always)]
pub(super) fn group<'a, T>(terms: &[Term<'a, T>]) -> Option<Grouped<'a, T>> {
    if terms.iter().all(|t| t.coeff.unsigned_abs() < LARGE[0]) {
        return None;
    }
    group_large(terms)
}

#[inline(never)]
fn group_large<'a, T>(terms: &[Term<'a, T>]) -> Option<Grouped<'a, T>> {
    let large = |t: &&Term<'a, T>| {
        let shared = terms.iter().filter(|u| u.coeff.abs() == t.coeff.abs()).count() > 1;
        t.coeff.unsigned_abs() >= LARGE[usize::from(!shared)]
    };
    let coefficient = terms.iter().find(large)?.coeff.abs();
    let (mut inner, mut outer) = (List::new(), List::new());
    for t in terms {
        if t.coeff.abs() == coefficient {
            inner.all(t.coeff.signum(), &[plus(t.value)]);
        } else {
            outer.all(1, &[*t]);
        }
    }
    Some(Grouped { coefficient, inner, outer })
}

/// Of Σ c·x, if it is heavy: Σ (c/4)·x, quotients towards zero, and what is to be added to 4 times that.
#[inline(always)]
pub(super) fn parts<'a, T>(terms: &[Term<'a, T>]) -> Option<(List<'a, T>, List<'a, T>)> {
    if terms.iter().map(|t| t.coeff.unsigned_abs()).sum::<u32>() <= HEAVY_SUM {
        return None;
    }
    let (mut inner, mut outer) = (List::new(), List::new());
    for t in terms {
        for (list, coefficient) in [(&mut inner, t.coeff / PART), (&mut outer, t.coeff % PART)] {
            if coefficient != 0 {
                list.all(coefficient, &[plus(t.value)]);
            }
        }
    }
    Some((inner, outer))
}

/// The term that the first step of [`parts`] becomes in the second.
pub(super) fn whole<T>(inner: &T) -> Term<'_, T> {
    times(PART, inner)
}
