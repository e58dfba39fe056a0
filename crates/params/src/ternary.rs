//! Supersingular curves y^2 = x^3 - x + b over F_3^m, b = 1 or -1, m prime to 6, embedding degree 6: PBC's type I.
//!
//! #E(F_3^m) = 3^m + s 3^((m + 1)/2) + 1 for a sign s, which is b for m = +-1 mod 12 and -b otherwise (Barreto, Galbraith, O hEigeartaigh, Scott,
//! Designs, Codes and Cryptography 42, 2007). The pairing lives on the subgroup of prime order r = #E/h; the second argument goes through the
//! distortion map (x, y) -> (rho - x, sigma y), sigma^2 = -1, rho^3 = rho + b.
//!
//! Discrete logarithms in F_3^6m take quasi-polynomial time: no curve of this family is secure, whatever its size.

use num_bigint::BigUint;
use num_integer::Integer as _;

use crate::Error;
use crate::binary_field::check_shifts;
use crate::integer::{is_prime, without_cofactor};
use crate::origin::{KeyNames, Origin};

/// The largest degree of a field.
const MAX_DEGREE: u64 = 512;

/// The parameters of a supersingular curve over F_3^m, consistent as described in the crate's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ternary {
    parts: Parts,
    /// The number of elements of the field, 3^m.
    q: BigUint,
    r: BigUint,
}

/// The parameters of a description before the consistency checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The exponents of the field's polynomial, the highest first.
    pub(crate) polynomial: Vec<u64>,
    /// The coefficients of the polynomial's terms, 1 or 2.
    pub(crate) coefficients: Vec<u64>,
    /// Whether b = 1.
    pub(crate) b: bool,
    pub(crate) h: BigUint,
}

/// Returns the keys of the degree, of the polynomial, and of the cofactor in a format.
fn keys(words: KeyNames) -> [String; 3] {
    match words {
        KeyNames::Toml => ["polynomial", "polynomial", "h"].map(|name| words.parameter(name)),
        KeyNames::Pbc => ["m", "t", "n2"].map(str::to_owned),
    }
}

impl Ternary {
    /// The degree of the field, prime to 6.
    pub fn m(&self) -> u64 {
        self.parts.polynomial.first().copied().unwrap_or(0)
    }

    /// The exponents of the polynomial that defines the field, from m down to 0.
    pub fn exponents(&self) -> &[u64] {
        &self.parts.polynomial
    }

    /// The coefficients of the polynomial's terms: 1 or 2, and 1 for the first.
    pub fn coefficients(&self) -> &[u64] {
        &self.parts.coefficients
    }

    /// The polynomial that defines the field, as an integer: the sum of c 3^i for terms c x^i.
    pub fn polynomial(&self) -> BigUint {
        let terms = self.parts.polynomial.iter().zip(&self.parts.coefficients);
        terms.map(|(i, c)| BigUint::from(3u8).pow(*i as u32) * c).sum()
    }

    /// 3^m, the number of elements of the field.
    pub fn q(&self) -> &BigUint {
        &self.q
    }

    /// Returns true if b = 1, false if b = -1.
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

    /// The embedding degree: 6.
    pub fn k(&self) -> u32 {
        6
    }

    /// Returns true if s = 1, so that #E is above 3^m.
    pub fn is_plus(&self) -> bool {
        is_plus(self.m(), self.parts.b)
    }

    /// Performs the costly half of validation: checks that the polynomial is irreducible and r prime.
    pub(crate) fn verify(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        let [_, polynomial, h] = keys(words);
        if !is_irreducible(&dense(&self.parts)) {
            return Err(Error::Reducible { at: origin.at(&polynomial) });
        }
        if !is_prime(&self.r) {
            return Err(Error::OrderComposite { at: origin.at(&h) });
        }
        Ok(())
    }
}

