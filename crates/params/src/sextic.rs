//! Ordinary curves y^2 = x^3 + b with a sextic twist, from one seed u: Barreto-Naehrig (BN), Barreto-Lynn-Scott with
//! k = 12, 24 and 48 (BLS12, BLS24, BLS48), Kachisa-Schaefer-Scott with k = 18 (KSS18).
//!
//! G1 is the subgroup of order r of E(F_p), G2 that of the twist E'(F_{p^(k/6)}), and #E(F_p) = p + 1 - t. The numbers
//! p, r, t are polynomials in u (`seed.rs`); b, the twist's type, the tower and the generators may be left out of a
//! user's description, and are then found (`complete.rs`). The tower, where i, j, v, w are the names used throughout:
//!
//! | k | field of G2 | F_{p^k} adjoins w with w^6 = |
//! |---|---|---|
//! | 12 | F_p(i), i^2 = beta | xi = a + c i |
//! | 18 | F_p(j), j^3 = beta | j |
//! | 24 | F_p(i, v), i^2 = beta, v^2 = xi = a + c i | v |
//! | 48 | F_p(i, v, s), i^2 = beta, v^2 = xi = a + c i, s^2 = v | s |
//!
//! The twist is y^2 = x^3 + b / w^6 (type D) or y^2 = x^3 + b w^6 (type M).

mod check;
mod complete;
mod seed;

use num_bigint::{BigInt, BigUint};

pub(crate) use check::{Keys, Parts};
pub use complete::{MAX_COMPLETED_BITS, MAX_TWIST_BITS};
use seed::Numbers;
pub(crate) use seed::is_seed;

use crate::Suite;
use crate::integer::residue;

/// The family of polynomials that give p, r and t.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SexticKind {
    /// Barreto and Naehrig, SAC 2005: k = 12.
    Bn,
    /// Barreto, Lynn, Scott, SCN 2002: k = 12.
    Bls12,
    /// Barreto, Lynn, Scott, SCN 2002: k = 24.
    Bls24,
    /// Barreto, Lynn, Scott, SCN 2002: k = 48.
    Bls48,
    /// Kachisa, Schaefer, Scott, Pairing 2008: k = 18.
    Kss18,
}

impl SexticKind {
    /// The embedding degree: 12, 18, 24 or 48.
    pub fn k(self) -> u32 {
        match self {
            Self::Bn | Self::Bls12 => 12,
            Self::Kss18 => 18,
            Self::Bls24 => 24,
            Self::Bls48 => 48,
        }
    }

    /// The family's name in TOML files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bn => "bn",
            Self::Bls12 => "bls12",
            Self::Bls24 => "bls24",
            Self::Bls48 => "bls48",
            Self::Kss18 => "kss18",
        }
    }

    /// The degree over F_p of the field that G2 is defined over: 2, 3, 4 or 8.
    pub fn twist_degree(self) -> u32 {
        self.k() / 6
    }
}

/// The sextic twist that has a subgroup of order r.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Twist {
    /// y^2 = x^3 + b / w^6; (x, y) -> (x w^2, y w^3) leads back to E over F_{p^k}.
    D,
    /// y^2 = x^3 + b w^6; (x, y) -> (x / w^2, y / w^3) leads back to E over F_{p^k}.
    M,
}

/// The non-residues of the tower, as the description writes them: mostly small integers, possibly negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// i^2 (k = 12, 24, 48) or j^3 (k = 18); below p in absolute value.
    pub beta: BigInt,
    /// \[a, c\] of a + c i, which is w^6 (k = 12) or v^2 (k = 24, 48), below p in absolute value; `None` for k = 18.
    pub xi: Option<[BigInt; 2]>,
}

impl Tower {
    /// beta as a residue, 0 to p - 1.
    pub fn beta_mod(&self, p: &BigUint) -> BigUint {
        residue(&self.beta, p)
    }

    /// beta as the residue of least absolute value.
    pub fn beta_least(&self, p: &BigUint) -> BigInt {
        least(&self.beta, p)
    }

