//! Completes a description: finds from the seed what the description leaves out, and checks what it gives by points
//! of order r.
//!
//! Every choice is the least that serves, so that a seed always leads to the same curve:
//!
//! * tower, k = 12, 24 and 48: i^2 = -n for the least n >= 1 for which -n is a non-square (-1 where p = 3 mod 4), and
//!   xi = a + i for the least a >= 0 for which it is neither square nor cube: multiplying by either takes additions only.
//!   Benger and Scott, "Constructing tower extensions of finite fields for implementation of pairing-based cryptography"
//!   (WAIFI 2010), say why small ones exist;
//! * tower, k = 18: j^3 = the first of 2, -2, 3, -3, ... that is neither square nor cube;
//! * b: the least b >= 1 for which y^2 = x^3 + b has a multiple of r points. The curves with j = 0 over F_p fall into six
//!   classes, b up to sixth powers, of different orders (Silverman, "The arithmetic of elliptic curves", X.5);
//! * twist: D or M, whichever has a multiple of r points (Hess, Smart, Vercauteren, IEEE Trans. Inf. Theory 52, 2006);
//! * generators: of the points with x = 0, 1, 2, ... the first whose multiple by the cofactor is not O, see
//!   [`Points::generator`].
//!
//! Orders are decided by multiplying points. r G = O for a G other than O shows that r divides the order, and only
//! one of the six orders is divisible by r. A point that the expected order does not carry to O shows that it is
//! not the order.

use num_bigint::{BigInt, BigUint};

use super::{ExtensionPoint, Keys, Sextic, SexticKind, Tower, Twist};
use crate::extension::ExtensionField;
use crate::integer::is_power;
use crate::origin::Origin;
use crate::points::Points;
use crate::{Error, Location};

/// The largest size of p, in bits, for which b is searched. If b is given, everything given is checked, and everything
/// else is found, except a generator of G2 over a field of more than [`MAX_TWIST_BITS`].
pub const MAX_COMPLETED_BITS: u64 = 2048;

/// The largest size of the field of G2, in bits, over which a generator is searched.
pub const MAX_TWIST_BITS: u64 = 8192;

/// The bound that non-residues stay below in absolute value. Towers multiply by non-residues this small without
/// products.
const NON_RESIDUES: u32 = 32;

const CURVE: &str = "y^2 = x^3 + b has no subgroup of order r(u): b belongs to another twist of the curve";
const TWIST: &str = "this twist has no subgroup of order r(u): it must be of the other type";
const GENERATOR: &str = "the generator does not have the order r(u)";

fn wrong_order(at: Location, reason: &'static str) -> Error {
    Error::WrongOrder { at, reason }
}

impl Sextic {
    /// Completes the curve with everything that the description may leave out. p and r must be primes, and the
    /// non-residues of the tower must be non-residues.
    pub(crate) fn complete(mut self, origin: &Origin, keys: &Keys) -> Result<Self, Error> {
        if self.b.is_none() && self.p.bits() > MAX_COMPLETED_BITS {
            return Ok(self);
        }
        let not_found = |key, reason| Err(Error::NotFound { at: origin.at(keys.seed), key, reason });
        if self.g2.is_none() && u64::from(self.kind.twist_degree()) * self.p.bits() > MAX_TWIST_BITS {
            return not_found("g2", "the field of G2 is too large to search for a generator");
        }
        let Some(tower) = self.tower.take().or_else(|| least_tower(self.kind, &self.p)) else {
            return not_found("tower", "no number below 32 is the non-residue that a tower over p(u) needs");
        };
        let (b, g1) = self.complete_g1(origin, keys)?;
        let (twist, g2) = self.complete_g2(&tower, &b, origin, keys)?;
        Ok(Self { b: Some(b), twist: Some(twist), tower: Some(tower), g1: Some(g1), g2: Some(g2), ..self })
    }

    /// Returns b and the generator of G1, found or checked.
    fn complete_g1(&self, origin: &Origin, keys: &Keys) -> Result<(BigUint, (BigUint, BigUint)), Error> {
        let curve = |b: &BigUint| Points::new(ExtensionField::base(&self.p), vec![b.clone()]);
        let generator = |b: &BigUint| -> Option<(BigUint, BigUint)> {
            let (mut x, mut y) = curve(b).generator(&self.h1, &self.r)?;
            x.pop().zip(y.pop())
        };
        match (&self.b, &self.g1) {
            (Some(b), Some((x, y))) => match curve(b).has_order(&self.r, &(vec![x.clone()], vec![y.clone()])) {
                true => Ok((b.clone(), (x.clone(), y.clone()))),
                false => Err(wrong_order(origin.at("g1.x"), GENERATOR)),
            },
            (Some(b), None) => {
                let g1 = generator(b).ok_or_else(|| wrong_order(origin.at(keys.b), CURVE))?;
                Ok((b.clone(), g1))
            }
            (None, _) => (1u32..)
                .map(BigUint::from)
                .take_while(|b| *b < self.p)
                .find_map(|b| generator(&b).map(|g1| (b, g1)))
                .ok_or_else(|| wrong_order(origin.at(keys.seed), CURVE)),
        }
    }

    /// Returns the type of the twist and the generator of G2, found or checked.
    fn complete_g2(
        &self,
        tower: &Tower,
        b: &BigUint,
        origin: &Origin,
        keys: &Keys,
    ) -> Result<(Twist, ExtensionPoint), Error> {
        let curve = |twist: Twist| {
            let (field, w6) = self.twist_field(tower);
            let factor = if twist == Twist::D { field.inverse(&w6) } else { w6.clone() };
            let b = field.mul(&field.constant(b), &factor);
            Points::new(field, b)
        };
        let at = || origin.at(keys.twist);
        match (self.twist, &self.g2) {
            (Some(twist), Some(g2)) => match curve(twist).has_order(&self.r, g2) {
                true => Ok((twist, g2.clone())),
                false => Err(wrong_order(origin.at("g2.x"), GENERATOR)),
            },
            (Some(twist), None) => {
                let g2 = curve(twist).generator(&self.h2, &self.r);
                Ok((twist, g2.ok_or_else(|| wrong_order(at(), TWIST))?))
            }
            (None, _) => [Twist::D, Twist::M]
                .into_iter()
                .find_map(|twist| curve(twist).generator(&self.h2, &self.r).map(|g2| (twist, g2)))
                .ok_or_else(|| wrong_order(at(), TWIST)),
        }
    }
}

/// Returns the tower of the least non-residues, or `None` if there are none below [`NON_RESIDUES`].
fn least_tower(kind: SexticKind, p: &BigUint) -> Option<Tower> {
    let both = |tower: &Tower| tower.residue(p).is_none();
    let integers = (1..NON_RESIDUES).map(BigInt::from);
    if kind == SexticKind::Kss18 {
        let signed = integers.flat_map(|n| [n.clone(), -n]);
        return signed.map(|beta| Tower { beta, xi: None }).find(both);
    }
    let beta = integers.map(|n| -n).find(|beta| !is_power(&crate::integer::residue(beta, p), 2, p))?;
    (0..NON_RESIDUES).map(|a| Tower { beta: beta.clone(), xi: Some([a.into(), 1.into()]) }).find(both)
}
