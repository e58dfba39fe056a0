//! The ranges of the engine: the constructor's requirements on a polynomial, and the rules of the bounds analysis.
//!
//! One number e describes the ranges, with d = N − 1 the degree of p(z):
//!
//! * a closed element has |a_i| ≤ B = 2^(m−1) + (|s| + 1)·2^e for i < d, and |a_d| ≤ 2^e;
//! * addition closes the lower coefficients by a carry; only the last one grows, to at most 2^(e+4);
//! * a coefficient of a product of such elements is below d·B² + 2^(e+5)·B + N·B·‖p‖ + 2^66 < 2^127 (the last two summands are
//!   what the digit-serial form adds), and below V·2^m when it has lost its high word;
//! * a form of unreduced values may reach 2^(m+e), so that its μ reaches 2^e and a split coefficient B. Since 1/z^k mod p(z)
//!   multiplies lower coefficients by at most ρ in sum, ρ + 2 units are set aside: 1024·V + ρ + 2 ≤ 2^e. Forms of weight 1024
//!   are possible.
//!
//! e is the least number with this property and ‖p‖ + 4 ≤ 2^e, so that integers in [0, p) are valid elements.
//! (|s| + 1)·2^e ≤ 2^(m−8) keeps B near 2^(m−1), and (2^e + 2)·|p_i| ≤ 2^m lets `sum` close the last coefficient. The former
//! condition bounds |s|: V is about d·(|s| + 1)/4 + 2^(64−m), so |s| may have about (m − 18)/2 bits. For
//! z = 2^63 + 857, e is 20. BN polynomials take |s| < 2^22 with m = 63, 2^18 with m = 55, 2^13 with m = 48; the least m is 47.
//!
//! The [`Range`] of an element is that of a_d; the range of an unreduced value is that of any of its coefficients, in
//! units of 2^m.

use crate::bounds::{Range, Rules};
use crate::term::Term;

/// The weight of a linear form of products that must be possible.
const WEIGHT: u64 = 1024;
/// The number of bits by which lazy additions may enlarge the last coefficient.
const GROWTH: u32 = 4;
/// The largest e that is tried.
const MAX: u32 = 40;

/// The ranges for one polynomial and one z = 2^m + s, as [`Rules`].
///
/// With the e that the constructor finds, a closed element has |a_i| ≤ 2^(m−1) + (|s| + 1)·2^e for i < d and |a_d| ≤ 2^e;
/// additions let |a_d| grow to 2^(e+4); forms of products may have a weight of 1024.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranges {
    m: u32,
    /// |s| + 1, for the offset s.
    offset: u64,
    /// The degree d of p(z).
    degree: u64,
    /// |p_d|, the size of the leading coefficient.
    leading: u64,
    /// The largest |p_i|.
    largest: u64,
    /// ‖p‖ = Σ |p_i|.
    norm: u64,
    /// The norm ρ of the powers of 1/z.
    power_norm: u64,
    /// The exponent e.
    reach: u32,
}

impl Ranges {
    /// Finds the least e that fits; `None` if no e does.
    pub(super) fn new(p: &[i64], m: u32, s: i64, power_norm: u64) -> Option<Self> {
        let size = |i: usize| p[i].unsigned_abs();
        let norm = (0..p.len()).try_fold(0u64, |sum, i| sum.checked_add(size(i)))?;
        (4..=MAX)
            .map(|reach| Ranges {
                m,
                offset: s.unsigned_abs() + 1,
                degree: p.len() as u64 - 1,
                leading: size(p.len() - 1),
                largest: (0..p.len()).map(size).max().unwrap_or(0),
                norm,
                power_norm,
                reach,
            })
            .find(Ranges::fits)
    }

    /// The limit 2^e of a closed element's last coefficient.
    pub(super) fn limit(&self) -> u64 {
        1 << self.reach
    }

    /// The limit of the last coefficient after additions.
    fn most(&self) -> i64 {
        1 << (self.reach + GROWTH)
    }

    /// The limit B of the lower coefficients of a closed element.
    pub(super) fn coefficient(&self) -> u64 {
        (1 << (self.m - 1)) + self.offset * self.limit()
    }

