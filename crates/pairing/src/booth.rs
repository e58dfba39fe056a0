//! Booth's digits of secret scalars (Quarterly Journal of Mechanics and Applied Mathematics 4, 1951) in radix 32, one
//! scalar in each lane: k = Σ d_i·32^i with −16 ≤ d_i ≤ 16.
//!
//! d_i = ⌈y/2⌉ for the six bits y of k from 5i − 1 to 5i + 4, less 32 if the highest bit is 1. So no carry runs through the
//! digits, and a scalar of b bytes has ⌊8b/5⌋ + 1 of them. A table of B, 2B, …, 16B serves all of them.
//!
//! Constant time: digits come as masks, by arithmetic on words.

use crate::constant_time::mask;
use bilinear_field::Field;
use std::hint::black_box;
use zeroize::Zeroizing;

/// The width of a window, in bits.
pub(crate) const WINDOW: usize = 5;

/// The number of entries in the table of a window: a digit selects one by its size.
pub const ENTRIES: usize = 1 << (WINDOW - 1);

/// The number of bits that select a table entry.
const PLACE: usize = WINDOW - 1;

/// The number of truth values that represent a digit: the bits of its table index, its sign, and whether it is 0.
pub const DIGIT_MASKS: usize = PLACE + 2;

/// The number of windows, and so of digits, of a scalar of `bytes` bytes.
pub fn window_count(bytes: usize) -> usize {
    bytes.saturating_mul(8) / WINDOW + 1
}

/// Returns the truth values of the digits of a big-endian scalar, lowest digit first. Constant time in k.
pub fn digit_bits(k: &[u8]) -> Zeroizing<Vec<bool>> {
    let mut bits = Zeroizing::new(Vec::with_capacity(window_count(k.len()) * DIGIT_MASKS));
    for i in 0..window_count(k.len()) {
        bits.extend(truths(six_bits(k, i)).map(|bit| black_box(bit) == 1));
    }
    bits
}

/// Returns the digits of a secret scalar in each lane, lowest first. Constant time in the scalars.
pub fn digits<F: Field>(f: &F, ks: &[&[u8]]) -> Vec<BoothDigit<F::Mask>> {
    let longest = ks.iter().map(|k| k.len()).max().unwrap_or(0);
    let masks = |i| std::array::from_fn(|j| mask(f, ks.iter().map(|k| truths(six_bits(k, i))[j])));
    (0..window_count(longest)).map(|i| BoothDigit::new(masks(i))).collect()
}

/// Returns the bits of k from 5i − 1 to 5i + 4. Bits beyond its ends are 0.
fn six_bits(k: &[u8], i: usize) -> u8 {
    // the byte of weight 256^(i − 1)
    let byte = |i: usize| if (1..=k.len()).contains(&i) { u32::from(k[k.len() - i]) } else { 0 };
    let (at, shift) = (i * WINDOW / 8, i * WINDOW % 8);
    let three = byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16;
    (three >> (shift + 7)) as u8 & 63
}

/// Returns the truth values of the digit given by six bits, as 0 and 1.
fn truths(y: u8) -> [u8; DIGIT_MASKS] {
    let negative = y >> WINDOW;
    let rounded = (y >> 1) + (y & 1);
    // 32 − x = !x + 33
    let magnitude = (rounded ^ negative.wrapping_neg()).wrapping_add(negative.wrapping_neg() & 33);
    let place = magnitude.wrapping_sub(1);
    let zero = place >> 7;
    std::array::from_fn(|i| match i {
        PLACE => negative,
        _ if i > PLACE => zero,
        _ => place >> i & 1,
    })
}

/// A digit in each lane, as the masks that select its table entry.
#[derive(Clone, Copy, Debug)]
pub struct BoothDigit<M> {
    /// The bits of |d| − 1, lowest first.
    pub place: [M; PLACE],
    /// The lanes where d < 0.
    pub negative: M,
    /// The lanes where d = 0; `place` and `negative` are meaningless there.
    pub zero: M,
}

impl<M: Copy> BoothDigit<M> {
    /// Creates a digit from its truth values.
    pub fn new(truths: [M; DIGIT_MASKS]) -> Self {
        let [a, b, c, d, negative, zero] = truths;
        BoothDigit { place: [a, b, c, d], negative, zero }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, BigUint, Sign};

    /// The digit that the truth values represent.
    fn digit(truths: &[bool]) -> i32 {
        let place = (0..PLACE).fold(0, |place, i| place | i32::from(truths[i]) << i);
        match (truths[PLACE], truths[PLACE + 1]) {
            (_, true) => 0,
            (true, false) => -1 - place,
            (false, false) => 1 + place,
        }
    }

    /// The definition of Booth's digits: d = Σ y_(j + 1)·2^j for j < 4, − 16·y_5, + y_0.
    #[test]
    fn six_bits_give_booths_digit() {
        for y in 0..64u8 {
            let bit = |i: usize| i32::from(y >> i & 1);
            let want = bit(0) + bit(1) + 2 * bit(2) + 4 * bit(3) + 8 * bit(4) - 16 * bit(5);
            assert_eq!(digit(&truths(y).map(|bit| bit == 1)), want, "{y:06b}");
        }
    }

    #[test]
    fn digits_give_back_the_scalar() {
        let edges =
            [vec![], vec![0], vec![1], vec![0xff; 80], vec![0; 80], vec![0x80; 96], [&[0x80][..], &[0; 9]].concat()];
        // alternating 16 and −16: bits 10000 and 01111, from below
        let turns = (0..16).map(|i| BigUint::from(0b01111_10000u32) << (10 * i)).sum::<BigUint>();
        let long = (1..=40u8).map(|i| i.wrapping_mul(97)).collect();
        for k in edges.into_iter().chain([long, turns.to_bytes_be()]) {
            let bits = digit_bits(&k);
            let digits: Vec<i32> = bits.chunks(DIGIT_MASKS).map(digit).collect();
            assert_eq!(digits.len(), window_count(k.len()));
            let value = digits.iter().rev().fold(BigInt::ZERO, |value, d| value * 32 + d);
            assert_eq!(value, BigInt::from_bytes_be(Sign::Plus, &k), "{k:02x?}");
        }
        let digits: Vec<i32> = digit_bits(&turns.to_bytes_be()).chunks(DIGIT_MASKS).map(digit).collect();
        assert!(digits[..32].chunks(2).all(|two| two == [-16, 16]), "{digits:?}");
    }
}
