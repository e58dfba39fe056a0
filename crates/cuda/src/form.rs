//! Sums that one reduction ends: Σ c·a·b + Σ c·w + Σ c·x·R, with the range that they can take.
//!
//! In words, ranges are in units of p·R. An element is below p and a product below p² < p·R, so that both count as [0, 1]. Whatever is
//! kept or reduced lies within ±2^12. In residues, elements are counted in units of p and unreduced values in units of p²; a reduced
//! element is in [−1, 2], a short sum of elements stays as it is, and the limit is that of the moduli.

use crate::factor::Factor;
use bilinear_program::Ref;

/// log2 of the bound of unreduced values in words, in units of p·R.
pub(crate) const WEIGHT_BITS: u32 = 12;
/// The most that a sum of elements may reach and stay as it is in residues, in units of p.
const LAZY: i64 = 16;
/// The most products that take a sum of two elements into their factors in words. By itself a sum reads two elements, adds them to the
/// accumulator, shrinks that, keeps one element and clears the accumulator; in a factor it takes one more element to read, an addition and one of
/// p. In the machine code for 33 words that is 1080 instructions for one thread, and 275 in each product: fewer in three. Words moved are 3 + k for
/// each word in k products, or 2k: no more in three.
const TAKERS: u32 = 3;

/// The most products of one sum: longer ones would keep the other lanes of a group waiting.
const MOST_PRODUCTS: usize = 12;

/// The range of a number, in units of p·R.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    low: i64,
    high: i64,
}

impl Range {
    /// [0, 1]: in words, a product or an element times R; a constant.
    pub(crate) const ONE: Range = Range { low: 0, high: 1 };

    /// c times it, added to this; what leaves 64 bits ends there, outside of every bound.
    pub(crate) fn add(self, c: i32, other: Range) -> Range {
        let ends = [other.low, other.high].map(|end| end.saturating_mul(c.into()));
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        Range { low: self.low.saturating_add(low), high: self.high.saturating_add(high) }
    }

    /// All products of a number in this range with one in the other.
    pub(crate) fn times(self, other: Range) -> Range {
        let of = |a: i64| [a.saturating_mul(other.low), a.saturating_mul(other.high)];
        let [[a, b], [c, d]] = [of(self.low), of(self.high)];
        Range { low: a.min(b).min(c).min(d), high: a.max(b).max(c).max(d) }
    }

    /// What contains both.
    pub(crate) fn or(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether it is in [0, 2].
    pub(crate) fn is_from_0_to_2(self) -> bool {
        self.low >= 0 && self.high <= 2
    }

    fn is_within(self, bound: i64) -> bool {
        -bound <= self.low && self.high <= bound
    }
}

/// What values may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// A reduced element.
    pub(crate) closed: Range,
    /// The bound of unreduced values.
    bound: i64,
    /// The bound of sums of elements that stay as they are.
    lazy: i64,
    /// Whether an element becomes a part of a sum of products by a multiplication.
    pub(crate) multiplies: bool,
    /// The most products that take a sum of two elements into their factors.
    pub(crate) takers: u32,
}

impl Limits {
    /// In words.
    pub(crate) const WORDS: Limits =
        Limits { closed: Range::ONE, bound: 1 << WEIGHT_BITS, lazy: 0, multiplies: false, takers: TAKERS };

    /// In words, where factors are elements.
    pub(crate) const PLAIN: Limits = Limits { takers: 0, ..Limits::WORDS };

    /// In residues that allow unreduced values up to the bound.
    pub(crate) fn residues(bound: i64) -> Limits {
        Limits { closed: Range { low: -1, high: 2 }, bound, lazy: LAZY, multiplies: true, takers: 0 }
    }

    /// Whether an unreduced value may be kept or reduced.
    pub(crate) fn is_kept(&self, range: Range) -> bool {
        range.is_within(self.bound)
    }

    /// Whether a sum of elements stays as it is.
    pub(crate) fn is_lazy(&self, range: Range) -> bool {
        range.is_within(self.lazy)
    }
}

/// A sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    /// c·a·b, of which the coefficients are ±1 and ±k.
    pub(crate) products: Vec<(i32, Factor<Ref>, Factor<Ref>)>,
    /// c·w, unreduced values.
    pub(crate) wides: Vec<(i32, Ref)>,
    /// c·x·R, elements.
    pub(crate) elements: Vec<(i32, Ref)>,
    pub(crate) range: Range,
}

impl Form {
    /// a·b.
    pub(crate) fn product(a: impl Into<Factor<Ref>>, b: impl Into<Factor<Ref>>, range: Range) -> Self {
        Form { products: vec![(1, a.into(), b.into())], range, ..Form::default() }
    }

    /// An unreduced value that is there.
    pub(crate) fn wide(w: Ref, range: Range) -> Self {
        Form { wides: vec![(1, w)], range, ..Form::default() }
    }

    /// An element that is there.
    pub(crate) fn element(x: Ref, range: Range) -> Self {
        Form { elements: vec![(1, x)], range, ..Form::default() }
    }

    /// This and c times the other; `None` if that is too much for one sum.
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
        let fits = sum.products.len() <= MOST_PRODUCTS && one_scale && limits.is_kept(sum.range);
        fits.then_some(sum)
    }

    /// Whether it is a sum of elements.
    pub(crate) fn has_elements_alone(&self) -> bool {
        self.products.is_empty() && self.wides.is_empty()
    }

    /// What it reads.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Ref> {
        let products = self.products.iter().flat_map(|(_, a, b)| a.reads().chain(b.reads()));
        products.chain(self.wides.iter().chain(&self.elements).map(|(_, x)| *x))
    }
}
