//! One lane as an integer in words: its residue modulo p, and the inverse that eight lanes share. Constant time.

use super::modulus::LIMB;
use crate::mont::{Inverter, Multiplier};
use crate::words::{pack, subtract_once, to_words};
use num_bigint::BigUint;

/// The number of words of the longest modulus.
const WORDS: usize = 65;

/// An integer below 2^4160, in words.
pub(super) type Words = [u64; WORDS];

/// The integer 0.
pub(super) const ZERO: Words = [0; WORDS];

/// Integers modulo an odd p of up to 4160 bits.
pub(super) struct Integers {
    /// p, in the words of 2p.
    p: Vec<u64>,
    multiplier: Option<Multiplier>,
    inverter: Inverter,
}

impl Integers {
    /// Creates the integers modulo p, which are read from multiples of an odd c.
    pub(super) fn new(p: &BigUint, c: &BigUint) -> Self {
        let p = to_words(p, ((p.bits() + 1).div_ceil(64) as usize).min(WORDS));
        Integers { multiplier: Multiplier::new(c), inverter: Inverter::new(&p), p }
    }

    /// Sets x to v modulo p for the number v·c with these limbs, v in [0, 2p). Words of x that no such v reaches stay
    /// as they are.
    pub(super) fn canonical(&self, x: &mut Words, limbs: impl Iterator<Item = u64>) {
        let x = &mut x[..self.p.len()];
        pack(x, limbs, LIMB);
        if let Some(c) = &self.multiplier {
            c.divide(x);
        }
        subtract_once(x, &self.p);
    }

    /// Returns 1/x mod p for x in [0, p), and 0 for 0.
    pub(super) fn invert(&self, x: &Words) -> Words {
        let mut inverse = *x;
        self.inverter.invert(&mut inverse);
        inverse
    }
}

/// Returns v modulo p for the number v·c with these limbs, v in [0, 2p), and the inverse of this residue. This
/// function is for tests, since Valgrind can run no more of the engine.
#[cfg(feature = "paths")]
pub fn residue_and_inverse(p: &BigUint, c: &BigUint, limbs: &[u64]) -> [Words; 2] {
    let (integers, mut residue) = (Integers::new(p, c), ZERO);
    integers.canonical(&mut residue, limbs.iter().copied());
    [residue, integers.invert(&residue)]
}
