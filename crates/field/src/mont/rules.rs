//! The ranges of `Mont`, for the bounds analysis: elements in units of p, unreduced values in units of p·R/2^40.

use super::linear::MAX_WEIGHT;
use super::room::{SPARE_BITS, SUBTRAHEND};
use crate::bounds::{Machine, Range};
use crate::term::Term;

/// p·R in the units of unreduced values.
const PR: i64 = 1 << 40;
const CANONICAL: Range = Range::new(0, 1);
const CANONICAL_WIDE: Range = Range::new(0, PR);

/// A modulus without spare bits: canonical everywhere, an element in [0, p), an unreduced value in [0, pR); only the weight
/// of a form is limited.
pub struct Tight;

/// A modulus with `spare` ≥ 16 spare bits: elements in [0, k·p), unreduced values in two's
/// complement.
pub struct Roomy {
    /// 64N − bits(p).
    pub spare: u32,
}

/// A form in (−m, n) units with n + m + `extra` ≤ MAX_WEIGHT fits the masked subtractions.
fn weigh(what: &str, form: Range, unit: i64, extra: i64) -> Result<(), String> {
    let weight = (form.high - form.low) / unit + extra;
    if weight <= MAX_WEIGHT as i64 { Ok(()) } else { Err(format!("{what} of weight {weight}: at most {MAX_WEIGHT}")) }
}

impl Machine for Tight {
    fn closed(&self) -> Range {
        CANONICAL
    }

    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        if a == CANONICAL && b == CANONICAL {
            Ok(CANONICAL_WIDE)
        } else {
            Err("product of values that are not canonical".into())
        }
    }

    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("unreduced form", Range::form(terms), PR, 0).map(|()| CANONICAL_WIDE)
    }

    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("reduced form", Range::form(terms), PR, 1).map(|()| CANONICAL)
    }

    fn add(&self, _: Range, _: Range, _: bool) -> Result<Range, String> {
        Ok(CANONICAL)
    }

    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("sum", Range::form(terms), 1, 0).map(|()| CANONICAL)
    }
}

impl Roomy {
    /// Elements stay below 2^(s − 1)·p ≤ 2^(64N − 1); more than 15 bits are never asked for.
    fn element(&self, range: Range) -> Result<Range, String> {
        let most = 1 << (self.spare - 1).min(SPARE_BITS - 1);
        if range.low >= 0 && range.high <= most {
            Ok(range)
        } else {
            Err(format!("an element in [{}p, {}p]: at most {most}p fits", range.low, range.high))
        }
    }

    /// The value must fit 2N words with its sign: below 2^(s − 1)·pR, of which 2^15·pR is all that is used.
    fn fits(range: Range) -> Result<Range, String> {
        if range.high.max(-range.low) < PR << (SPARE_BITS - 1) {
            Ok(range)
        } else {
            Err("an unreduced value overflows its words".into())
        }
    }
}

impl Machine for Roomy {
    fn closed(&self) -> Range {
        Range::new(0, 3)
    }

    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        let (a, b) = (self.element(a)?, self.element(b)?);
        // a·b·p² = a·b·2^(−s)·pR, rounded up; a·b < 2^30
        let units = a.high * b.high;
        let scaled = if self.spare >= 40 { units >> (self.spare - 40).min(62) } else { units << (40 - self.spare) };
        Self::fits(Range::new(0, scaled + 1))
    }

    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        Self::fits(Range::form(terms))
    }

    /// A form that may be negative must be above −pR, which is added; then (t + mp)/R < t/R + p.
    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        let form = Self::fits(Range::form(terms))?;
        if form.low < -PR {
            return Err(format!("a reduced form may be below {}/2^40 of p·R: at least −p·R is needed", form.low));
        }
        let lift = if form.low < 0 { PR } else { 0 };
        self.element(Range::new(0, (form.high + lift + PR - 1) / PR + 1))
    }

    fn add(&self, a: Range, b: Range, negative: bool) -> Result<Range, String> {
        let most = i64::from(SUBTRAHEND);
        match negative {
            true if b.high > most => Err(format!("a subtrahend of up to {}p: at most {most}p is allowed", b.high)),
            true => self.element(Range::new(0, a.high + most)),
            false => self.element(Range::new(0, a.high + b.high)),
        }
    }

    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        let most = i64::from(SUBTRAHEND);
        let lift: i64 = terms.iter().filter(|t| t.coeff < 0).map(|t| -i64::from(t.coeff) * most).sum();
        let form = Range::form(terms);
        if let Some(t) = terms.iter().find(|t| t.coeff < 0 && t.value.high > most) {
            return Err(format!("a subtrahend of up to {}p in a sum: at most {most}p is allowed", t.value.high));
        }
        self.element(Range::new(0, form.high + lift)).map(|_| self.closed())
    }
}
