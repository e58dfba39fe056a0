//! Multiples of p taken off a number of moderate size.

use super::kernels::{self, Isa};
use num_bigint::BigUint;
use num_traits::One;

/// ⌊x/p⌋ from the top bits of x.
#[derive(Clone)]
pub(super) struct Quotient {
    /// The bit of a number at which the window of 64 bits begins: bits(p) − 48, below 0 for the smallest p.
    begin: i32,
    /// ⌊2^(111 + begin)/p⌋, in [2^63, 2^64).
    reciprocal: u64,
}

impl Quotient {
    pub(super) fn new(p: &BigUint) -> Self {
        let bits = p.bits() as i32;
        let begin = bits - 48;
        let reciprocal = ((BigUint::one() << (63 + bits)) / p).iter_u64_digits().next().unwrap_or(0);
        Quotient { begin, reciprocal }
    }

    /// x + top·2^(64N) in [0, 2^16·p) loses q·p, which leaves it in [0, (1 + 2^−46)p); returns the top word.
    ///
    /// The window w = ⌊x/2^begin⌋ and P = p/2^begin ≥ 2^47 give q = ⌊w·reciprocal/2^111⌋ ≤ x/p. The truncations of w and of
    /// the reciprocal each take less than 2^−47 off the quotient.
    #[inline(always)]
    pub(super) fn shrink<const N: usize>(&self, isa: Isa, x: &mut [u64; N], top: u64, p: &[u64; N]) -> u64 {
        let q = ((self.window(x, top) as u128 * self.reciprocal as u128) >> 111) as u64;
        top.wrapping_sub(kernels::sub_scaled(isa, x, q, p))
    }

    /// x + top·2^(64N) in [0, 2^16·p) becomes canonical.
    #[inline(always)]
    pub(super) fn canonical<const N: usize>(&self, isa: Isa, x: &mut [u64; N], top: u64, p: &[u64; N]) {
        let top = self.shrink(isa, x, top, p);
        kernels::cond_sub(isa, x, top, p);
    }

    /// 64 bits of x + top·2^(64N) from bit `begin` on.
    #[inline(always)]
    fn window<const N: usize>(&self, x: &[u64; N], top: u64) -> u64 {
        if self.begin < 0 {
            return x[0] << -self.begin;
        }
        let (word, shift) = (self.begin as usize / 64, self.begin as u32 % 64);
        let high = if word + 1 < N { x[word + 1] } else { top };
        // two shifts, since one by 64 is not defined
        x[word] >> shift | high << 1 << (63 - shift)
    }
}
