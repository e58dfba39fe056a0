//! Supersingular curves y^2 + y = x^3 + x + b over F_2^m, b = 0 or 1, m an odd prime, embedding degree 4.
//!
//! #E(F_2^m) = 2^m + nu 2^((m + 1)/2) + 1, where nu is (-1)^b for m = +-1 mod 8 and -(-1)^b otherwise (Barreto, Galbraith, O
//! hEigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007). The pairing lives on the subgroup of prime order r = #E/h,
//! h small; the second argument goes through the distortion map (x, y) -> (x + s + 1, y + s x + t), s^2 = s + 1, t^2 = t + s.
//!
//! Discrete logarithms in F_2^4m take quasi-polynomial time: no curve of this family is secure, whatever its size.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::Error;
use crate::integer::{is_prime, without_cofactor};
use crate::origin::{Origin, Words};

/// The largest degree of a field.
const MAX_DEGREE: u64 = 1280;

/// The parameters of a supersingular curve over F_2^m, consistent as described in the crate's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    parts: Parts,
    /// 2^m.
    q: BigUint,
    r: BigUint,
}

/// A description before it has been found consistent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The exponents of the field's polynomial, the highest first.
    pub(crate) polynomial: Vec<u64>,
    pub(crate) b: bool,
    pub(crate) h: BigUint,
}

impl Binary {
    /// The degree of the field, an odd prime.
    pub fn m(&self) -> u64 {
        self.parts.polynomial.first().copied().unwrap_or(0)
    }

    /// The exponents of the polynomial that defines the field, from m down to 0.
    pub fn exponents(&self) -> &[u64] {
        &self.parts.polynomial
    }

    /// The polynomial, bit i the coefficient of x^i.
    pub fn polynomial(&self) -> BigUint {
        polynomial(self.exponents())
    }

    /// 2^m, the number of elements of the field.
    pub fn q(&self) -> &BigUint {
        &self.q
    }

    /// Whether b = 1.
    pub fn b(&self) -> bool {
        self.parts.b
    }

    /// The order of the pairing groups, an odd prime.
    pub fn r(&self) -> &BigUint {
        &self.r
    }

    /// #E / r, odd and prime to r.
    pub fn h(&self) -> &BigUint {
        &self.parts.h
    }

    /// The embedding degree: 4.
    pub fn k(&self) -> u32 {
        4
    }

    /// Whether nu = 1, so that #E is above 2^m.
    pub fn is_above(&self) -> bool {
        is_above(self.m(), self.parts.b)
    }

    /// The costly half of validation: that the polynomial is irreducible and r prime.
    pub(crate) fn verify(&self, origin: &Origin, words: Words) -> Result<(), Error> {
        if !is_irreducible(self.exponents()) {
            return Err(Error::Reducible { at: origin.at(&words.parameter("polynomial")) });
        }
        if !is_prime(&self.r) {
            return Err(Error::OrderComposite { at: origin.at(&words.parameter("h")) });
        }
        Ok(())
    }
}

impl Parts {
    /// The cheap half of validation; derives r.
    pub(crate) fn check(self, origin: &Origin, words: Words) -> Result<Binary, Error> {
        let at = |name: &str| origin.at(&words.parameter(name));
        let m = self.polynomial.first().copied().unwrap_or(0);
        if m > MAX_DEGREE {
            return Err(Error::TooManyBits { at: at("polynomial"), limit: MAX_DEGREE });
        }
        let falls = self.polynomial.windows(2).all(|pair| pair[0] > pair[1]);
        // a prime m that is odd, and no factor x or x + 1, which a polynomial of an even number of terms has
        let odd_prime = m > 2 && is_prime(&BigUint::from(m));
        if !falls || !odd_prime || self.polynomial.last() != Some(&0) || self.polynomial.len().is_multiple_of(2) {
            let expected = "the exponents of an odd number of terms, from an odd prime down to 0";
            return Err(Error::WrongType { at: at("polynomial"), expected });
        }
        let q = BigUint::one() << m;
        let half = BigUint::one() << m.div_ceil(2);
        let points = if is_above(m, self.b) { &q + half + 1u8 } else { &q - half + 1u8 };
        let refused = || Error::OrderCofactor { at: at("h"), number: POINTS };
        let r = without_cofactor(&points, &self.h).ok_or_else(refused)?;
        Ok(Binary { parts: self, q, r })
    }
}

/// What h divides.
const POINTS: &str = "the number of points, 2^m + 2^((m + 1)/2) + 1 or 2^m - 2^((m + 1)/2) + 1 for this b,";

/// Whether nu = 1.
fn is_above(m: u64, b: bool) -> bool {
    matches!(m % 8, 1 | 7) != b
}

/// The polynomial of these exponents, bit i the coefficient of x^i.
pub(crate) fn polynomial(exponents: &[u64]) -> BigUint {
    exponents.iter().fold(BigUint::zero(), |f, i| f | (BigUint::one() << *i))
}

/// Whether a polynomial f without linear factors, of prime degree m, is irreducible: x^(2^m) = x modulo f leaves factors of
/// degree 1 and m alone.
pub(crate) fn is_irreducible(exponents: &[u64]) -> bool {
    let (f, m) = (polynomial(exponents), exponents.first().copied().unwrap_or(0));
    let x = BigUint::from(2u8);
    let mut power = x.clone();
    for _ in 0..m {
        let mut square = spread(&power);
        while square.bits() > m {
            square ^= &f << (square.bits() - 1 - m);
        }
        power = square;
    }
    power == x
}

/// The square of a polynomial: a 0 after each bit.
fn spread(a: &BigUint) -> BigUint {
    let word = |byte: u8| (0..8).filter(|i| byte >> i & 1 == 1).fold(0u16, |out, i| out | 1 << (2 * i));
    let bytes: Vec<u8> = a.to_bytes_le().into_iter().flat_map(|byte| word(byte).to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_5_and_7_by_trial_division() {
        for m in [5u64, 7] {
            for bits in 0..1u64 << (m - 1) {
                let f = 1 << m | bits << 1 | 1;
                let exponents: Vec<u64> = (0..=m).rev().filter(|i| f >> i & 1 == 1).collect();
                let divides = |d: u64| {
                    let (mut rest, top) = (f, d.ilog2());
                    while rest > 0 && rest.ilog2() >= top {
                        rest ^= d << (rest.ilog2() - top);
                    }
                    rest == 0
                };
                let irreducible = !(2..1 << (m / 2 + 1)).any(divides);
                // an even number of terms has the factor x + 1
                assert_eq!(exponents.len() % 2 == 1 && is_irreducible(&exponents), irreducible, "{f:b}");
            }
        }
    }
}
