//! Products over F_3 by AVX-512: a register holds one word of each of eight products, or eight blocks of one product.
//! Each logical operation has three operands.
#![allow(unsafe_code)]

use super::products::{self, Closed, Element, Products, Twice, blocks};
use super::reduction::{self, Cube, Tail};
use super::trits::Plane;
use std::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_and_si512, _mm512_loadu_si512, _mm512_or_si512, _mm512_set1_epi64,
    _mm512_sll_epi64, _mm512_srai_epi64, _mm512_srl_epi64, _mm512_storeu_si512, _mm512_ternarylogic_epi64,
    _mm512_xor_si512, _pdep_u64,
};

/// The number of products that are computed side by side.
const LANES: usize = 8;

/// Eight words. Only code for processors with AVX-512 creates and reads values of this type.
#[derive(Clone, Copy)]
struct Eight(__m512i);

/// Evaluates an expression of vector intrinsics.
macro_rules! vector {
    ($x:expr) => {
        // SAFETY: inlined into functions for processors with the instructions
        unsafe { $x }
    };
}

impl Plane for Eight {
    // SAFETY: eight words of 0 are a valid value
    const ZERO: Eight = Eight(unsafe { std::mem::zeroed() });

    #[inline(always)]
    fn and(self, mask: u64) -> Eight {
        Eight(vector!(_mm512_and_si512(self.0, _mm512_set1_epi64(mask as i64))))
    }
    #[inline(always)]
    fn or(self, other: Eight) -> Eight {
        Eight(vector!(_mm512_or_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn up(self, n: u32) -> Eight {
        Eight(vector!(_mm512_sll_epi64(self.0, _mm_cvtsi32_si128(n as i32))))
    }
    #[inline(always)]
    fn down(self, n: u32) -> Eight {
        Eight(vector!(_mm512_srl_epi64(self.0, _mm_cvtsi32_si128(n as i32))))
    }
    #[inline(always)]
    fn top(self) -> Eight {
        Eight(vector!(_mm512_srai_epi64::<63>(self.0)))
    }
    #[inline(always)]
    fn sum([x0, x1]: [Eight; 2], [y0, y1]: [Eight; 2]) -> [Eight; 2] {
        vector!({
            let s = _mm512_xor_si512(x0.0, y1.0);
            let t = _mm512_ternarylogic_epi64::<0b1001_0110>(x1.0, y0.0, y1.0); // (x1 ^ y0) ^ y1
            // (s ^ x1) | t, and s & (x1 ^ y0)
            let v = _mm512_ternarylogic_epi64::<0b1011_1110>(s, x1.0, t);
            [Eight(v), Eight(_mm512_ternarylogic_epi64::<0b0110_0000>(s, x1.0, y0.0))]
        })
    }
    #[inline(always)]
    fn negated([x0, x1]: [Eight; 2]) -> [Eight; 2] {
        [x0, Eight(vector!(_mm512_xor_si512(x0.0, x1.0)))]
    }
    #[inline(always)]
    fn multiply_add([v, s]: [Eight; 2], [a0, a1]: [Eight; 2], [b0, b1]: [Eight; 2]) -> [Eight; 2] {
        vector!({
            let product = _mm512_and_si512(a0.0, b0.0);
            let differ = _mm512_ternarylogic_epi64::<0b1001_0110>(s.0, a1.0, b1.0); // s ^ a1 ^ b1
            let turned = _mm512_ternarylogic_epi64::<0b1100_1010>(v.0, product, differ); // v ? product : differ
            let sum = _mm512_ternarylogic_epi64::<0b0111_1100>(v.0, product, differ); // v ^ product, or v unless they differ
            [Eight(sum), Eight(_mm512_xor_si512(s.0, turned))]
        })
    }
    #[inline(always)]
    fn canonical([v, s]: [Eight; 2]) -> [Eight; 2] {
        [v, Eight(vector!(_mm512_and_si512(v.0, s.0)))]
    }
}

/// Loads eight words from index `at` on.
#[inline(always)]
fn load(words: &[u64], at: usize) -> Eight {
    let eight = &words[at..at + LANES];
    // SAFETY: eight words are there
    Eight(unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) })
}

#[inline(always)]
fn store(words: &mut [u64], at: usize, x: Eight) {
    let eight = &mut words[at..at + LANES];
    // SAFETY: eight words are there
    unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), x.0) }
}

