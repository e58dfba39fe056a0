//! Products and squares modulo x^m + x^e + 1, e < 64, four side by side and reduced in registers: a register holds one
//! digit of 128 bits of each polynomial.
//!
//! The remainder of l + h·x^m is l + h + h·x^e, and once more for the part of that sum above x^m, which is less than a
//! word. A shift takes a word and the next one (VBMI2), which stand side by side in one digit or in two. Digits are
//! loaded and stored one by one: neither words nor digits are transposed, and no load takes its bytes from two stores.
//! Modulo x^367 + x^21 + 1 a product takes 18 VPCLMULQDQ, a square 6, and a reduction 21 other instructions, each for
//! four elements.
//!
//! The functions take the word count of a field as a parameter, but only work for the word count of m.
#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "iterators are not inlined into functions for a processor")]

use super::Residue;
use super::four::{add, add_three, digit, folded, joined, zero};
use super::kernels::{Kernels, Trinomial};
use super::lanes::columns;
use super::quad::Residues;
use std::arch::x86_64::{
    __m128i, __m512i, _mm_loadl_epi64, _mm_loadu_si128, _mm_storel_epi64, _mm_storeu_si128, _mm256_loadu_si256,
    _mm256_storeu_si256, _mm512_and_si512, _mm512_broadcast_i32x4, _mm512_bslli_epi128, _mm512_bsrli_epi128,
    _mm512_castsi512_si256, _mm512_clmulepi64_epi128, _mm512_extracti32x4_epi32, _mm512_loadu_si512,
    _mm512_mask_broadcast_i32x4, _mm512_maskz_compress_epi64, _mm512_maskz_expand_epi64, _mm512_set1_epi64,
    _mm512_set4_epi64, _mm512_shldv_epi64, _mm512_shrdv_epi64, _mm512_srlv_epi64, _mm512_storeu_si512,
    _mm512_zextsi256_si512,
};

/// The digits of four elements, with zeros behind the last digit.
type Digits = [__m512i; 4];
/// The digits of four polynomials of double length.
type Twice = [__m512i; 8];

/// Returns the operations of a field, if its polynomial is known here and the processor has the instructions.
pub(super) fn detected<const N: usize>(m: usize, exponents: &[usize]) -> Option<Trinomial<N>> {
    let there = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("vpclmulqdq");
    macro_rules! of {
        ($m:literal $e:literal) => {
            Trinomial {
                // SAFETY: the processor has the instructions, and there are as many words as m takes
                mul: |out, a, b| unsafe { products::<N, $m, $e>(out, a, b) },
                // SAFETY: the processor has the instructions, and there are as many words as m takes
                squares: |xs, n| unsafe { squares::<N, $m, $e>(xs, n) },
                four: Kernels {
                    // SAFETY: the processor has the instructions, and there are as many words as m takes
                    mul: |out, a, b| unsafe { four_products::<N, $m, $e>(out, a, b) },
                    // SAFETY: the processor has the instructions, and there are as many words as m takes
                    sqr: |out, a| unsafe { four_squares::<N, $m, $e>(out, a) },
                    // SAFETY: the processor has the instructions, and there are as many words as m takes
                    squares: |a, n| unsafe { four_powers::<N, $m, $e>(a, n) },
                    // SAFETY: the processor has the instructions, and there are as many words as m takes
                    add: |out, a, b| unsafe { sum_of_two(out, a, b) },
                    // SAFETY: the processor has the instructions, and there are as many words as m takes
                    add_three: |out, a, b, c| unsafe { sum_of_three(out, a, b, c) },
                    // SAFETY: the processor has the instructions, and there are as many words as m takes
                    add_four: |out, a, b, c, d| unsafe { sum_of_four(out, a, b, c, d) },
                },
            }
        };
    }
    match (m, exponents) {
        (367, [0, 21]) if N == 6 && there => Some(of!(367 21)),
        (439, [0, 49]) if N == 7 && there => Some(of!(439 49)),
        _ => None,
    }
}

/// Loads digit i of an element, with 0 for a word beyond its end.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_digit<const N: usize>(a: &Residue<N>, i: usize) -> __m128i {
    // SAFETY: the element has as many words from this place on as are read
    unsafe {
        let words = a.0.as_ptr().add(2 * i);
        if 2 * i + 1 < N { _mm_loadu_si128(words.cast()) } else { _mm_loadl_epi64(words.cast()) }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load<const N: usize>([a, b, c, d]: [&Residue<N>; 4]) -> Digits {
    let mut out = [zero(); 4];
    for i in 0..N.div_ceil(2) {
        let digits = _mm512_broadcast_i32x4(load_digit(a, i));
        let digits = _mm512_mask_broadcast_i32x4(digits, 0x00f0, load_digit(b, i));
        let digits = _mm512_mask_broadcast_i32x4(digits, 0x0f00, load_digit(c, i));
        out[i] = _mm512_mask_broadcast_i32x4(digits, 0xf000, load_digit(d, i));
    }
    out
}

/// Stores digit i of an element, as far as there are words.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_digit<const N: usize>(out: &mut Residue<N>, i: usize, digit: __m128i) {
    // SAFETY: the element has as many words from this place on as are written
    unsafe {
        let words = out.0.as_mut_ptr().add(2 * i);
        if 2 * i + 1 < N { _mm_storeu_si128(words.cast(), digit) } else { _mm_storel_epi64(words.cast(), digit) }
    }
}

