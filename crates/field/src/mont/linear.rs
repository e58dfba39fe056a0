//! Linear forms on words, and the masked subtractions that make their results canonical.
//!
//! A form is accumulated in one signed number: its words and a top word in two's complement. Costs are counted in passes
//! over the words; a pass is N (or 2N) add-with-carry steps.

use super::kernels::{self, Isa, Wide};
use super::{Residue, Sum};
use crate::term::Term;

/// How many doublings of p are kept: forms up to weight 2^8.
const DOUBLINGS: usize = 8;
/// The greatest weight of a linear form.
pub(super) const MAX_WEIGHT: u32 = 1 << DOUBLINGS;

/// 2^j·p for j < 8, each as N words and a top word.
#[derive(Clone)]
pub(super) struct Multiples<const N: usize> {
    words: [[u64; N]; DOUBLINGS],
    top: [u64; DOUBLINGS],
}

impl<const N: usize> Multiples<N> {
    pub(super) fn new(p: &[u64; N]) -> Self {
        let mut out = Multiples { words: [*p; DOUBLINGS], top: [0; DOUBLINGS] };
        for j in 1..DOUBLINGS {
            let mut carry = 0;
            for i in 0..N {
                let w = out.words[j - 1][i];
                out.words[j][i] = w << 1 | carry;
                carry = w >> 63;
            }
            out.top[j] = out.top[j - 1] << 1 | carry;
        }
        out
    }

    /// p.
    #[inline(always)]
    pub(super) fn p(&self) -> &[u64; N] {
        &self.words[0]
    }

    /// x + top·2^(64N) in [0, bound·p) becomes canonical: ⌈log2 bound⌉ masked subtractions.
    ///
    /// # Panics
    /// If bound > 256: a formula of that weight is an error of its author.
    #[inline(always)]
    pub(super) fn reduce(&self, isa: Isa, x: &mut [u64; N], mut top: u64, bound: u32) {
        for j in (0..bound.next_power_of_two().trailing_zeros() as usize).rev() {
            top = kernels::cond_sub(isa, x, top, &self.words[j], self.top[j]);
        }
    }
}

/// out ← Σ c·x; returns the top word.
#[inline(always)]
pub(super) fn accumulate<const N: usize>(isa: Isa, out: &mut [u64; N], terms: &[Term<Residue<N>>]) -> u64 {
    let (first, rest) = leading(terms);
    *out = first.map_or([0; N], |x| x.0);
    rest.iter().map(|t| kernels::add_scaled(isa, out, t.coeff, &t.value.0)).sum::<i64>() as u64
}

/// out ← Σ c·w on 2N words; returns the top word.
#[inline(always)]
pub(super) fn accumulate_wide<const N: usize>(isa: Isa, out: &mut Wide<N>, terms: &[Term<Sum<N>>]) -> u64 {
    let (first, rest) = leading(terms);
    *out = first.map_or_else(Wide::default, |w| w.words);
    rest.iter().map(|t| kernels::add_scaled_wide(isa, out, t.coeff, &t.value.words)).sum::<i64>() as u64
}

/// The first value, if its coefficient is 1, and the other terms.
#[inline(always)]
fn leading<'a, 't, T>(terms: &'t [Term<'a, T>]) -> (Option<&'a T>, &'t [Term<'a, T>]) {
    match terms.split_first() {
        Some((Term { coeff: 1, value }, rest)) => (Some(value), rest),
        _ => (None, terms),
    }
}

/// x ← x + m·p; returns the new top word. m = 0 costs nothing.
#[inline(always)]
pub(super) fn add_multiple<const N: usize>(isa: Isa, x: &mut [u64; N], top: u64, p: &[u64; N], m: u32) -> u64 {
    if m == 0 { top } else { top.wrapping_add_signed(kernels::add_scaled(isa, x, m as i32, p)) }
}
