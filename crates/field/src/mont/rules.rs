//! The ranges of `Mont`, for the bounds analysis: elements in units of p, unreduced values in units of p·R/2^40.

use super::roomy::{BIAS_BITS, SPARE_BITS, SUBTRAHEND};
use super::tight::{LAZY, TAKES_SUMS, WEIGHT_BITS};
use crate::bounds::{Range, Rules, saturated};
use crate::term::{Term, plus};

/// p·R in the units of unreduced values.
const PR: i64 = 1 << 40;
const CANONICAL: Range = Range::new(0, 1);
/// The range of a sum of two elements that is not corrected.
const LOOSE: Range = Range::new(0, 2);

/// The rules for fewer than 16 spare bits: an element is in [0, p), an unreduced value within ±2^12·pR.
pub(super) struct TightRules {
    /// 64n − bits(p).
    pub(super) spare: u32,
}

/// The rules for at least 16 spare bits: elements are in [0, k·p), unreduced values in two's complement.
pub(super) struct RoomyRules {
    /// 64n − bits(p).
    pub(super) spare: u32,
}

/// Returns the range of a form, which must stay within ±2^12 units, whatever the signs of its values. So the fused
/// products, which sum in another order than the analysed formulas, are covered too.
fn weigh(what: &str, terms: &[Term<Range>], unit: i64) -> Result<Range, String> {
    let weights = terms.iter().map(|t| i128::from(t.coeff.unsigned_abs()) * i128::from(t.value.high.max(-t.value.low)));
    let weight = saturated(weights.sum());
    if weight <= unit << WEIGHT_BITS {
        Ok(Range::new(-weight, weight))
    } else {
        Err(format!("{what} of weight {}: at most {}", weight / unit, 1 << WEIGHT_BITS))
    }
}

impl Rules for TightRules {
    fn closed(&self) -> Range {
        CANONICAL
    }

    /// The range is four times the product where the operands of fused products are sums of two elements.
    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        let of_sums = if self.spare >= LAZY { 4 } else { 1 };
        if [a, b].iter().all(|x| x.low >= 0 && x.high <= LOOSE.high) {
            Ok(Range::new(0, (of_sums * a.high * b.high * PR) >> self.spare))
        } else {
            Err("product of values that are not canonical".into())
        }
    }

    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("unreduced form", terms, PR)
    }

    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("reduced form", terms, PR).map(|_| CANONICAL)
    }

    fn add(&self, _: Range, _: Range, _: bool) -> Result<Range, String> {
        Ok(CANONICAL)
    }

    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("sum", terms, 1).map(|_| CANONICAL)
    }

    fn loose(&self, _: Range, _: Range) -> Result<Range, String> {
        Ok(if self.spare >= TAKES_SUMS { LOOSE } else { CANONICAL })
    }

    fn three_forms(&self, terms: &[Term<Range>], _: Range) -> Result<Range, String> {
        // 3·(2^12·pR + form) ± 2xR stays in [0, 2^15·pR)
        let beside = Range::new(0, PR);
        let all: Vec<Term<Range>> = terms.iter().copied().chain([plus(&beside)]).collect();
        weigh("three times a form", &all, PR).map(|_| CANONICAL)
    }
}

/// Returns true if a form may be negative by its formula, even if none of its values ever is.
fn signed(terms: &[Term<Range>]) -> bool {
    terms.iter().any(|t| t.coeff < 0 || t.value.low < 0)
}

impl RoomyRules {
    /// Elements stay below 2^(s − 1)·p ≤ 2^(64n − 1); more than 15 bits are never needed.
    fn element(&self, range: Range) -> Result<Range, String> {
        let most = 1 << (self.spare - 1).min(SPARE_BITS - 1);
        if range.low >= 0 && range.high <= most {
            Ok(range)
        } else {
            Err(format!("an element in [{}p, {}p]: at most {most}p fits", range.low, range.high))
        }
    }

    /// An unreduced value must fit 2n words with its sign: below 2^(s − 1)·pR, of which only 2^15·pR is used.
    fn fits(range: Range) -> Result<Range, String> {
        if range.high.max(-range.low) < PR << (SPARE_BITS - 1) {
            Ok(range)
        } else {
            Err("an unreduced value overflows its words".into())
        }
    }
}

impl Rules for RoomyRules {
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

    /// A form that may be negative by its formula stays so in later forms.
    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        let form = Self::fits(Range::form(terms))?;
        Ok(if signed(terms) { Range { low: form.low.min(-1), ..form } } else { form })
    }

    /// A form that may be negative must be above −pR, since pR is added. The reduction of t is below
    /// t/R + p + 2p/2^64, and p·2^−40 is more than the last term.
    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        let form = Self::fits(Range::form(terms))?;
        if form.low < -PR {
            return Err(format!("a reduced form may be below {}/2^40 of p·R: at least −p·R is needed", form.low));
        }
        let bias = if signed(terms) { PR } else { 0 };
        self.element(Range::new(0, (form.high + bias + PR) / PR + 1))
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
        let bias = 1 << BIAS_BITS;
        let form = Range::form(terms);
        if let [Term { coeff: 1, .. }, Term { coeff: -1, value }] = terms
            && value.high > most
        {
            return Err(format!("a subtrahend of up to {}p in a sum: at most {most}p is allowed", value.high));
        }
        if form.low < -bias {
            return Err(format!("a sum may be {}p: at least −{bias}p is needed", form.low));
        }
        self.element(Range::new(0, form.high + bias)).map(|_| self.closed())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::ranges::largest;
    use crate::term::times;

    /// If the rule were laxer by one bit, the product of two elements that it allows would not fit.
    #[test]
    fn the_largest_elements_can_be_multiplied() {
        for spare in SPARE_BITS..64 {
            let rules = RoomyRules { spare };
            let sum = |high: i64| rules.add(Range::new(0, high), Range::default(), false);
            let most = largest(1 << 20, |high| sum(high).is_ok());
            assert_eq!(most, Some(1 << 15), "{spare} spare bits");
            let highest = sum(1 << 15).unwrap();
            assert!(rules.product(highest, highest).is_ok(), "{spare} spare bits");
        }
    }

    #[test]
    fn sums_beyond_their_words_are_refused() {
        let heavy = Range::new(-(PR << WEIGHT_BITS), PR << WEIGHT_BITS);
        // 2^63 and 2^64 units
        for count in [32, 64] {
            let terms = vec![times(64, &heavy); count];
            assert!(TightRules { spare: 0 }.lin(&terms).is_err(), "{count} terms, tight");
            assert!(RoomyRules { spare: 16 }.lin(&terms).is_err(), "{count} terms, roomy");
        }
    }
}
