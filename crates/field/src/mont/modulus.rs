//! The modulus in the form that kernels read, and the subtraction of multiples of it from a number of moderate size.

use super::kernels::{self, Isa};
use super::tight::WEIGHT_BITS;
use num_bigint::BigUint;
use num_traits::One;

/// p and what is derived from it. The kernels know the layout.
#[derive(Clone)]
#[repr(C)]
pub(super) struct Modulus<const N: usize> {
    pub(super) p: [u64; N],
    /// 2^(64N) − p.
    complement: [u64; N],
    /// ⌊2^(111 + begin)/p⌋, in [2^63, 2^64).
    reciprocal: u64,
    /// The bit of a number at which the window of 64 bits begins: bits(p) − 48, below 0 for the smallest p.
    begin: i64,
    /// −1/p mod 2^64.
    pub(super) ninv: u64,
    /// 2^12·p.
    lift: Above<N>,
    /// The same less [`BIAS`](kernels::BIAS).
    biased: Above<N>,
    /// 2p mod 2^(64N).
    twice: [u64; N],
    /// p'' = (k·p + 1)/2^64 for the k < 2^64 that makes it an integer, if a reduction with it leaves a product of residues below
    /// 2p, and 4p < 2^(64N); else 0.
    friendly: [u64; N],
    /// p'' = (k·p + 1)/2^256 for the k < 2^256 that makes it an integer, for blocks of four rows of a reduction.
    pub(super) friendly_4: [u64; N],
    /// The same with 2^512, for blocks of eight.
    pub(super) friendly_8: [u64; N],
}

/// N words and one above.
#[derive(Clone)]
#[repr(C)]
struct Above<const N: usize> {
    words: [u64; N],
    above: u64,
}

impl<const N: usize> Above<N> {
    fn new(x: &BigUint) -> Self {
        let above = (x >> (64 * N)).iter_u64_digits().next().unwrap_or(0);
        Above { words: super::to_words(&(x % (BigUint::one() << (64 * N)))), above }
    }
}

/// p'', or 0, for −1/p modulo 2^64.
fn friendly(p: &BigUint, ninv: u64, r: &BigUint) -> BigUint {
    let friendly: BigUint = (p * ninv + 1u32) >> 64;
    // what is left of t < p² is below t/R + p + p'' + 1
    let fits = (p << 2u32) < *r && &friendly + p * p / r + 2u32 < *p;
    // the first word tells whether there is one
    let told = friendly.iter_u64_digits().next().is_some_and(|word| word != 0);
    if fits && told { friendly } else { BigUint::ZERO }
}

/// (k·p + 1)/2^bits for k = −1/p modulo 2^bits, from that modulo 2^64, for up to 512 bits.
fn friendly_of(p: &BigUint, ninv: u64, bits: u32) -> BigUint {
    let r: BigUint = BigUint::one() << bits;
    // Newton's step for −1/p: k·(2 + k·p)
    let k = (0..3).fold(BigUint::from(ninv), |k, _| &k * (&k * p + 2u32) % &r);
    (k * p + 1u32) >> bits
}

impl<const N: usize> Modulus<N> {
    /// For an odd p < 2^(64N).
    pub(super) fn new(p: &BigUint) -> Self {
        let bits = p.bits();
        let words = super::to_words::<N>(p);
        // Newton: each step doubles the number of correct bits of 1/p mod 2^64.
        let mut inv = words[0];
        for _ in 0..5 {
            inv = inv.wrapping_mul(2u64.wrapping_sub(words[0].wrapping_mul(inv)));
        }
        let (r, lift) = (BigUint::one() << (64 * N), p << WEIGHT_BITS);
        Modulus {
            p: words,
            complement: super::to_words(&(&r - p)),
            reciprocal: ((BigUint::one() << (63 + bits)) / p).iter_u64_digits().next().unwrap_or(0),
            begin: bits as i64 - 48,
            ninv: inv.wrapping_neg(),
            lift: Above::new(&lift),
            // a p of few bits, whose lift is below that, has no kernels that read it
            biased: Above::new(&(if lift.bits() > 64 { &lift - kernels::BIAS } else { lift.clone() })),
            twice: super::to_words(&((p << 1u32) % &r)),
            friendly: super::to_words(&friendly(p, inv.wrapping_neg(), &r)),
            friendly_4: super::to_words(&friendly_of(p, inv.wrapping_neg(), 256)),
            friendly_8: super::to_words(&friendly_of(p, inv.wrapping_neg(), 512)),
        }
    }

    /// All of it, as the kernels read it.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn words(&self) -> *const u64 {
        (&raw const *self).cast()
    }

    /// x + top·2^(64N) in [0, 2^16·p) loses q·p, which leaves it in [0, (1 + 2^−46)p); returns the top word.
    ///
    /// The window w = ⌊x/2^begin⌋ and P = p/2^begin ≥ 2^47 give q = ⌊w·reciprocal/2^111⌋ ≤ x/p. The truncations of w and of
    /// the reciprocal each take less than 2^−47 off the quotient.
    #[inline(always)]
    pub(super) fn shrink(&self, isa: Isa, x: &mut [u64; N], top: u64) -> u64 {
        let q = ((self.window(x, top) as u128 * self.reciprocal as u128) >> 111) as u64;
        top.wrapping_sub(kernels::sub_scaled(isa, x, q, &self.p))
    }

    /// x + top·2^(64N) in [0, 2^16·p) becomes canonical.
    #[inline(always)]
    pub(super) fn canonical(&self, isa: Isa, x: &mut [u64; N], top: u64) {
        let top = self.shrink(isa, x, top);
        kernels::cond_sub(isa, x, top, &self.p);
    }

    /// 64 bits of x + top·2^(64N) from bit `begin` on.
    #[inline(always)]
    fn window(&self, x: &[u64; N], top: u64) -> u64 {
        if self.begin < 0 {
            return x[0] << -self.begin;
        }
        let (word, shift) = (self.begin as usize / 64, self.begin as u32 % 64);
        let high = if word + 1 < N { x[word + 1] } else { top };
        // two shifts, since one by 64 is not defined
        x[word] >> shift | high << 1 << (63 - shift)
    }
}