    /// a and c as residues of least absolute value.
    pub fn xi_least(&self, p: &BigUint) -> Option<[BigInt; 2]> {
        self.xi.as_ref().map(|xi| xi.each_ref().map(|part| least(part, p)))
    }

    /// a and c as residues, 0 to p - 1.
    pub fn xi_mod(&self, p: &BigUint) -> Option<[BigUint; 2]> {
        self.xi.as_ref().map(|xi| xi.each_ref().map(|part| residue(part, p)))
    }
}

/// Returns the residue of `value` between -p/2 and p/2.
fn least(value: &BigInt, p: &BigUint) -> BigInt {
    let residue = residue(value, p);
    if residue > p >> 1u8 { BigInt::from(residue) - BigInt::from(p.clone()) } else { residue.into() }
}

/// A point over an extension field: the coefficients over F_p of x and of y.
pub(crate) type ExtensionPoint = (Vec<BigUint>, Vec<BigUint>);

/// The parameters of a curve with a sextic twist, consistent as described in the crate's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sextic {
    kind: SexticKind,
    u: BigInt,
    p: BigUint,
    r: BigUint,
    t: BigInt,
    h1: BigUint,
    h2: BigUint,
    b: Option<BigUint>,
    twist: Option<Twist>,
    tower: Option<Tower>,
    g1: Option<(BigUint, BigUint)>,
    g2: Option<ExtensionPoint>,
    suites: [Option<Box<Suite>>; 2],
}

impl Sextic {
    /// The family of polynomials.
    pub fn kind(&self) -> SexticKind {
        self.kind
    }

    /// The seed.
    pub fn u(&self) -> &BigInt {
        &self.u
    }

    /// The field characteristic p(u).
    pub fn p(&self) -> &BigUint {
        &self.p
    }

    /// The order r(u) of the pairing groups.
    pub fn r(&self) -> &BigUint {
        &self.r
    }

    /// The trace of Frobenius t(u); #E(F_p) = p + 1 - t.
    pub fn t(&self) -> &BigInt {
        &self.t
    }

    /// The embedding degree: 12, 18, 24 or 48.
    pub fn k(&self) -> u32 {
        self.kind.k()
    }

    /// The constant b of y^2 = x^3 + b, 1 to p - 1. It and the other optional parts are present unless p has more
    /// than [`MAX_COMPLETED_BITS`] and the description has no b.
    pub fn b(&self) -> Option<&BigUint> {
        self.b.as_ref()
    }

    /// The type of the twist that G2 lies on.
    pub fn twist(&self) -> Option<Twist> {
        self.twist
    }

    /// The non-residues that define the tower.
    pub fn tower(&self) -> Option<&Tower> {
        self.tower.as_ref()
    }

    /// The cofactor of G1, #E(F_p) / r.
    pub fn h1(&self) -> &BigUint {
        &self.h1
    }

    /// The cofactor of G2, #E'(F_{p^(k/6)}) / r.
    pub fn h2(&self) -> &BigUint {
        &self.h2
    }

    /// Affine coordinates (x, y) of a generator of G1; it lies on the curve.
    pub fn g1(&self) -> Option<(&BigUint, &BigUint)> {
        self.g1.as_ref().map(|(x, y)| (x, y))
    }

    /// Affine coordinates of a generator of G2, each as k/6 coefficients over F_p: of 1, i (k = 12), of 1, j, j^2
    /// (k = 18), of 1, i, v, i v (k = 24), and of these and their multiples by s (k = 48). It lies on the twist.
    pub fn g2(&self) -> Option<(&[BigUint], &[BigUint])> {
        self.g2.as_ref().map(|(x, y)| (x.as_slice(), y.as_slice()))
    }

    /// The suite that hashes messages to G1, or `None` if the map of Shallue and van de Woestijne does.
    pub fn g1_suite(&self) -> Option<&Suite> {
        self.suites[0].as_deref()
    }

    /// The suite that hashes messages to G2, or `None` if the map of Shallue and van de Woestijne does. Elements
    /// are written as in [`Sextic::g2`].
    pub fn g2_suite(&self) -> Option<&Suite> {
        self.suites[1].as_deref()
    }
}
