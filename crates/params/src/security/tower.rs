//! Levels of discrete logarithms in F_{q^k} under the tower number field sieve; `security.rs` says where they come
//! from.

use super::{Attack, interpolate, sieve};
use crate::{QuadraticKind, SexticKind};

/// The bits of fields F_{q^k} and their levels, smallest first.
type Levels = &'static [(u64, f64)];

/// Returns the published levels of a family with a sextic twist.
pub(super) fn sextic(kind: SexticKind) -> Levels {
    match kind {
        SexticKind::Bn => &[
            (12 * 158, 86.0),
            (12 * 254, 102.0),
            (12 * 382, 123.0),
            (12 * 462, 135.0),
            (12 * 638, 157.0),
            (12 * 1022, 191.0),
        ],
        SexticKind::Bls12 => &[(12 * 377, 126.0), (12 * 461, 135.0), (12 * 638, 152.0), (12 * 1150, 193.0)],
        SexticKind::Bls24 => {
            &[(24 * 315, 160.0), (24 * 477, 188.6), (24 * 509, 193.0), (24 * 559, 201.0), (24 * 1022, 264.0)]
        }
        SexticKind::Bls48 => &[(48 * 286, 230.0)],
        SexticKind::Kss18 => &[(18 * 348, 151.0), (18 * 508, 179.0), (18 * 638, 193.0), (18 * 1484, 256.0)],
    }
}

/// Returns the published levels of MNT curves. Of Freeman's curves there are none: a level of BN curves stands for them.
pub(super) fn quadratic(kind: QuadraticKind) -> Levels {
    match kind {
        QuadraticKind::D => &[
            (6 * 157, 64.0),
            (6 * 177, 70.0),
            (6 * 203, 74.0),
            (6 * 226, 76.0),
            (6 * 261, 82.0),
            (6 * 298, 87.0),
            (6 * 509, 112.0),
            (6 * 753, 137.0),
            (6 * 996, 156.0),
            (6 * 2047, 225.0),
        ],
        QuadraticKind::G => &[(12 * 462, 135.0)],
    }
}

/// Returns the level for q of `q_bits` bits, and the attack.
pub(super) fn attack(levels: Levels, k: u32, q_bits: u64) -> (f64, Attack) {
    let bits = u64::from(k) * q_bits;
    let published = levels[0].0 <= bits && bits <= levels[levels.len() - 1].0;
    (interpolate(levels, 32.0 / 9.0, bits).min(sieve(bits)), Attack::TowerSieve { k, bits, published })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (Levels, u32)> {
        let kinds = [SexticKind::Bn, SexticKind::Bls12, SexticKind::Bls24, SexticKind::Bls48, SexticKind::Kss18];
        let others = [QuadraticKind::D, QuadraticKind::G].map(|kind| (quadratic(kind), kind.k()));
        kinds.into_iter().map(|kind| (sextic(kind), kind.k())).chain(others)
    }

    /// Compares with figures of Guillevic and Singh that are not in the tables.
    #[test]
    fn other_figures_are_close() {
        for (levels, k, q_bits, figure) in [
            (sextic(SexticKind::Bn), 12, 190, 92.0),
            (sextic(SexticKind::Bn), 12, 222, 98.0),
            (sextic(SexticKind::Bn), 12, 318, 114.0),
            (sextic(SexticKind::Bn), 12, 542, 146.0),
            (sextic(SexticKind::Bls12), 12, 383, 126.0),
            (sextic(SexticKind::Bls12), 12, 446, 132.0),
            (sextic(SexticKind::Kss18), 18, 676, 196.0),
            (sextic(SexticKind::Bls24), 24, 305, 158.0),
            (sextic(SexticKind::Bls24), 24, 629, 212.0),
            (quadratic(QuadraticKind::D), 6, 126, 59.0),
            (quadratic(QuadraticKind::D), 6, 313, 89.0),
            (quadratic(QuadraticKind::D), 6, 453, 106.0),
            (quadratic(QuadraticKind::D), 6, 660, 128.0),
            (quadratic(QuadraticKind::D), 6, 1514, 193.0),
        ] {
            let (level, _) = attack(levels, k, q_bits);
            assert!((level - figure).abs() < 1.5, "k = {k}, {q_bits} bits: {level} beside {figure}");
        }
    }

    #[test]
    fn more_bits_are_never_weaker() {
        for (levels, k) in all() {
            for q_bits in 1..2000 {
                let ((level, _), (next, _)) = (attack(levels, k, q_bits), attack(levels, k, q_bits + 1));
                assert!(0.0 <= level && level <= next, "k = {k}, {q_bits} bits: {level}, then {next}");
                assert!(level <= sieve(u64::from(k) * q_bits), "k = {k}, {q_bits} bits");
            }
        }
    }
}
