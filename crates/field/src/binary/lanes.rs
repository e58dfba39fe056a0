//! Two products of polynomials over F_2 side by side, by VPCLMULQDQ: a register holds one digit of 128 bits of each
//! polynomial.
//!
//! The word count of the field is a constant parameter of each function and selects the code that is compiled.
//!
//! A product of digits takes 3 instructions (Karatsuba), so that two products of 20 words take 135. A single product
//! has its lower and its upper half side by side. The sums of a column are kept in three parts until its end, where the
//! parts are combined.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi32_si128, _mm_cvtsi128_si64, _mm_loadl_epi64, _mm_loadu_si128, _mm_setzero_si128,
    _mm_sll_epi64, _mm_slli_si128, _mm_srl_epi64, _mm_srli_si128, _mm_storeu_si128, _mm_xor_si128, _mm256_alignr_epi8,
    _mm256_castsi128_si256, _mm256_castsi256_si128, _mm256_clmulepi64_epi128, _mm256_extracti128_si256,
    _mm256_inserti128_si256, _mm256_permute2x128_si256, _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_xor_si256,
};

use super::products::Products;

/// Returns the products of polynomials of N words, if the processor has the instructions.
pub(super) fn detected<const N: usize>() -> Option<Products<N>> {
    let known = matches!(N, 1 | 2 | 5 | 6 | 7 | 20);
    let there = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("vpclmulqdq");
    (known && there).then_some(Products {
        lanes: true,
        // SAFETY: the processor has the instructions
        mul: |out, a, b| unsafe { product(out, a, b) },
        four: super::four::detected().unwrap_or(|[c, d, e, f], a, b| {
            // SAFETY: the processor has the instructions
            unsafe {
                two([c, d], [a[0], a[1]], [b[0], b[1]]);
                two([e, f], [a[2], a[3]], [b[2], b[3]]);
            }
        }),
        // SAFETY: the processor has the instructions
        sqr: |out, a| unsafe { square(out, a) },
    })
}

/// Loads digit i of a polynomial; 0 beyond its end.
#[inline]
#[target_feature(enable = "avx2")]
fn load<const N: usize>(a: &[u64; N], i: usize) -> __m128i {
    match a.get(2 * i..) {
        // SAFETY: two words are there
        Some([_, _, ..]) => unsafe { _mm_loadu_si128(a.as_ptr().add(2 * i).cast()) },
        // SAFETY: one word is there
        Some([_]) => unsafe { _mm_loadl_epi64(a.as_ptr().add(2 * i).cast()) },
        _ => _mm256_castsi256_si128(_mm256_setzero_si256()),
    }
}

/// Stores digit i of a product of N digits, if there is such a digit.
#[inline]
#[target_feature(enable = "avx2")]
fn store<const N: usize>(out: &mut [[u64; N]; 2], i: usize, digit: __m128i) {
    if i < N {
        // SAFETY: the two arrays are contiguous and have 2N words
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast::<u64>().add(2 * i).cast(), digit) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn beside(low: __m128i, high: __m128i) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i) -> __m256i {
    _mm256_xor_si256(a, b)
}

/// Returns the sum of the two halves of each digit, in both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn folded(a: __m256i) -> __m256i {
    add(a, _mm256_shuffle_epi32::<0b01_00_11_10>(a))
}

/// Computes the lower, upper and middle part of a product of digits, given the digits and their folded forms: a0·b0,
/// a1·b1, (a0 + a1)(b0 + b1).
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn digit([a, ta]: [__m256i; 2], [b, tb]: [__m256i; 2]) -> [__m256i; 3] {
    [
        _mm256_clmulepi64_epi128::<0x00>(a, b),
        _mm256_clmulepi64_epi128::<0x11>(a, b),
        _mm256_clmulepi64_epi128::<0x00>(ta, tb),
    ]
}