/// Computes the products of K blocks in lanes, 16 at a time.
#[expect(clippy::needless_range_loop, reason = "closures would not be compiled for the processor")]
#[inline(always)]
fn blocks_in_lanes<const K: usize>(w: usize, a: &[[u64; K]; 2], b: &[[u64; K]; 2]) -> [[u64; K]; 2] {
    // in arrays padded to whole registers: two registers are multiplied side by side
    const PLACES: usize = 96;
    const { assert!(K <= PLACES && PLACES.is_multiple_of(2 * LANES)) };
    let mut places = [[[0; PLACES]; 2]; 2];
    for plane in 0..2 {
        places[0][plane][..K].copy_from_slice(&a[plane]);
        places[1][plane][..K].copy_from_slice(&b[plane]);
    }
    let mut products = [[0; PLACES]; 2];
    for first in (0..K).step_by(2 * LANES) {
        let mut operands = [[[Eight::ZERO; 2]; 2]; 2];
        for side in 0..2 {
            for half in 0..2 {
                for plane in 0..2 {
                    operands[side][half][plane] = load(&places[side][plane], first + half * LANES);
                }
            }
        }
        let own: [[Eight; 2]; 2] = blocks(w, operands[0], operands[1]);
        for half in 0..2 {
            for plane in 0..2 {
                store(&mut products[plane], first + half * LANES, own[half][plane]);
            }
        }
    }
    let mut out = [[0; K]; 2];
    for plane in 0..2 {
        out[plane].copy_from_slice(&products[plane][..K]);
    }
    out
}

/// Gathers the words of up to eight elements, repeating the last element if there are fewer.
#[inline(always)]
fn gathered<const N: usize>(elements: &[&Element<N>]) -> [[Eight; N]; 2] {
    let (mut out, last) = ([[Eight::ZERO; N]; 2], elements.len() - 1);
    for plane in 0..2 {
        for i in 0..N {
            let mut words = [0; LANES];
            for lane in 0..LANES {
                words[lane] = elements[lane.min(last)][plane][i];
            }
            out[plane][i] = load(&words, 0);
        }
    }
    out
}

/// Writes the elements in lanes to their places.
#[inline(always)]
fn scattered_elements<const N: usize>(out: &mut [&mut Element<N>], elements: &[[Eight; N]; 2]) {
    for plane in 0..2 {
        for i in 0..N {
            let mut words = [0; LANES];
            store(&mut words, 0, elements[plane][i]);
            for lane in 0..out.len() {
                out[lane][plane][i] = words[lane];
            }
        }
    }
}

/// Writes the products in lanes to their places.
#[inline(always)]
fn scattered<const N: usize>(out: &mut [&mut Twice<N>], products: &[[[Eight; N]; 2]; 2]) {
    for plane in 0..2 {
        for half in 0..2 {
            for i in 0..N {
                let mut words = [0; LANES];
                store(&mut words, 0, products[plane][half][i]);
                for lane in 0..out.len() {
                    out[lane][plane][half][i] = words[lane];
                }
            }
        }
    }
}

