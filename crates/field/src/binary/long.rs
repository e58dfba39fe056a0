//! F_2^1223 = F_2(x)/(x^1223 + x^255 + 1) in registers of 512 bits: an element takes three registers, an unreduced
//! value five.
//!
//! The remainder of l + h·x^1223 is l + h + h·x^255, and once more for the 254 bits of that sum above x^1223. A shift
//! by words combines two neighbouring registers; a shift by bits (1223 = 19·64 + 7, 255 = 4·64 − 1) combines each word
//! with the next (VBMI2). A square stays in registers. Elements are loaded and stored in pieces of 8, 8 and 4 words
//! everywhere, since a load that takes its bytes from two stores waits until both have reached the cache.
//!
//! The functions take the word count of a field as a parameter, but only work for 20.
#![allow(unsafe_code)]

use super::four::add_three;
use super::kernels::{Long, Terms};
use super::{Residue, Sum};
use crate::term::Term;
use std::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_alignr_epi64, _mm512_and_si512, _mm512_castsi512_si256,
    _mm512_clmulepi64_epi128, _mm512_loadu_si512, _mm512_permutex2var_epi64, _mm512_set_epi64, _mm512_setzero_si512,
    _mm512_shrdi_epi64, _mm512_storeu_si512, _mm512_xor_si512, _mm512_zextsi256_si512,
};

type Twice<const N: usize> = [[u64; N]; 2];
/// An element as 24 words, of which the last four are 0.
type Element = [__m512i; 3];

