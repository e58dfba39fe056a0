//! The ranges of the engine, for the bounds analysis: elements in units of p, unreduced values in units of p².
//!
//! One number describes the ranges, α = ⌊A/4p⌋, which is at least 2^s for a margin of s spare bits:
//!
//! * an unreduced value that is reduced lies in ±αp², and so may a sum of elements, multiplied by `one`, that is added to it:
//!   together they stay in ±pA/2, so that the result S lies in (−p, 2p), the range of a closed element;
//! * an element lies in ±αp: then |x| < A, so that `is_zero` and `store` of [`Rns`](super::Rns) find x/A up to a single
//!   multiple of p;
//! * sums of elements are integers and cost nothing. Where the margin says so, they are not reduced (`lazy_sums`).

use super::bases::Bases;
use crate::bounds::{Range, Rules, saturated};
use crate::term::Term;
use num_traits::ToPrimitive;

/// The largest α that is used, so that products of ranges do not overflow.
const MAX: i64 = 1 << 30;

/// The range of a closed element, (−p, 2p).
const CLOSED: Range = Range::new(-1, 2);

/// The range rules for one α.
pub(super) struct RnsRules {
    /// α, limited to `MAX`.
    pub(super) alpha: i64,
    /// Whether a sum of elements is left unreduced.
    pub(super) lazy_sums: bool,
}

impl RnsRules {
    pub(super) fn new(bases: &Bases, lazy_sums: bool) -> Self {
        RnsRules { alpha: bases.alpha.to_i64().map_or(MAX, |alpha| alpha.min(MAX)), lazy_sums }
    }

    /// Checks that a range lies in ±α.
    fn within(&self, what: &str, range: Range) -> Result<Range, String> {
        let size = range.high.max(-range.low);
        if size <= self.alpha { Ok(range) } else { Err(format!("{what} of up to {size}: at most α = {}", self.alpha)) }
    }
}

impl Rules for RnsRules {
    fn closed(&self) -> Range {
        CLOSED
    }

    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        let (a, b) = (self.within("an element", a)?, self.within("an element", b)?);
        let corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        let [low, high] = [corners.iter().min(), corners.iter().max()].map(|x| x.copied().unwrap_or(0));
        Ok(Range::new(low, high))
    }

    /// A form is not limited here: its range is checked when it is reduced.
    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        Ok(Range::form(terms))
    }

    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.within("a reduced form", Range::form(terms)).map(|_| CLOSED)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn add(&self, a: Range, b: Range, negative: bool) -> Result<Range, String> {
        let (low, high) = if negative { (-b.high, -b.low) } else { (b.low, b.high) };
        self.within("an element", Range::new(a.low + low, a.high + high))
    }

    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        let sum = self.within("a sum", Range::form(terms))?;
        Ok(if self.lazy_sums { sum } else { CLOSED })
    }

    fn adds_first(&self) -> bool {
        true
    }

    fn mul_sum(&self, product: Range, terms: &[Term<Range>]) -> Result<Range, String> {
        self.within("a reduced product", product)?;
        self.within("a sum", Range::form(terms)).map(|_| CLOSED)
    }

    /// A prepared residue is reduced.
    fn kept(&self, _: Range) -> Range {
        CLOSED
    }

    fn three_forms(&self, terms: &[Term<Range>], x: Range) -> Result<Range, String> {
        let [form, twice] = [(3, Range::form(terms)), (2, x)]
            .map(|(times, r)| Range::new(saturated(i128::from(r.low) * times), saturated(i128::from(r.high) * times)));
        self.within("three times a form", form)?;
        self.within("a sum", twice).map(|_| CLOSED)
    }
}