/// Defines the functions for a single product, for many products, and for cubes, for elements of one number of words.
macro_rules! lanes {
    ($one:ident, $many:ident, $cube:ident, $product:ident, $n:literal, $points:literal) => {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,bmi2")]
        fn $one<const W: usize>(w: usize, out: &mut Twice<$n>, a: &Element<$n>, b: &Element<$n>) {
            let w = if W == 0 { w } else { W };
            *out = products::$product(w, a, b, |a, b| blocks_in_lanes::<$points>(w, a, b));
        }

        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,bmi2")]
        fn $many<const W: usize>(w: usize, out: &mut [&mut Twice<$n>], a: &[&Element<$n>], b: &[&Element<$n>]) {
            let w = if W == 0 { w } else { W };
            for first in (0..out.len()).step_by(LANES) {
                let end = out.len().min(first + LANES);
                if end - first == 1 {
                    $one::<W>(w, out[first], a[first], b[first]);
                    continue;
                }
                let (a, b) = (gathered(&a[first..end]), gathered(&b[first..end]));
                let products = products::$product(w, &a, &b, |a, b| products::by::<3, _, _>(w, a, b));
                scattered(&mut out[first..end], &products);
            }
        }

        #[target_feature(enable = "bmi2")]
        fn $cube(out: &mut [[[u64; $n]; 3]; 2], a: &Element<$n>) {
            reduction::spread_out(out, a, |x, mask| _pdep_u64(x, mask));
        }
    };
}

lanes!(one_2, many_2, cube_2, two, 2, 9);
lanes!(one_4, many_4, cube_4, four, 4, 27);
lanes!(one_8, many_8, cube_8, eight, 8, 81);

/// Defines products modulo x^M + x^T − 1, for blocks of W coefficients.
macro_rules! closed {
    ($name:ident: $product:ident, $n:literal, $m:literal $t:literal, $w:literal) => {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,bmi2")]
        fn $name(out: &mut [&mut Element<$n>], a: &[&Element<$n>], b: &[&Element<$n>]) {
            for first in (0..out.len()).step_by(LANES) {
                let end = out.len().min(first + LANES);
                let (a, b) = (gathered(&a[first..end]), gathered(&b[first..end]));
                let [v, s] = products::$product($w, &a, &b, |a, b| products::by::<3, _, _>($w, a, b));
                let long = [v.as_flattened(), s.as_flattened()];
                scattered_elements(&mut out[first..end], &reduction::trinomial::<Eight, $n, $m, $t>(long, false));
            }
        }
    };
}

closed!(closed_97: two, 2, 97 12, 25);
closed!(closed_193: four, 4, 193 12, 25);

/// Returns true if the processor has all instructions that this module needs.
fn there() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("bmi2")
}

/// Defines the detection for fields of N words; the block lengths of the shipped fields are compiled in.
macro_rules! detected {
    ($name:ident: $one:ident, $many:ident, $cube:ident, $n:literal, [$($w:literal),*], [$($m:literal $t:literal: $closed:ident),*]) => {
        pub(super) fn $name(w: usize, m: usize, tail: &[Tail]) -> Option<Products<$n>> {
            // SAFETY: the processor has the instructions
            let cube: Cube<$n> = |out, a| unsafe { $cube(out, a) };
            let closed: Option<Closed<$n>> = match (m, tail) {
                // SAFETY: the processor has the instructions
                $(($m, [(0, false), ($t, true)]) => Some(|out, a, b| unsafe { $closed(out, a, b) }),)*
                _ => None,
            };
            there().then(|| match w {
                $($w => Products {
                    // SAFETY: the processor has the instructions
                    one: |w, out, a, b| unsafe { $one::<$w>(w, out, a, b) },
                    // SAFETY: the processor has the instructions
                    many: |w, out, a, b| unsafe { $many::<$w>(w, out, a, b) },
                    closed,
                    cube,
                },)*
                _ => Products {
                    // SAFETY: the processor has the instructions
                    one: |w, out, a, b| unsafe { $one::<0>(w, out, a, b) },
                    // SAFETY: the processor has the instructions
                    many: |w, out, a, b| unsafe { $many::<0>(w, out, a, b) },
                    closed,
                    cube,
                },
            })
        }
    };
}

detected!(of_2: one_2, many_2, cube_2, 2, [25], [97 12: closed_97]);
detected!(of_4: one_4, many_4, cube_4, 4, [25], [193 12: closed_193]);
detected!(of_8: one_8, many_8, cube_8, 8, [32], []);
