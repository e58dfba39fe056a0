//! Residues in and out of lanes as they are, with the limbs that they have: eight rows of limbs to vectors that hold the same limb of
//! each, and back.
//!
//! Rows may lie anywhere, so that lanes can take any residues of a table. Blocks of eight limbs are transposed by 24 permutations;
//! of the last block only the limbs that there are are read and written.
#![allow(unsafe_code)]

use super::places::{LANES, Residues};
use std::arch::x86_64::{
    __m512i, _mm512_load_si512, _mm512_mask_storeu_epi64, _mm512_maskz_loadu_epi64, _mm512_setzero_si512,
    _mm512_shuffle_i64x2, _mm512_store_si512, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

/// The first and third blocks of 128 bits of two vectors, or the second and fourth.
const EVEN: i32 = 0x88;
const ODD: i32 = 0xdd;

/// Limb j of eight values as vector j, from their rows. Only where the processor has AVX-512 F, as wherever there is a field of lanes.
pub(super) fn gather<const C: usize>(out: &mut Residues<C>, rows: [&[u64; C]; LANES], limbs: usize) {
    // SAFETY: the caller is a field, which is constructed only where the processor has the instructions
    unsafe { gather_limbs(out, rows, limbs) };
}

/// The rows of eight values, from vectors of their limbs. Limbs above are left as they are. As [`gather`].
pub(super) fn scatter<const C: usize>(rows: &mut [[u64; C]; LANES], a: &Residues<C>, limbs: usize) {
    // SAFETY: as above
    unsafe { scatter_limbs(rows, a, limbs) };
}

/// # Safety
/// The processor has AVX-512 F.
#[target_feature(enable = "avx512f")]
unsafe fn gather_limbs<const C: usize>(out: &mut Residues<C>, rows: [&[u64; C]; LANES], limbs: usize) {
    assert!(limbs <= C);
    let to: *mut __m512i = std::ptr::from_mut(out).cast();
    for first in (0..limbs).step_by(LANES) {
        let count = (limbs - first).min(LANES);
        let there = (0xffu16 >> (LANES - count)) as u8;
        // SAFETY: `count` limbs of each row from the first on, of C
        let block = rows.map(|row| unsafe { _mm512_maskz_loadu_epi64(there, row.as_ptr().add(first).cast()) });
        for (j, vector) in transposed(block).into_iter().enumerate().take(count) {
            // SAFETY: one of the C vectors of `out`
            unsafe { _mm512_store_si512(to.add(first + j), vector) };
        }
    }
}

/// # Safety
/// As [`gather_limbs`].
#[target_feature(enable = "avx512f")]
unsafe fn scatter_limbs<const C: usize>(rows: &mut [[u64; C]; LANES], a: &Residues<C>, limbs: usize) {
    assert!(limbs <= C);
    let from: *const __m512i = std::ptr::from_ref(a).cast();
    for first in (0..limbs).step_by(LANES) {
        let count = (limbs - first).min(LANES);
        let there = (0xffu16 >> (LANES - count)) as u8;
        let mut block = [_mm512_setzero_si512(); LANES];
        for (j, vector) in block.iter_mut().enumerate().take(count) {
            // SAFETY: one of the first vectors of `a`, which hold its limbs
            *vector = unsafe { _mm512_load_si512(from.add(first + j)) };
        }
        for (row, vector) in rows.iter_mut().zip(transposed(block)) {
            // SAFETY: `count` limbs of the row from the first on, of C
            unsafe { _mm512_mask_storeu_epi64(row.as_mut_ptr().add(first).cast(), there, vector) };
        }
    }
}

/// Word i of vector j becomes word j of vector i.
#[inline]
#[target_feature(enable = "avx512f")]
fn transposed(rows: [__m512i; LANES]) -> [__m512i; LANES] {
    // words 2k of two rows side by side, and words 2k + 1
    let two = |i: usize| {
        [_mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]), _mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1])]
    };
    let pairs = [two(0), two(1), two(2), two(3)];
    let mut out = [_mm512_setzero_si512(); LANES];
    for parity in 0..2 {
        // blocks 0 and 2, and blocks 1 and 3, of rows 0 to 3, and of rows 4 to 7
        let [a, b, c, d] = pairs.map(|pair| pair[parity]);
        let even = [_mm512_shuffle_i64x2::<EVEN>(a, b), _mm512_shuffle_i64x2::<EVEN>(c, d)];
        let odd = [_mm512_shuffle_i64x2::<ODD>(a, b), _mm512_shuffle_i64x2::<ODD>(c, d)];
        for (k, [low, high]) in [even, odd].into_iter().enumerate() {
            out[2 * k + parity] = _mm512_shuffle_i64x2::<EVEN>(low, high);
            out[2 * k + parity + 4] = _mm512_shuffle_i64x2::<ODD>(low, high);
        }
    }
    out
}
