//! One lane as an integer in words: its residue modulo p, and the inverse that eight lanes share. Constant time.

use super::modulus::LIMB;
use crate::mont::Inverter;
use num_bigint::BigUint;

/// Words of the longest modulus.
const WORDS: usize = 65;

/// An integer below 2^4160, in words.
pub(super) type Words = [u64; WORDS];

/// Integers modulo an odd p of up to 4160 bits.
pub(super) struct Integers {
    /// p·2^k, the largest first: their sum is at least 2N for the N that the lanes compute with.
    multiples: Vec<Words>,
    inverter: Inverter<WORDS>,
}

impl Integers {
    /// Modulo p, for numbers of up to N = p·`multiplier`.
    pub(super) fn new(p: &BigUint, multiplier: &BigUint) -> Self {
        let words = |x: BigUint| {
            let mut words = [0; WORDS];
            for (word, digit) in words.iter_mut().zip(x.iter_u64_digits()) {
                *word = digit;
            }
            words
        };
        let multiples = (0..=multiplier.bits()).rev().map(|k| words(p << k)).collect();
        Integers { multiples, inverter: Inverter::new(&words(p.clone())) }
    }

    /// The number of these limbs, in [0, 2N), modulo p.
    pub(super) fn canonical(&self, limbs: impl Iterator<Item = u64>) -> Words {
        self.multiples.iter().fold(pack(limbs), |x, multiple| subtract_once(&x, multiple))
    }

    /// 1/x mod p for x in [0, p), and 0 for 0.
    pub(super) fn invert(&self, x: &Words) -> Words {
        self.inverter.invert(x)
    }
}

/// x − m, or x where that is negative.
fn subtract_once(x: &Words, m: &Words) -> Words {
    let (mut difference, mut borrow) = ([0; WORDS], false);
    for (d, (x, m)) in difference.iter_mut().zip(x.iter().zip(m)) {
        let (t, under) = x.overflowing_sub(*m);
        let (t, again) = t.overflowing_sub(u64::from(borrow));
        *d = t;
        borrow = under | again;
    }
    let keep = u64::from(borrow).wrapping_neg();
    std::array::from_fn(|i| x[i] & keep | difference[i] & !keep)
}

/// Σ limb_j·2^(52j).
fn pack(limbs: impl Iterator<Item = u64>) -> Words {
    let mut words = [0; WORDS];
    for (j, limb) in limbs.enumerate() {
        let (word, shift) = (LIMB as usize * j / 64, LIMB as usize * j % 64);
        words[word] |= limb << shift;
        // two shifts, since one by 64 is not defined
        if word + 1 < WORDS {
            words[word + 1] |= limb >> 1 >> (63 - shift);
        }
    }
    words
}
