//! What is particular to a family with a sextic twist: the optimal ate loop, the relation that p satisfies modulo r.

use crate::bilinear_groups::Pairing;
use num_bigint::BigInt;

/// A family of pairing-friendly curves y² = x³ + b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Barreto and Naehrig, SAC 2005; k = 12.
    Bn,
    /// Barreto, Lynn and Scott, SCN 2002; k = 12.
    Bls12,
    /// Barreto, Lynn and Scott, SCN 2002; k = 24.
    Bls24,
    /// Barreto, Lynn and Scott, SCN 2002; k = 48.
    Bls48,
    /// Kachisa, Schaefer and Scott, Pairing 2008; k = 18.
    Kss18,
}

impl Kind {
    /// The embedding degree k.
    pub fn degree(self) -> usize {
        match self {
            Kind::Bn | Kind::Bls12 => 12,
            Kind::Kss18 => 18,
            Kind::Bls24 => 24,
            Kind::Bls48 => 48,
        }
    }

    /// Where there is one, the i for which u^i is a primitive sixth root of 1 modulo r.
    pub(super) fn sixth_root(self) -> Option<u32> {
        match self {
            Kind::Bls12 => Some(2),
            Kind::Bls24 => Some(4),
            Kind::Bls48 => Some(8),
            Kind::Bn | Kind::Kss18 => None,
        }
    }

    /// φ(k): into how many parts scalars split by p.
    pub(super) fn parts(self) -> usize {
        match self {
            Kind::Bn | Kind::Bls12 => 4,
            Kind::Kss18 => 6,
            Kind::Bls24 => 8,
            Kind::Bls48 => 16,
        }
    }

    /// The length of the optimal ate loop (Vercauteren, IEEE Trans. Information Theory 56, 2010): 6u + 2 for BN, else u.
    pub(super) fn loop_length(self, u: &BigInt) -> BigInt {
        match self {
            Kind::Bn => u * 6 + 2,
            Kind::Bls12 | Kind::Bls24 | Kind::Bls48 | Kind::Kss18 => u.clone(),
        }
    }

    /// The pairings that there are, the optimal one first.
    pub(super) fn pairings(self) -> &'static [Pairing] {
        match self {
            Kind::Bn => &[Pairing::OptAte, Pairing::Ate, Pairing::RAte, Pairing::Tate],
            _ => &[Pairing::OptAte, Pairing::Ate, Pairing::Tate],
        }
    }

    /// Short (a_i, b_i) with Σ (a_i·u + b_i)·p^i ≡ 0 (mod r). BN: Dai, Lin, Zhao and Zhou (IEEE Trans. Information Theory 69,
    /// 2023); BLS: p ≡ u (Scott, ePrint 2021/1130); KSS18: u + 3p ≡ p⁴.
    pub(super) fn relation(self) -> &'static [(i32, i32)] {
        match self {
            Kind::Bn => &[(1, 1), (1, 0), (1, 0), (-2, 0)],
            Kind::Bls12 | Kind::Bls24 | Kind::Bls48 => &[(1, 0), (0, -1)],
            Kind::Kss18 => &[(1, 0), (0, 3), (0, 0), (0, 0), (0, -1)],
        }
    }

    /// The i of the last b_i = ±1 in [`Kind::relation`].
    pub(super) fn unit(self) -> usize {
        self.relation().iter().rposition(|(_, b)| b.abs() == 1).unwrap_or_else(|| unreachable!("each has one"))
    }
}
