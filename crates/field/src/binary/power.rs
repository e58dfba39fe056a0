//! The map a ↦ a^(2^n) for a fixed n, which is linear: a^(2^n) = Σ a_i·y^i with y = x^(2^n).
//!
//! The matrix consists of eight by eight blocks of bits. GFNI multiplies eight blocks at a time by a byte of each of up
//! to eight elements: N·⌈m/8⌉ instructions. Portable code takes m masked sums of N words. Nothing branches on a, and
//! the whole matrix is always read. The matrix takes 64·N·⌈m/8⌉ bytes, 196 kB for m = 1223, and about m/2 products and
//! m squares to compute. The half-trace is linear too.
#![allow(unsafe_code)]

use super::{Binary, Residue};
use crate::at;
use crate::contract::Field;

/// The power map for one n, or the half-trace.
pub struct Power<const N: usize>(Matrix<N>);

/// A linear map, given by the images of 1, x, … and x^(m − 1).
enum Matrix<const N: usize> {
    /// The images themselves.
    Images(Vec<Residue<N>>),
    /// For each byte of a, the blocks that map it to the bytes of the image, word by word.
    #[cfg(target_arch = "x86_64")]
    Blocks(Vec<lanes::Blocks>),
}

impl<const N: usize> Power<N> {
    /// Creates the map a ↦ a^(2^n) on a field.
    pub fn new(field: &Binary<N>, n: usize) -> Self {
        let m = field.degree();
        // x modulo f; m is at least 3
        let mut x = field.zero();
        x.0[0] = 2;
        let y = field.squared(&x, n);
        let mut images = vec![field.one(), y.clone()];
        for i in 2..m {
            // y^i = (y^(i/2))², times y if i is odd
            at! {field; square = sqr(&images[i / 2]);}
            if i % 2 == 1 {
                images.push(at!(field; mul(&square, &y)));
            } else {
                images.push(square);
            }
        }
        Power::of_images(field, images)
    }

    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "there are blocks on x86-64 only"))]
    fn of_images(field: &Binary<N>, images: Vec<Residue<N>>) -> Self {
        #[cfg(target_arch = "x86_64")]
        if field.shape.products.lanes && lanes::there() {
            return Power(Matrix::Blocks(lanes::blocks(&images)));
        }
        Power(Matrix::Images(images))
    }

    /// Computes the half-trace on a field: Σ x^(i·4^j) for each i, side by side.
    pub(super) fn half_trace(field: &Binary<N>) -> Self {
        let basis: Vec<Residue<N>> = (0..field.degree())
            .map(|i| {
                let mut power = Residue::default();
                power.0[i / 64] = 1 << (i % 64);
                power
            })
            .collect();
        let mut images = basis.clone();
        for _ in 0..field.degree() / 2 {
            field.sqr_all(&mut images, 2);
            for (image, power) in images.iter_mut().zip(&basis) {
                for (own, word) in image.0.iter_mut().zip(&power.0) {
                    *own ^= word;
                }
            }
        }
        Power::of_images(field, images)
    }

    /// Returns the image of each a, for up to eight elements.
    pub fn of<const K: usize>(&self, a: [&Residue<N>; K]) -> [Residue<N>; K] {
        const { assert!(K <= 8) };
        match &self.0 {
            Matrix::Images(images) => a.map(|a| sum(images, a)),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has the instructions
            Matrix::Blocks(blocks) => unsafe { lanes::products(blocks, a) },
        }
    }
}

/// Returns Σ a_i·y^i.
fn sum<const N: usize>(images: &[Residue<N>], a: &Residue<N>) -> Residue<N> {
    let mut sum = Residue::default();
    for (i, image) in images.iter().enumerate() {
        // black_box keeps the mask a value, as in products
        let mask = std::hint::black_box(a.0[i / 64] >> (i % 64) & 1).wrapping_neg();
        for (own, word) in sum.0.iter_mut().zip(&image.0) {
            *own ^= word & mask;
        }
    }
    sum
}

