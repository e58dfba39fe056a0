//! Where searches in a field of small characteristic look: for elements of a trace, or x of points, which a half or a third of all elements are.

use bilinear_field::{Prime, at};

/// How many powers are gone through.
const POWERS: usize = 512;

/// Powers of an element, and so many of all elements.
pub(crate) fn powers_and_all<F: Prime>(f: &F, base: F::Elem, all: u32) -> impl Iterator<Item = F::Elem> + '_ {
    let powers = std::iter::successors(Some(base.clone()), move |power| {
        at! {f; next = mul(power, &base);}
        Some(next)
    });
    powers.take(POWERS).chain((0..all).map(|x| f.constant(&x.into())))
}
