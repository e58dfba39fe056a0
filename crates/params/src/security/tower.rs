//! Levels of discrete logarithms in F_{q^k} under the tower number field sieve; `security.rs` says where they come
//! from.

use super::{log2_l, sieve};
use crate::SexticKind;

/// The number of bits taken off the asymptotic formula.
const OFFSET: f64 = 7.0;

/// Returns the level for q = p(u) of `q_bits` bits, and whether it is a published figure.
pub(super) fn special(kind: SexticKind, q_bits: u64) -> (f64, bool) {
    match published(kind, q_bits) {
        Some(level) => (level, true),
        None => (formula(32.0 / 9.0, u64::from(kind.k()) * q_bits), false),
    }
}

/// Returns the level for q without special form, composite k, and q^k of `bits` bits.
pub(super) fn general(bits: u64) -> f64 {
    formula(48.0 / 9.0, bits)
}

fn formula(c: f64, bits: u64) -> f64 {
    (log2_l(c, bits) - OFFSET).max(0.0).min(sieve(bits))
}

/// Returns the figure from the literature for a family and the bits of q, if there is one.
fn published(kind: SexticKind, q_bits: u64) -> Option<f64> {
    match (kind, q_bits) {
        (SexticKind::Bn, 254..=258) => Some(100.0),
        (SexticKind::Bn, 462) => Some(134.0),
        (SexticKind::Bls12, 377 | 381) => Some(126.0),
        (SexticKind::Bls24, 315) => Some(160.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_beside_the_figures() {
        for (kind, q_bits, least, most) in [
            (SexticKind::Bn, 254, 2.5, 3.5),
            (SexticKind::Bn, 258, 3.0, 4.0),
            (SexticKind::Bn, 462, -0.5, 0.5),
            (SexticKind::Bls12, 377, -4.0, -3.0),
            (SexticKind::Bls12, 381, -3.5, -2.5),
            (SexticKind::Bls24, 315, -7.5, -6.5),
        ] {
            let (figure, is_published) = special(kind, q_bits);
            let difference = formula(32.0 / 9.0, u64::from(kind.k()) * q_bits) - figure;
            assert!(is_published && (least..=most).contains(&difference), "{kind:?} {q_bits}: {difference}");
        }
    }

    #[test]
    fn more_bits_are_never_weaker() {
        for bits in 1..20_000 {
            assert!(general(bits) <= general(bits + 1) && general(bits) <= sieve(bits), "{bits}");
            assert!(formula(32.0 / 9.0, bits) <= general(bits) && formula(32.0 / 9.0, bits) >= 0.0, "{bits}");
        }
    }
}