/// Stores four elements at these indices of `out`; indices may coincide only for equal elements.
#[inline]
#[target_feature(enable = "avx512f")]
fn store<const N: usize>(out: &mut [Residue<N>], [a, b, c, d]: [usize; 4], digits: &Digits) {
    for i in 0..N.div_ceil(2) {
        store_digit(&mut out[a], i, _mm512_extracti32x4_epi32::<0>(digits[i]));
        store_digit(&mut out[b], i, _mm512_extracti32x4_epi32::<1>(digits[i]));
        store_digit(&mut out[c], i, _mm512_extracti32x4_epi32::<2>(digits[i]));
        store_digit(&mut out[d], i, _mm512_extracti32x4_epi32::<3>(digits[i]));
    }
}

/// Returns the upper 64 bits of (a·2^64 + b)·2^bits modulo 2^128, word by word.
#[inline]
#[target_feature(enable = "avx512vbmi2")]
fn up(a: __m512i, b: __m512i, bits: usize) -> __m512i {
    _mm512_shldv_epi64(a, b, _mm512_set1_epi64(bits as i64))
}

/// Returns the lower 64 bits of (b·2^64 + a)/2^bits, word by word.
#[inline]
#[target_feature(enable = "avx512vbmi2")]
fn down(a: __m512i, b: __m512i, bits: usize) -> __m512i {
    _mm512_shrdv_epi64(a, b, _mm512_set1_epi64(bits as i64))
}