/// Computes a·b in all lanes, for k digits: k(k + 1)/2 products of digits, as in `products.rs`. Each column lists the
/// digits i whose own products are in it, and the pairs i, j. A macro instead of a loop, so that all sums stay in
/// registers.
macro_rules! columns {
    (1, $digit:ty, $a:expr, $b:expr) => {
        columns!(@ 1, $digit, $a, $b; 0;
            [0;])
    };
    (3, $digit:ty, $a:expr, $b:expr) => {
        columns!(@ 3, $digit, $a, $b; 0 1 2;
            [0;] [0 1; (0 1)] [0 1 2; (0 2)] [1 2; (1 2)] [2;])
    };
    (4, $digit:ty, $a:expr, $b:expr) => {
        columns!(@ 4, $digit, $a, $b; 0 1 2 3;
            [0;] [0 1; (0 1)] [0 1 2; (0 2)] [0 1 2 3; (0 3) (1 2)] [1 2 3; (1 3)] [2 3; (2 3)] [3;])
    };
    (5, $digit:ty, $a:expr, $b:expr) => {
        columns!(@ 5, $digit, $a, $b; 0 1 2 3 4;
            [0;] [0 1; (0 1)] [0 1 2; (0 2)] [0 1 2 3; (0 3) (1 2)] [0 1 2 3 4; (0 4) (1 3)]
            [1 2 3 4; (1 4) (2 3)] [2 3 4; (2 4)] [3 4; (3 4)] [4;])
    };
    (@ $k:literal, $digit:ty, $a:expr, $b:expr; $($i:literal)*; $([$($own:literal)*; $(($x:literal $y:literal))*])*) => {{
        let (a, b): ([$digit; $k], [$digit; $k]) = ($a, $b);
        let (ta, tb) = ([$(folded(a[$i])),*], [$(folded(b[$i])),*]);
        let products = [$(digit([a[$i], ta[$i]], [b[$i], tb[$i]])),*];
        // high and middle part of the previous column
        let (mut above, mut between): ($digit, $digit) = (zero(), zero());
        [$({
            let [mut low, mut high, mut middle]: [$digit; 3] = [zero(); 3];
            $(
                let [l, h, m] = products[$own];
                (low, high, middle) = (add(low, l), add(high, h), add(middle, m));
            )*
            $(
                let [l, h, m] = digit(
                    [add(a[$x], a[$y]), add(ta[$x], ta[$y])],
                    [add(b[$x], b[$y]), add(tb[$x], tb[$y])],
                );
                (low, high, middle) = (add(low, l), add(high, h), add(middle, m));
            )*
            middle = add(middle, add(low, high));
            let out = add(add(low, above), joined(middle, between));
            (above, between) = (high, middle);
            out
        },)* add(above, joined(zero(), between))]
    }};
}

pub(super) use columns;

/// Combines the lower half of each digit of a, as the upper half, with the upper half of the digit of b, as the lower
/// half.
#[inline]
#[target_feature(enable = "avx2")]
fn joined(a: __m256i, b: __m256i) -> __m256i {
    _mm256_alignr_epi8::<8>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn zero() -> __m256i {
    _mm256_setzero_si256()
}

/// Computes a·b for the halves of polynomials of ten digits.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn five(a: &[__m256i; 5], b: &[__m256i; 5]) -> [__m256i; 10] {
    columns!(5, __m256i, *a, *b)
}

/// Computes a\[0\]·b\[0\] and a\[1\]·b\[1\].
#[target_feature(enable = "avx2,vpclmulqdq")]
fn two<const N: usize>(out: [&mut [[u64; N]; 2]; 2], a: [&[u64; N]; 2], b: [&[u64; N]; 2]) {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn digits<const N: usize, const K: usize>([a, b]: [&[u64; N]; 2], first: usize) -> [__m256i; K] {
        let mut out = [_mm256_setzero_si256(); K];
        for (i, digit) in out.iter_mut().enumerate() {
            *digit = beside(load(a, first + i), load(b, first + i));
        }
        out
    }
    #[inline]
    #[target_feature(enable = "avx2")]
    fn write<const N: usize>([c, d]: [&mut [[u64; N]; 2]; 2], first: usize, digits: &[__m256i]) {
        for (i, digit) in digits.iter().enumerate() {
            store(c, first + i, _mm256_castsi256_si128(*digit));
            store(d, first + i, _mm256_extracti128_si256::<1>(*digit));
        }
    }
    match N {
        1 | 2 => write(out, 0, &columns!(1, __m256i, digits(a, 0), digits(b, 0))),
        5 | 6 => write(out, 0, &columns!(3, __m256i, digits(a, 0), digits(b, 0))),
        7 => write(out, 0, &columns!(4, __m256i, digits(a, 0), digits(b, 0))),
        _ => {
            let [c, d] = out;
            let (a0, a1): ([_; 5], [_; 5]) = (digits(a, 0), digits(a, 5));
            let (b0, b1): ([_; 5], [_; 5]) = (digits(b, 0), digits(b, 5));
            let low: [_; 10] = five(&a0, &b0);
            let high: [_; 10] = five(&a1, &b1);
            let (mut a, mut b) = (a0, b0);
            for i in 0..5 {
                (a[i], b[i]) = (add(a0[i], a1[i]), add(b0[i], b1[i]));
            }
            let mut middle: [_; 10] = five(&a, &b);
            for i in 0..10 {
                middle[i] = add(middle[i], add(low[i], high[i]));
            }
            let (mut upper, mut lower) = (high, low);
            for i in 0..5 {
                lower[5 + i] = add(low[5 + i], middle[i]);
                upper[i] = add(high[i], middle[5 + i]);
            }
            write([&mut *c, &mut *d], 0, &lower);
            write([c, d], 10, &upper);
        }
    }
}

