//! Sums that end with one reduction: Σ c·a·b + Σ c·w + Σ c·x·R, with the ranges of their values.
//!
//! In words, ranges are in units of p·R. An element is below p and a product below p² < p·R, so that both count as
//! [0, 1]. Every value that is kept or reduced lies within ±2^12. In residues, elements are counted in units of p
//! and unreduced values in units of p². A reduced element is in [−1, 2], a short sum of elements stays unreduced,
//! and the limit is that of the moduli.

use crate::factor::Factor;
use bilinear_program::Ref;

/// log2 of the bound of unreduced values in words, in units of p·R.
pub(crate) const WEIGHT_BITS: u32 = 12;
/// The bound up to which a sum of elements stays unreduced in residues, in units of p.
const LAZY: i64 = 16;
/// The largest number of products that take a sum of two elements into their factors in words. By itself a sum
/// reads two elements, adds them to the accumulator, shrinks it, keeps one element and clears the accumulator. In a
/// factor it takes one more element to read, an addition, and one of p. In the machine code for 33 words that is
/// 1080 instructions for one thread, and 275 in each product: fewer in three products. Words moved are 3 + k for
/// each word in k products, or 2k: no more in three products.
const TAKERS: u32 = 3;

/// The largest number of products of one sum: longer sums would keep the other lanes of a group waiting.
const MAX_PRODUCTS: usize = 12;

/// The range of a number: in words in units of p·R, in residues in units of p or p².
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    low: i64,
    high: i64,
}

impl Range {
    /// The range [0, 1]: in words that of a product or of an element times R; that of a constant.
    pub(crate) const ONE: Range = Range { low: 0, high: 1 };

    /// Adds c times another range. Ends beyond 64 bits saturate, outside of every bound.
    pub(crate) fn add(self, c: i32, other: Range) -> Range {
        let ends = [other.low, other.high].map(|end| end.saturating_mul(c.into()));
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        Range { low: self.low.saturating_add(low), high: self.high.saturating_add(high) }
    }

    /// Returns the range of the products of a number in this range with a number in the other.
    pub(crate) fn times(self, other: Range) -> Range {
        let of = |a: i64| [a.saturating_mul(other.low), a.saturating_mul(other.high)];
        let [[a, b], [c, d]] = [of(self.low), of(self.high)];
        Range { low: a.min(b).min(c).min(d), high: a.max(b).max(c).max(d) }
    }

    /// Returns the smallest range that contains both.
    pub(crate) fn or(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns true if the range lies in [0, 2].
    pub(crate) fn is_from_0_to_2(self) -> bool {
        self.low >= 0 && self.high <= 2
    }

    fn is_within(self, bound: i64) -> bool {
        -bound <= self.low && self.high <= bound
    }
}

/// The limits of values in one arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The range of a reduced element.
    pub(crate) closed: Range,
    /// The bound of unreduced values.
    bound: i64,
    /// The bound of sums of elements that stay unreduced.
    lazy: i64,
    /// Whether an element enters a sum of products by a multiplication.
    pub(crate) multiplies: bool,
    /// The largest number of products that take a sum of two elements into their factors.
    pub(crate) takers: u32,
}

impl Limits {
    /// The limits in words.
    pub(crate) const WORDS: Limits =
        Limits { closed: Range::ONE, bound: 1 << WEIGHT_BITS, lazy: 0, multiplies: false, takers: TAKERS };

    /// The limits in words if factors are single elements.
    pub(crate) const PLAIN: Limits = Limits { takers: 0, ..Limits::WORDS };

    /// Returns the limits in residues that allow unreduced values up to the bound.
    pub(crate) fn residues(bound: i64) -> Limits {
        Limits { closed: Range { low: -1, high: 2 }, bound, lazy: LAZY, multiplies: true, takers: 0 }
    }

    /// Returns true if an unreduced value of this range may be kept or reduced.
    pub(crate) fn is_kept(&self, range: Range) -> bool {
        range.is_within(self.bound)
    }

    /// Returns true if a sum of elements of this range stays unreduced.
    pub(crate) fn is_lazy(&self, range: Range) -> bool {
        range.is_within(self.lazy)
    }
}

/// A sum of products, unreduced values and elements with coefficients, and its range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    /// The terms c·a·b, with coefficients ±1 and ±k for a single k.
    pub(crate) products: Vec<(i32, Factor<Ref>, Factor<Ref>)>,
    /// The terms c·w, for unreduced values w.
    pub(crate) wides: Vec<(i32, Ref)>,
    /// The terms c·x·R, for elements x.
    pub(crate) elements: Vec<(i32, Ref)>,
    pub(crate) range: Range,
}

impl Form {
    /// Creates the sum a·b.
    pub(crate) fn product(a: impl Into<Factor<Ref>>, b: impl Into<Factor<Ref>>, range: Range) -> Self {
        Form { products: vec![(1, a.into(), b.into())], range, ..Form::default() }
    }

    /// Creates the sum of a single unreduced value.
    pub(crate) fn wide(w: Ref, range: Range) -> Self {
        Form { wides: vec![(1, w)], range, ..Form::default() }
    }

    /// Creates the sum of a single element.
    pub(crate) fn element(x: Ref, range: Range) -> Self {
        Form { elements: vec![(1, x)], range, ..Form::default() }
    }

    /// Returns this sum plus c times the other, or `None` if that is too large for one sum.
    pub(crate) fn plus(&self, c: i32, other: &Form, limits: &Limits) -> Option<Form> {
        let mut sum = self.clone();
        let times = |d: i32| c.checked_mul(d).filter(|c| c.checked_abs().is_some());
        for (d, a, b) in &other.products {
            sum.products.push((times(*d)?, *a, *b));
        }
        for (d, w) in &other.wides {
            sum.wides.push((times(*d)?, *w));
        }
        for (d, x) in &other.elements {
            sum.elements.push((times(*d)?, *x));
        }
        sum.range = self.range.add(c, other.range);
        let scales = sum.products.iter().map(|(c, ..)| c.abs()).filter(|c| *c != 1);
        let one_scale = scales.clone().min() == scales.max();
        let fits = sum.products.len() <= MAX_PRODUCTS && one_scale && limits.is_kept(sum.range);
        fits.then_some(sum)
    }

    /// Returns true if the sum has elements only.
    pub(crate) fn has_elements_alone(&self) -> bool {
        self.products.is_empty() && self.wides.is_empty()
    }

    /// Returns the values that the sum reads.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Ref> {
        let products = self.products.iter().flat_map(|(_, a, b)| a.reads().chain(b.reads()));
        products.chain(self.wides.iter().chain(&self.elements).map(|(_, x)| *x))
    }
}
