//! Moduli with fewer than 16 spare bits below 2^(64n): elements are canonical, unreduced sums are not corrected at all.
//!
//! Ranges, in units of p and of p·R, with s = 64n − bits(p) spare bits (proved by [`TightRules`](super::rules::TightRules)):
//!
//! * every element is in [0, p). Where s ≥ 1, the fused products in F_p(i) add two elements without a correction, below
//!   2p, and where s ≥ 2 they take operands that are such sums;
//! * a product is below 16p² < 16·2^(−s)·pR; a form of products is a number of 2n + 1 words in two's complement, in
//!   (−2^12·pR, 2^12·pR);
//! * a reduction adds 2^12·pR, which gives a value in [0, (2^13 + 1)p), and subtracts the quotient times p once
//!   ([`Modulus::shrink`](super::modulus::Modulus::shrink)); a sum of elements does the same with 2^12·p.

/// log2 of the bound of a form, in units of p·R or p.
pub(super) const WEIGHT_BITS: u32 = 12;
/// The number of spare bits from which on 2p < 2^(64n).
pub(super) const LAZY: u32 = 1;
/// The number of spare bits from which on 4p < 2^(64n).
pub(super) const TAKES_SUMS: u32 = 2;

/// The precomputed constants of a tight modulus.
pub(super) struct Tight {
    /// 2^12·p·R: n words 0, n words and the word above.
    bias: Vec<u64>,
    /// Whether 2p < 2^(64n).
    pub(super) lazy: bool,
    /// Whether 4p < 2^(64n): then fused products take sums of two elements, which they add up.
    pub(super) takes_sums: bool,
}

impl Tight {
    /// Creates the constants for p, from the number of spare bits above p and from 2^12·p.
    pub(super) fn new(p: &[u64], spare: u32, shifted: &[u64]) -> Self {
        Tight { bias: [&vec![0; p.len()], shifted].concat(), lazy: spare >= LAZY, takes_sums: spare >= TAKES_SUMS }
    }

    /// 2^12·p·R.
    #[inline(always)]
    pub(super) fn bias(&self) -> &[u64] {
        &self.bias
    }

    /// 2^12·p as n words and a top word.
    #[inline(always)]
    pub(super) fn bias_element(&self) -> (&[u64], u64) {
        let n = self.bias.len() / 2;
        (&self.bias[n..2 * n], self.bias[2 * n])
    }
}