    /// The largest last coefficient of any element.
    pub(super) fn lazy_top(&self) -> u64 {
        self.most() as u64
    }

    fn fits(&self) -> bool {
        let splits = u128::from(self.offset) << self.reach <= 1 << (self.m.max(8) - 8);
        // the quotient of a closed element's last coefficient changes no other coefficient by more than z
        let closes = (u128::from(self.limit()) + 2) * u128::from(self.largest) <= 1 << self.m;
        let holds = self.norm + 4 <= self.limit();
        splits
            && closes
            && holds
            && self.product_units(self.lazy_top(), self.lazy_top()).is_some_and(|units| {
                u128::from(WEIGHT) * u128::from(units) + u128::from(self.power_norm) + 2 <= u128::from(self.limit())
            })
    }

    /// Returns V for last coefficients up to a and b; `None` where a product overflows two words.
    fn product_units(&self, a: u64, b: u64) -> Option<u64> {
        let wide = u128::from;
        let bound = wide(self.coefficient());
        let coefficient = bound
            .checked_mul(bound)?
            .checked_mul(wide(self.degree))?
            .checked_add(bound.checked_mul(wide(a) + wide(b))?)?
            .checked_add(bound.checked_mul(wide(self.norm) * wide(self.degree + 1))?)?
            .checked_add(1 << 66)?;
        if coefficient >= 1 << 127 {
            return None;
        }
        let high = (coefficient >> 64) + 1;
        let lower = (wide(self.offset) << (64 - self.m)).checked_mul(high)?.checked_add(1 << 64)?;
        let last = wide(a).checked_mul(wide(b))?.checked_add(high << (64 - self.m))?;
        u64::try_from((lower.max(last) >> self.m) + 1).ok()
    }

    /// Checks that the coefficients of an unreduced value can be split with `aside` units set aside.
    fn wide(&self, range: Range, aside: u64) -> Result<Range, String> {
        let (size, most) = (magnitude(range), self.limit() - aside);
        if size <= most { Ok(range) } else { Err(format!("an unreduced value of {size} units: at most {most}")) }
    }

    fn element(&self, range: Range) -> Result<Range, String> {
        let (size, most) = (magnitude(range), self.lazy_top());
        if size <= most { Ok(range) } else { Err(format!("a last coefficient of {size}: at most {most}")) }
    }
}

/// Returns the largest absolute value of a range.
fn magnitude(range: Range) -> u64 {
    range.low.unsigned_abs().max(range.high.unsigned_abs())
}

/// Returns the range [−x, x].
fn symmetric(x: u64) -> Range {
    Range::new(-(x as i64), x as i64)
}

impl Rules for Ranges {
    fn closed(&self) -> Range {
        symmetric(self.limit())
    }

    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        let (a, b) = (magnitude(self.element(a)?), magnitude(self.element(b)?));
        let units = self.product_units(a, b).ok_or("a product overflows two words")?;
        self.wide(symmetric(units), 0)
    }

    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.wide(Range::form(terms), 0)
    }

    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.wide(Range::form(terms), self.power_norm + 2).map(|_| self.closed())
    }

    fn add(&self, a: Range, b: Range, negative: bool) -> Result<Range, String> {
        let (low, high) = if negative { (-b.high, -b.low) } else { (b.low, b.high) };
        // the carry is −1, 0 or 1
        self.element(Range::new(a.low + low - 1, a.high + high + 1))
    }

    /// The quotient q is at most top/p_d + 2; a coefficient is then at most weight·B + q·‖p‖, its μ at most
    /// weight + q·‖p‖/2^m + 1, and the last coefficient 2·p_d + μ.
    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        let weight: u64 = terms.iter().map(|t| u64::from(t.coeff.unsigned_abs())).sum();
        let top = magnitude(Range::form(terms));
        let quotient = top / self.leading + 2;
        let carry = u128::from(weight) + ((u128::from(quotient) * u128::from(self.largest)) >> self.m) + 1;
        if top < 1 << 62 && carry + 2 * u128::from(self.leading) <= u128::from(self.limit()) {
            Ok(self.closed())
        } else {
            Err(format!("a sum of weight {weight} with a last coefficient of {top}: it does not close"))
        }
    }
}
