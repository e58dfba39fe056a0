//! The memory layout of the values that kernels read and write.

use crate::blank::Blank;
use std::mem::MaybeUninit;

/// The number of lanes of a vector.
pub(super) const LANES: usize = 8;

/// One number of 64 bits per lane.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Vector(pub(super) [u64; LANES]);

/// One residue per lane: limbs of 52 bits, limb by limb, with a capacity of C limbs.
///
/// Only kernels read the limbs, so a default value is uninitialised memory and costs nothing.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Residues<const C: usize>(MaybeUninit<[Vector; C]>);

/// An unreduced sum of products per lane: signed columns of weight 2^(52k), as the products leave them, two for each limb.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Columns<const C: usize>(MaybeUninit<[[Vector; C]; 2]>);

impl<const C: usize> Default for Residues<C> {
    #[inline(always)]
    fn default() -> Self {
        Residues(MaybeUninit::uninit())
    }
}

impl<const C: usize> Default for Columns<C> {
    #[inline(always)]
    fn default() -> Self {
        Columns(MaybeUninit::uninit())
    }
}

impl<const C: usize> Blank for Residues<C> {}

impl<const C: usize> Blank for Columns<C> {}

impl<const C: usize> Residues<C> {
    /// Creates residues from up to C limbs; the limbs above are 0.
    #[inline]
    pub(super) fn new(limbs: &[Vector]) -> Self {
        let mut all = [Vector::default(); C];
        all[..limbs.len()].copy_from_slice(limbs);
        Residues(MaybeUninit::new(all))
    }
}
