//! The towers below F_p^k: the construction of E = F_p^(k/6), and its element ξ = w^6, of which w is a sixth root.

use bilinear_field::tower::{AnyNonResidue, AnyTower, Cubic, Either, General, Quadratic, RootPlus, Small};
use bilinear_field::{Extension, Prime};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

/// The tower of a curve, over any engine. Products with small integers, and with a root plus a small integer, cost no
/// field product.
#[derive(Clone, Debug)]
pub enum SexticTower {
    /// k = 12: F_p(i), i² = β, ξ = a + c·i.
    Quadratic {
        /// The non-residue β.
        beta: BigInt,
        /// The coefficients a and c of ξ.
        xi: [BigInt; 2],
    },
    /// k = 18: F_p(j), j³ = β, ξ = j.
    Cubic {
        /// The non-residue β.
        beta: BigInt,
    },
    /// k = 24: the tower of a curve with k = 12, and a square root v of its ξ: v² = a + c·i, and ξ = v here. k = 48:
    /// one more square root s with s² = v, and ξ = s.
    SquareRoot(Box<SexticTower>),
}

impl SexticTower {
    /// Creates the tower F_p(i), i² = β, ξ = a + i.
    pub fn quadratic(beta: i32, a: i32) -> Self {
        SexticTower::Quadratic { beta: beta.into(), xi: [a.into(), 1.into()] }
    }

    /// Creates the tower F_p(j), j³ = β, ξ = j.
    pub fn cubic(beta: i32) -> Self {
        SexticTower::Cubic { beta: beta.into() }
    }

    /// Extends this tower by a square root of its ξ.
    pub fn square_root(self) -> Self {
        SexticTower::SquareRoot(Box::new(self))
    }

    /// Creates E = F_p^(k/6), the field of the twist.
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

    /// Returns ξ as an element of E.
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

/// Returns an integer below 32 in absolute value, else `None`: linear forms contain three times this integer at most.
fn small(x: &BigInt) -> Option<i32> {
    x.to_i32().filter(|x| x.abs() < 32)
}

/// Returns x mod p.
fn residue(x: &BigInt, p: &BigUint) -> BigUint {
    x.mod_floor(&p.clone().into()).magnitude().clone()
}