/// Returns the operations if the field is F_2^1223 modulo this polynomial and the processor has the instructions.
pub(super) fn detected<const N: usize>(m: usize, exponents: &[usize]) -> Option<Long<N>> {
    let there = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("vpclmulqdq");
    (N == 20 && m == 1223 && exponents == [0, 255] && there).then_some(Long {
        // SAFETY: the processor has the instructions, and there are 20 words
        reduce: |out, wides, terms| unsafe { reduce(out, wides, terms) },
        // SAFETY: the processor has the instructions, and there are 20 words
        sqr: |out, a| unsafe { sqr(out, a) },
        // SAFETY: the processor has the instructions, and there are 20 words
        squares: |out, a, n| unsafe { squares(out, a, n) },
        // SAFETY: the processor has the instructions, and there are 20 words
        add: |out, a, b| unsafe { add(out, a, b) },
        // SAFETY: the processor has the instructions, and there are 20 words
        sum: |out, terms| unsafe { sum(out, terms) },
    })
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load<const N: usize>(a: &[u64; N]) -> Element {
    let words = a.as_ptr();
    // SAFETY: there are 20 words
    unsafe {
        let last = _mm256_loadu_si256(words.add(16).cast());
        [_mm512_loadu_si512(words.cast()), _mm512_loadu_si512(words.add(8).cast()), _mm512_zextsi256_si512(last)]
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store<const N: usize>(out: &mut [u64; N], [a, b, c]: Element) {
    let words = out.as_mut_ptr();
    // SAFETY: there are 20 words
    unsafe {
        _mm512_storeu_si512(words.cast(), a);
        _mm512_storeu_si512(words.add(8).cast(), b);
        _mm256_storeu_si256(words.add(16).cast(), _mm512_castsi512_si256(c));
    }
}

#[inline]
#[expect(clippy::needless_range_loop, reason = "iterators are not inlined into functions for a processor")]
#[target_feature(enable = "avx512f")]
fn load_twice<const N: usize>(w: &Twice<N>) -> [__m512i; 5] {
    let words: *const u64 = w.as_ptr().cast();
    let mut out = [_mm512_setzero_si512(); 5];
    for i in 0..5 {
        // SAFETY: the two arrays are contiguous and have 40 words
        out[i] = unsafe { _mm512_loadu_si512(words.add(8 * i).cast()) };
    }
    out
}

/// Returns eight words of ⌊w/x^1223⌋ from two neighbouring registers of w: the lowest eight from words 16 to 31.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
fn above(low: __m512i, high: __m512i) -> __m512i {
    _mm512_shrdi_epi64::<7>(_mm512_alignr_epi64::<3>(high, low), _mm512_alignr_epi64::<4>(high, low))
}

/// Returns the words of h·x^255 at the place of the second of these two registers of h.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
fn raised(low: __m512i, high: __m512i) -> __m512i {
    _mm512_shrdi_epi64::<1>(_mm512_alignr_epi64::<4>(high, low), _mm512_alignr_epi64::<5>(high, low))
}

/// Computes the remainder of a polynomial of five registers.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
fn remainder([w0, w1, w2, w3, w4]: [__m512i; 5]) -> Element {
    let zero = _mm512_setzero_si512();
    // the part of words 16 to 23 below x^1223
    let kept = _mm512_set_epi64(0, 0, 0, 0, 0x7f, -1, -1, -1);
    let (h0, h1, h2) = (above(w2, w3), above(w3, w4), above(w4, zero));
    let s0 = add_three(w0, h0, raised(zero, h0));
    let s1 = add_three(w1, h1, raised(h0, h1));
    let s2 = add_three(_mm512_and_si512(w2, kept), h2, raised(h1, h2));
    let over = above(s2, zero);
    [add_three(s0, over, raised(zero, over)), s1, _mm512_and_si512(s2, kept)]
}

#[target_feature(enable = "avx512f,avx512vbmi2")]
fn reduce<const N: usize>(out: &mut Residue<N>, wides: &[Term<'_, Sum<N>>], terms: Terms<'_, N>) {
    let [mut w0, mut w1, mut w2, mut w3, mut w4] = [_mm512_setzero_si512(); 5];
    for wide in wides {
        if wide.coeff & 1 == 1 {
            let [v0, v1, v2, v3, v4] = load_twice(&wide.value.0);
            (w0, w1, w2) = (_mm512_xor_si512(w0, v0), _mm512_xor_si512(w1, v1), _mm512_xor_si512(w2, v2));
            (w3, w4) = (_mm512_xor_si512(w3, v3), _mm512_xor_si512(w4, v4));
        }
    }
    store(&mut out.0, with_terms(remainder([w0, w1, w2, w3, w4]), terms));
}

/// Computes a + Σ c·x.
#[inline]
#[target_feature(enable = "avx512f")]
fn with_terms<const N: usize>([mut a, mut b, mut c]: Element, terms: Terms<'_, N>) -> Element {
    for term in terms {
        if term.coeff & 1 == 1 {
            let [d, e, f] = load(&term.value.0);
            (a, b, c) = (_mm512_xor_si512(a, d), _mm512_xor_si512(b, e), _mm512_xor_si512(c, f));
        }
    }
    [a, b, c]
}

#[target_feature(enable = "avx512f")]
fn sum<const N: usize>(out: &mut Residue<N>, terms: Terms<'_, N>) {
    store(&mut out.0, with_terms([_mm512_setzero_si512(); 3], terms));
}

#[target_feature(enable = "avx512f")]
fn add<const N: usize>(out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
    let ([a0, a1, a2], [b0, b1, b2]) = (load(&a.0), load(&b.0));
    store(&mut out.0, [_mm512_xor_si512(a0, b0), _mm512_xor_si512(a1, b1), _mm512_xor_si512(a2, b2)]);
}

#[target_feature(enable = "avx512f,avx512vbmi2,vpclmulqdq")]
fn sqr<const N: usize>(out: &mut Residue<N>, a: &Residue<N>) {
    store(&mut out.0, square(load(&a.0)));
}

#[target_feature(enable = "avx512f,avx512vbmi2,vpclmulqdq")]
fn squares<const N: usize>(out: &mut Residue<N>, a: &Residue<N>, n: usize) {
    let mut power = load(&a.0);
    for _ in 0..n {
        power = square(power);
    }
    store(&mut out.0, power);
}

/// Computes a²: the bits of a, a 0 after each, and then the remainder.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2,vpclmulqdq")]
fn square([a, b, c]: Element) -> Element {
    // the squares of words 0, 2, 4, 6 and 1, 3, 5, 7 in turn
    let first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    let second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    let (a, a1) = (_mm512_clmulepi64_epi128::<0x00>(a, a), _mm512_clmulepi64_epi128::<0x11>(a, a));
    let (b, b1) = (_mm512_clmulepi64_epi128::<0x00>(b, b), _mm512_clmulepi64_epi128::<0x11>(b, b));
    let (c, c1) = (_mm512_clmulepi64_epi128::<0x00>(c, c), _mm512_clmulepi64_epi128::<0x11>(c, c));
    remainder([
        _mm512_permutex2var_epi64(a, first, a1),
        _mm512_permutex2var_epi64(a, second, a1),
        _mm512_permutex2var_epi64(b, first, b1),
        _mm512_permutex2var_epi64(b, second, b1),
        _mm512_permutex2var_epi64(c, first, c1),
    ])
}
