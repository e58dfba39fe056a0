//! Moduli with at least 16 spare bits below 2^(64N): elements need not be canonical, so most corrections disappear.
//!
//! Ranges, in units of p and of p·R, with s = 64N − bits(p) spare bits (proved by [`RoomyRules`](super::rules::RoomyRules)):
//!
//! * a closed element is in [0, 3p); `add` adds ranges; `sub` adds 16p, so a subtrahend must be below 16p;
//! * a product of elements below 2^u·p and 2^v·p is below 2^(u+v−s)·pR, a small fraction of pR;
//! * a form is a number in two's complement; where it may be negative, pR is added before its reduction, which gives a
//!   value below 3p;
//! * to a sum of elements 2^10·p is added, which makes it positive, and its quotient times p is subtracted
//!   ([`Modulus::shrink`]).

use super::forms::{three, two, wide_three, wide_two, with_three, with_two};
use super::kernels::{self, Isa, Wide};
use super::modulus::Modulus;
use super::sums::{sum_elements, sum_wide};
use super::{Residue, Sum};
use crate::term::Term;

/// Spare bits that this representation needs.
pub(super) const SPARE_BITS: u32 = 16;
/// The bound of a subtrahend, in units of p.
pub(super) const SUBTRAHEND: u32 = 16;
/// log2 of what is added to a sum of elements, in units of p.
pub(super) const LIFT_BITS: u32 = 10;

/// What a roomy modulus precomputes.
#[derive(Clone)]
pub(super) struct Roomy<const N: usize> {
    /// 16p.
    offset: [u64; N],
    /// 2^10·p.
    lift: [u64; N],
}

/// 2^k·p modulo 2^(64N), for 0 < k < 64.
pub(super) fn shifted<const N: usize>(p: &[u64; N], k: u32) -> [u64; N] {
    core::array::from_fn(|i| p[i] << k | if i > 0 { p[i - 1] >> (64 - k) } else { 0 })
}

impl<const N: usize> Roomy<N> {
    /// Whether a modulus with so many spare bits is handled here.
    pub(super) fn suits(spare: u32) -> bool {
        spare >= SPARE_BITS
    }

    pub(super) fn new(p: &[u64; N]) -> Self {
        Roomy { offset: shifted(p, SUBTRAHEND.ilog2()), lift: shifted(p, LIFT_BITS) }
    }

    /// a − b + 16p.
    #[inline(always)]
    pub(super) fn sub(&self, isa: Isa, out: &mut [u64; N], a: &[u64; N], b: &[u64; N]) {
        three::<N, 1, 0>(isa, out, a, b, &self.offset);
    }

    /// Σ c·x in [0, 3p), for a sum in (−2^10·p, 2^14·p).
    #[inline(always)]
    pub(super) fn sum(&self, isa: Isa, out: &mut [u64; N], terms: &[Term<Residue<N>>], m: &Modulus<N>) {
        match terms {
            [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }] => self.sub(isa, out, &a.0, &b.0),
            [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }] => two::<N, 0>(isa, out, &a.0, &b.0),
            _ => {
                sum_elements(isa, out, (&self.lift, 0), terms);
            }
        }
        m.shrink(isa, out, 0);
    }
}

/// Whether a form may be negative.
#[inline(always)]
pub(super) fn signed<const N: usize>(terms: &[Term<Sum<N>>]) -> bool {
    terms.iter().any(|t| t.coeff < 0 || t.value.top < 0)
}

/// Σ c·w in two's complement.
pub(super) fn form<const N: usize>(isa: Isa, out: &mut Sum<N>, terms: &[Term<Sum<N>>]) {
    match terms {
        [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }] => {
            wide_two::<N, 0>(isa, &mut out.words, &a.words, &b.words);
        }
        [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }] => {
            wide_two::<N, 1>(isa, &mut out.words, &a.words, &b.words);
        }
        [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }, Term { coeff: -1, value: c }] => {
            wide_three::<N, 1, 1>(isa, &mut out.words, &a.words, &b.words, &c.words);
        }
        _ => sum_wide(isa, out, &Sum::default(), terms),
    }
    out.top = -i64::from(signed(terms));
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
            kernels::add_to(isa, &mut t.hi, p);
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
            let mut t = Sum::default();
            sum_wide(isa, &mut t, &Sum::default(), terms);
            then(&mut t.words);
        }
    }
}
