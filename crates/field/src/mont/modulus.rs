//! The modulus in the form that kernels read, and the subtraction of multiples of it from a number of moderate size.

use super::kernels::{self, Isa};
use super::tight::WEIGHT_BITS;
use crate::words::{inverse, to_words};
use num_bigint::BigUint;
use num_traits::One;

/// p and the constants derived from p, one after the other as the kernels read them, each of n words unless stated
/// otherwise: p, 2^(64n) − p, one word ⌊2^(111 + begin)/p⌋ in [2^63, 2^64), one word `begin`, one word −1/p modulo
/// 2^64, n + 1 words 2^12·p, n + 1 words 2^12·p less [`GUARD`](kernels::GUARD), 2p modulo 2^(64n), p'' = (k·p + 1)/B
/// for the k < B that makes it an integer, for three B:
///
/// * 2^64, if a reduction with it leaves two products of residues below 2p, and 4p < 2^(64n); else 0;
/// * 2^256 and 2^512, for blocks of four and of eight rows of a reduction;
///
/// and n + 1 words p·(p_(n − 1) + 1) for the highest word of p: 2^(64(n − 1)) times that is in [p², (1 + 2^−40)p²) for a tight p.
///
/// `begin` is the bit of a number at which the window of 64 bits begins: bits(p) − 48, below 0 for the smallest p.
pub(super) struct Modulus {
    words: Box<[u64]>,
    n: usize,
}

/// Returns p'' for B = 2^64, or 0 where p'' cannot be used; `ninv` is −1/p modulo 2^64.
fn friendly(p: &BigUint, ninv: u64, r: &BigUint) -> BigUint {
    let friendly: BigUint = (p * ninv + 1u32) >> 64;
    // the reduction of t < (2 + 2^−40)p² is below t/R + p + p'' + 1
    let left = (p * p * 2u32 / r) + (p >> 40u32);
    let fits = (p << 2u32) < *r && &friendly + left + 2u32 < *p;
    // kernels see by the first word whether there is a p''
    let is_visible = friendly.iter_u64_digits().next().is_some_and(|word| word != 0);
    if fits && is_visible { friendly } else { BigUint::ZERO }
}

/// Returns (k·p + 1)/2^bits for k = −1/p modulo 2^bits, found from −1/p modulo 2^64, for up to 512 bits.
fn friendly_of(p: &BigUint, ninv: u64, bits: u32) -> BigUint {
    let r: BigUint = BigUint::one() << bits;
    // Newton's step for −1/p: k·(2 + k·p)
    let k = (0..3).fold(BigUint::from(ninv), |k, _| &k * (&k * p + 2u32) % &r);
    (k * p + 1u32) >> bits
}

impl Modulus {
    /// Creates the constants of an odd p < 2^(64n).
    pub(super) fn new(p: &BigUint, n: usize) -> Self {
        let low = p.iter_u64_digits().next().unwrap_or(1);
        let (ninv, bits) = (inverse(low).wrapping_neg(), p.bits());
        let (r, shifted) = (BigUint::one() << (64 * n), p << WEIGHT_BITS);
        // no kernel reads this value for a short p, whose 2^12·p has at most 64 bits
        let guarded = if shifted.bits() > 64 { &shifted - kernels::GUARD } else { shifted.clone() };
        let reciprocal = ((BigUint::one() << (63 + bits)) / p).iter_u64_digits().next().unwrap_or(0);
        let of = |x: &BigUint| to_words(x, n);
        let words = [
            of(p),
            of(&(&r - p)),
            vec![reciprocal, (bits as i64 - 48) as u64, ninv],
            to_words(&shifted, n + 1),
            to_words(&guarded, n + 1),
            of(&((p << 1u32) % &r)),
            of(&friendly(p, ninv, &r)),
            of(&friendly_of(p, ninv, 256)),
            of(&friendly_of(p, ninv, 512)),
            to_words(&(p * ((p >> (64 * (n - 1))) + 1u32)), n + 1),
        ];
        Modulus { words: words.concat().into(), n }
    }

    /// The modulus p.
    #[inline(always)]
    pub(super) fn p(&self) -> &[u64] {
        &self.words[..self.n]
    }

    #[inline(always)]
    fn reciprocal(&self) -> u64 {
        self.words[2 * self.n]
    }

    #[inline(always)]
    fn begin(&self) -> i64 {
        self.words[2 * self.n + 1] as i64
    }

    /// −1/p modulo 2^64.
    #[inline(always)]
    pub(super) fn ninv(&self) -> u64 {
        self.words[2 * self.n + 2]
    }

    /// 2^12·p: n words and the word above.
    #[inline(always)]
    pub(super) fn shifted(&self) -> &[u64] {
        &self.words[2 * self.n + 3..][..=self.n]
    }

    /// 2p modulo 2^(64n).
    #[inline(always)]
    pub(super) fn twice(&self) -> &[u64] {
        &self.words[4 * self.n + 5..][..self.n]
    }

    /// The address of all constants, as the kernels read them.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn words(&self) -> *const u64 {
        self.words.as_ptr()
    }

    /// Subtracts q·p from x + top·2^(64n) in [0, 2^16·p), which leaves a value in [0, (1 + 2^−46)p); returns the top
    /// word.
    ///
    /// The window w = ⌊x/2^begin⌋ and P = p/2^begin ≥ 2^47 give q = ⌊w·reciprocal/2^111⌋ ≤ x/p. The truncations of w
    /// and of the reciprocal each reduce the quotient by less than 2^−47.
    #[inline(always)]
    pub(super) fn shrink(&self, isa: Isa, x: &mut [u64], top: u64) -> u64 {
        let q = ((self.window(x, top) as u128 * self.reciprocal() as u128) >> 111) as u64;
        top.wrapping_sub(kernels::sub_scaled(isa, x, q, self.p()))
    }

    /// Makes x + top·2^(64n) in [0, 2^16·p) canonical.
    #[inline(always)]
    pub(super) fn canonical(&self, isa: Isa, x: &mut [u64], top: u64) {
        let top = self.shrink(isa, x, top);
        kernels::corrected::<0>(isa, x, top, self.p());
    }

    /// Returns 64 bits of x + top·2^(64n) from bit `begin` on.
    #[inline(always)]
    fn window(&self, x: &[u64], top: u64) -> u64 {
        let begin = self.begin();
        if begin < 0 {
            return x[0] << -begin;
        }
        let (word, shift) = (begin as usize / 64, begin as u32 % 64);
        let high = if word + 1 < x.len() { x[word + 1] } else { top };
        // two shifts, since one by 64 is not defined
        x[word] >> shift | high << 1 << (63 - shift)
    }
}
