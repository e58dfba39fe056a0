//! Orders with few signed binary digits, as in PBC's types A and E.

use num_bigint::{BigInt, BigUint};

use crate::integer::MAX_FIELD_BITS;

/// The form of an order: r = 2^exp2 + sign1 2^exp1 + sign0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solinas {
    /// The larger exponent.
    pub exp2: u32,
    /// The smaller exponent.
    pub exp1: u32,
    /// The sign of 2^exp1: 1 or -1.
    pub sign1: i8,
    /// The constant term: 1 or -1.
    pub sign0: i8,
}

impl Solinas {
    /// Returns the integer, if it is positive and its exponents are within the supported size.
    pub(crate) fn value(&self) -> Option<BigUint> {
        let limit = MAX_FIELD_BITS as u32;
        if self.exp2 > limit || self.exp1 > limit {
            return None;
        }
        let term = |sign: i8, exponent: u32| BigInt::from(sign) << exponent;
        (term(1, self.exp2) + term(self.sign1, self.exp1) + term(self.sign0, 0)).to_biguint()
    }
}
