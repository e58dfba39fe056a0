//! Moduli with at least 16 spare bits below 2^(64n): elements need not be canonical, so most corrections disappear.
//!
//! Ranges, in units of p and of p·R, with s = 64n − bits(p) spare bits (proved by [`RoomyRules`](super::rules::RoomyRules)):
//!
//! * a closed element is in [0, 3p); `add` adds ranges; `sub` adds 16p, so a subtrahend must be below 16p;
//! * a product of elements below 2^u·p and 2^v·p is below 2^(u+v−s)·pR, a small fraction of pR;
//! * a form is a number in two's complement; where it may be negative, pR is added before its reduction, which gives a
//!   value below 3p;
//! * to a sum of elements 2^10·p is added, which makes it positive, and its quotient times p is subtracted
//!   ([`Modulus::shrink`](super::modulus::Modulus::shrink)).

use super::forms::{three, two, two_onto};
use super::kernels::Isa;
use super::sums::sum_wide;
use super::values::{Place, Scratch, Terms, ZERO};

/// The number of spare bits that this representation needs.
pub(super) const SPARE_BITS: u32 = 16;
/// The bound of a subtrahend, in units of p.
pub(super) const SUBTRAHEND: u32 = 16;
/// log2 of the bias that is added to a sum of elements, in units of p.
pub(super) const BIAS_BITS: u32 = 10;

/// The precomputed constants of a roomy modulus.
pub(super) struct Roomy {
    /// 16p.
    offset: Vec<u64>,
    /// 2^10·p.
    pub(super) bias: Vec<u64>,
}

/// Returns true if a modulus with `spare` spare bits is roomy.
pub(super) fn suits(spare: u64) -> bool {
    spare >= u64::from(SPARE_BITS)
}

/// 2^k·p modulo 2^(64·words), for 0 < k < 64.
fn shifted(p: &[u64], k: u32) -> Vec<u64> {
    let below = std::iter::once(&0).chain(p);
    p.iter().zip(below).map(|(word, below)| word << k | below >> (64 - k)).collect()
}

impl Roomy {
    pub(super) fn new(p: &[u64]) -> Self {
        Roomy { offset: shifted(p, SUBTRAHEND.ilog2()), bias: shifted(p, BIAS_BITS) }
    }

    /// a − b + 16p.
    #[inline(always)]
    pub(super) fn sub<'t>(&self, isa: Isa, out: impl Place<'t>, a: &[u64], b: &[u64]) -> &'t mut [u64] {
        three::<1, 0>(isa, out, a, b, &self.offset).1
    }
}

/// Returns true if a form may be negative, by its coefficients and by the word above each value.
#[inline(always)]
fn signed(terms: Terms) -> bool {
    terms.iter().any(|(c, w)| c < 0 || w.last().is_some_and(|top| *top != 0))
}

/// Σ c·w in two's complement.
#[inline(always)]
pub(super) fn form(isa: Isa, out: &mut [u64], terms: Terms) {
    let last = out.len() - 1;
    if let Some([(1, a), (sign @ (1 | -1), b)]) = terms.as_array() {
        let (out, a, b) = (&mut out[..last], &a[..last], &b[..last]);
        if sign == 1 {
            two::<0>(isa, out, a, b)
        } else {
            two::<1>(isa, out, a, b)
        };
    } else if let Some([(1, a), (-1, b), (-1, c)]) = terms.as_array() {
        three::<1, 1>(isa, &mut out[..last], &a[..last], &b[..last], &c[..last]);
    } else {
        sum_wide(isa, &mut *out, ZERO, terms);
    }
    out[last] = u64::from(signed(terms)).wrapping_neg();
}

/// Computes Σ c·w in scratch, plus pR where the sum may be negative. The forms that the formulas have take one pass
/// each.
#[inline(always)]
pub(super) fn form_in<'t>(isa: Isa, t: &'t mut Scratch, terms: Terms, p: &[u64]) -> &'t mut [u64] {
    let words = terms.words() - 1;
    let signed = signed(terms);
    let t = if let Some([(c @ (1 | 2), a)]) = terms.as_array() {
        let a = &a[..words];
        match c {
            1 => t.copy(a),
            _ => two::<0>(isa, t, a, a).1,
        }
    } else if let Some([(c @ (1 | 2), a), (sign @ (1 | -1), b)]) = terms.as_array()
        && (c == 1 || sign == -1)
    {
        let (a, b) = (&a[..words], &b[..words]);
        match (c, sign) {
            (1, 1) => two::<0>(isa, t, a, b).1,
            (1, _) => two::<1>(isa, t, a, b).1,
            _ => three::<0, 1>(isa, t, a, a, b).1,
        }
    } else if let Some([(1, a), (x @ (1 | -1), b), (y, c)]) = terms.as_array()
        && x == y
    {
        let (a, b, c) = (&a[..words], &b[..words], &c[..words]);
        if x == 1 { three::<0, 0>(isa, t, a, b, c).1 } else { three::<1, 1>(isa, t, a, b, c).1 }
    } else {
        &mut sum_wide(isa, t, ZERO, terms)[..words]
    };
    if signed {
        two_onto::<0>(isa, &mut t[words / 2..], p);
    }
    t
}
