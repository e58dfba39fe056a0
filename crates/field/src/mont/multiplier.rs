//! The odd c of a multiple c·p with which an engine computes instead of a short p, and the exact division by c when a
//! value leaves.
//!
//! A value is congruent to x·R modulo p. Multiplied by c and reduced modulo c·p it leaves as c·(x mod p), which is c
//! times the wanted residue. The division is that of T. Jebelean, "An algorithm for exact division", J. Symb. Comput.
//! 15 (1993), word by word from the lowest on. It takes n word products for the n words of the quotient, and
//! n(n + 1)/2 to subtract their multiples of c, however short c is. Constant time.

use crate::words::inverse;
use num_bigint::BigUint;
use num_traits::One;

/// A multiplier c: an odd number above 1.
#[derive(Clone)]
pub(crate) struct Multiplier {
    words: Vec<u64>,
    /// 1/c modulo 2^64.
    inverse: u64,
}

impl Multiplier {
    /// Creates the multiplier for an odd c; returns `None` for 1.
    pub(crate) fn new(c: &BigUint) -> Option<Self> {
        let words: Vec<u64> = c.iter_u64_digits().collect();
        let low = *words.first().filter(|_| !c.is_one())?;
        Some(Multiplier { words, inverse: inverse(low) })
    }

    /// x ← x/c for a multiple x of c whose quotient fits the words. Higher words of the multiple need not be there.
    pub(crate) fn divide(&self, x: &mut [u64]) {
        for i in 0..x.len() {
            // the digit of the quotient; the rest of x is (x − digit·c)/2^64
            let digit = x[i].wrapping_mul(self.inverse);
            let mut borrow = 0;
            let words = self.words.iter().copied().chain(std::iter::repeat(0));
            for (x, c) in x[i..].iter_mut().zip(words) {
                let product = u128::from(digit) * u128::from(c) + u128::from(borrow);
                let (t, under) = x.overflowing_sub(product as u64);
                (*x, borrow) = (t, (product >> 64) as u64 + u64::from(under));
            }
            x[i] = digit;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_exact() {
        let power = |bits: u32| BigUint::one() << bits;
        assert!(Multiplier::new(&power(0)).is_none());
        for c in
            [2, 3, 7, 13, 63, 64, 65, 128, 350].map(|bits| power(bits) - 1u32).into_iter().chain([power(64) + 1u32])
        {
            let multiplier = Multiplier::new(&c).unwrap();
            for v in [power(0), power(63), power(64) - 1u32, power(300) - 1u32, power(320) - 1u32, BigUint::ZERO] {
                // the words of the quotient, and no more
                let mut x = (&v * &c % power(320)).to_u64_digits();
                x.resize(5, 0);
                multiplier.divide(&mut x);
                let got = x.iter().rev().fold(BigUint::ZERO, |got, word| (got << 64u32) + *word);
                assert_eq!(got, v, "{v:#x}·{c:#x}");
            }
        }
    }
}
