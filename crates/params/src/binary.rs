//! Supersingular curves over F_2^m: y^2 + y = x^3 + x + b of genus 1, m a prime above 3, embedding degree 4; y^2 + y = x^5 + x^3 + d of
//! genus 2, m a prime that is 1 modulo 6, embedding degree 12. The constant, b or d, is 0 or 1.
//!
//! Genus 1: #E(F_2^m) = 2^m + s 2^((m + 1)/2) + 1 for a sign s, which is (-1)^b for m = +-1 mod 8 and -(-1)^b otherwise. Genus 2: the
//! Jacobian has 2^2m + 2^m + 1 + s (2^((3m + 1)/2) + 2^((m + 1)/2)) elements, where s is (-1)^d for m = 1, 7, 17, 23 mod 24 and -(-1)^d
//! otherwise (Barreto, Galbraith, O hEigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007). The pairing lives on the subgroup of
//! prime order r, where r times a small h is this number.
//!
//! The second argument goes through the distortion map. Genus 1: (x, y) -> (x + s + 1, y + s x + t), s^2 = s + 1, t^2 = t + s. Genus 2:
//! (x, y) -> (x + w, y + (w^4 + 1) x^2 + (w^4 + w^2) x + s), w^6 + w^5 + w^3 + w^2 + 1 = 0, s^2 = s + w^5 + w^3. The loop of this pairing
//! octuples, which requires m to be 1 modulo 6.
//!
//! Discrete logarithms in F_2^4m and F_2^12m take quasi-polynomial time: no such curve is secure, whatever its size.

use num_bigint::BigUint;
use num_traits::One;

use crate::Error;
use crate::binary_field;
use crate::integer::without_cofactor;
use crate::origin::{KeyNames, Origin};

/// The genus of a curve over F_2^m.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Genus {
    /// y^2 + y = x^3 + x + b: the groups hold points.
    One,
    /// y^2 + y = x^5 + x^3 + d: the groups hold divisors.
    Two,
}

impl Genus {
    /// The family's name in TOML files.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "ss2",
            Self::Two => "hss2",
        }
    }

    /// The name of the constant.
    pub(crate) fn constant(self) -> &'static str {
        match self {
            Self::One => "b",
            Self::Two => "d",
        }
    }
}

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
    pub(crate) genus: Genus,
    /// The exponents of the field's polynomial, the highest first.
    pub(crate) polynomial: Vec<u64>,
    /// The constant of the equation.
    pub(crate) b: bool,
    pub(crate) h: BigUint,
}

impl Binary {
    /// The genus of the curve.
    pub fn genus(&self) -> Genus {
        self.parts.genus
    }

    /// The degree of the field, a prime.
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

    /// Returns true if the constant of the equation, b or d, is 1.
    pub fn b(&self) -> bool {
        self.parts.b
    }

    /// The order of the pairing groups, an odd prime.
    pub fn r(&self) -> &BigUint {
        &self.r
    }

    /// The cofactor, odd and prime to r: the number of points, or of elements of the Jacobian, divided by r.
    pub fn h(&self) -> &BigUint {
        &self.parts.h
    }

    /// The embedding degree: 4 for genus 1, 12 for genus 2.
    pub fn k(&self) -> u32 {
        match self.genus() {
            Genus::One => 4,
            Genus::Two => 12,
        }
    }

    /// Returns true if the sign s in the number of points, or of elements of the Jacobian, is 1.
    pub fn is_plus(&self) -> bool {
        self.parts.is_plus(self.m())
    }

    /// Performs the costly half of validation: checks that the polynomial is irreducible and r prime.
    pub(crate) fn verify(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        binary_field::verify(self.exponents(), &self.r, origin, words)
    }
}

impl Parts {
    /// Performs the cheap half of validation and derives r.
    pub(crate) fn check(self, origin: &Origin, words: KeyNames) -> Result<Binary, Error> {
        let (suits, expected, number): (fn(u64) -> bool, _, _) = match self.genus {
            Genus::One => {
                (|m| m > 3, "the exponents of an odd number of terms, from a prime above 3 down to 0", POINTS)
            }
            Genus::Two => (
                |m| m % 6 == 1,
                "the exponents of an odd number of terms, from a prime that is 1 modulo 6 down to 0",
                ELEMENTS,
            ),
        };
        let m = binary_field::check(&self.polynomial, suits, expected, origin, words)?;
        let power = |e: u64| BigUint::one() << e;
        let (whole, half) = match self.genus {
            Genus::One => (power(m) + 1u8, power(m.div_ceil(2))),
            Genus::Two => (power(2 * m) + power(m) + 1u8, power((3 * m).div_ceil(2)) + power(m.div_ceil(2))),
        };
        let elements = if self.is_plus(m) { whole + half } else { whole - half };
        let refused = || Error::OrderCofactor { at: origin.at(&words.parameter("h")), number };
        let r = without_cofactor(&elements, &self.h).ok_or_else(refused)?;
        Ok(Binary { parts: self, q: power(m), r })
    }

    /// Returns true if s = 1 over F_2^m.
    fn is_plus(&self, m: u64) -> bool {
        let like_b_0 = match self.genus {
            Genus::One => matches!(m % 8, 1 | 7),
            Genus::Two => matches!(m % 24, 1 | 7 | 17 | 23),
        };
        like_b_0 != self.b
    }
}

/// The number that h divides for genus 1, in the words of messages.
const POINTS: &str = "the number of points, 2^m + 2^((m + 1)/2) + 1 or 2^m - 2^((m + 1)/2) + 1 for this b,";

/// The number that h divides for genus 2.
const ELEMENTS: &str =
    "the order of the Jacobian, 2^2m + 2^m + 1 plus or minus 2^((3m + 1)/2) + 2^((m + 1)/2) for this d,";
