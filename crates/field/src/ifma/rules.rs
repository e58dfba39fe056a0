//! The ranges of the engine: the multiples of p that make results positive (biases), how much ranges may grow between two closed
//! values, and the rules of the bounds analysis.
//!
//! A modulus with few spare bits in its limbs, s = 52L − bits(p), is *tight*: reductions subtract an estimated
//! multiple of p. A modulus with many spare bits is *roomy*: nothing is estimated.
//!
//! Ranges of elements are in units of p/2^8, ranges of unreduced values in units of p·R/2^40. An element must stay
//! below R = 2^(52L) so that its limbs are carried, and a column below 2^63 so that its sign is right.

use super::forms::heavy;
use super::forms::{Grouped, RUN, has_large, parts, whole};
use crate::bounds::{Range, Rules};
use crate::code::Code;
use crate::dispatch::{Margin, SPARE};
use crate::term::{List, Term, minus, plus, times};

/// log2 of p in the units of elements.
pub(super) const UNIT_BITS: u32 = 8;
/// p in the units of elements.
const P: i64 = 1 << UNIT_BITS;
/// p·R in the units of unreduced values.
const PR: i64 = 1 << 40;
/// An estimated quotient leaves less than 2^-7·p above p.
const SLACK: i64 = P >> 7;
/// The distance that a tight form keeps below 2^s·p·R. The window of an estimate has 52 bits, and negative columns
/// below can make it read one too high. So 2^-52·R must be left, which is less than 2^-39·p where s < [`ROOMY`].
const WINDOW: i64 = 2;
/// The number of spare bits from which on linear forms of products stay below p·R without an estimate.
pub(super) const ROOMY: u64 = 14;
/// The most limbs whose columns all fit the registers. Up to this number forms can be carried, an estimated multiple
/// of p·R is subtracted from a form of a tight modulus before its reduction (on more limbs a multiple of p is
/// subtracted from the result), and squares in F_p(i) have kernels of their own.
pub(super) const HELD: u64 = 13;
/// The least number of limbs whose kernels work on blocks. From there on a difference that need not be closed is
/// closed.
pub(super) const BLOCKS: u64 = 24;
/// The largest weight, Σ |c|, of a sum of elements. Beside the elements a column of 63 bits holds a limb of the bias,
/// two halves of products of a quotient and a limb, and a carry.
const WEIGHT: u64 = (1 << (63 - 52)) - 4;
/// The number of spare bits that a tight modulus must have: the forms of F_p² need them.
pub(super) const MIN_SPARE: u64 = 4;

/// The number of limbs up to which products in F_p(i) are reduced at once, and one larger number of limbs for which
/// they are.
const FUSED: (u64, u64) = (10, 20);

/// An operation on a form.
type Step<'a> = dyn FnMut(&[Term<Range>]) -> Result<Range, String> + 'a;

/// The rules of how far values may be from canonical, for a modulus of L limbs below 2^(52L − s).
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneRules {
    spare: u64,
    limbs: u64,
    /// Whether a reduction subtracts an estimated multiple of p·R from the form.
    pub(super) tight: bool,
    /// Whether every form of unreduced values is carried, where there are kernels for it.
    pub(super) carries: bool,
}

impl LaneRules {
    /// Creates the rules for a modulus with `spare` spare bits.
    pub(super) fn new(spare: u64, limbs: usize, Margin { carries, .. }: Margin) -> Self {
        let tight = spare < ROOMY;
        LaneRules { spare, limbs: limbs as u64, tight, carries }
    }

    /// The multiple of p that a sum of elements starts from: half of what fits, or less where little fits and sums
    /// are mostly positive.
    pub(super) fn bias(self) -> u64 {
        if self.spare == MIN_SPARE { 6 } else { 1 << (self.spare - 1).min(12) }
    }

    /// The largest weight of a sum of elements of a tight modulus that is not computed in two parts.
    pub(super) fn light(self) -> u32 {
        if self.spare < SPARE { 4 } else { 12 }
    }

    /// The multiple of p·R that a reduced form begins with.
    pub(super) fn bias_wide(self) -> u64 {
        if self.tight { 1 << (self.spare - 1) } else { 1 }
    }