/// Computes the remainders of four polynomials. The shifts are constants of the code.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn remainder<const M: usize, const E: usize>(p: &Twice) -> Digits {
    // the part of h·x^e above x^m begins in the last digit of h
    const { assert!(E < 64 && (M - E) / 128 == M / 128 && !M.is_multiple_of(64) && M < 512) };
    let (word, bits, last) = (M / 64, M % 64, M / 128);
    let digit_of = |i: usize| if i < 8 { p[i] } else { zero() };
    let mut h = [zero(); 4];
    for i in 0..last + 1 {
        let (low, high) = (digit_of(word / 2 + i), digit_of(word / 2 + i + 1));
        let between = joined(high, low);
        h[i] = if word.is_multiple_of(2) { down(low, between, bits) } else { down(between, high, bits) };
    }
    let mut r = [zero(); 4];
    let mut below = zero();
    for i in 0..last + 1 {
        r[i] = add_three(p[i], h[i], up(h[i], joined(h[i], below), E));
        below = h[i];
    }
    // the part above x^m, in the lower word of each digit
    let over = if ((M - E) / 64).is_multiple_of(2) { below } else { _mm512_bsrli_epi128::<8>(below) };
    let over = _mm512_srlv_epi64(over, _mm512_set1_epi64(((M - E) % 64) as i64));
    r[0] = add_three(r[0], over, up(over, _mm512_bslli_epi128::<8>(over), E));
    let kept = (1 << bits) - 1;
    let kept = if word.is_multiple_of(2) {
        _mm512_set4_epi64(0, kept, 0, kept)
    } else {
        _mm512_set4_epi64(kept, -1, kept, -1)
    };
    r[last] = _mm512_and_si512(r[last], kept);
    r
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,vpclmulqdq")]
fn product<const M: usize, const E: usize>([a0, a1, a2, a3]: Digits, [b0, b1, b2, b3]: Digits) -> Digits {
    let mut p = [zero(); 8];
    if M < 384 {
        let [p0, p1, p2, p3, p4, p5] = columns!(3, __m512i, [a0, a1, a2], [b0, b1, b2]);
        p = [p0, p1, p2, p3, p4, p5, p[6], p[7]];
    } else {
        p = columns!(4, __m512i, [a0, a1, a2, a3], [b0, b1, b2, b3]);
    }
    remainder::<M, E>(&p)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,vpclmulqdq")]
fn square<const M: usize, const E: usize>(a: &Digits) -> Digits {
    let mut p = [zero(); 8];
    for i in 0..M / 128 + 1 {
        p[2 * i] = _mm512_clmulepi64_epi128::<0x00>(a[i], a[i]);
        p[2 * i + 1] = _mm512_clmulepi64_epi128::<0x11>(a[i], a[i]);
    }
    remainder::<M, E>(&p)
}

/// Returns four consecutive indices from `first` on, repeating the last index below `count` beyond the end.
#[inline]
fn places(first: usize, count: usize) -> [usize; 4] {
    let last = count - 1;
    [first, last.min(first + 1), last.min(first + 2), last.min(first + 3)]
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,vpclmulqdq")]
fn products<const N: usize, const M: usize, const E: usize>(
    out: &mut [Residue<N>],
    a: &[&Residue<N>],
    b: &[&Residue<N>],
) {
    let count = out.len();
    assert!(a.len() == count && b.len() == count, "a product has two factors");
    for first in (0..count).step_by(4) {
        let [i, j, k, l] = places(first, count);
        let product = product::<M, E>(load([a[i], a[j], a[k], a[l]]), load([b[i], b[j], b[k], b[l]]));
        store(out, [i, j, k, l], &product);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,vpclmulqdq")]
fn squares<const N: usize, const M: usize, const E: usize>(xs: &mut [Residue<N>], n: usize) {
    let count = xs.len();
    for first in (0..count).step_by(4) {
        let [i, j, k, l] = places(first, count);
        let mut power = load([&xs[i], &xs[j], &xs[k], &xs[l]]);
        for _ in 0..n {
            power = square::<M, E>(&power);
        }
        store(xs, [i, j, k, l], &power);
    }
}

/// Loads four elements as digits.
#[inline]
#[target_feature(enable = "avx512f")]
fn take<const N: usize>(a: &Residues<N>) -> Digits {
    let words = a.0.as_ptr().cast::<u64>();
    let mut out = [zero(); 4];
    for i in 0..N / 2 {
        // SAFETY: eight words are there
        out[i] = unsafe { _mm512_loadu_si512(words.add(8 * i).cast()) };
    }
    if N % 2 == 1 {
        // SAFETY: four words are there
        let last = unsafe { _mm256_loadu_si256(words.add(4 * (N - 1)).cast()) };
        out[N / 2] = _mm512_maskz_expand_epi64(0x55, _mm512_zextsi256_si512(last));
    }
    out
}

/// Writes the digits of four elements.
#[inline]
#[target_feature(enable = "avx512f")]
fn put<const N: usize>(out: &mut Residues<N>, digits: &Digits) {
    let words = out.0.as_mut_ptr().cast::<u64>();
    for i in 0..N / 2 {
        // SAFETY: eight words are there
        unsafe { _mm512_storeu_si512(words.add(8 * i).cast(), digits[i]) }
    }
    if N % 2 == 1 {
        let last = _mm512_castsi512_si256(_mm512_maskz_compress_epi64(0x55, digits[N / 2]));
        // SAFETY: four words are there
        unsafe { _mm256_storeu_si256(words.add(4 * (N - 1)).cast(), last) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,vpclmulqdq")]
fn four_products<const N: usize, const M: usize, const E: usize>(
    out: &mut Residues<N>,
    a: &Residues<N>,
    b: &Residues<N>,
) {
    put(out, &product::<M, E>(take(a), take(b)));
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,vpclmulqdq")]
fn four_squares<const N: usize, const M: usize, const E: usize>(out: &mut Residues<N>, a: &Residues<N>) {
    put(out, &square::<M, E>(&take(a)));
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,vpclmulqdq")]
fn four_powers<const N: usize, const M: usize, const E: usize>(a: &mut Residues<N>, n: usize) {
    let mut power = take(a);
    for _ in 0..n {
        power = square::<M, E>(&power);
    }
    put(a, &power);
}

/// Computes the sum of the terms, word by word.
#[inline]
#[target_feature(enable = "avx512f")]
fn sum<const N: usize, const K: usize>(out: &mut Residues<N>, terms: [&Residues<N>; K]) {
    let words = out.0.as_mut_ptr().cast::<u64>();
    for i in 0..N / 2 {
        let mut sum = zero();
        for k in 0..K {
            // SAFETY: eight words are there
            sum = add(sum, unsafe { _mm512_loadu_si512(terms[k].0.as_ptr().cast::<u64>().add(8 * i).cast()) });
        }
        // SAFETY: eight words are there
        unsafe { _mm512_storeu_si512(words.add(8 * i).cast(), sum) }
    }
    if N % 2 == 1 {
        let last = 4 * (N - 1);
        let mut sum = zero();
        for k in 0..K {
            // SAFETY: four words are there
            let four = unsafe { _mm256_loadu_si256(terms[k].0.as_ptr().cast::<u64>().add(last).cast()) };
            sum = add(sum, _mm512_zextsi256_si512(four));
        }
        // SAFETY: four words are there
        unsafe { _mm256_storeu_si256(words.add(last).cast(), _mm512_castsi512_si256(sum)) }
    }
}

#[target_feature(enable = "avx512f")]
fn sum_of_two<const N: usize>(out: &mut Residues<N>, a: &Residues<N>, b: &Residues<N>) {
    sum(out, [a, b]);
}

#[target_feature(enable = "avx512f")]
fn sum_of_three<const N: usize>(out: &mut Residues<N>, a: &Residues<N>, b: &Residues<N>, c: &Residues<N>) {
    sum(out, [a, b, c]);
}

#[target_feature(enable = "avx512f")]
fn sum_of_four<const N: usize>(
    out: &mut Residues<N>,
    a: &Residues<N>,
    b: &Residues<N>,
    c: &Residues<N>,
    d: &Residues<N>,
) {
    sum(out, [a, b, c, d]);
}
