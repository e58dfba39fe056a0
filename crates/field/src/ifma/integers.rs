//! One lane as an integer in words: its residue modulo p, and the inverse that eight lanes share. Constant time.

use super::modulus::LIMB;
use crate::mont::{Inverter, Multiplier};
use num_bigint::BigUint;
use std::hint::black_box;

/// The number of words of the longest modulus.
const WORDS: usize = 65;

/// An integer below 2^4160, in words.
pub(super) type Words = [u64; WORDS];

/// The integer 0.
pub(super) const ZERO: Words = [0; WORDS];

/// Integers modulo an odd p of up to 4160 bits.
pub(super) struct Integers {
    p: Words,
    /// The number of words of 2p.
    len: usize,
    multiplier: Option<Multiplier>,
    inverter: Inverter,
}

impl Integers {
    /// Creates the integers modulo p, which are read from multiples of an odd c.
    pub(super) fn new(p: &BigUint, c: &BigUint) -> Self {
        let mut words = [0; WORDS];
        words.iter_mut().zip(p.iter_u64_digits()).for_each(|(word, digit)| *word = digit);
        let len = ((p.bits() + 1).div_ceil(64) as usize).min(WORDS);
        Integers { p: words, len, multiplier: Multiplier::new(c), inverter: Inverter::new(&words) }
    }

    /// Sets x to v modulo p for the number v·c with these limbs, v in [0, 2p). Words of x that no such v reaches stay
    /// as they are.
    pub(super) fn canonical(&self, x: &mut Words, limbs: impl Iterator<Item = u64>) {
        let x = &mut x[..self.len];
        pack(x, limbs);
        if let Some(c) = &self.multiplier {
            c.divide(x);
        }
        subtract_once(x, &self.p[..self.len]);
    }

    /// Returns 1/x mod p for x in [0, p), and 0 for 0.
    pub(super) fn invert(&self, x: &Words) -> Words {
        let mut inverse = *x;
        self.inverter.invert(&mut inverse);
        inverse
    }
}

/// x ← x − m; x stays as it is where x − m is negative.
fn subtract_once(x: &mut [u64], m: &[u64]) {
    let mut borrow = false;
    for (x, m) in x.iter_mut().zip(m) {
        (*x, borrow) = less(*x, *m, borrow);
    }
    // the compiler must not know that this is 0 or −1: it would branch
    let back = black_box(u64::from(borrow).wrapping_neg());
    let mut carry = false;
    for (x, m) in x.iter_mut().zip(m) {
        let (t, over) = x.overflowing_add(m & back);
        let (t, again) = t.overflowing_add(u64::from(carry));
        (*x, carry) = (t, over | again);
    }
}

/// Returns x − m − borrow, and whether this difference is negative.
fn less(x: u64, m: u64, borrow: bool) -> (u64, bool) {
    let (t, under) = x.overflowing_sub(m);
    let (t, again) = t.overflowing_sub(u64::from(borrow));
    (t, under | again)
}

/// Sets words to Σ limb_j·2^(52j), which must fit them.
fn pack(words: &mut [u64], limbs: impl Iterator<Item = u64>) {
    words.fill(0);
    for (j, limb) in limbs.enumerate() {
        let (i, shift) = (LIMB as usize * j / 64, LIMB as usize * j % 64);
        if let Some(word) = words.get_mut(i) {
            *word |= limb << shift;
        }
        // two shifts, since one by 64 is not defined
        if let Some(word) = words.get_mut(i + 1) {
            *word |= limb >> 1 >> (63 - shift);
        }
    }
}

/// Returns the limbs of a number of little-endian words.
pub(super) fn split(words: &[u64]) -> impl Iterator<Item = u64> {
    (0..).map(|j| window(words, LIMB as usize * j) & ((1 << LIMB) - 1))
}

/// Returns the 64 bits from bit `at` on of a number of little-endian words; bits above the number are 0.
fn window(words: &[u64], at: usize) -> u64 {
    let word = |i: usize| words.get(i).copied().unwrap_or(0);
    let (i, shift) = (at / 64, at % 64);
    // two shifts, since one by 64 is not defined
    word(i) >> shift | word(i + 1) << 1 << (63 - shift)
}

/// Returns v modulo p for the number v·c with these limbs, v in [0, 2p), and the inverse of this residue. This
/// function is for tests, since Valgrind can run no more of the engine.
#[cfg(feature = "paths")]
pub fn residue_and_inverse(p: &BigUint, c: &BigUint, limbs: &[u64]) -> [Words; 2] {
    let (integers, mut residue) = (Integers::new(p, c), ZERO);
    integers.canonical(&mut residue, limbs.iter().copied());
    [residue, integers.invert(&residue)]
}
