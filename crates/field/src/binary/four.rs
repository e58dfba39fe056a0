//! Four products of polynomials over F_2 side by side, by VPCLMULQDQ on registers of 512 bits: a register holds one
//! digit of 128 bits of each polynomial.
//!
//! A transposition turns the words of four polynomials into digits, and the same transposition turns the digits of the
//! products into words. Between the two the computation is that of `lanes.rs` for two polynomials.
#![allow(unsafe_code)]

use super::lanes::columns;
use super::products::Four;
use crate::ifma::quarters;
use std::arch::x86_64::{
    __m512i, _mm_storeu_si128, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_alignr_epi8, _mm512_castsi512_si128,
    _mm512_castsi512_si256, _mm512_clmulepi64_epi128, _mm512_extracti32x4_epi32, _mm512_loadu_si512,
    _mm512_maskz_loadu_epi64, _mm512_setzero_si512, _mm512_shuffle_epi32, _mm512_storeu_si512,
    _mm512_ternarylogic_epi64, _mm512_xor_si512, _mm512_zextsi256_si512,
};

/// A polynomial of 2N words.
type Twice<const N: usize> = [[u64; N]; 2];

/// Returns the function that computes a·b for four pairs, if the processor has the instructions.
pub(super) fn detected<const N: usize>() -> Option<Four<N>> {
    let known = matches!(N, 1 | 2 | 5 | 6 | 7 | 20);
    let there = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("vpclmulqdq");
    // SAFETY: the processor has the instructions
    (known && there).then_some(|out, a, b| unsafe { four(out, a, b) })
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn zero() -> __m512i {
    _mm512_setzero_si512()
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn add(a: __m512i, b: __m512i) -> __m512i {
    _mm512_xor_si512(a, b)
}

/// Computes a + b + c.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn add_three(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    // the truth table of the sum of three bits
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// Returns the sum of the two halves of each digit, in both halves.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn folded(a: __m512i) -> __m512i {
    add(a, _mm512_shuffle_epi32::<0b01_00_11_10>(a))
}

/// Computes the lower, upper and middle part of a product of digits, given the digits and their folded forms: a0·b0,
/// a1·b1, (a0 + a1)(b0 + b1).
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
pub(super) fn digit([a, ta]: [__m512i; 2], [b, tb]: [__m512i; 2]) -> [__m512i; 3] {
    [
        _mm512_clmulepi64_epi128::<0x00>(a, b),
        _mm512_clmulepi64_epi128::<0x11>(a, b),
        _mm512_clmulepi64_epi128::<0x00>(ta, tb),
    ]
}

/// Combines the lower half of each digit of a, as the upper half, with the upper half of the digit of b, as the lower
/// half.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn joined(a: __m512i, b: __m512i) -> __m512i {
    _mm512_alignr_epi8::<8>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn five(a: &[__m512i; 5], b: &[__m512i; 5]) -> [__m512i; 10] {
    columns!(5, __m512i, *a, *b)
}

/// Loads eight words from `first` on, with zeros beyond the end: in one piece, as they are stored.
#[inline]
#[target_feature(enable = "avx512f")]
fn load<const N: usize>(words: &[u64; N], first: usize) -> __m512i {
    match N - first {
        // SAFETY: eight words are there
        8.. => unsafe { _mm512_loadu_si512(words.as_ptr().add(first).cast()) },
        // SAFETY: four words are there
        4 => _mm512_zextsi256_si512(unsafe { _mm256_loadu_si256(words.as_ptr().add(first).cast()) }),
        // SAFETY: the words that the mask excludes are not read
        there => unsafe { _mm512_maskz_loadu_epi64((1 << there) - 1, words.as_ptr().add(first).cast()) },
    }
}

/// Stores eight words from word `first` of `out` on, or as many of them as fit.
#[inline]
#[target_feature(enable = "avx512f")]
fn store<const N: usize>(out: &mut Twice<N>, first: usize, eight: __m512i) {
    // SAFETY: the two arrays are contiguous, and the stored number of words fits
    unsafe {
        let to: *mut u64 = out.as_mut_ptr().cast::<u64>().add(first);
        match 2 * N - first {
            8.. => _mm512_storeu_si512(to.cast(), eight),
            6 => {
                _mm256_storeu_si256(to.cast(), _mm512_castsi512_si256(eight));
                _mm_storeu_si128(to.add(4).cast(), _mm512_extracti32x4_epi32::<2>(eight));
            }
            4 => _mm256_storeu_si256(to.cast(), _mm512_castsi512_si256(eight)),
            _ => _mm_storeu_si128(to.cast(), _mm512_castsi512_si128(eight)),
        }
    }
}

/// Loads four digits of each polynomial from word `first` on.
#[inline]
#[target_feature(enable = "avx512f")]
fn digits<const N: usize>([a, b, c, d]: [&[u64; N]; 4], first: usize) -> [__m512i; 4] {
    quarters([load(a, first), load(b, first), load(c, first), load(d, first)])
}

/// Writes four digits of each polynomial from a word on. A macro, so that it is inlined.
macro_rules! write {
    ($out:expr, $first:expr, $digits:expr) => {{
        let [a, b, c, d] = quarters($digits);
        store($out[0], $first, a);
        store($out[1], $first, b);
        store($out[2], $first, c);
        store($out[3], $first, d);
    }};
}

/// Computes a·b for each of four pairs.
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn four<const N: usize>(out: [&mut Twice<N>; 4], a: [&[u64; N]; 4], b: [&[u64; N]; 4]) {
    let z = zero();
    if N > 8 {
        let ([a0, a1, a2, a3], [a4, a5, a6, a7], [a8, a9, ..]) = (digits(a, 0), digits(a, 8), digits(a, 16));
        let ([b0, b1, b2, b3], [b4, b5, b6, b7], [b8, b9, ..]) = (digits(b, 0), digits(b, 8), digits(b, 16));
        let low = five(&[a0, a1, a2, a3, a4], &[b0, b1, b2, b3, b4]);
        let high = five(&[a5, a6, a7, a8, a9], &[b5, b6, b7, b8, b9]);
        let x = [add(a0, a5), add(a1, a6), add(a2, a7), add(a3, a8), add(a4, a9)];
        let y = [add(b0, b5), add(b1, b6), add(b2, b7), add(b3, b8), add(b4, b9)];
        let mut middle = five(&x, &y);
        for i in 0..10 {
            middle[i] = add(middle[i], add(low[i], high[i]));
        }
        let mut all = [z; 20];
        for i in 0..5 {
            (all[i], all[5 + i]) = (low[i], add(low[5 + i], middle[i]));
            (all[10 + i], all[15 + i]) = (add(high[i], middle[5 + i]), high[5 + i]);
        }
        for i in 0..5 {
            write!(out, 8 * i, [all[4 * i], all[4 * i + 1], all[4 * i + 2], all[4 * i + 3]]);
        }
        return;
    }
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (digits(a, 0), digits(b, 0));
    match N.div_ceil(2) {
        1 => {
            let [c0, c1] = columns!(1, __m512i, [a0], [b0]);
            write!(out, 0, [c0, c1, z, z]);
        }
        3 => {
            let [c0, c1, c2, c3, c4, c5] = columns!(3, __m512i, [a0, a1, a2], [b0, b1, b2]);
            write!(out, 0, [c0, c1, c2, c3]);
            write!(out, 8, [c4, c5, z, z]);
        }
        _ => {
            let [c0, c1, c2, c3, c4, c5, c6, c7] = columns!(4, __m512i, [a0, a1, a2, a3], [b0, b1, b2, b3]);
            write!(out, 0, [c0, c1, c2, c3]);
            write!(out, 8, [c4, c5, c6, c7]);
        }
    }
}
