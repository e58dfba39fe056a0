//! Sums that one reduction ends: Σ c·a·b + Σ c·w + Σ c·x·R, with the range that they can take.
//!
//! Ranges are in units of p·R. An element is below p and a product below p² < p·R, so that both count as [0, 1]. Whatever is kept or
//! reduced lies within ±2^12.

use bilinear_program::Ref;

/// log2 of the bound of unreduced values, in units of p·R.
pub(crate) const WEIGHT_BITS: u32 = 12;

/// The most products of one sum: longer ones would keep the other lanes of a group waiting.
const MOST_PRODUCTS: usize = 12;

/// The range of a number, in units of p·R.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    low: i64,
    high: i64,
}

impl Range {
    /// [0, 1]: a product, or an element times R.
    pub(crate) const ONE: Range = Range { low: 0, high: 1 };

    /// c times it, added to this; what leaves 64 bits ends there, outside of every bound.
    pub(crate) fn add(self, c: i32, other: Range) -> Range {
        let ends = [other.low, other.high].map(|end| end.saturating_mul(c.into()));
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        Range { low: self.low.saturating_add(low), high: self.high.saturating_add(high) }
    }

    /// Whether it lies within the bound of unreduced values.
    pub(crate) fn is_kept(self) -> bool {
        let bound = 1 << WEIGHT_BITS;
        -bound <= self.low && self.high <= bound
    }
}

/// A sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    /// c·a·b, of which the coefficients are ±1 and ±k.
    pub(crate) products: Vec<(i32, Ref, Ref)>,
    /// c·w, unreduced values.
    pub(crate) wides: Vec<(i32, Ref)>,
    /// c·x·R, elements.
    pub(crate) elements: Vec<(i32, Ref)>,
    pub(crate) range: Range,
}

impl Form {
    /// a·b.
    pub(crate) fn product(a: Ref, b: Ref) -> Self {
        Form { products: vec![(1, a, b)], range: Range::ONE, ..Form::default() }
    }

    /// An unreduced value that is there.
    pub(crate) fn wide(w: Ref, range: Range) -> Self {
        Form { wides: vec![(1, w)], range, ..Form::default() }
    }

    /// An element that is there.
    pub(crate) fn element(x: Ref) -> Self {
        Form { elements: vec![(1, x)], range: Range::ONE, ..Form::default() }
    }

    /// This and c times the other; `None` if that is too much for one sum.
    pub(crate) fn plus(&self, c: i32, other: &Form) -> Option<Form> {
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
        let fits = sum.products.len() <= MOST_PRODUCTS && one_scale && sum.range.is_kept();
        fits.then_some(sum)
    }

    /// What it reads.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Ref> {
        let products = self.products.iter().flat_map(|(_, a, b)| [*a, *b]);
        products.chain(self.wides.iter().chain(&self.elements).map(|(_, x)| *x))
    }
}