#[cfg(target_arch = "x86_64")]
mod lanes {
    use super::Residue;
    use std::arch::x86_64::{
        __m512i, _mm512_gf2p8affine_epi64_epi8, _mm512_load_si512, _mm512_permutexvar_epi8, _mm512_set1_epi64,
        _mm512_setzero_si512, _mm512_store_si512, _mm512_xor_si512,
    };

    /// Eight blocks, aligned for a single load.
    #[derive(Clone, Copy)]
    #[repr(align(64))]
    pub(in super::super) struct Blocks([u64; 8]);

    /// Returns true if the processor has the instructions for products of blocks.
    pub(super) fn there() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("gfni")
    }

    /// For each byte: its bit i as bit 0 of byte 7 − i.
    const SPREAD: [u64; 256] = {
        let (mut out, mut i) = ([0; 256], 0);
        while i < 8 * 256 {
            out[i / 8] |= ((i as u64 / 8) >> (i % 8) & 1) << (8 * (7 - i % 8));
            i += 1;
        }
        out
    };

    /// Returns the matrix of these images in blocks: byte 7 − i of a block holds the bits that contribute to bit i.
    pub(super) fn blocks<const N: usize>(images: &[Residue<N>]) -> Vec<Blocks> {
        let mut out = Vec::with_capacity(images.len().div_ceil(8) * N);
        for images in images.chunks(8) {
            for word in 0..N {
                let mut eight = [0; 8];
                for (byte, block) in eight.iter_mut().enumerate() {
                    for (j, image) in images.iter().enumerate() {
                        *block |= SPREAD[usize::from(image.0[word].to_le_bytes()[byte])] << j;
                    }
                }
                out.push(Blocks(eight));
            }
        }
        out
    }

    /// Moves byte i of word j to byte j of word i.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    fn transposed(a: __m512i) -> __m512i {
        const ORDER: Blocks = {
            let (mut words, mut i) = ([0; 8], 0);
            while i < 64 {
                words[i / 8] |= ((i % 8 * 8 + i / 8) as u64) << (i % 8 * 8);
                i += 1;
            }
            Blocks(words)
        };
        _mm512_permutexvar_epi8(load(&ORDER), a)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(a: &Blocks) -> __m512i {
        // SAFETY: the operand is eight words, and aligned
        unsafe { _mm512_load_si512(a.0.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(out: &mut Blocks, a: __m512i) {
        // SAFETY: the operand is eight words, and aligned
        unsafe { _mm512_store_si512(out.0.as_mut_ptr().cast(), a) }
    }

    /// Returns the product of the matrix with each a.
    #[expect(clippy::needless_range_loop, reason = "iterators are not inlined into functions for a processor")]
    #[target_feature(enable = "avx512f,avx512vbmi,gfni")]
    pub(super) fn products<const N: usize, const K: usize>(blocks: &[Blocks], a: [&Residue<N>; K]) -> [Residue<N>; K] {
        // word i of these holds byte i of all elements a
        let mut bytes = [Blocks([0; 8]); N];
        for word in 0..N {
            for k in 0..K {
                bytes[word].0[k] = a[k].0[word];
            }
            let words = load(&bytes[word]);
            store(&mut bytes[word], transposed(words));
        }
        let mut sums = [_mm512_setzero_si512(); N];
        for (i, blocks) in blocks.as_chunks::<N>().0.iter().enumerate() {
            let byte = _mm512_set1_epi64(bytes[i / 8].0[i % 8] as i64);
            for word in 0..N {
                let product = _mm512_gf2p8affine_epi64_epi8::<0>(byte, load(&blocks[word]));
                sums[word] = _mm512_xor_si512(sums[word], product);
            }
        }
        let mut out = [const { Residue([0; N]) }; K];
        for word in 0..N {
            // byte i of word j of the sum is byte j of this word of a^(2^n) for the i-th a
            let mut words = Blocks([0; 8]);
            store(&mut words, transposed(sums[word]));
            for k in 0..K {
                out[k].0[word] = words.0[k];
            }
        }
        out
    }
}