    /// The multiple of p·R that a form near 0 begins with if the form is tripled. This bias makes up for −2x as well,
    /// and three times the bias takes less than half of what fits.
    pub(super) fn bias_three(self) -> u64 {
        1 << self.spare.saturating_sub(3).min(10)
    }

    /// The multiple of p that is added to a difference of two elements where the difference is not closed.
    pub(super) fn bias_difference(self) -> u64 {
        1 << (self.spare - 1).min(4)
    }

    /// The upper end of the range of any element, which is below R.
    pub(super) fn most(self) -> i64 {
        P << self.spare.min(24)
    }

    fn element(self, what: &str, range: Range) -> Result<Range, String> {
        if range.low >= 0 && range.high <= self.most() {
            Ok(range)
        } else {
            Err(format!("{what} in [{}, {}]·p/2^8: at most {} fits the limbs", range.low, range.high, self.most()))
        }
    }

    /// The most products that a form may add up. A column of a product by rows is below (2L − 1)·2^52, that of a
    /// product by halves within ±3.6·L·2^52. A test adds up the contributions to a column of as many products and
    /// their reduction, which must stay below 2^63.
    fn products(self) -> i64 {
        let (l, all) = (self.limbs as i64, 1 << (63 - 52));
        if self.by_halves() { all / (4 * l) } else { (all - 2 * l - 5) / (2 * l - 1) }
    }

    /// Returns true if products are computed by Karatsuba's method.
    pub(super) fn by_halves(self) -> bool {
        matches!(self.limbs, 20 | 22..)
    }

    /// Returns true if three times any form is reduced at once, by an estimate; otherwise only three times a form
    /// near 0 is.
    pub(super) fn triples(self) -> bool {
        self.tight && !self.carries && self.limbs <= HELD
    }

    /// The most products that a form may add up if the form is tripled, on at most [`HELD`] limbs. A column then
    /// holds three times its value after a reduction, two limbs of x, and the addition of the estimate.
    fn tripled(self) -> i64 {
        let (l, all) = (self.limbs as i64, 1 << (63 - 52));
        (all - 3 * (2 * l + 5) - 5) / (3 * (2 * l - 1))
    }

    pub(super) fn columns(self, range: Range) -> Result<Range, String> {
        self.up_to(self.products(), range)
    }

    fn up_to(self, most: i64, range: Range) -> Result<Range, String> {
        let [low, high] = range.columns;
        if high.max(-low) <= most {
            Ok(range)
        } else {
            Err(format!("columns of {low} to {high} products: at most {most} fit"))
        }
    }

    /// Returns the range of a form after it is carried: a carried column is within ±(2^52 + 2^11).
    fn carried(self, form: Range) -> Range {
        Range { columns: if self.limbs <= HELD { [-1, 1] } else { form.columns }, ..form }
    }

    /// Applies `then` to a form after its terms with large coefficients are summed and carried.
    fn with_grouped(self, terms: &[Term<Range>], then: &mut Step<'_>) -> Result<Range, String> {
        if has_large(terms, self.limbs as usize) { self.with_group(terms, then) } else { then(terms) }
    }

    fn with_group(self, terms: &[Term<Range>], then: &mut Step<'_>) -> Result<Range, String> {
        let mut grouped = Grouped::new();
        if !grouped.split(terms) {
            return then(terms);
        }
        let mut sum = Range::default();
        for run in grouped.inner.terms().chunks(RUN) {
            let so_far = sum;
            sum = self.carried(self.columns(Range::form(List::new().all(1, &[plus(&so_far)]).all(1, run).terms()))?);
        }
        let multiple = [times(grouped.coefficient, &sum)];
        self.with_group(grouped.outer.terms(), &mut |outer| then(List::new().all(1, outer).all(1, &multiple).terms()))
    }

    /// The largest product of two elements in units of p·R/2^40, rounded up: p² is at most 2^-s·p·R.
    fn units(self, a: Range, b: Range) -> i64 {
        let product = i128::from(a.high) * i128::from(b.high);
        // 2^-16 from the units of elements, 2^40 to those of products
        let scaled = if self.spare >= 24 { product >> (self.spare - 24) } else { product << (24 - self.spare) };
        i64::try_from(scaled + 1).unwrap_or(i64::MAX)
    }
}

