//! The counting machine: it holds no values and counts operations.
//!
//! Because a pairing is data-independent, running it over this engine gives the exact operation table of the code that
//! ships, so that a cost in a comment can be a test.

use crate::contract::{Field, Prime};
use crate::term::Term;
use num_bigint::BigUint;
use std::fmt;
use std::ops::{Add, Mul, Sub};
use std::sync::{Arc, Mutex, PoisonError};

/// Operations on base-field elements. A modular product is one `mul` and one `reduction`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Products of two elements, unreduced.
    pub mul: u64,
    /// Squares, unreduced.
    pub sqr: u64,
    /// Reductions of a sum of products.
    pub reduction: u64,
    /// Linear operations on elements: additions, subtractions, sums.
    pub linear: u64,
    /// Linear forms on unreduced values, apart from those folded into a reduction.
    pub wide: u64,
    /// Inversions.
    pub inversion: u64,
}

impl Tally {
    /// Combines each count with that of another tally.
    fn with(self, o: Tally, combine: impl Fn(u64, u64) -> u64) -> Tally {
        Tally {
            mul: combine(self.mul, o.mul),
            sqr: combine(self.sqr, o.sqr),
            reduction: combine(self.reduction, o.reduction),
            linear: combine(self.linear, o.linear),
            wide: combine(self.wide, o.wide),
            inversion: combine(self.inversion, o.inversion),
        }
    }
}

impl Add for Tally {
    type Output = Tally;
    fn add(self, o: Tally) -> Tally {
        self.with(o, u64::add)
    }
}

impl Sub for Tally {
    type Output = Tally;
    fn sub(self, o: Tally) -> Tally {
        self.with(o, u64::sub)
    }
}

impl Mul<u64> for Tally {
    type Output = Tally;
    fn mul(self, n: u64) -> Tally {
        self.with(self, |count, _| count * n)
    }
}

impl fmt::Display for Tally {
    /// Formats the tally as in the papers: `10M + 7S + 15R`, then the other counts that are not 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}M + {}S + {}R", self.mul, self.sqr, self.reduction)?;
        for (n, name) in [(self.linear, "linear"), (self.wide, "wide"), (self.inversion, "I")] {
            if n > 0 {
                write!(f, " + {n} {name}")?;
            }
        }
        Ok(())
    }
}

/// A counting field with the interface of F_p. Clones share their tally.
#[derive(Clone)]
pub struct Count {
    p: Arc<BigUint>,
    tally: Arc<Mutex<Tally>>,
}

impl Count {
    /// Creates a counter for the field of p elements.
    pub fn new(p: &BigUint) -> Self {
        Count { p: Arc::new(p.clone()), tally: Arc::default() }
    }

    /// Returns the operations counted since the start.
    pub fn tally(&self) -> Tally {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the cost of `work`.
    pub fn of<T>(&self, work: impl FnOnce() -> T) -> Tally {
        let before = self.tally();
        work();
        self.tally() - before
    }

    fn note(&self, event: impl FnOnce(&mut Tally)) {
        event(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Field for Count {
    type Elem = ();
    type Wide = ();
    type Mask = ();

    fn zero(&self) {}

    fn one(&self) {}

    fn mul_wide(&self, _: &mut (), _: &(), _: &()) {
        self.note(|t| t.mul += 1);
    }

    fn sqr_wide(&self, _: &mut (), _: &()) {
        self.note(|t| t.sqr += 1);
    }

    fn lin(&self, _: &mut (), _: &[Term<()>]) {
        self.note(|t| t.wide += 1);
    }

    fn reduce(&self, _: &mut (), _: &[Term<()>]) {
        self.note(|t| t.reduction += 1);
    }

    fn add(&self, _: &mut (), _: &(), _: &()) {
        self.note(|t| t.linear += 1);
    }

    fn sum(&self, _: &mut (), _: &[Term<()>]) {
        self.note(|t| t.linear += 1);
    }

    fn inv(&self, _: &mut (), _: &()) {
        self.note(|t| t.inversion += 1);
    }

    fn select(&self, _: &mut (), _: (), _: &(), _: &()) {}

    fn is_zero(&self, _: &()) {}

    fn mask(&self, _: bool) {}

    fn mask_from(&self, _: &[bool]) {}

    fn and(&self, _: (), _: ()) {}

    fn not(&self, _: ()) {}
}

impl Prime for Count {
    type Uniform = ();

    fn modulus(&self) -> &BigUint {
        &self.p
    }

    fn constant(&self, _: &BigUint) {}

    fn is_odd(&self, _: &()) {}

    fn uniform(&self, (): &()) {}

    fn broadcast(&self, (): &mut (), (): &()) {}
}
