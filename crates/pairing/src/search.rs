//! Candidates for searches in a field of small characteristic, for elements of a given trace or for x-coordinates of
//! points. A half or a third of all elements qualify.

use bilinear_field::{Prime, at};

/// The number of powers to try.
const POWERS: usize = 512;

/// Iterates over the powers of `base`, then over the elements with the numbers below `all`.
pub(crate) fn powers_and_all<F: Prime>(f: &F, base: F::Elem, all: u32) -> impl Iterator<Item = F::Elem> + '_ {
    let powers = std::iter::successors(Some(base.clone()), move |power| Some(at!(f; mul(power, &base))));
    powers.take(POWERS).chain((0..all).map(|x| f.constant(&x.into())))
}
