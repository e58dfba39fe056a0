//! The ranges of `Mont`, for the bounds analysis: elements in units of p, unreduced values in units of p·R.

use super::linear::MAX_WEIGHT;
use crate::bounds::{Machine, Range};
use crate::term::Term;

/// Canonical everywhere: an element is in [0, p), an unreduced value in [0, pR); only the weight of a form is limited.
pub struct Rules;

const CANONICAL: Range = Range::new(0, 1);

/// A form in (−m, n) needs n + m + `extra` ≤ MAX_WEIGHT for its masked subtractions.
fn weigh(what: &str, form: Range, extra: i64) -> Result<Range, String> {
    let weight = form.high - form.low + extra;
    if weight <= MAX_WEIGHT as i64 {
        Ok(CANONICAL)
    } else {
        Err(format!("{what} of weight {weight}: at most {MAX_WEIGHT}"))
    }
}

impl Machine for Rules {
    fn closed(&self) -> Range {
        CANONICAL
    }

    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        if a == CANONICAL && b == CANONICAL {
            Ok(CANONICAL)
        } else {
            Err("product of values that are not canonical".into())
        }
    }

    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("unreduced form", Range::form(terms), 0)
    }

    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("reduced form", Range::form(terms), 1)
    }

    fn add(&self, _: Range, _: Range, _: bool) -> Result<Range, String> {
        Ok(CANONICAL)
    }

    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        weigh("sum", Range::form(terms), 0)
    }
}