impl Rules for LaneRules {
    /// [0, 2p): a loaded residue comes from a product below p². Every operation that reduces has its own rule.
    fn closed(&self) -> Range {
        Range::new(0, 2 * P)
    }

    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        let (a, b) = (self.element("a factor", a)?, self.element("a factor", b)?);
        // the columns of a product by halves may be negative
        let least = if self.by_halves() { -1 } else { 0 };
        Ok(Range { columns: [least, 1], ..Range::new(0, self.units(a, b)) })
    }

    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.with_grouped(terms, &mut |terms| {
            let form = self.columns(Range::form(terms))?;
            let carries = self.carries || heavy(terms, self.limbs as usize);
            Ok(if carries { self.carried(form) } else { form })
        })
    }

    /// Kernels that add the terms carry nothing. Some of these forms have no such kernel.
    fn added(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        if self.carries || has_large(terms, self.limbs as usize) {
            return self.lin(terms);
        }
        self.columns(Range::form(terms))
    }

    /// No column is carried.
    fn products(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.columns(Range::form(terms))
    }

    /// For t in [0, h·p·R], (t + mp)/R < (h + 1 + 2^-50)·p. Roomy: h is at most 2. Tight: h = 1 + 2^-7 after the
    /// estimate. Where the estimate comes last, the result of the reduction is in [p, R) and becomes less than
    /// (1 + 2^-7)·p.
    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        let form = self.with_grouped(terms, &mut |terms| self.columns(Range::form(terms)))?;
        self.reduced(form)
    }

    /// No estimate is made. A difference of two products is biased by p·R; a difference of three is never negative.
    /// On other numbers of limbs than those of [`FUSED`] only a single product is reduced in this way.
    fn fused(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        if self.limbs > FUSED.0 && self.limbs != FUSED.1 && !matches!(terms, [Term { coeff: 1, .. }]) {
            return self.reduce(terms);
        }
        let form = self.columns(Range::form(terms))?;
        if form.high > 2 * PR || form.low < -PR {
            let (high, low) = (form.high >> 32, form.low >> 32);
            return Err(format!("[{low}, {high}]·p·R/2^8 is reduced at once: [−p·R, 2·p·R] is allowed"));
        }
        let bias = if form.low < 0 { P } else { 0 };
        Ok(Range::new(0, (form.high >> 32).max(0) + bias + P + SLACK))
    }

    /// Where no kernel triples and reduces the form at once, the form is reduced before it is tripled.
    fn three_forms(&self, terms: &[Term<Range>], _: Range) -> Result<Range, String> {
        if !self.triples() || has_large(terms, self.limbs as usize) {
            return self.reduce(terms).map(|_| self.closed());
        }
        let form = self.up_to(self.tripled(), Range::form(terms))?;
        self.reduced(form).map(|_| self.closed())
    }

    fn has_near(&self, near: Code) -> bool {
        if near == Code::ReduceNear { self.tight } else { self.limbs <= HELD }
    }

    /// The form begins with p·R. For t in [0, h·p·R], (t + mp)/R < (h + 1 + 2^-50)·p.
    fn reduce_near(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        if !self.tight {
            return self.reduce(terms);
        }
        if has_large(terms, self.limbs as usize) {
            return Err("a form with large coefficients is not near 0".into());
        }
        let form = self.columns(Range::form(terms))?;
        if form.low < -PR || form.high > PR {
            let (low, high) = (form.low >> 32, form.high >> 32);
            return Err(format!("a form near 0 in [{low}, {high}]·p·R/2^8: ±p·R is allowed"));
        }
        Ok(Range::new(0, (form.high >> 32).max(0) + P + P + SLACK))
    }

    /// With the bias B the form divided by R is in [low + B, high + B + 1 + 2^-50]·p. Three times this value, ±2x,
    /// stays in [p, R).
    fn three_forms_near(&self, terms: &[Term<Range>], x: Range) -> Result<Range, String> {
        if self.limbs > HELD || has_large(terms, self.limbs as usize) {
            return Err(format!("there is no such kernel of {} limbs", self.limbs));
        }
        let form = self.up_to(self.tripled(), Range::form(terms))?;
        let bias = self.bias_three() as i64;
        let [low, high] = [form.low >> 32, (form.high >> 32) + 1].map(|bound| 3 * (bound + bias * P));
        let (two, most) = (2 * x.high, self.most());
        if x.low < 0 || low - two < P || high + 3 * (P + SLACK) + two >= most {
            return Err(format!(
                "three times a form in [{low}, {high}]·p/2^8 and 2·{}: [{P}, {most}] is allowed",
                x.high
            ));
        }
        Ok(Range::new(0, P + SLACK))
    }

    fn add(&self, a: Range, b: Range, negative: bool) -> Result<Range, String> {
        match negative {
            true if self.tight || self.limbs >= BLOCKS => self.sum(&[plus(&a), minus(&b)]),
            true => self.biased_difference(a, b),
            false => self.element("a sum", Range::form(&[plus(&a), plus(&b)])),
        }
    }

    /// Kernels of F_p(i) leave a difference biased even where the modulus is tight.
    fn loose_difference(&self, a: Range, b: Range) -> Result<Range, String> {
        if self.limbs <= HELD { self.biased_difference(a, b) } else { self.add(a, b, true) }
    }

    /// The sum of the bias and the form stays in [p, R); the estimate leaves a value in [0, (1 + 2^-7)p).
    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        let (mut inner, mut outer) = (List::new(), List::new());
        if self.tight && parts(terms, self.light(), [&mut inner, &mut outer]) {
            let sum = self.sum(inner.terms())?;
            return self.biased_sum(List::new().all(1, outer.terms()).all(1, &[whole(&sum)]).terms());
        }
        self.biased_sum(terms)
    }

    /// Columns are exact, and so is their sum.
    fn is_exact(&self) -> bool {
        true
    }
}

