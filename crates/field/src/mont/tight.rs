//! Moduli with fewer than 16 spare bits below 2^(64N): elements are canonical, unreduced sums are not corrected at all.
//!
//! Ranges, in units of p and of p·R, with s = 64N − bits(p) spare bits (proved by [`TightRules`](super::rules::TightRules)):
//!
//! * every element is in [0, p). Where s ≥ 1, the fused products in F_p(i) add two without a correction, below 2p, and where s ≥ 2
//!   they take operands that are such sums;
//! * a product is below 16p² < 16·2^(−s)·pR; a form of products is a number of 2N + 1 words in two's complement, in
//!   (−2^12·pR, 2^12·pR);
//! * a reduction adds 2^12·pR, which gives a value in [0, (2^13 + 1)p), and subtracts the quotient times p once
//!   ([`Modulus::shrink`](super::modulus::Modulus::shrink)); a sum of elements does the same with 2^12·p.

use super::Sum;
use super::kernels::Wide;
use super::roomy::shifted;

/// log2 of the bound of a form, in units of p·R or p.
pub(super) const WEIGHT_BITS: u32 = 12;

/// What a tight modulus precomputes.
#[derive(Clone)]
pub(super) struct Tight<const N: usize> {
    /// 2^12·p·R.
    pub(super) lift: Sum<N>,
    /// Whether 2p < 2^(64N).
    pub(super) lazy: bool,
    /// 2p, if 4p < 2^(64N): then fused products take sums of two, which they add up.
    pub(super) twice: Option<[u64; N]>,
}

impl<const N: usize> Tight<N> {
    pub(super) fn new(p: &[u64; N]) -> Self {
        let hi = shifted(p, WEIGHT_BITS);
        let top = (p[N - 1] >> (64 - WEIGHT_BITS)) as i64;
        let twice = (p[N - 1] >> 62 == 0).then(|| shifted(p, 1));
        Tight { lift: Sum { words: Wide { lo: [0; N], hi }, top }, lazy: p[N - 1] >> 63 == 0, twice }
    }

    /// 2^12·p as N words and a top word.
    #[inline(always)]
    pub(super) fn lift_element(&self) -> (&[u64; N], u64) {
        (&self.lift.words.hi, self.lift.top as u64)
    }
}
