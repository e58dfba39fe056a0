//! Linear forms on words, and the masked subtractions that make their results canonical.
//!
//! A form is accumulated in one signed number: its words and a top word in two's complement. Costs are counted in passes
//! over the words; a pass is N (or 2N) add-with-carry steps.

use super::Residue;
use super::kernels::Wide;
use crate::term::Term;

/// How many doublings of p are kept: forms up to weight 2^8 − 1.
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
    pub(super) fn reduce(&self, x: &mut [u64; N], mut top: u64, bound: u32) {
        for j in (0..bound.next_power_of_two().trailing_zeros() as usize).rev() {
            let (m, m_top) = (&self.words[j], self.top[j]);
            let mut borrow = false;
            let mut d = [0; N];
            for i in 0..N {
                (d[i], borrow) = x[i].borrowing_sub(m[i], borrow);
            }
            let (d_top, negative) = top.borrowing_sub(m_top, borrow);
            // keep x where x < 2^j·p
            let keep = (negative as u64).wrapping_neg();
            for i in 0..N {
                x[i] = d[i] ^ (keep & (d[i] ^ x[i]));
            }
            top = d_top ^ (keep & (d_top ^ top));
        }
    }
}

/// x += c·y on N words; returns the change of the (signed) top word. The coefficient is public.
#[inline(always)]
fn add_scaled<const N: usize>(x: &mut [u64; N], c: i32, y: &[u64; N], carry_in: i64) -> i64 {
    match c {
        1 if carry_in == 0 || carry_in == 1 => {
            let mut carry = carry_in != 0;
            for i in 0..N {
                (x[i], carry) = x[i].carrying_add(y[i], carry);
            }
            carry as i64
        }
        -1 if carry_in == 0 || carry_in == -1 => {
            let mut borrow = carry_in != 0;
            for i in 0..N {
                (x[i], borrow) = x[i].borrowing_sub(y[i], borrow);
            }
            -(borrow as i64)
        }
        _ => {
            let mut carry = carry_in as i128;
            for i in 0..N {
                carry += x[i] as i128 + c as i128 * y[i] as i128;
                x[i] = carry as u64;
                carry >>= 64;
            }
            carry as i64
        }
    }
}

/// out ← Σ c·x; returns the top word.
#[inline(always)]
pub(super) fn accumulate<const N: usize>(out: &mut [u64; N], terms: &[Term<Residue<N>>]) -> u64 {
    let mut rest = terms;
    *out = [0; N];
    if let Some((Term { coeff: 1, value }, others)) = terms.split_first() {
        *out = value.0;
        rest = others;
    }
    rest.iter().map(|t| add_scaled(out, t.coeff, &t.value.0, 0)).sum::<i64>() as u64
}

/// out ← Σ c·w on 2N words; returns the top word.
#[inline(always)]
pub(super) fn accumulate_wide<const N: usize>(out: &mut Wide<N>, terms: &[Term<Wide<N>>]) -> u64 {
    let mut rest = terms;
    *out = Wide::default();
    if let Some((Term { coeff: 1, value }, others)) = terms.split_first() {
        *out = **value;
        rest = others;
    }
    let mut top = 0;
    for t in rest {
        let carry = add_scaled(&mut out.lo, t.coeff, &t.value.lo, 0);
        top += add_scaled(&mut out.hi, t.coeff, &t.value.hi, carry);
    }
    top as u64
}

/// x ← x + m·p; returns the new top word. m = 0 costs nothing.
#[inline(always)]
pub(super) fn add_top<const N: usize>(x: &mut [u64; N], top: u64, p: &[u64; N], m: u32) -> u64 {
    if m == 0 { top } else { top.wrapping_add_signed(add_scaled(x, m as i32, p, 0)) }
}