impl LaneRules {
    /// Returns the range of the reduction of a form, or an error if the form does not fit.
    pub(super) fn reduced(self, form: Range) -> Result<Range, String> {
        let bias = self.bias_wide() as i64 * PR;
        let last = self.tight && self.limbs > HELD;
        // tight: the window of the estimate; roomy: results stay within 3p
        let most = match self.tight {
            true => (PR << self.spare) - bias - WINDOW - if last { PR } else { 0 },
            false => PR - PR / 256,
        };
        let least = if self.tight { PR - bias } else { -bias };
        if form.low < least || form.high > most {
            let (low, high) = (form.low >> 32, form.high >> 32);
            return Err(format!(
                "a reduced form in [{low}, {high}]·p·R/2^8: [{}, {}] is allowed",
                least >> 32,
                most >> 32
            ));
        }
        let above = match self.tight {
            true if last => 0,
            true => P + SLACK,
            false => (form.high >> 32).max(0) + P,
        };
        Ok(Range::new(0, above + P + SLACK))
    }

    pub(super) fn biased_difference(self, a: Range, b: Range) -> Result<Range, String> {
        let bias = self.bias_difference() as i64 * P;
        if b.high > bias {
            return Err(format!("a subtrahend of {}·p/2^8: at most {bias} is allowed", b.high));
        }
        self.element("a difference", Range::new(0, a.high.saturating_add(bias)))
    }

    pub(super) fn biased_sum(self, terms: &[Term<Range>]) -> Result<Range, String> {
        let (form, bias) = (Range::form(terms), self.bias() as i64 * P);
        let weight: u64 = terms.iter().map(|t| u64::from(t.coeff.unsigned_abs())).sum();
        if weight > WEIGHT {
            return Err(format!("a sum of weight {weight}: at most {WEIGHT} fits the columns"));
        }
        if form.low < P - bias {
            return Err(format!("a sum may be {}·p/2^8: at least {} is needed", form.low, P - bias));
        }
        // one unit is left for the window of the estimate
        self.element("a biased sum", Range::new(0, form.high.saturating_add(bias + 1)))?;
        Ok(Range::new(0, P + SLACK))
    }
}

#[cfg(test)]
mod tests;
