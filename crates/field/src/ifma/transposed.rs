//! Moves residues into and out of lanes unchanged, limb by limb: from eight rows of limbs to vectors that hold the
//! same limb of each row, and back.
//!
//! Rows may lie anywhere, so that lanes can take any residues of a table. Blocks of eight limbs are transposed by 24
//! permutations; of an incomplete last block, only the existing limbs are read and written.
#![allow(unsafe_code)]

use super::kernels::Machine;
use super::places::{LANES, Residues};
use core::mem::MaybeUninit;
use std::arch::x86_64::{
    __m512i, _mm512_mask_storeu_epi64, _mm512_maskz_loadu_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2,
    _mm512_store_si512, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

/// Selects the first and third blocks of 128 bits of two vectors, or (`ODD`) the second and fourth.
const EVEN: i32 = 0x88;
const ODD: i32 = 0xdd;

impl Machine {
    /// Gathers eight values from their rows: vector j of `out` holds limb j of each value.
    pub(super) fn gather<const C: usize>(&self, out: &mut Residues<C>, rows: [&[u64; C]; LANES]) {
        // SAFETY: a machine is made only where the processor has the instructions
        unsafe { gather_limbs(out, rows, self.limbs()) };
    }

    /// Calls `take` with the number of each lane and the row of its value, which has 0 above its limbs.
    #[inline]
    pub(super) fn scatter<const C: usize>(&self, a: &Residues<C>, take: impl FnMut(usize, &[u64; C])) {
        // SAFETY: as above
        unsafe { scatter_rows(a, self.limbs(), take) };
    }
}

/// # Safety
/// The requirements are those of [`gather_limbs`].
unsafe fn scatter_rows<const C: usize>(a: &Residues<C>, limbs: usize, mut take: impl FnMut(usize, &[u64; C])) {
    let mut rows = [const { MaybeUninit::uninit() }; LANES];
    // SAFETY: the caller's promise
    unsafe { scatter_limbs(&mut rows, a, limbs) };
    for (lane, row) in rows.iter().enumerate() {
        // SAFETY: all words were written
        take(lane, unsafe { row.assume_init_ref() });
    }
}

/// Loads a vector that may be uninitialised. Assembly loads it, which turns undefined content into some defined
/// content.
///
/// # Safety
/// The processor must have AVX-512 F, and `from` must be the address of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn load(from: *const __m512i) -> __m512i {
    let vector;
    // SAFETY: the caller's promise
    unsafe {
        std::arch::asm!("vmovdqa64 {}, [{}]", out(zmm_reg) vector, in(reg) from, options(pure, readonly, nostack, preserves_flags));
    }
    vector
}

/// # Safety
/// The processor must have AVX-512 F.
#[target_feature(enable = "avx512f")]
unsafe fn gather_limbs<const C: usize>(out: &mut Residues<C>, rows: [&[u64; C]; LANES], limbs: usize) {
    assert!(limbs <= C);
    let to: *mut __m512i = std::ptr::from_mut(out).cast();
    for first in (0..limbs).step_by(LANES) {
        let count = (limbs - first).min(LANES);
        let there = (0xffu16 >> (LANES - count)) as u8;
        let mut block = [_mm512_setzero_si512(); LANES];
        for (i, vector) in block.iter_mut().enumerate() {
            // SAFETY: `count` limbs of the row from the first on, of C
            *vector = unsafe { _mm512_maskz_loadu_epi64(there, rows[i].as_ptr().add(first).cast()) };
        }
        let block = transposed(block);
        for (j, vector) in block.iter().enumerate() {
            if j < count {
                // SAFETY: one of the C vectors of `out`
                unsafe { _mm512_store_si512(to.add(first + j), *vector) };
            }
        }
    }
}