/// Computes a·b.
#[target_feature(enable = "avx2,vpclmulqdq")]
fn product<const N: usize>(out: &mut [[u64; N]; 2], a: &[u64; N], b: &[u64; N]) {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn digits<const N: usize, const K: usize>(a: &[u64; N], [low, high]: [usize; 2]) -> [__m256i; K] {
        let mut out = [_mm256_setzero_si256(); K];
        for (i, digit) in out.iter_mut().enumerate() {
            *digit = beside(load(a, low + i), load(a, high + i));
        }
        out
    }
    #[inline]
    #[target_feature(enable = "avx2")]
    fn swapped(a: __m256i) -> __m256i {
        _mm256_permute2x128_si256::<1>(a, a)
    }
    #[inline]
    #[target_feature(enable = "avx2")]
    fn write<const N: usize>(out: &mut [[u64; N]; 2], digits: &[__m256i]) {
        for (i, digit) in digits.iter().enumerate() {
            store(out, i, _mm256_castsi256_si128(*digit));
        }
    }
    match N {
        1 | 2 => write(out, &columns!(1, __m256i, digits(a, [0, 1]), digits(b, [0, 1]))),
        5 | 6 => write(out, &columns!(3, __m256i, digits(a, [0, 3]), digits(b, [0, 3]))),
        7 => write(out, &columns!(4, __m256i, digits(a, [0, 4]), digits(b, [0, 4]))),
        _ => {
            let (a, b): ([_; 5], [_; 5]) = (digits(a, [0, 5]), digits(b, [0, 5]));
            let outer: [_; 10] = five(&a, &b);
            let (mut x, mut y) = (a, b);
            for i in 0..5 {
                (x[i], y[i]) = (add(a[i], swapped(a[i])), add(b[i], swapped(b[i])));
            }
            // identical in both lanes
            let mut middle: [_; 10] = five(&x, &y);
            for i in 0..10 {
                middle[i] = add(middle[i], add(outer[i], swapped(outer[i])));
            }
            for i in 0..5 {
                store(out, i, _mm256_castsi256_si128(outer[i]));
                store(out, 5 + i, _mm256_castsi256_si128(add(outer[5 + i], middle[i])));
                store(out, 10 + i, _mm256_castsi256_si128(add(swapped(outer[i]), middle[5 + i])));
                store(out, 15 + i, _mm256_extracti128_si256::<1>(outer[5 + i]));
            }
        }
    }
}

/// Computes a²: the bits of a, a 0 after each.
#[target_feature(enable = "avx2,vpclmulqdq")]
fn square<const N: usize>(out: &mut [[u64; N]; 2], a: &[u64; N]) {
    for i in (0..N.div_ceil(2)).step_by(2) {
        let digits = beside(load(a, i), load(a, i + 1));
        let low = _mm256_clmulepi64_epi128::<0x00>(digits, digits);
        let high = _mm256_clmulepi64_epi128::<0x11>(digits, digits);
        store(out, 2 * i, _mm256_castsi256_si128(low));
        store(out, 2 * i + 1, _mm256_castsi256_si128(high));
        store(out, 2 * i + 2, _mm256_extracti128_si256::<1>(low));
        store(out, 2 * i + 3, _mm256_extracti128_si256::<1>(high));
    }
}

/// Returns x·2^S for a digit x, 0 < S < 128.
#[inline(always)]
fn up<const S: u32>(x: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of x86-64
    unsafe {
        let carried = _mm_slli_si128::<8>(x);
        if S >= 64 {
            return _mm_sll_epi64(carried, _mm_cvtsi32_si128(S as i32 - 64));
        }
        let (left, right) = (_mm_cvtsi32_si128(S as i32), _mm_cvtsi32_si128(64 - S as i32));
        _mm_xor_si128(_mm_sll_epi64(x, left), _mm_srl_epi64(carried, right))
    }
}

/// Returns ⌊x/2^S⌋ for a digit x, 0 < S < 128.
#[inline(always)]
fn down<const S: u32>(x: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of x86-64
    unsafe {
        let carried = _mm_srli_si128::<8>(x);
        if S >= 64 {
            return _mm_srl_epi64(carried, _mm_cvtsi32_si128(S as i32 - 64));
        }
        let (right, left) = (_mm_cvtsi32_si128(S as i32), _mm_cvtsi32_si128(64 - S as i32));
        _mm_xor_si128(_mm_srl_epi64(x, right), _mm_sll_epi64(carried, left))
    }
}

