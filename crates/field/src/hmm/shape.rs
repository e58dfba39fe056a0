//! The form that a modulus must have: p(z) = k·p for a polynomial with constant term ±1, and z = 2^m + s.

use super::Hmm;
use super::convert::evaluate;
use super::ring::Ring;
use super::rules::Ranges;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The reason why a modulus or a polynomial is not suitable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The modulus is not an odd prime.
    #[error("modulus is {0}: an odd prime of at least 3 is needed")]
    NotOddPrime(BigUint),
    /// Fewer than three coefficients, or the last one is 0.
    #[error("p(z) has degree {0}: the degree must be at least 2, and the last coefficient must not be 0")]
    Degree(usize),
    /// Division by z needs p(0) = ±1.
    #[error("p(z) has constant term {0}: 1 or -1 is needed")]
    ConstantTerm(i64),
    /// z does not fit a word.
    #[error("z = 2^{0} + s: the power must lie between 2^3 and 2^63")]
    Word(u32),
    /// The polynomial does not describe the modulus.
    #[error("p(z) at z = 2^{m} + {s} is {value}: this is not the modulus times a factor below 2^16")]
    Value {
        /// The power of two.
        m: u32,
        /// The offset.
        s: i64,
        /// The value of the polynomial.
        value: BigInt,
    },
    /// The coefficients would not stay within words for this offset.
    #[error("z = 2^{m} + s, s = {s}: with this polynomial only |s| up to {most} leaves room for carries")]
    Offset {
        /// The power of two.
        m: u32,
        /// The offset.
        s: i64,
        /// The largest 2^n − 1 that fits.
        most: u64,
    },
    /// The coefficients would not stay within words for any offset.
    #[error("z = 2^{0} + s: with this polynomial no s leaves room for carries in words of 64 bits")]
    NoRoom(u32),
    /// Not a BN prime.
    #[error("modulus {0} is not 36z^4 + 36z^3 + 24z^2 + 6z + 1 for any integer z")]
    NotBn(BigUint),
}

/// A polynomial with p(0) = 1, its z, and its ranges.
pub(super) struct Shape<const N: usize> {
    pub(super) ring: Ring<N>,
    pub(super) ranges: Ranges,
    /// The factor k in p(z) = k·p.
    pub(super) factor: BigUint,
}

impl<const N: usize> Shape<N> {
    /// Checks everything except the primality of the modulus.
    pub(super) fn new(modulus: &BigUint, polynomial: &[i64; N], m: u32, s: i64) -> Result<Self, ShapeError> {
        if !modulus.bit(0) || modulus.is_one() {
            return Err(ShapeError::NotOddPrime(modulus.clone()));
        }
        if N < 3 || polynomial[N - 1] == 0 {
            return Err(ShapeError::Degree(polynomial.iter().rposition(|c| *c != 0).unwrap_or(0)));
        }
        if polynomial[0].unsigned_abs() != 1 {
            return Err(ShapeError::ConstantTerm(polynomial[0]));
        }
        if !(3..=63).contains(&m) {
            return Err(ShapeError::Word(m));
        }
        let z = (BigInt::one() << m) + s;
        let value = evaluate(polynomial, &z);
        let (factor, remainder) = value.magnitude().div_rem(modulus);
        if !z.is_positive() || !remainder.is_zero() || factor.is_zero() || factor.bits() > 16 {
            return Err(ShapeError::Value { m, s, value });
        }
        let p = polynomial.map(|c| c.saturating_mul(polynomial[0]));
        let (ring, ranges) = fit(&p, m, s).ok_or_else(|| no_room(&p, m, s))?;
        Ok(Shape { ring, ranges, factor })
    }
}

/// Returns the ring and its ranges; `None` if there are no suitable ranges.
pub(super) fn fit<const N: usize>(p: &[i64; N], m: u32, s: i64) -> Option<(Ring<N>, Ranges)> {
    // 2^(64−m)·s must fit a word; beyond that nothing fits anyway
    let room = s.unsigned_abs() < 1 << (m - 1);
    let ring = room.then(|| Ring::new(p, m, s)).flatten()?;
    let ranges = Ranges::new(p, m, s, ring.norm())?;
    Some((ring, ranges))
}

/// Finds the largest 2^n − 1 that fits as |s|, for the error.
fn no_room<const N: usize>(p: &[i64; N], m: u32, s: i64) -> ShapeError {
    let most = (0..m - 1).rev().map(|n| (1u64 << n) - 1).find(|s| fit(p, m, *s as i64).is_some());
    most.map_or(ShapeError::NoRoom(m), |most| ShapeError::Offset { m, s, most })
}

impl Hmm<5> {
    /// The polynomial 1 + 6z + 24z² + 36z³ + 36z⁴.
    const BN: [i64; 5] = [1, 6, 24, 36, 36];

    /// Creates the field of the BN prime with the seed z, which must be ±(2^m + s); of the possible m the nearest is
    /// taken.
    ///
    /// # Errors
    /// Returns an error where [`Hmm::new`] does.
    pub fn bn(z: &BigInt) -> Result<Self, ShapeError> {
        let (modulus, polynomial) = bn_at(z);
        let (m, s) = nearest_power(z.magnitude());
        Self::new(&modulus, &polynomial, m, s)
    }

    /// Creates the field of the BN prime p by finding its seed.
    ///
    /// # Errors
    /// Returns an error if p is not a BN prime, or where [`Hmm::new`] does.
    pub fn for_modulus(p: &BigUint) -> Result<Self, ShapeError> {
        // 36z^4 + 36z^3 = 36(z + 1/4)^4 − …: |z| is within 1 of the fourth root of p/36
        let root = BigInt::from((p / 36u32).nth_root(4));
        (-1..=2)
            .map(|i| &root + BigInt::from(i))
            .flat_map(|z| [z.clone(), -z])
            .find(|z| bn_at(z).0 == *p)
            .map_or_else(|| Err(ShapeError::NotBn(p.clone())), |z| Self::bn(&z))
    }
}

/// Returns the value of the BN polynomial at z, and the polynomial in |z|.
fn bn_at(z: &BigInt) -> (BigUint, [i64; 5]) {
    let sign = if z.is_negative() { -1 } else { 1 };
    let mut polynomial = Hmm::<5>::BN;
    polynomial[1] *= sign;
    polynomial[3] *= sign;
    let value = evaluate(&polynomial, &z.abs());
    (value.magnitude().clone(), polynomial)
}

/// Returns m and s with |z| = 2^m + s and the least |s|; an s beyond 63 bits is truncated, and is then too large for
/// any m.
fn nearest_power(z: &BigUint) -> (u32, i64) {
    let m = (0..=64).min_by_key(|m| distance(z, *m).abs()).unwrap_or(64);
    (m, distance(z, m).to_i64().unwrap_or(i64::MAX))
}

/// Returns z − 2^m.
fn distance(z: &BigUint, m: u32) -> BigInt {
    BigInt::from(z.clone()) - (BigInt::one() << m)
}
