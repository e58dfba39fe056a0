//! Moduli with at least 16 spare bits below 2^(64N): elements need not be canonical, so most corrections disappear.
//!
//! Ranges, in units of p and of p·R, with s = 64N − bits(p) spare bits (proved by [`Rules`](super::Rules)):
//!
//! * a closed element is in [0, 3p); `add` adds ranges; `sub` adds 16p, so a subtrahend must be below 16p;
//! * a product of elements below 2^u·p and 2^v·p is below 2^(u+v−s)·pR, a small fraction of pR;
//! * a form is a number in two's complement; where it may be negative, pR is added before its reduction, which gives a
//!   value below 3p;
//! * a sum of elements gets 16p for each subtraction and loses q·p for a quotient q estimated from its top 47 bits.

use super::forms::{three, two, wide_three, wide_two, with_three, with_two};
use super::kernels::{self, Isa, Wide};
use super::linear::{accumulate, accumulate_wide, add_multiple};
use super::{Residue, Sum};
use crate::term::Term;

/// Spare bits that this representation needs.
pub(super) const SPARE_BITS: u32 = 16;
/// The bound of a subtrahend, in units of p.
pub(super) const SUBTRAHEND: u32 = 16;

/// What a roomy modulus precomputes.
#[derive(Clone)]
pub(super) struct Room<const N: usize> {
    /// 16p.
    offset: [u64; N],
    /// The position of bit bits(p) − 32.
    word: usize,
    shift: u32,
    /// ⌊2^63/(⌊p/2^(bits(p) − 32)⌋ + 1)⌋.
    reciprocal: u64,
}

impl<const N: usize> Room<N> {
    /// Whether a modulus of so many bits with so many spare ones is handled here.
    pub(super) fn suits(bits: u32, spare: u32) -> bool {
        spare >= SPARE_BITS && bits >= 32
    }

    /// `None` if p has fewer than 16 spare bits, or fewer than 32 bits.
    pub(super) fn new(p: &[u64; N], bits: u32) -> Option<Self> {
        if !Self::suits(bits, 64 * N as u32 - bits) {
            return None;
        }
        let mut offset = [0; N];
        for i in 0..N {
            offset[i] = p[i] << 4 | if i > 0 { p[i - 1] >> 60 } else { 0 };
        }
        let (word, shift) = ((bits as usize - 32) / 64, (bits - 32) % 64);
        let top = window(p, word, shift);
        Some(Room { offset, word, shift, reciprocal: (1 << 63) / (top + 1) })
    }

    /// a − b + 16p.
    #[inline(always)]
    pub(super) fn sub(&self, isa: Isa, out: &mut [u64; N], a: &[u64; N], b: &[u64; N]) {
        three::<N, 1, 0>(isa, out, a, b, &self.offset);
    }

    /// Σ c·x in [0, 3p), for x below 16p.
    #[inline(always)]
    pub(super) fn sum(&self, isa: Isa, out: &mut [u64; N], terms: &[Term<Residue<N>>], p: &[u64; N]) {
        match terms {
            [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }] => self.sub(isa, out, &a.0, &b.0),
            [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }] => two::<N, 0>(isa, out, &a.0, &b.0),
            _ => {
                accumulate(isa, out, terms);
                let m: u32 = terms.iter().filter(|t| t.coeff < 0).map(|t| t.coeff.unsigned_abs()).sum();
                add_multiple(isa, out, 0, p, SUBTRAHEND * m);
            }
        }
        self.shrink(isa, out, p);
    }

    /// x in [0, 2^15·p) becomes x − q·p in [0, 3p): q = ⌊w·reciprocal/2^63⌋ for the top bits w of x falls short of x/p by
    /// less than 2 (by 1 for rounding, by x/p·2^(−31) for each truncation).
    #[inline(always)]
    pub(super) fn shrink(&self, isa: Isa, x: &mut [u64; N], p: &[u64; N]) {
        let w = window(x, self.word, self.shift);
        let q = ((w as u128 * self.reciprocal as u128) >> 63) as u64;
        kernels::sub_scaled(isa, x, q, p);
    }
}

/// Whether a form may be negative.
#[inline(always)]
pub(super) fn signed<const N: usize>(terms: &[Term<Sum<N>>]) -> bool {
    terms.iter().any(|t| t.coeff < 0 || t.value.signed)
}

/// Σ c·w in two's complement.
pub(super) fn form<const N: usize>(isa: Isa, out: &mut Wide<N>, terms: &[Term<Sum<N>>]) {
    match terms {
        [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }] => wide_two::<N, 0>(isa, out, &a.words, &b.words),
        [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }] => wide_two::<N, 1>(isa, out, &a.words, &b.words),
        [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }, Term { coeff: -1, value: c }] => {
            wide_three::<N, 1, 1>(isa, out, &a.words, &b.words, &c.words);
        }
        _ => {
            accumulate_wide(isa, out, terms);
        }
    }
}

/// Hands Σ c·w, plus pR where it may be negative, to `then`: the shapes of the formulas in one pass each.
#[inline(always)]
pub(super) fn with_form<const N: usize>(
    isa: Isa,
    terms: &[Term<Sum<N>>],
    p: &[u64; N],
    then: impl FnOnce(&mut Wide<N>),
) {
    let signed = signed(terms);
    let then = |t: &mut Wide<N>| {
        if signed {
            kernels::add_scaled(isa, &mut t.hi, 1, p);
        }
        then(t);
    };
    match terms {
        [Term { coeff: 1, value: a }] => then(&mut { a.words }),
        [Term { coeff: 2, value: a }] => with_two::<N, 0, _>(isa, &a.words, &a.words, then),
        [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }] => {
            with_two::<N, 0, _>(isa, &a.words, &b.words, then);
        }
        [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }, Term { coeff: 1, value: c }] => {
            with_three::<N, 0, 0, _>(isa, &a.words, &b.words, &c.words, then);
        }
        [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }] => {
            with_two::<N, 1, _>(isa, &a.words, &b.words, then);
        }
        [Term { coeff: 2, value: a }, Term { coeff: -1, value: b }] => {
            with_three::<N, 0, 1, _>(isa, &a.words, &a.words, &b.words, then);
        }
        [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }, Term { coeff: -1, value: c }] => {
            with_three::<N, 1, 1, _>(isa, &a.words, &b.words, &c.words, then);
        }
        _ => {
            let mut t = Wide::default();
            accumulate_wide(isa, &mut t, terms);
            then(&mut t);
        }
    }
}

/// The 64 bits of x from a bit position.
#[inline(always)]
fn window<const N: usize>(x: &[u64; N], word: usize, shift: u32) -> u64 {
    let high = if word + 1 < N { x[word + 1] } else { 0 };
    // two shifts, since one by 64 is not defined
    x[word] >> shift | high << 1 << (63 - shift)
}
