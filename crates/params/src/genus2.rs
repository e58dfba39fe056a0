//! Supersingular curves y^2 + y = x^5 + x^3 + d of genus 2 over F_2^m, d = 0 or 1, m a prime that is 1 modulo 6, embedding degree 12.
//!
//! The Jacobian has 2^2m + 2^m + 1 + s (2^((3m + 1)/2) + 2^((m + 1)/2)) elements for a sign s, which is (-1)^d for m = 1, 7, 17, 23 mod 24 and
//! -(-1)^d otherwise (Barreto, Galbraith, O hEigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007). The pairing lives on its subgroup of
//! prime order r; the second argument goes through the distortion map (x, y) -> (x + w, y + (w^4 + 1) x^2 + (w^4 + w^2) x + s), w^6 + w^5 + w^3 +
//! w^2 + 1 = 0, s^2 = s + w^5 + w^3. The loop of the pairing octuples, which requires m to be 1 modulo 6.
//!
//! Discrete logarithms in F_2^12m take quasi-polynomial time: no curve of this family is secure, whatever its size.

use num_bigint::BigUint;
use num_traits::One;

use crate::Error;
use crate::binary_field;
use crate::integer::without_cofactor;
use crate::origin::{KeyNames, Origin};

/// The parameters of a supersingular curve of genus 2 over F_2^m, consistent as described in the crate's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genus2 {
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
    pub(crate) d: bool,
    pub(crate) h: BigUint,
}

impl Genus2 {
    /// The degree of the field, a prime that is 1 modulo 6.
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

    /// Returns true if d = 1.
    pub fn d(&self) -> bool {
        self.parts.d
    }

    /// The order of the pairing groups, an odd prime.
    pub fn r(&self) -> &BigUint {
        &self.r
    }

    /// The cofactor: the number of elements of the Jacobian divided by r, odd and prime to r.
    pub fn h(&self) -> &BigUint {
        &self.parts.h
    }

    /// The embedding degree: 12.
    pub fn k(&self) -> u32 {
        12
    }

    /// Returns true if the sign in the number of elements of the Jacobian is 1.
    pub fn is_plus(&self) -> bool {
        is_plus(self.m(), self.parts.d)
    }

    /// Performs the costly half of validation: checks that the polynomial is irreducible and r prime.
    pub(crate) fn verify(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        binary_field::verify(self.exponents(), &self.r, origin, words)
    }
}

impl Parts {
    /// Performs the cheap half of validation and derives r.
    pub(crate) fn check(self, origin: &Origin, words: KeyNames) -> Result<Genus2, Error> {
        let expected = "the exponents of an odd number of terms, from a prime that is 1 modulo 6 down to 0";
        let m = binary_field::check(&self.polynomial, |m| m % 6 == 1, expected, origin, words)?;
        let power = |e: u64| BigUint::one() << e;
        let (whole, half) = (power(2 * m) + power(m) + 1u8, power((3 * m).div_ceil(2)) + power(m.div_ceil(2)));
        let elements = if is_plus(m, self.d) { whole + half } else { whole - half };
        let refused = || Error::OrderCofactor { at: origin.at(&words.parameter("h")), number: ELEMENTS };
        let r = without_cofactor(&elements, &self.h).ok_or_else(refused)?;
        Ok(Genus2 { parts: self, q: power(m), r })
    }
}

/// The number that h divides, in the words of messages.
const ELEMENTS: &str =
    "the order of the Jacobian, 2^2m + 2^m + 1 plus or minus 2^((3m + 1)/2) + 2^((m + 1)/2) for this d,";

/// Returns true if the sign in the number of elements of the Jacobian is 1.
fn is_plus(m: u64, d: bool) -> bool {
    matches!(m % 24, 1 | 7 | 17 | 23) != d
}