/// Computes the remainder modulo x^m + x^e + 1 of a polynomial of N digits, digit by digit, m = 128Q + B: l + h + h·x^e
/// for l + h·x^m, and once more for the part above x^m of that sum. B > 0, C = 128 − B, 0 < e < 64, G = 128 − e, and m
/// is above 64(N − 1).
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "each digit is made of others")]
fn trinomial<const N: usize, const Q: usize, const B: u32, const C: u32, const E: u32, const G: u32>(
    out: &mut [u64; N],
    digit: impl Fn(usize) -> __m128i,
) {
    const { assert!(B + C == 128 && E + G == 128 && E < 64 && B > 0 && Q < 4) };
    // SAFETY: SSE2 is part of x86-64
    unsafe {
        let xor = |a, b| _mm_xor_si128(a, b);
        let zero = _mm_setzero_si128();
        let at = |i: usize| if i < N { digit(i) } else { zero };
        let mut h = [zero; 4];
        for i in 0..Q + 1 {
            h[i] = xor(down::<B>(at(Q + i)), up::<C>(at(Q + i + 1)));
        }
        let kept = down::<C>(up::<C>(at(Q)));
        let mut sum = [zero; 5];
        let mut below = zero;
        for i in 0..Q + 1 {
            let low = if i == Q { kept } else { at(i) };
            sum[i] = xor(xor(low, h[i]), xor(up::<E>(h[i]), below));
            below = down::<G>(h[i]);
        }
        // the part above x^m again: fewer than e bits
        let over = xor(down::<B>(sum[Q]), up::<C>(below));
        sum[Q] = down::<C>(up::<C>(sum[Q]));
        sum[0] = xor(sum[0], xor(over, up::<E>(over)));
        for i in 0..N / 2 {
            // there are two words at this place
            _mm_storeu_si128(out.as_mut_ptr().add(2 * i).cast(), sum[i]);
        }
        if N % 2 == 1 {
            out[N - 1] = _mm_cvtsi128_si64(sum[N / 2]) as u64;
        }
    }
}

/// Returns digit i of a polynomial of 2N words.
#[inline(always)]
fn digit_of<const N: usize>(w: &[[u64; N]; 2], i: usize) -> __m128i {
    assert!(i < N, "a digit of the polynomial");
    // SAFETY: SSE2 is part of x86-64, the two arrays are contiguous, and two words are there
    unsafe { _mm_loadu_si128(w.as_ptr().cast::<u64>().add(2 * i).cast()) }
}

/// Defines the remainders of w and of v + w modulo x^m + x^e + 1 for one of the curves of genus 2.
macro_rules! remainders {
    ($one:ident, $two:ident, $q:literal, $b:literal, $e:literal) => {
        pub(super) fn $one<const N: usize>(out: &mut [u64; N], w: &[[u64; N]; 2]) {
            trinomial::<N, $q, $b, { 128 - $b }, $e, { 128 - $e }>(out, |i| digit_of(w, i));
        }

        pub(super) fn $two<const N: usize>(out: &mut [u64; N], [v, w]: [&[[u64; N]; 2]; 2]) {
            // SAFETY: SSE2 is part of x86-64
            let digit = |i| unsafe { _mm_xor_si128(digit_of(v, i), digit_of(w, i)) };
            trinomial::<N, $q, $b, { 128 - $b }, $e, { 128 - $e }>(out, digit);
        }
    };
}

remainders!(one_367, two_367, 2, 111, 21);
remainders!(one_439, two_439, 3, 55, 49);

#[cfg(test)]
mod tests {
    use super::*;

    /// Two products against portable ones. Four products are two and two where AVX-512 is missing.
    fn agree<const N: usize>() {
        let word = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
        let x: [[u64; N]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| word(i * N + j)));
        let (mut found, mut want) = ([[[0; N]; 2]; 2], [[0; N]; 2]);
        // SAFETY: the test has checked that the processor has the instructions
        unsafe { two(found.each_mut(), [&x[0], &x[1]], [&x[2], &x[3]]) };
        for i in 0..2 {
            (Products::PORTABLE.mul)(&mut want, &x[i], &x[2 + i]);
            assert_eq!(found[i], want, "product {i} of {N} words");
        }
    }

    #[test]
    fn two_products_are_those_of_portable_code() {
        if detected::<1>().is_none() {
            return;
        }
        agree::<1>();
        agree::<2>();
        agree::<5>();
        agree::<6>();
        agree::<7>();
        agree::<20>();
    }
}
