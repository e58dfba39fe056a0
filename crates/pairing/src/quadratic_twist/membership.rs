//! Membership tests for G1, G2 and GT, by a relation of half the length of r where the curve allows it.
//!
//! * G1: rP = O if the curve has other points.
//! * G2: ψ = (untwist)^(−1)∘π∘(untwist), (x, y) ↦ (x^p, −y^p), satisfies ψ² − tψ + p = 0 and is multiplication by p ≡ t − 1 on
//!   G2. Conversely ψ(Q) = (t − 1)Q implies ((t − 1)² − t(t − 1) + p)Q = (p + 1 − t)Q = O; so if the gcd of #C(F_p) and #C'(E)
//!   is r, Q is in G2 (El Housni, Guillevic, Piellard, AFRICACRYPT 2022, section 3).
//! * GT: an element whose order divides Φ_k(p) and which satisfies x^p = x^(t−1) has an order that divides #C(F_p) too; so if
//!   the gcd of #C(F_p) and Φ_k(p) is r, it is in GT.
//!
//! The gcds are computed when a system is made. If one of them is not r, the test takes the multiple or the power by
//! r instead.

use super::final_exp::cyclotomic;
use super::{E, Fpk, QuadraticTwistPairing};
use crate::curve::Affine;
use bilinear_field::{Extension, Field, Prime, at};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

/// The relations that are proven for the curve.
#[derive(Clone, Debug)]
pub(super) struct QuadraticTests {
    g2: bool,
    gt: bool,
    /// The eigenvalue t − 1 of ψ on G2.
    eigenvalue: BigInt,
}

impl QuadraticTests {
    /// Decides by the gcds which relations are proven.
    pub(super) fn new(p: &BigUint, r: &BigUint, t: &BigInt, cofactors: &[BigUint; 2], d: usize) -> Self {
        let points = &cofactors[0] * r;
        let proven = |order: &BigUint| points.gcd(order) == *r;
        QuadraticTests { g2: proven(&(&cofactors[1] * r)), gt: proven(&cyclotomic(p, d)), eigenvalue: t - 1 }
    }
}

impl<F: Prime> QuadraticTwistPairing<F> {
    /// Applies ψ.
    pub(super) fn psi(&self, q: &Affine<E<F>>) -> Affine<E<F>> {
        at! {self.e(); x = frobenius(&q.x, &self.frobenius); y = frobenius(&q.y, &self.frobenius); minus_y = neg(&y);}
        Affine { x, y: minus_y, infinity: q.infinity }
    }

    /// Returns the mask of the lanes where a point of C is in G1.
    pub(super) fn is_in_g1(&self, p: &Affine<F>) -> F::Mask {
        if self.groups.cofactors[0].is_one() {
            return self.fp().mask(true);
        }
        self.fp().is_zero(&self.groups.g1.mul(&self.groups.order, p).z)
    }

    /// Returns the mask of the lanes where a point of C' is in G2.
    pub(super) fn is_in_g2(&self, q: &Affine<E<F>>) -> F::Mask {
        let multiple = if self.tests.g2 {
            let psi = (BigInt::from(-1), self.psi(q));
            self.groups.g2.msm(&[(self.tests.eigenvalue.clone(), q.clone()), psi])
        } else {
            self.groups.g2.mul(&self.groups.order, q)
        };
        self.e().is_zero(&multiple.z)
    }

    /// Returns the mask of the lanes where an element of F_p^k is in GT.
    pub(super) fn is_in_gt(&self, x: &Fpk<F>) -> F::Mask {
        let target = &self.groups.target;
        // Φ_k(p) = 1 − p + p² − … + p^(d−1): the even powers of p on the left, the odd ones on the right
        let mut image = self.frobenius(x);
        let (mut sides, first) = ([x.clone(), image.clone()], image.clone());
        for i in 2..self.e().degree() {
            image = self.frobenius(&image);
            sides[i % 2] = at!(target; mul(&sides[i % 2], &image));
        }
        let cyclotomic = target.and(target.not(target.is_zero(x)), target.equal(&sides[0], &sides[1]));
        let in_order = if self.tests.gt {
            target.equal(&first, &self.unitary_pow(x, std::slice::from_ref(&self.tests.eigenvalue)))
        } else {
            target.equal(&self.unitary_pow(x, &[self.groups.order.clone().into()]), &target.one())
        };
        target.and(cyclotomic, in_order)
    }
}