impl Parts {
    /// Performs the cheap half of validation and derives r.
    pub(crate) fn check(self, origin: &Origin, words: KeyNames) -> Result<Ternary, Error> {
        let [degree, polynomial, h] = keys(words);
        let m = self.polynomial.first().copied().unwrap_or(0);
        if m > MAX_DEGREE {
            return Err(Error::WrongType { at: origin.at(&degree), expected: "of degree at most 512" });
        }
        let falls = self.polynomial.windows(2).all(|pair| pair[0] > pair[1]);
        let suits = m > 1 && m.gcd(&6) == 1;
        if !suits || !falls || self.polynomial.last() != Some(&0) {
            let whole = "the exponents of a polynomial, from one that is prime to 6 down to 0";
            let (key, expected) = match words {
                KeyNames::Toml => (polynomial, whole),
                KeyNames::Pbc if suits => (polynomial, "above 0 and below m"),
                KeyNames::Pbc => (degree, "prime to 6, and not 1"),
            };
            return Err(Error::WrongType { at: origin.at(&key), expected });
        }
        check_shifts(&self.polynomial, || origin.at(&polynomial))?;
        let signs = self.coefficients.iter().all(|c| matches!(c, 1 | 2)) && self.coefficients.first() == Some(&1);
        if !signs || self.coefficients.len() != self.polynomial.len() {
            let at = origin.at(&words.parameter("coefficients"));
            return Err(Error::WrongType { at, expected: "1 or 2 for each exponent, and 1 for the first" });
        }
        let power = |e: u64| BigUint::from(3u8).pow(e as u32);
        let (q, half) = (power(m), power(m.div_ceil(2)));
        let points = if is_plus(m, self.b) { &q + half + 1u8 } else { &q - half + 1u8 };
        let refused = || Error::OrderCofactor { at: origin.at(&h), number: POINTS };
        let r = without_cofactor(&points, &self.h).ok_or_else(refused)?;
        Ok(Ternary { parts: self, q, r })
    }
}

/// The number that h divides, in the words of messages.
const POINTS: &str = "the number of points, 3^m + 3^((m + 1)/2) + 1 or 3^m - 3^((m + 1)/2) + 1 for this b,";

/// Returns true if s = 1.
fn is_plus(m: u64, b: bool) -> bool {
    matches!(m % 12, 1 | 11) == b
}

/// The coefficients of a polynomial over F_3, constant term first, up to the highest that is not 0.
type Dense = Vec<u8>;

fn dense(parts: &Parts) -> Dense {
    let degree = parts.polynomial.first().map_or(0, |m| *m as usize);
    let mut out = vec![0; degree + 1];
    parts.polynomial.iter().zip(&parts.coefficients).for_each(|(i, c)| out[*i as usize] = *c as u8);
    out
}

/// Computes a modulo f by long division; f must have the leading coefficient 1 or 2.
fn remainder(mut a: Dense, f: &[u8]) -> Dense {
    let terms: Vec<(usize, u8)> = f.iter().copied().enumerate().filter(|(_, c)| *c != 0).collect();
    let leading = f.last().copied().unwrap_or(1);
    loop {
        while a.last() == Some(&0) {
            a.pop();
        }
        let Some(shift) = a.len().checked_sub(f.len()) else { return a };
        let Some(top) = a.last() else { return a };
        // minus the quotient of the highest coefficients, 1/c being c
        let c = 3 - top * leading % 3;
        terms.iter().for_each(|(i, y)| a[shift + i] = (a[shift + i] + c * y) % 3);
    }
}

/// Returns true if f of degree m is irreducible: x^(3^m) = x modulo f, and x^(3^(m/p)) - x is prime to f for every
/// prime p that divides m.
fn is_irreducible(f: &[u8]) -> bool {
    let m = f.len() - 1;
    let after = |n: usize| {
        let cube = |power: Dense, _| remainder(power.into_iter().flat_map(|c| [c, 0, 0]).collect(), f);
        (0..n).fold(vec![0, 1], cube)
    };
    let is_prime_to_f = |mut a: Dense| {
        a.resize(a.len().max(2), 0);
        a[1] = (a[1] + 2) % 3;
        let (mut a, mut b) = (remainder(a, f), f.to_vec());
        while !a.is_empty() {
            (a, b) = (remainder(b, &a), a);
        }
        b.len() == 1
    };
    let divides = |d: usize, n: usize| n.checked_rem(d) == Some(0);
    let primes = (2..=m).filter(|p| divides(*p, m) && !(2..*p).any(|d| divides(d, *p)));
    after(m) == [0, 1] && primes.into_iter().all(|p| is_prime_to_f(after(m / p)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_4_to_6_by_trial_division() {
        let of = |mut number: u32| {
            let mut digits = Vec::new();
            while number > 0 {
                digits.push((number % 3) as u8);
                number /= 3;
            }
            digits
        };
        for m in [4u32, 5, 6] {
            for number in 3u32.pow(m)..2 * 3u32.pow(m) {
                let f = of(number);
                let divides = |d: u32| remainder(f.clone(), &of(d)).is_empty();
                let irreducible = !(3..3u32.pow(m / 2 + 1)).any(divides);
                assert_eq!(is_irreducible(&f), irreducible, "{f:?}");
            }
        }
    }
}
