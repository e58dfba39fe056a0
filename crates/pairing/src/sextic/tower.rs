//! The towers below F_p^k: what F_p^(k/6) is built of, and which element w^6 = ξ of it has the sixth root w.

use bilinear_field::tower::{AnyNonResidue, AnyTower, Cubic, Either, General, Quadratic, RootPlus, Small};
use bilinear_field::{Extension, Prime};
use num_bigint::BigUint;

/// The tower of a curve, over any engine.
#[derive(Clone, Debug)]
pub enum SexticTower {
    /// k = 12: F_p(i), i² = β, ξ = a + i for small integers β and a. Multiples by both cost no product.
    Small {
        /// β.
        beta: i32,
        /// a.
        a: i32,
    },
    /// k = 12: F_p(i), i² = β, ξ = a + c·i for any β, a and c in F_p.
    General {
        /// β.
        beta: BigUint,
        /// a and c.
        xi: [BigUint; 2],
    },
    /// k = 18: F_p(j), j³ = β, ξ = j for a small integer β.
    Cubic {
        /// β.
        beta: i32,
    },
    /// k = 24: the tower of one with k = 12 and a square root of its ξ, which is ξ here: v with v² = a + c·i. k = 48: the same once
    /// more, ξ = s with s² = v.
    SquareRoot(Box<SexticTower>),
}

impl SexticTower {
    /// F_p(i), i² = −1, ξ = a + i.
    pub fn gaussian(a: i32) -> Self {
        SexticTower::Small { beta: -1, a }
    }

    /// This tower and a square root of its ξ.
    pub fn square_root(self) -> Self {
        SexticTower::SquareRoot(Box::new(self))
    }

    /// E = F_p^(k/6), the field of the twist.
    pub fn twist<F: Prime>(&self, f: F) -> AnyTower<F> {
        match self {
            SexticTower::Small { beta, .. } => AnyTower::Quadratic(Quadratic::new(f, Either::First(Small(*beta)))),
            SexticTower::General { beta, .. } => {
                let beta = General(f.constant(beta));
                AnyTower::Quadratic(Quadratic::new(f, Either::Second(beta)))
            }
            SexticTower::Cubic { beta } => AnyTower::Cubic(Cubic::new(f, Small(*beta))),
            SexticTower::SquareRoot(below) => {
                let twist = below.twist(f);
                let xi = below.xi(&twist);
                twist.square_root(xi)
            }
        }
    }

    /// ξ in E.
    pub fn xi<F: Prime>(&self, e: &AnyTower<F>) -> AnyNonResidue<F> {
        match self {
            SexticTower::Small { a, .. } => Either::First(RootPlus(*a)),
            SexticTower::General { xi, .. } => Either::Second(General(e.element(xi))),
            SexticTower::Cubic { .. } | SexticTower::SquareRoot(_) => Either::First(RootPlus(0)),
        }
    }
}
