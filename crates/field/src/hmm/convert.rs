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
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::hint::black_box;
use std::sync::Arc;

/// The constants of the conversion.
#[derive(Clone)]
pub(super) struct Converter<const N: usize> {
    /// The number of bits of a digit, m − 1.
    digit: usize,
    /// 2^(i·(m−1))·R² as elements: the product with a digit is the digit's residue.
    pub(super) weights: Arc<[Coefficients<N>]>,
    /// 8k·p, then 2^j·p, from at least 8k·p downwards to p.
    multiples: Arc<[[u64; N]]>,
}

impl<const N: usize> Converter<N> {
    /// Creates the converter for the ring of k·p with k = `factor`.
    pub(super) fn new(ring: &Ring<N>, p: &BigUint, factor: &BigUint, m: u32) -> Self {
        let digit = m as usize - 1;
        let highest = factor.bits() + 3;
        // k·p < ‖p‖·(z^d + …) has at most 63·d + 42 bits
        assert!(p.bits() + highest < 64 * N as u64, "16k·p fits N words");
        let r = BigUint::from(ring.z()).pow(N as u32);
        let weight = |i: usize| balanced(ring, p, &((BigUint::one() << (i * digit)) * &r * &r));
        let offset = factor * p * 8u32;
        Converter {
            digit,
            weights: (0..p.bits().div_ceil(digit as u64) as usize).map(weight).collect(),
            multiples: std::iter::once(offset).chain((0..=highest).rev().map(|j| p << j)).map(|x| words(&x)).collect(),
        }
    }

    /// Returns the digits of x as elements whose higher coefficients are 0.
    pub(super) fn digits(&self, x: &[u64]) -> Vec<Coefficients<N>> {
        let digit = |i: usize| {
            let (word, shift) = (i * self.digit / 64, i * self.digit % 64);
            let at = |i: usize| x.get(i).copied().unwrap_or(0);
            // two shifts, since one by 64 is not defined
            let window = at(word) >> shift | at(word + 1) << 1 << (63 - shift);
            let mut out = Coefficients::default();
            out.0[0] = (window & ((1 << self.digit) - 1)) as i64;
            out
        };
        (0..self.weights.len()).map(digit).collect()
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
        value = sum(&value, &offset[0]).0;
        for multiple in multiples {
            let (less, borrow) = difference(&value, multiple);
            // the compiler must not know that the borrow's mask is all ones or all zeros: it would branch
            let keep = black_box((borrow as u64).wrapping_neg());
            for (x, y) in value.iter_mut().zip(less) {
                *x = y ^ (keep & (*x ^ y));
            }
        }
        value
    }
}

/// Returns x + y modulo 2^(64N), and the carry.
fn sum<const N: usize>(x: &[u64; N], y: &[u64; N]) -> ([u64; N], bool) {
    let mut carry = false;
    (std::array::from_fn(|i| carrying(x[i].overflowing_add(y[i]), &mut carry, u64::overflowing_add)), carry)
}

/// Returns x − y modulo 2^(64N), and the borrow.
fn difference<const N: usize>(x: &[u64; N], y: &[u64; N]) -> ([u64; N], bool) {
    let mut borrow = false;
    (std::array::from_fn(|i| carrying(x[i].overflowing_sub(y[i]), &mut borrow, u64::overflowing_sub)), borrow)
}

/// Computes one word of a sum or a difference, and its carry or borrow.
fn carrying((x, first): (u64, bool), carry: &mut bool, step: fn(u64, u64) -> (u64, bool)) -> u64 {
    let (x, second) = step(x, *carry as u64);
    *carry = first | second;
    x
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

/// Returns the little-endian words of x < 2^(64N).
fn words<const N: usize>(x: &BigUint) -> [u64; N] {
    let mut digits = x.iter_u64_digits();
    std::array::from_fn(|_| digits.next().unwrap_or(0))
}
