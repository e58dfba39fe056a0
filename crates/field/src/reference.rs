//! The reference engine: plain big integers, one line per operation. Slow, not constant time; every other engine is tested against it.

use crate::blank::Blank;
use crate::choice::{only_value, own_values};
use crate::contract::{Field, Lanes, ModulusError, Prime};
use crate::term::Term;
use crate::words::from_words;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::sync::Arc;

/// F_p on big integers: an `Elem` is the residue in [0, p), a `Wide` the exact (signed) sum of products.
#[derive(Clone)]
pub struct Reference {
    p: Arc<BigUint>,
}

impl Reference {
    /// Creates the field of p elements.
    ///
    /// # Errors
    /// Returns an error if p is even or below 3. The caller must ensure that p is prime.
    pub fn new(p: &BigUint) -> Result<Self, ModulusError> {
        if p.is_even() || p.is_one() {
            return Err(ModulusError::NotOddPrime(p.clone()));
        }
        Ok(Reference { p: Arc::new(p.clone()) })
    }

    fn residue(&self, x: &BigInt) -> BigUint {
        x.mod_floor(&BigInt::from((*self.p).clone())).magnitude().clone()
    }
}

impl Blank for BigUint {}

impl Blank for BigInt {}

impl Field for Reference {
    type Elem = BigUint;
    type Wide = BigInt;
    type Mask = bool;

    fn zero(&self) -> BigUint {
        BigUint::zero()
    }

    fn one(&self) -> BigUint {
        BigUint::one()
    }

    fn mul_wide(&self, out: &mut BigInt, a: &BigUint, b: &BigUint) {
        *out = (a * b).into();
    }

    fn sqr_wide(&self, out: &mut BigInt, a: &BigUint) {
        *out = (a * a).into();
    }

    fn lin(&self, out: &mut BigInt, terms: &[Term<BigInt>]) {
        *out = terms.iter().map(|t| t.value * t.coeff).sum();
    }

    fn reduce(&self, out: &mut BigUint, terms: &[Term<BigInt>]) {
        *out = self.residue(&terms.iter().map(|t| t.value * t.coeff).sum());
    }

    fn add(&self, out: &mut BigUint, a: &BigUint, b: &BigUint) {
        *out = (a + b) % &*self.p;
    }

    fn sum(&self, out: &mut BigUint, terms: &[Term<BigUint>]) {
        *out = self.residue(&terms.iter().map(|t| BigInt::from(t.value.clone()) * t.coeff).sum());
    }

    /// Computes a^(p − 2) by Fermat's theorem.
    fn inv(&self, out: &mut BigUint, a: &BigUint) {
        *out = a.modpow(&(&*self.p - 2u32), &self.p);
    }

    fn select(&self, out: &mut BigUint, mask: bool, a: &BigUint, b: &BigUint) {
        out.clone_from(if mask { a } else { b });
    }

    fn is_zero(&self, a: &BigUint) -> bool {
        a.is_zero()
    }

    fn mask(&self, value: bool) -> bool {
        value
    }

    fn mask_from(&self, values: &[bool]) -> bool {
        self.mask(values.first().copied().unwrap_or(false))
    }

    fn and(&self, a: bool, b: bool) -> bool {
        a && b
    }

    fn not(&self, a: bool) -> bool {
        !a
    }
}

impl Prime for Reference {
    own_values!();

    fn modulus(&self) -> &BigUint {
        &self.p
    }

    fn constant(&self, x: &BigUint) -> BigUint {
        x % &*self.p
    }
}

impl Lanes for Reference {
    const LANES: usize = 1;

    fn load(&self, out: &mut BigUint, values: &[&[u64]]) {
        let words = only_value(values, self.word_len());
        *out = from_words(words);
        debug_assert!(*out < *self.p, "a value to load is not canonical");
    }

    fn store(&self, words: &mut [u64], a: &BigUint, lane: usize) {
        assert_eq!(lane, 0, "this field has one lane");
        let mut digits = a.iter_u64_digits();
        words.fill_with(|| digits.next().unwrap_or(0));
    }

    fn lane(&self, mask: bool, lane: usize) -> bool {
        assert_eq!(lane, 0, "this field has one lane");
        mask
    }
}
