//! The towers below F_p^k: what F_p^(k/6) is built of, and which element w^6 = ξ of it has the sixth root w.

use bilinear_field::tower::{AnyNonResidue, AnyTower, Cubic, Either, General, Quadratic, RootPlus, Small};
use bilinear_field::{Extension, Prime};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

/// The tower of a curve, over any engine. Multiples by small integers, and by a root plus one of them, cost no product.
#[derive(Clone, Debug)]
pub enum SexticTower {
    /// k = 12: F_p(i), i² = β, ξ = a + c·i.
    Quadratic {
        /// β.
        beta: BigInt,
        /// a and c.
        xi: [BigInt; 2],
    },
    /// k = 18: F_p(j), j³ = β, ξ = j.
    Cubic {
        /// β.
        beta: BigInt,
    },
    /// k = 24: the tower of one with k = 12 and a square root of its ξ, which is ξ here: v with v² = a + c·i. k = 48: the same once
    /// more, ξ = s with s² = v.
    SquareRoot(Box<SexticTower>),
}

impl SexticTower {
    /// F_p(i), i² = β, ξ = a + i.
    pub fn quadratic(beta: i32, a: i32) -> Self {
        SexticTower::Quadratic { beta: beta.into(), xi: [a.into(), 1.into()] }
    }

    /// F_p(j), j³ = β, ξ = j.
    pub fn cubic(beta: i32) -> Self {
        SexticTower::Cubic { beta: beta.into() }
    }

    /// This tower and a square root of its ξ.
    pub fn square_root(self) -> Self {
        SexticTower::SquareRoot(Box::new(self))
    }

    /// E = F_p^(k/6), the field of the twist.
    pub fn twist<F: Prime>(&self, f: F) -> AnyTower<F> {
        let nonresidue = |beta: &BigInt| match small(beta) {
            Some(beta) => Either::First(Small(beta)),
            None => Either::Second(General(f.constant(&residue(beta, f.modulus())))),
        };
        match self {
            SexticTower::Quadratic { beta, .. } => AnyTower::Quadratic(Quadratic::new(f.clone(), nonresidue(beta))),
            SexticTower::Cubic { beta } => AnyTower::Cubic(Cubic::new(f.clone(), nonresidue(beta))),
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
            SexticTower::Quadratic { xi: [a, c], .. } => match small(a).filter(|_| c.is_one()) {
                Some(a) => Either::First(RootPlus(a)),
                None => Either::Second(General(e.element(&[a, c].map(|x| residue(x, e.prime().modulus()))))),
            },
            SexticTower::Cubic { .. } | SexticTower::SquareRoot(_) => Either::First(RootPlus(0)),
        }
    }
}

/// An integer below 32 in absolute value: forms have three times it at most.
fn small(x: &BigInt) -> Option<i32> {
    x.to_i32().filter(|x| x.abs() < 32)
}

/// x mod p.
fn residue(x: &BigInt, p: &BigUint) -> BigUint {
    x.mod_floor(&p.clone().into()).magnitude().clone()
}
