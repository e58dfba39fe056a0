//! Linear forms with large coefficients, in two steps: columns and limbs would overflow if sums of many terms were multiplied at
//! once, and one multiple of a sum costs less than the sum of multiples.

use crate::term::{List, Term, outweighs, times};

/// The least coefficient for which several terms are summed before they are multiplied, and for which a single one is carried.
const LARGE: [u32; 2] = [3, 9];
/// Terms of a group that are summed without a carry.
pub(super) const RUN: usize = 8;
/// Of its coefficients, what is left to the second step.
const PART: i32 = 4;

/// Limbs, coefficients and weight up to which a form is not grouped: one pass costs less than two and the lists for them (ξ = 9 + i
/// on 254 bits, the factors 3 of decompression).
const LIGHT: (usize, u32, u32) = (13, 10, 36);

/// Whether a form on so many limbs may have to be grouped.
#[inline(always)]
pub(super) fn has_large<T>(terms: &[Term<'_, T>], limbs: usize) -> bool {
    let reach = |least: u32| terms.iter().any(|t| t.coeff.unsigned_abs() >= least);
    reach(LARGE[0]) && (limbs > LIGHT.0 || reach(LIGHT.1 + 1) || outweighs(terms, LIGHT.2))
}

/// Σ c·w = C·Σ q·w + the rest, filled in place.
pub(super) struct Grouped<'a, T> {
    /// C.
    pub(super) coefficient: i32,
    /// Σ q·w.
    pub(super) inner: List<'a, T>,
    /// The rest.
    pub(super) outer: List<'a, T>,
}

impl<'a, T> Grouped<'a, T> {
    pub(super) fn new() -> Self {
        Grouped { coefficient: 0, inner: List::new(), outer: List::new() }
    }

    /// Divides by the least coefficient that is too large, C: quotients towards zero to `inner`, remainders to `outer`. False if
    /// none is too large.
    #[inline]
    pub(super) fn split(&mut self, terms: &[Term<'a, T>]) -> bool {
        let mut least = None;
        for (i, t) in terms.iter().enumerate() {
            let c = t.coeff.abs();
            let shared = terms.iter().enumerate().any(|(j, u)| i != j && u.coeff.abs() == c);
            if c.unsigned_abs() >= LARGE[usize::from(!shared)] && least.is_none_or(|least| c < least) {
                least = Some(c);
            }
        }
        let Some(least) = least else { return false };
        self.coefficient = least;
        divide(terms, least, [&mut self.inner, &mut self.outer]);
        true
    }
}

/// Of Σ c·x, if its coefficients add up to more than `most`: Σ (c/4)·x, quotients towards zero, and what is to be added to 4
/// times that.
#[inline(always)]
pub(super) fn parts<'a, T>(terms: &[Term<'a, T>], most: u32, lists: [&mut List<'a, T>; 2]) -> bool {
    if !outweighs(terms, most) {
        return false;
    }
    divide(terms, PART, lists);
    true
}

/// Σ c·x = C·Σ q·x + Σ r·x with c = qC + r, quotients towards zero: the terms of the two sums.
#[inline]
fn divide<'a, T>(terms: &[Term<'a, T>], by: i32, [quotients, remainders]: [&mut List<'a, T>; 2]) {
    for t in terms {
        let (quotient, remainder) = (t.coeff / by, t.coeff % by);
        if quotient != 0 {
            quotients.all(1, &[times(quotient, t.value)]);
        }
        if remainder != 0 {
            remainders.all(1, &[times(remainder, t.value)]);
        }
    }
}

/// The term that the first step of [`parts`] becomes in the second.
pub(super) fn whole<T>(inner: &T) -> Term<'_, T> {
    times(PART, inner)
}

/// Whether a form of unreduced values on so many limbs is carried: columns hold about 1000/L products, and the deepest
/// tower (BLS48) runs on 13 limbs.
#[inline(always)]
pub(super) fn heavy<T>(terms: &[Term<T>], limbs: usize) -> bool {
    let most = match limbs {
        ..9 => 8,
        9..13 => 4,
        _ => 2,
    };
    outweighs(terms, most)
}
