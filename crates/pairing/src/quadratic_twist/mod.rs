//! Pairings on ordinary curves y² = x³ + ax + b whose second group lies on a quadratic twist: MNT curves (k = 6, PBC's type D;
//! Miyaji, Nakabayashi, Takano, IEICE Trans. E84-A, 2001) and Freeman's (k = 10, PBC's type G; ANTS 2006).
//!
//! With d = k/2, F_p^k = E(s) over E = F_p^d, s² = ν, a non-square ν in F_p. G1 is the subgroup of order r of C(F_p), G2 that of the
//! twist C': y² = x³ + aν²x + bν³ over E; (x, y) ↦ (x/ν, ys/ν²) leads into C(F_p^k). There x lies in E, so vertical
//! lines, and factors of E in general, vanish in the final exponentiation.
//!
//! The default pairing is Tate's, f_{r,P}(Q)^((p^k − 1)/r), which equals PBC's. The ate pairing is
//! f_{t−1,Q}(P)^((p^k − 1)/r).

mod bilinear_groups;
mod direction;
mod final_exp;
mod membership;
mod step;
mod unitary;

pub use direction::{Direction, Monic};
pub use step::{JacobianZz, add_step, double_step};

use crate::bilinear_groups::Groups;
use crate::curve::{CoefficientA, Curve};
use crate::digits::wnaf;
use crate::miller::{LoopDigits, LoopPart, miller_part};
use crate::names::PairingKind;
use bilinear_field::tower::{AnyTower, Dense, Quadratic, Scalar};
use bilinear_field::{Extension, Field, Prime};
use bilinear_groups::PairsOf;
use bilinear_params::QuadraticTwist;
use membership::QuadraticTests;
use num_bigint::{BigInt, BigUint};
use num_traits::Signed;

/// The field E over F_p, a dense extension.
pub type E<F> = AnyTower<F>;
/// An element of E.
pub type Elem<F> = <E<F> as Field>::Elem;
/// The field F_p^k over E.
pub type Target<F> = Quadratic<E<F>, Scalar<<F as Field>::Elem>>;
/// An element of F_p^k: the coefficients of 1 and s.
pub type Fpk<F> = [Elem<F>; 2];

/// A pairing with a quadratic twist over an engine.
#[derive(Clone)]
pub struct QuadraticTwistPairing<F: Prime> {
    t: BigInt,
    groups: Groups<F, E<F>, Target<F>>,
    /// The digits of Φ_k(p)/r to the base p, lowest first, each at most p/2 in absolute value.
    hard: Vec<BigInt>,
    tests: QuadraticTests,
    /// The coefficients a of C and aν² of C'.
    a: [F::Elem; 2],
    /// The non-square ν, and ν².
    nu: [F::Elem; 2],
    frobenius: <E<F> as Extension>::Frobenius,
}

/// Creates the pairing of a curve over F_p.
pub fn system<F: Prime>(curve: &QuadraticTwist, fp: F) -> QuadraticTwistPairing<F> {
    let (p, r, t, a, b, nu) = (curve.q(), curve.r(), curve.t(), curve.a(), curve.b(), curve.nqr());
    let (coefficients, cofactors) = (curve.coefficients(), [curve.h().clone(), curve.h2().clone()]);
    let twisted_a = a * nu * nu % p;
    let twisted_b = b * nu.pow(3) % p;
    let e = AnyTower::Dense(Dense::new(fp.clone(), coefficients));
    let (nu2, d) = (nu * nu % p, coefficients.len());
    let of = |x: &BigUint| CoefficientA::Other(fp.constant(x));
    QuadraticTwistPairing {
        t: t.clone(),
        hard: final_exp::hard_digits(p, r, d),
        tests: QuadraticTests::new(p, r, t, &cofactors, d),
        a: [fp.constant(a), fp.constant(&twisted_a)],
        nu: [fp.constant(nu), fp.constant(&nu2)],
        frobenius: e.frobenius_constants(),
        groups: Groups {
            order: r.clone(),
            g1: Curve::new(fp.clone(), of(a), fp.constant(b)),
            g2: Curve::new(e.clone(), CoefficientA::Other(e.element(&[twisted_a])), e.element(&[twisted_b])),
            target: Quadratic::new(e, Scalar(fp.constant(nu))),
            cofactors,
        },
    }
}

impl<F: Prime> QuadraticTwistPairing<F> {
    /// The field F_p.
    pub fn fp(&self) -> &F {
        self.groups.g1.field()
    }

    /// The field E.
    pub fn e(&self) -> &E<F> {
        self.groups.g2.field()
    }

    /// Returns the digits of a pairing's loop, and whether its length is negative.
    ///
    /// # Panics
    /// Panics if the family does not have the pairing.
    fn length(&self, pairing: PairingKind) -> (LoopDigits, bool) {
        let (length, closes): (BigInt, bool) = match pairing {
            PairingKind::Tate => (self.groups.order.clone().into(), true),
            PairingKind::Ate => (&self.t - 1, false),
            _ => panic!("curves with a quadratic twist have the Tate and the ate pairing, not {pairing:?}"),
        };
        (LoopDigits { digits: wnaf(length.magnitude(), 2), closes }, length.is_negative())
    }

    /// Returns the contribution of a part of a pairing's loop to the product of the pairs.
    fn run<D: Direction<F>>(&self, pairing: PairingKind, mut lines: PairsOf<'_, F, D>, part: LoopPart) -> Fpk<F> {
        let (length, negative) = self.length(pairing);
        let f = miller_part(&mut lines, &length, part);
        // f_{−m} is 1/f_m up to vertical lines, and so is the conjugate
        if negative { self.conjugate(&f) } else { f }
    }
}
