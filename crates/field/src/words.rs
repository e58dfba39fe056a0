//! Integers in little-endian words of 64 bits. Constant time, except for the conversions of big integers.

use num_bigint::BigUint;
use std::hint::black_box;

/// Returns the n words of x < 2^(64n).
pub(crate) fn to_words(x: &BigUint, n: usize) -> Vec<u64> {
    let mut words = x.to_u64_digits();
    words.resize(n, 0);
    words
}

/// Returns Σ words_i·2^(64i).
pub(crate) fn from_words(words: &[u64]) -> BigUint {
    BigUint::from_slice(&words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect::<Vec<_>>())
}

/// Returns 1/x modulo 2^64 for an odd x.
pub(crate) fn inverse(x: u64) -> u64 {
    // x is its own inverse modulo 8, and each of Newton's steps doubles the number of correct bits
    (0..5).fold(x, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse))))
}

/// Returns the 64 bits of a number from bit `at` on; bits above the number are 0.
#[inline]
fn window(words: &[u64], at: usize) -> u64 {
    let word = |i: usize| words.get(i).copied().unwrap_or(0);
    let (i, shift) = (at / 64, at % 64);
    // two shifts, since one by 64 is not defined
    word(i) >> shift | word(i + 1) << 1 << (63 - shift)
}

/// Returns the limbs of a number, of fewer than 64 bits each; limbs above the number are 0.
#[inline]
pub(crate) fn split(words: &[u64], bits: u64) -> impl Iterator<Item = u64> {
    (0..).map(move |j| window(words, bits as usize * j) & ((1 << bits) - 1))
}

/// Sets words to Σ limb_j·2^(bits·j), which must fit them.
#[inline]
pub(crate) fn pack(words: &mut [u64], limbs: impl Iterator<Item = u64>, bits: u64) {
    words.fill(0);
    for (j, limb) in limbs.enumerate() {
        let at = bits as usize * j;
        let (i, shift) = (at / 64, at % 64);
        if let Some(word) = words.get_mut(i) {
            *word |= limb << shift;
        }
        // two shifts, since one by 64 is not defined
        if let Some(word) = words.get_mut(i + 1) {
            *word |= limb >> 1 >> (63 - shift);
        }
    }
}

/// Computes x ← x − m, or leaves x where the difference is negative.
pub(crate) fn subtract_once(x: &mut [u64], m: &[u64]) {
    let (mut borrow, mut carry) = (false, false);
    for (x, m) in x.iter_mut().zip(m) {
        (*x, borrow) = x.borrowing_sub(*m, borrow);
    }
    // the compiler must not know that this is 0 or −1: it would branch
    let back = black_box(u64::from(borrow).wrapping_neg());
    for (x, m) in x.iter_mut().zip(m) {
        (*x, carry) = x.carrying_add(m & back, carry);
    }
}
