//! Montgomery multiplication in the polynomial ring: for primes p = p(z)/k with a small polynomial and z = 2^m + s, s small.
//!
//! Fan, Vercauteren, Verbauwhede, "Faster F_p-arithmetic for cryptographic pairings on Barreto-Naehrig curves" (CHES 2009) and
//! "Efficient hardware implementation of F_p-arithmetic for pairing-friendly curves" (IEEE Trans. Computers 61, 2012). A BN
//! prime is p(z) = 36z⁴ + 36z³ + 24z² + 6z + 1. A residue is a polynomial of degree d = N − 1 in z with signed coefficients of
//! one word; products are taken of polynomials, coefficients are split at z by a shift and a correction by s, and since p(0) = 1,
//! Montgomery's quotient digit is a coefficient itself. Any polynomial with constant term ±1 is suitable; BN is the
//! case N = 5.
//!
//! * `ring`: the parallel form of the multiplication. With 25 + 28 + 9 word products (variable, constant, narrow) it
//!   takes one product less than the digit-serial form, its squares take 10 less, its divisions by z do not depend on
//!   one another, and a sum of products is reduced once.
//! * `rules`: the ranges, which all follow from one number e.
//!
//! A residue x is held as x·z^N modulo k·p. Integers occur only in `load`, `store`, `constant` and `is_zero`. Everything runs
//! in constant time: no branch and no address depends on a coefficient. `docs/engines/hmm.md` has counts and measurements.

mod alu;
mod convert;
mod ring;
mod rules;
mod shape;
#[cfg(test)]
mod tests;

use crate::blank::Blank;
use crate::bounds::Rules;
use crate::choice::{Choice, choices, one_lane, only_value, own_values};
use crate::contract::{Field, Lanes, Prime};
use crate::exponent::pow;
use crate::term::{Term, plus};
use crate::words::from_words;
use alu::Plain;
use convert::{Converter, balanced};
use num_bigint::BigUint;
use ring::{Ring, form};
use rules::Ranges;
use shape::Shape;
pub use shape::ShapeError;
use std::sync::Arc;

/// A residue: the coefficients a_0, …, a_d, d = N − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficients<const N: usize>([i64; N]);

impl<const N: usize> Default for Coefficients<N> {
    fn default() -> Self {
        Coefficients([0; N])
    }
}

impl<const N: usize> Blank for Coefficients<N> {}

impl<const N: usize> zeroize::DefaultIsZeroes for Coefficients<N> {}

/// An unreduced sum of products: the coefficients of z^0, …, z^(2d), with their high words already folded away. The
/// last place is unused.
#[derive(Clone, Copy, Debug)]
pub struct Unreduced<const N: usize> {
    low: [i128; N],
    high: [i128; N],
}

impl<const N: usize> Default for Unreduced<N> {
    fn default() -> Self {
        Unreduced { low: [0; N], high: [0; N] }
    }
}

impl<const N: usize> Blank for Unreduced<N> {}

/// The field F_p for p(z) = k·p, N = deg p(z) + 1.
#[derive(Clone)]
pub struct Hmm<const N: usize> {
    ring: Ring<N>,
    one: Coefficients<N>,
    converter: Converter<N>,
    ranges: Arc<Ranges>,
    modulus: Arc<BigUint>,
    /// p − 2: the exponent of an inversion.
    exponent: Arc<BigUint>,
}

impl<const N: usize> Hmm<N> {
    /// Creates the field of `modulus` elements, a prime that divides `polynomial` (lowest coefficient first) at
    /// z = 2^m + s.
    ///
    /// The last coefficient must not be 0. BLS12 primes are supported by the polynomial of 3p. For a negative seed pass
    /// the polynomial in −z.
    ///
    /// # Errors
    /// Returns an error if the modulus is even or below 3; if the constant term is not ±1; if p(z) is not k·p with
    /// k < 2^16; if m is not in 3 to 63; or if the coefficients or |s| are too large for sums of 1024 products.
    /// For BN polynomials with m = 63, |s| < 2^22 is sufficient. The caller must ensure that the modulus is prime.
    pub fn new(modulus: &BigUint, polynomial: &[i64; N], m: u32, s: i64) -> Result<Self, ShapeError> {
        let Shape { ring, ranges, factor } = Shape::new(modulus, polynomial, m, s)?;
        let r = BigUint::from(ring.z()).pow(N as u32);
        Ok(Hmm {
            one: balanced(&ring, modulus, &r),
            converter: Converter::new(&ring, modulus, &factor, m),
            ring,
            ranges: Arc::new(ranges),
            exponent: Arc::new(modulus - 2u32),
            modulus: Arc::new(modulus.clone()),
        })
    }

    /// Returns the range rules, for [`Bounds`](crate::bounds::Bounds).
    pub fn rules(&self) -> Arc<dyn Rules> {
        self.ranges.clone()
    }

