//! The loop over n for a fixed argument, in blocks of several doublings.
//!
//! n is written in signed digits in base 2^w: m ← 2^w·m + d. One function of the fixed P serves a whole block (see
//! [`PreparedFunctions`](super::PreparedFunctions)). Its evaluation takes 2^w + |d| − 1 products and 2 reductions (1
//! reduction for w = 1, d = 0).

use crate::miller::LoopDigits;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

/// A block of the loop: w doublings and the addition of dP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The number w of doublings.
    pub width: u32,
    /// The digit d, with |d| ≤ 2^(w − 1).
    pub digit: i8,
}

impl Block {
    /// The order of the pole at O of the block's function. In the closing block, whose addition has no chord, the
    /// order is one less.
    pub(super) fn pole(self) -> usize {
        (1 << self.width) + usize::from(self.digit.unsigned_abs()) + 1
    }

    /// The number of products and reductions, counted alike: squarings of f (2M + 2R each), the function, and f times
    /// its value (3M + 2R).
    fn cost(self) -> usize {
        4 * self.width as usize + self.pole() + 5
    }
}

/// Returns the blocks of the cheapest width: 3 for a random n.
pub(super) fn best(n: &BigUint) -> Vec<Block> {
    (1..=4)
        .map(|w| recode(n, w))
        .min_by_key(|blocks| blocks.iter().map(|b| b.cost()).sum::<usize>())
        .unwrap_or_default()
}

/// Returns the blocks of n = (…(2^w0·1 + d0)·2^w + d1…). All blocks but the first have the given width.
fn recode(n: &BigUint, width: u32) -> Vec<Block> {
    let base = BigUint::one() << width;
    let mut blocks = vec![];
    let mut m = n.clone();
    while m > base {
        let (mut quotient, remainder) = m.div_rem(&base);
        // below 2^4
        let mut digit = remainder.to_i8().unwrap_or_default();
        if digit > 1 << (width - 1) {
            digit -= 1 << width;
            quotient += 1u32;
        }
        blocks.push(Block { width, digit });
        m = quotient;
    }
    // 2 ≤ m ≤ 2^w is one block that starts from 1, with |d| ≤ 2^(w0 − 1)
    let m = m.to_i8().unwrap_or_default();
    if m > 1 {
        let down = m.ilog2();
        let width = if m - (1 << down) > 1 << (down - 1) { down + 1 } else { down };
        blocks.push(Block { width, digit: m - (1 << width) });
    }
    blocks.reverse();
    blocks
}

/// Returns the blocks as digits of the Miller loop: w doublings, with d at the last.
pub(super) fn digits(blocks: &[Block]) -> LoopDigits {
    let mut digits = vec![1];
    for block in blocks {
        digits.extend(std::iter::repeat_n(0, block.width as usize - 1));
        digits.push(block.digit);
    }
    LoopDigits { digits, closes: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn blocks_give_back_the_number() {
        let dense = BigUint::from(3u32).pow(646);
        for n in (2u32..600).map(BigUint::from).chain([dense]) {
            for width in 1..=4 {
                let blocks = recode(&n, width);
                let value = digits(&blocks).digits.iter().fold(BigInt::ZERO, |v, d| v * 2 + *d);
                assert_eq!(value, BigInt::from(n.clone()), "w = {width}");
                assert!(blocks.iter().all(|b| b.width <= width && b.digit.unsigned_abs() <= 1 << (b.width - 1)));
            }
        }
    }

    #[test]
    fn three_doublings_a_block_cost_least() {
        let solinas = (BigUint::one() << 159u32) + (BigUint::one() << 107u32) + 1u32;
        for n in [solinas, BigUint::from(3u32).pow(646)] {
            assert_eq!(best(&n)[1].width, 3);
        }
    }
}
