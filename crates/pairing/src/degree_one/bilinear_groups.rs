//! The implementation of [`BilinearGroups`] for curves of embedding degree 1. Both groups are the points of order r.

use super::DegreeOnePairing;
use crate::LineCoefficients;
use crate::bilinear_groups::{BilinearGroups, FixedPair, Groups, Pair, SourcePoint};
use crate::curve::Affine;
use crate::miller::{LoopDigits, LoopPart};
use crate::names::PairingKind;
use bilinear_field::{Prime, at, pow};

/// The pairings of curves with embedding degree 1, PBC's first.
pub const PAIRINGS: &[PairingKind] = &[PairingKind::Tate, PairingKind::Weil];

impl<F: Prime> DegreeOnePairing<F> {
    /// Checks that these curves have the pairing.
    ///
    /// # Panics
    /// Panics if the pairing is neither Tate's nor Weil's.
    fn check(pairing: PairingKind) {
        assert!(
            PAIRINGS.contains(&pairing),
            "curves of embedding degree 1 have the Tate and the Weil pairing, not {pairing:?}"
        );
    }

    /// Returns the mask of the lanes where r·P = O.
    fn has_order(&self, p: &Affine<F>) -> F::Mask {
        self.fp().is_zero(&self.groups.g1.mul(&self.groups.order, p).z)
    }
}

impl<F: Prime> BilinearGroups for DegreeOnePairing<F> {
    type Mask = F::Mask;
    type Prime = F;
    type Twist = F;
    type Target = F;

    fn groups(&self) -> &Groups<F, F, F> {
        &self.groups
    }

    fn in_g1(&self, p: &Affine<F>) -> F::Mask {
        self.has_order(p)
    }

    fn in_g2(&self, q: &Affine<F>) -> F::Mask {
        self.has_order(q)
    }

    fn in_gt(&self, x: &F::Elem) -> F::Mask {
        self.fp().equal(&pow(self.fp(), x, &self.groups.order), &self.fp().one())
    }

    fn loops(&self, pairing: PairingKind) -> Vec<LoopDigits> {
        Self::check(pairing);
        vec![self.length.clone(); if pairing.is_weil() { 2 } else { 1 }]
    }

    fn prepares_g1(&self, _: PairingKind) -> bool {
        true
    }

    /// Returns the value of the quotient, not its numerator and denominator.
    fn miller_part(&self, pairing: PairingKind, pairs: &[Pair<F>], part: LoopPart) -> F::Elem {
        Self::check(pairing);
        self.product(pairing, pairs, part)
    }

    fn prepare(&self, pairing: PairingKind, fixed: &SourcePoint<Self>) -> LineCoefficients<F> {
        Self::check(pairing);
        match fixed {
            SourcePoint::G1(p) => self.lines(pairing, p),
            SourcePoint::G2(_) => panic!("a point of the other group cannot be prepared for {pairing:?}"),
        }
    }

    fn miller_prepared_part(&self, pairing: PairingKind, pairs: &[FixedPair<'_, Self>], part: LoopPart) -> F::Elem {
        Self::check(pairing);
        self.prepared_product(pairing, pairs, part)
    }

    /// Returns f: there is no easy part, and no cheaper squares follow it.
    fn easy_part(&self, f: &F::Elem) -> F::Elem {
        f.clone()
    }

    /// Returns f^((p − 1)/r), without an inversion.
    fn hard_part(&self, f: &F::Elem) -> F::Elem {
        pow(self.fp(), f, &self.exponent)
    }

    fn gt_inv(&self, x: &F::Elem) -> F::Elem {
        at!(self.fp(); inv(x))
    }

    fn gt_square(&self, x: &F::Elem) -> F::Elem {
        at!(self.fp(); sqr(x))
    }
}
