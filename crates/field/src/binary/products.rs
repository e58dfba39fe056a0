//! Products of polynomials over F_2, on words: a·b without carries.
//!
//! With d_i = a_i·b_i, column k of a product of n words is Σ (a_i + a_j)(b_i + b_j) over i < j, i + j = k, plus the sum
//! of those d_i for which k − i is an index as well: n(n + 1)/2 products of words instead of n² (Weimerskirch and Paar,
//! ePrint 2006/224). A square consists of the d_i alone. A product of two words is one PCLMULQDQ where the processor
//! has it, else 64 masked shifts. VPCLMULQDQ computes two products side by side (`lanes.rs`), with AVX-512 four
//! (`four.rs`).
#![allow(unsafe_code)]

/// A polynomial of 2N words.
type Twice<const N: usize> = [[u64; N]; 2];

/// A function that computes a·b for each of four pairs.
pub(super) type Four<const N: usize> = fn([&mut Twice<N>; 4], [&[u64; N]; 4], [&[u64; N]; 4]);

/// The products and squares of polynomials of N words.
pub(super) struct Products<const N: usize> {
    /// Whether the products are computed in lanes.
    pub(super) lanes: bool,
    /// Computes a·b.
    pub(super) mul: fn(&mut Twice<N>, &[u64; N], &[u64; N]),
    /// Computes a·b for each of four pairs.
    pub(super) four: Four<N>,
    /// Computes a².
    pub(super) sqr: fn(&mut Twice<N>, &[u64; N]),
}

impl<const N: usize> Products<N> {
    /// Products in portable code.
    pub(super) const PORTABLE: Self = Products {
        lanes: false,
        mul: |out, a, b| product(out, a, b, shifted),
        four: |out, a, b| {
            for (i, out) in out.into_iter().enumerate() {
                product(out, a[i], b[i], shifted);
            }
        },
        sqr: |out, a| square(out, a, shifted),
    };

    /// Returns products by the processor's instructions, if it has any.
    pub(super) fn detected() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = super::lanes::detected() {
            return Some(lanes);
        }
        Self::without_lanes()
    }

    /// Returns products by the instruction for a single product of words, if the processor has it.
    pub(super) fn without_lanes() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("pclmulqdq") {
            return Some(Products {
                lanes: false,
                // SAFETY: the processor has the instruction
                mul: |out, a, b| unsafe { carry_less::product(out, a, b) },
                four: |out, a, b| {
                    for (i, out) in out.into_iter().enumerate() {
                        // SAFETY: the processor has the instruction
                        unsafe { carry_less::product(out, a[i], b[i]) }
                    }
                },
                // SAFETY: the processor has the instruction
                sqr: |out, a| unsafe { carry_less::square(out, a) },
            });
        }
        None
    }
}

/// Writes an element two words at a time, as products and sums read it: a load that takes its bytes from two stores
/// waits until both have reached the cache.
#[inline(always)]
pub(super) fn store<const N: usize>(out: &mut [u64; N], words: &[u64; N]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_set_epi64x, _mm_storeu_si128};
        for i in 0..N / 2 {
            // SAFETY: SSE2 is part of x86-64, and two words are there
            unsafe {
                let two = _mm_set_epi64x(words[2 * i + 1] as i64, words[2 * i] as i64);
                _mm_storeu_si128(out.as_mut_ptr().add(2 * i).cast(), two);
            }
        }
        if N % 2 == 1 {
            out[N - 1] = words[N - 1];
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    out.copy_from_slice(words);
}

/// Computes a·b, given the product of two words.
#[inline(always)]
fn product<const N: usize>(out: &mut [[u64; N]; 2], a: &[u64; N], b: &[u64; N], words: impl Fn(u64, u64) -> [u64; 2]) {
    let d: [[u64; 2]; N] = std::array::from_fn(|i| words(a[i], b[i]));
    *out = [[0; N]; 2];
    let mut diagonal = [0; 2];
    for k in 0..2 * N - 1 {
        let (first, last) = ((k + 1).saturating_sub(N), k.min(N - 1));
        // diagonal = Σ d_i over first ≤ i ≤ last: d_k is added, or d_(k − N) removed
        add(&mut diagonal, d[k % N]);
        let mut column = diagonal;
        for i in first..(first + last).div_ceil(2) {
            let j = k - i;
            add(&mut column, words(a[i] ^ a[j], b[i] ^ b[j]));
        }
        let (low, high) = (k, k + 1);
        out[low / N][low % N] ^= column[0];
        out[high / N][high % N] ^= column[1];
    }
}

/// Computes a²: the bits of a, a 0 after each.
#[inline(always)]
fn square<const N: usize>(out: &mut [[u64; N]; 2], a: &[u64; N], words: impl Fn(u64, u64) -> [u64; 2]) {
    for (i, x) in a.iter().enumerate() {
        let [low, high] = words(*x, *x);
        out[2 * i / N][2 * i % N] = low;
        out[(2 * i + 1) / N][(2 * i + 1) % N] = high;
    }
}

#[inline(always)]
fn add(sum: &mut [u64; 2], x: [u64; 2]) {
    sum[0] ^= x[0];
    sum[1] ^= x[1];
}

/// Computes Σ a·x^i over the bits i of b, each selected by a mask.
fn shifted(a: u64, b: u64) -> [u64; 2] {
    let mut sum = 0;
    for i in 0..64 {
        // black_box keeps the mask a value; without it the compiler could turn it into a branch
        let mask = u128::from(std::hint::black_box(b >> i & 1)).wrapping_neg();
        sum ^= u128::from(a) << i & mask;
    }
    [sum as u64, (sum >> 64) as u64]
}

#[cfg(target_arch = "x86_64")]
mod carry_less {
    use std::arch::x86_64::{_mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_unpackhi_epi64};

    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    fn words(a: u64, b: u64) -> [u64; 2] {
        let [a, b] = [a, b].map(|x| _mm_cvtsi64_si128(x as i64));
        let c = _mm_clmulepi64_si128::<0>(a, b);
        [_mm_cvtsi128_si64(c) as u64, _mm_cvtsi128_si64(_mm_unpackhi_epi64(c, c)) as u64]
    }

    #[target_feature(enable = "pclmulqdq")]
    pub(super) fn product<const N: usize>(out: &mut [[u64; N]; 2], a: &[u64; N], b: &[u64; N]) {
        super::product(out, a, b, |x, y| words(x, y));
    }

    #[target_feature(enable = "pclmulqdq")]
    pub(super) fn square<const N: usize>(out: &mut [[u64; N]; 2], a: &[u64; N]) {
        super::square(out, a, |x, y| words(x, y));
    }
}
