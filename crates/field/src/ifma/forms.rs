//! Linear forms with large coefficients, computed in two steps: terms are summed first, and the sum is multiplied.
//! Columns and limbs would overflow if sums of many terms were multiplied at once, and one multiple of a sum costs
//! less than the sum of multiples.

use crate::term::{List, Term, outweighs, times};

/// The least coefficient for which several terms are summed before they are multiplied, and the least for which a
/// single term is carried.
const LARGE: [u32; 2] = [3, 9];
/// The number of terms of a group that are summed without a carry.
pub(super) const RUN: usize = 8;
/// The factor by which the second step of [`parts`] multiplies the sum of the first step.
const PART: i32 = 4;

/// The number of limbs, the coefficient and the weight up to which a form is not grouped: one pass costs less than
/// two passes and the lists for them (ξ = 9 + i on 254 bits, the factors 3 of decompression).
const LIGHT: (usize, u32, u32) = (13, 10, 36);

/// Returns true if a form on `limbs` limbs may have to be grouped.
#[inline(always)]
pub(super) fn has_large<T>(terms: &[Term<'_, T>], limbs: usize) -> bool {
    let reach = |least: u32| terms.iter().any(|t| t.coeff.unsigned_abs() >= least);
    reach(LARGE[0]) && (limbs > LIGHT.0 || reach(LIGHT.1 + 1) || outweighs(terms, LIGHT.2))
}

/// A form split as Σ c·w = C·Σ q·w + the rest. Its lists are filled in place.
pub(super) struct Grouped<'a, T> {
    /// The divisor C.
    pub(super) coefficient: i32,
    /// The terms of Σ q·w.
    pub(super) inner: List<'a, T>,
    /// The terms of the rest.
    pub(super) outer: List<'a, T>,
}

impl<'a, T> Grouped<'a, T> {
    pub(super) fn new() -> Self {
        Grouped { coefficient: 0, inner: List::new(), outer: List::new() }
    }

    /// Divides the coefficients by C, the least one that is too large. Quotients, rounded towards zero, go to
    /// `inner`, and remainders to `outer`. Returns false if no coefficient is too large.
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

/// Splits Σ c·x if its weight Σ |c| is more than `most`: into Σ (c/4)·x, with quotients rounded towards zero, and the
/// terms that must be added to 4 times this sum. Returns true if the form was split.
#[inline(always)]
pub(super) fn parts<'a, T>(terms: &[Term<'a, T>], most: u32, lists: [&mut List<'a, T>; 2]) -> bool {
    if !outweighs(terms, most) {
        return false;
    }
    divide(terms, PART, lists);
    true
}

/// Divides the coefficients of Σ c·x = C·Σ q·x + Σ r·x, where c = qC + r with quotients rounded towards zero, and
/// writes the terms of the two sums.
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

/// Returns the term of the second step of [`parts`] for the sum of the first step.
pub(super) fn whole<T>(inner: &T) -> Term<'_, T> {
    times(PART, inner)
}

/// Returns true if a form of unreduced values on `limbs` limbs is carried: columns hold about 1000/L products, and
/// the deepest tower (BLS48) runs on 13 limbs.
#[inline(always)]
pub(super) fn heavy<T>(terms: &[Term<T>], limbs: usize) -> bool {
    let most = match limbs {
        ..9 => 8,
        9..13 => 4,
        _ => 2,
    };
    outweighs(terms, most)
}