/// Writes all words of all rows.
///
/// # Safety
/// The requirements are those of [`gather_limbs`].
#[target_feature(enable = "avx512f")]
unsafe fn scatter_limbs<const C: usize>(rows: &mut [MaybeUninit<[u64; C]>; LANES], a: &Residues<C>, limbs: usize) {
    assert!(limbs <= C);
    let from: *const __m512i = std::ptr::from_ref(a).cast();
    for first in (0..limbs).step_by(LANES) {
        let count = (limbs - first).min(LANES);
        let there = (0xffu16 >> (LANES - count)) as u8;
        let mut block = [_mm512_setzero_si512(); LANES];
        for (j, vector) in block.iter_mut().enumerate() {
            if j < count {
                // SAFETY: one of the C vectors of `a`
                *vector = unsafe { load(from.add(first + j)) };
            }
        }
        let block = transposed(block);
        for (i, row) in rows.iter_mut().enumerate() {
            // SAFETY: `count` limbs of the row from the first on, of C
            unsafe { _mm512_mask_storeu_epi64(row.as_mut_ptr().cast::<i64>().add(first), there, block[i]) };
        }
    }
    for row in rows {
        for word in limbs..C {
            // SAFETY: a word of the row
            unsafe { row.as_mut_ptr().cast::<u64>().add(word).write(0) };
        }
    }
}

/// Word i of vector j becomes word j of vector i.
#[inline]
#[target_feature(enable = "avx512f")]
fn transposed(rows: [__m512i; LANES]) -> [__m512i; LANES] {
    let [a, b, c, d, e, f, g, h] = rows;
    // words 2k of two rows side by side
    let [v0, v2, v4, v6] = quarters([
        _mm512_unpacklo_epi64(a, b),
        _mm512_unpacklo_epi64(c, d),
        _mm512_unpacklo_epi64(e, f),
        _mm512_unpacklo_epi64(g, h),
    ]);
    // words 2k + 1
    let [v1, v3, v5, v7] = quarters([
        _mm512_unpackhi_epi64(a, b),
        _mm512_unpackhi_epi64(c, d),
        _mm512_unpackhi_epi64(e, f),
        _mm512_unpackhi_epi64(g, h),
    ]);
    [v0, v1, v2, v3, v4, v5, v6, v7]
}

/// Block i of 128 bits of vector j becomes block j of vector i.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn quarters([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // blocks 0 and 2, and blocks 1 and 3, of the first two vectors, and of the other two
    let (even, more_even) = (_mm512_shuffle_i64x2::<EVEN>(a, b), _mm512_shuffle_i64x2::<EVEN>(c, d));
    let (odd, more_odd) = (_mm512_shuffle_i64x2::<ODD>(a, b), _mm512_shuffle_i64x2::<ODD>(c, d));
    [
        _mm512_shuffle_i64x2::<EVEN>(even, more_even),
        _mm512_shuffle_i64x2::<EVEN>(odd, more_odd),
        _mm512_shuffle_i64x2::<ODD>(even, more_even),
        _mm512_shuffle_i64x2::<ODD>(odd, more_odd),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of limbs in C words, with words above them that must not come back.
    fn there_and_back<const C: usize>() {
        for limbs in 1..=C {
            let word = |lane: usize, j: usize| if j < limbs { (100 * lane + j + 1) as u64 } else { u64::MAX };
            let rows: [[u64; C]; LANES] = core::array::from_fn(|lane| core::array::from_fn(|j| word(lane, j)));
            let mut vectors = Residues::default();
            // SAFETY: the test has checked that the processor has the instructions
            unsafe { gather_limbs(&mut vectors, rows.each_ref(), limbs) };
            let mut lanes = 0..LANES;
            let take = |lane: usize, row: &[u64; C]| {
                assert_eq!(lanes.next(), Some(lane), "{limbs} limbs of {C} words");
                assert_eq!(row[..limbs], rows[lane][..limbs], "lane {lane}, {limbs} limbs of {C} words");
                assert!(row[limbs..].iter().all(|word| *word == 0), "lane {lane}, {limbs} limbs of {C} words: {row:?}");
            };
            // SAFETY: likewise
            unsafe { scatter_rows(&vectors, limbs, take) };
            assert!(lanes.is_empty(), "{limbs} limbs of {C} words");
        }
    }

    #[test]
    fn rows_come_back_with_nothing_above_their_limbs() {
        if !crate::ifma::kernels::detect() {
            return;
        }
        there_and_back::<1>();
        there_and_back::<5>();
        there_and_back::<8>();
        there_and_back::<10>();
        there_and_back::<40>();
    }
}
