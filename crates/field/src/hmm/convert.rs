//! Conversion between integers and elements: only where values are loaded and stored.
//!
//! Loading cuts x into digits of m − 1 bits and adds up the products of the digits with the elements of their weights.
//! Storing divides by R, closes the last coefficient, evaluates at z modulo 2^(64N), and subtracts multiples of p by
//! masks. Both take constant time.
//!
//! With k·p = |p(z)|: after `sum` an element of [`Ranges`](super::Ranges) has |a_d| ≤ 2·|p_d| + 2, hence a value within
//! ±(2·|p_d| + 3)·z^d. This is less than 8k·p; adding 8k·p gives a value in (0, 16k·p).

use super::Coefficients;
use super::ring::Ring;
use crate::words::{split, subtract_once, to_words};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::sync::Arc;

/// The constants of the conversion.
#[derive(Clone)]
pub(super) struct Converter<const N: usize> {
    /// The number of bits of a digit, m − 1.
    digit: u64,
    /// 2^(i·(m−1))·R² as elements: the product with a digit is the digit's residue.
    pub(super) weights: Arc<[Coefficients<N>]>,
    /// 8k·p, then 2^j·p, from at least 8k·p downwards to p.
    multiples: Arc<[Vec<u64>]>,
}

impl<const N: usize> Converter<N> {
    /// Creates the converter for the ring of k·p with k = `factor`.
    pub(super) fn new(ring: &Ring<N>, p: &BigUint, factor: &BigUint, m: u32) -> Self {
        let digit = u64::from(m) - 1;
        let highest = factor.bits() + 3;
        // k·p < ‖p‖·(z^d + …) has at most 63·d + 42 bits
        assert!(p.bits() + highest < 64 * N as u64, "16k·p fits N words");
        let r = BigUint::from(ring.z()).pow(N as u32);
        let weight = |i: usize| balanced(ring, p, &((BigUint::one() << (i as u64 * digit)) * &r * &r));
        let offset = factor * p * 8u32;
        Converter {
            digit,
            weights: (0..p.bits().div_ceil(digit) as usize).map(weight).collect(),
            multiples: std::iter::once(offset)
                .chain((0..=highest).rev().map(|j| p << j))
                .map(|x| to_words(&x, N))
                .collect(),
        }
    }

    /// Returns the digits of x as elements whose higher coefficients are 0.
    pub(super) fn digits(&self, x: &[u64]) -> Vec<Coefficients<N>> {
        let element = |digit: u64| {
            let mut out = Coefficients::default();
            out.0[0] = digit as i64;
            out
        };
        split(x, self.digit).take(self.weights.len()).map(element).collect()
    }

    /// Returns the value in [0, p) of an element within ±8k·p.
    pub(super) fn canonical(&self, ring: &Ring<N>, a: &Coefficients<N>) -> [u64; N] {
        let mut value = [0; N];
        for c in a.0.iter().rev() {
            // value·z + c, modulo 2^(64N)
            let (mut high, sign) = (*c as u64, (c >> 63) as u64);
            for (i, word) in value.iter_mut().enumerate() {
                let extension = if i > 0 { sign } else { 0 };
                let x = *word as u128 * ring.z() as u128 + high as u128 + extension as u128;
                (*word, high) = (x as u64, (x >> 64) as u64);
            }
        }
        let (offset, multiples) = self.multiples.split_at(1);
        let mut carry = false;
        for (x, y) in value.iter_mut().zip(&offset[0]) {
            (*x, carry) = x.carrying_add(*y, carry);
        }
        multiples.iter().for_each(|multiple| subtract_once(&mut value, multiple));
        value
    }
}

/// Returns the element with digits in [−z/2, z/2] whose value is x mod p; the last coefficient takes the rest.
pub(super) fn balanced<const N: usize>(ring: &Ring<N>, p: &BigUint, x: &BigUint) -> Coefficients<N> {
    let z = BigInt::from(ring.z());
    let mut rest = BigInt::from(x % p);
    let mut next = |i: usize| {
        if i == N - 1 {
            return rest.to_i64().unwrap_or(0);
        }
        let (quotient, digit) = (&rest + (&z >> 1u32)).div_mod_floor(&z);
        rest = quotient;
        (digit - (&z >> 1u32)).to_i64().unwrap_or(0)
    };
    Coefficients(std::array::from_fn(&mut next))
}

/// Returns the value of a polynomial at z.
pub(super) fn evaluate(polynomial: &[i64], z: &BigInt) -> BigInt {
    polynomial.iter().rev().fold(BigInt::zero(), |sum, c| sum * z + *c)
}
