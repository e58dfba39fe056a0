//! Supersingular curves y^2 + y = x^3 + x + b over F_2^m, b = 0 or 1, m a prime above 3, embedding degree 4.
//!
//! #E(F_2^m) = 2^m + nu 2^((m + 1)/2) + 1, where nu is (-1)^b for m = +-1 mod 8 and -(-1)^b otherwise (Barreto, Galbraith, O
//! hEigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007). The pairing lives on the subgroup of prime order r = #E/h,
//! h small; the second argument goes through the distortion map (x, y) -> (x + s + 1, y + s x + t), s^2 = s + 1, t^2 = t + s.
//!
//! Discrete logarithms in F_2^4m take quasi-polynomial time: no curve of this family is secure, whatever its size.

use num_bigint::BigUint;
use num_traits::One;

use crate::Error;
use crate::binary_field;
use crate::integer::without_cofactor;
use crate::origin::{KeyNames, Origin};

/// The parameters of a supersingular curve over F_2^m, consistent as described in the crate's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    parts: Parts,
    /// The number of elements of the field, 2^m.
    q: BigUint,
    r: BigUint,
}

/// The parameters of a description before the consistency checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The exponents of the field's polynomial, the highest first.
    pub(crate) polynomial: Vec<u64>,
    pub(crate) b: bool,
    pub(crate) h: BigUint,
}

impl Binary {
    /// The degree of the field, a prime above 3.
    pub fn m(&self) -> u64 {
        self.parts.polynomial.first().copied().unwrap_or(0)
    }

    /// The exponents of the polynomial that defines the field, from m down to 0.
    pub fn exponents(&self) -> &[u64] {
        &self.parts.polynomial
    }

    /// The polynomial that defines the field, with the coefficient of x^i in bit i.
    pub fn polynomial(&self) -> BigUint {
        binary_field::polynomial(self.exponents())
    }

    /// 2^m, the number of elements of the field.
    pub fn q(&self) -> &BigUint {
        &self.q
    }

    /// Returns true if b = 1.
    pub fn b(&self) -> bool {
        self.parts.b
    }

    /// The order of the pairing groups, an odd prime.
    pub fn r(&self) -> &BigUint {
        &self.r
    }

    /// The cofactor #E / r, odd and prime to r.
    pub fn h(&self) -> &BigUint {
        &self.parts.h
    }

    /// The embedding degree: 4.
    pub fn k(&self) -> u32 {
        4
    }

    /// Returns true if nu = 1, so that #E is above 2^m.
    pub fn is_plus(&self) -> bool {
        is_plus(self.m(), self.parts.b)
    }

    /// Performs the costly half of validation: checks that the polynomial is irreducible and r prime.
    pub(crate) fn verify(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        binary_field::verify(self.exponents(), &self.r, origin, words)
    }
}

impl Parts {
    /// Performs the cheap half of validation and derives r.
    pub(crate) fn check(self, origin: &Origin, words: KeyNames) -> Result<Binary, Error> {
        let expected = "the exponents of an odd number of terms, from a prime above 3 down to 0";
        let m = binary_field::check(&self.polynomial, |m| m > 3, expected, origin, words)?;
        let q = BigUint::one() << m;
        let half = BigUint::one() << m.div_ceil(2);
        let points = if is_plus(m, self.b) { &q + half + 1u8 } else { &q - half + 1u8 };
        let refused = || Error::OrderCofactor { at: origin.at(&words.parameter("h")), number: POINTS };
        let r = without_cofactor(&points, &self.h).ok_or_else(refused)?;
        Ok(Binary { parts: self, q, r })
    }
}

/// The number that h divides, in the words of messages.
const POINTS: &str = "the number of points, 2^m + 2^((m + 1)/2) + 1 or 2^m - 2^((m + 1)/2) + 1 for this b,";

/// Returns true if nu = 1.
fn is_plus(m: u64, b: bool) -> bool {
    matches!(m % 8, 1 | 7) != b
}
