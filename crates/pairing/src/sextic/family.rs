//! The properties particular to a family with a sextic twist, such as the optimal ate loop and the relation that p
//! satisfies modulo r.

use crate::names::PairingKind;
use bilinear_params::SexticKind;
use num_bigint::BigInt;

/// The i for which u^i is a primitive sixth root of 1 modulo r; `None` if there is no such i.
pub(super) fn sixth_root(kind: SexticKind) -> Option<u32> {
    match kind {
        SexticKind::Bls12 => Some(2),
        SexticKind::Bls24 => Some(4),
        SexticKind::Bls48 => Some(8),
        SexticKind::Bn | SexticKind::Kss18 => None,
    }
}

/// The number φ(k) of parts into which scalars are split by p.
pub(super) fn parts(kind: SexticKind) -> usize {
    match kind {
        SexticKind::Bn | SexticKind::Bls12 => 4,
        SexticKind::Kss18 => 6,
        SexticKind::Bls24 => 8,
        SexticKind::Bls48 => 16,
    }
}

/// The length of the optimal ate loop (Vercauteren, IEEE Trans. Information Theory 56, 2010): 6u + 2 for BN, else u.
pub(super) fn loop_length(kind: SexticKind, u: &BigInt) -> BigInt {
    match kind {
        SexticKind::Bn => u * 6 + 2,
        SexticKind::Bls12 | SexticKind::Bls24 | SexticKind::Bls48 | SexticKind::Kss18 => u.clone(),
    }
}

/// The pairings of a family, the optimal one first.
pub fn pairings(kind: SexticKind) -> &'static [PairingKind] {
    use PairingKind::{AlphaWeil, Ate, BetaWeil, OptAte, RAte, Tate};
    match kind {
        SexticKind::Bn => &[OptAte, Ate, RAte, Tate, BetaWeil, AlphaWeil],
        SexticKind::Bls12 => &[OptAte, Ate, Tate, BetaWeil, AlphaWeil],
        SexticKind::Bls24 | SexticKind::Bls48 | SexticKind::Kss18 => &[OptAte, Ate, Tate],
    }
}

/// Returns short (a_i, b_i) with Σ (a_i·u + b_i)·p^i ≡ 0 (mod r). BN: Dai, Lin, Zhao and Zhou (Designs, Codes and
/// Cryptography 91, 2023); BLS: p ≡ u (Scott, ePrint 2021/1130); KSS18: u + 3p ≡ p⁴.
pub(super) fn relation(kind: SexticKind) -> &'static [(i32, i32)] {
    match kind {
        SexticKind::Bn => &[(1, 1), (1, 0), (1, 0), (-2, 0)],
        SexticKind::Bls12 | SexticKind::Bls24 | SexticKind::Bls48 => &[(1, 0), (0, -1)],
        SexticKind::Kss18 => &[(1, 0), (0, 3), (0, 0), (0, 0), (0, -1)],
    }
}

/// The index i of the last b_i = ±1 in [`relation`].
pub(super) fn unit(kind: SexticKind) -> usize {
    relation(kind).iter().rposition(|(_, b)| b.abs() == 1).unwrap_or_else(|| unreachable!("each has one"))
}