    /// Returns the residue in [0, p).
    fn canonical(&self, a: &Coefficients<N>) -> [u64; N] {
        // a is closed, then divided by R, then closed in its last coefficient too
        let mut closed = self.zero();
        self.sum(&mut closed, &[plus(a)]);
        let c = Unreduced { low: closed.0.map(i128::from), high: [0; N] };
        let mut quotient = self.zero();
        self.ring.reduce(&Plain, &mut quotient, &c);
        self.sum(&mut closed, &[plus(&quotient)]);
        self.converter.canonical(&self.ring, &closed)
    }
}

impl<const N: usize> Field for Hmm<N> {
    type Elem = Coefficients<N>;
    type Wide = Unreduced<N>;
    choices!();

    #[inline]
    fn zero(&self) -> Coefficients<N> {
        Coefficients::default()
    }

    #[inline]
    fn one(&self) -> Coefficients<N> {
        self.one
    }

    #[inline]
    fn mul_wide(&self, out: &mut Unreduced<N>, a: &Coefficients<N>, b: &Coefficients<N>) {
        self.ring.product(&Plain, out, a, b);
    }

    #[inline]
    fn sqr_wide(&self, out: &mut Unreduced<N>, a: &Coefficients<N>) {
        self.ring.square(&Plain, out, a);
    }

    #[inline(never)]
    fn lin(&self, out: &mut Unreduced<N>, terms: &[Term<Unreduced<N>>]) {
        form(out, terms);
    }

    #[inline(never)]
    fn reduce(&self, out: &mut Coefficients<N>, terms: &[Term<Unreduced<N>>]) {
        if let [Term { coeff: 1, value }] = terms {
            return self.ring.reduce(&Plain, out, value);
        }
        let mut c = Unreduced::default();
        form(&mut c, terms);
        self.ring.reduce(&Plain, out, &c);
    }

    #[inline]
    fn mul(&self, out: &mut Coefficients<N>, a: &Coefficients<N>, b: &Coefficients<N>) {
        let mut c = Unreduced::default();
        self.ring.product(&Plain, &mut c, a, b);
        self.ring.reduce(&Plain, out, &c);
    }

    #[inline]
    fn sqr(&self, out: &mut Coefficients<N>, a: &Coefficients<N>) {
        let mut c = Unreduced::default();
        self.ring.square(&Plain, &mut c, a);
        self.ring.reduce(&Plain, out, &c);
    }

    #[inline]
    fn add(&self, out: &mut Coefficients<N>, a: &Coefficients<N>, b: &Coefficients<N>) {
        self.ring.add(out, a, b, 1);
    }

    #[inline]
    fn sub(&self, out: &mut Coefficients<N>, a: &Coefficients<N>, b: &Coefficients<N>) {
        self.ring.add(out, a, b, -1);
    }

    #[inline(never)]
    fn sum(&self, out: &mut Coefficients<N>, terms: &[Term<Coefficients<N>>]) {
        self.ring.sum(out, terms);
    }

    /// Computes a^(p − 2) by Fermat's theorem: the ring has no order on which a gcd could rely.
    fn inv(&self, out: &mut Coefficients<N>, a: &Coefficients<N>) {
        *out = pow(self, a, &self.exponent);
    }

    #[inline]
    fn select(&self, out: &mut Coefficients<N>, mask: Choice, a: &Coefficients<N>, b: &Coefficients<N>) {
        for i in 0..N {
            out.0[i] = b.0[i] ^ (mask.word() as i64 & (a.0[i] ^ b.0[i]));
        }
    }

    fn is_zero(&self, a: &Coefficients<N>) -> Choice {
        let bits = self.canonical(a).iter().fold(0, |acc, w| acc | w);
        Choice::is_zero(bits)
    }
}

impl<const N: usize> Prime for Hmm<N> {
    own_values!();

    fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    fn constant(&self, x: &BigUint) -> Coefficients<N> {
        let r = BigUint::from(self.ring.z()).pow(N as u32);
        balanced(&self.ring, &self.modulus, &(x * r))
    }
}

impl<const N: usize> Lanes for Hmm<N> {
    one_lane!();

    fn load(&self, out: &mut Coefficients<N>, values: &[&[u64]]) {
        let words = only_value(values, self.word_len());
        debug_assert!(from_words(words) < *self.modulus, "a value to load is not canonical");
        self.dot(out, &self.converter.digits(words), &self.converter.weights);
    }

    fn store(&self, words: &mut [u64], a: &Coefficients<N>, lane: usize) {
        assert_eq!(lane, 0, "this field has one lane");
        let out = self.canonical(a);
        let len = self.word_len();
        words[..len].copy_from_slice(&out[..len]);
        words[len..].fill(0);
    }
}
