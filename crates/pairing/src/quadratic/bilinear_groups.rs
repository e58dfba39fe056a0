//! What the families with a quadratic twist offer.

use super::direction::{Ate, Tate};
use super::moving::Moving;
use super::{Fpk, QuadraticTwist, Target};
use crate::Kept;
use crate::bilinear_groups::{BilinearGroups, FixedPair, Pair, Pairing, Source};
use crate::curve::{Affine, Curve};
use bilinear_field::Extension;
use bilinear_field::tower::NonResidue;
use num_bigint::BigUint;

impl<E: Extension, X: NonResidue<E>> BilinearGroups for QuadraticTwist<E, X> {
    type Mask = E::Mask;
    type Prime = E::Prime;
    type Twist = E;
    type Target = Target<E, X>;

    fn order(&self) -> &BigUint {
        &self.order
    }

    fn g1(&self) -> &Curve<E::Prime> {
        &self.g1
    }

    fn g2(&self) -> &Curve<E> {
        &self.g2
    }

    fn target(&self) -> &Target<E, X> {
        &self.target
    }

    fn g1_cofactor(&self) -> &BigUint {
        &self.cofactors[0]
    }

    fn g2_cofactor(&self) -> &BigUint {
        &self.cofactors[1]
    }

    fn in_g1(&self, p: &Affine<E::Prime>) -> E::Mask {
        self.is_in_g1(p)
    }

    fn in_g2(&self, q: &Affine<E>) -> E::Mask {
        self.is_in_g2(q)
    }

    fn in_gt(&self, x: &Fpk<E>) -> E::Mask {
        self.is_in_gt(x)
    }

    fn pairings(&self) -> &'static [Pairing] {
        &[Pairing::Tate, Pairing::Ate]
    }

    fn miller(&self, pairing: Pairing, pairs: &[Pair<E>]) -> Fpk<E> {
        match pairing {
            Pairing::Tate => self.run(pairing, Moving::<E, X, Tate>::new(self, pairs)),
            _ => self.run(pairing, Moving::<E, X, Ate>::new(self, pairs)),
        }
    }

    fn prepare(&self, pairing: Pairing, fixed: &Source<Self>) -> Kept<E::Prime> {
        match (pairing, fixed) {
            (Pairing::Tate, Source::G1(p)) => Moving::<E, X, Tate>::prepare(self, pairing, p),
            (Pairing::Ate, Source::G2(q)) => Moving::<E, X, Ate>::prepare(self, pairing, q),
            _ => panic!("a point of the other group cannot be prepared for {pairing:?}"),
        }
    }

    fn miller_prepared(&self, pairing: Pairing, pairs: &[FixedPair<'_, Self>]) -> Fpk<E> {
        let wrong = || -> ! { panic!("a point of the wrong group for {pairing:?}") };
        if pairing == Pairing::Tate {
            let kept = pairs.iter().map(|pair| match &pair.other {
                Source::G2(q) => (pair.kept, q, pair.infinite),
                Source::G1(_) => wrong(),
            });
            self.run(pairing, Moving::<E, X, Tate>::kept(self, kept.collect()))
        } else {
            let kept = pairs.iter().map(|pair| match &pair.other {
                Source::G1(p) => (pair.kept, p, pair.infinite),
                Source::G2(_) => wrong(),
            });
            self.run(pairing, Moving::<E, X, Ate>::kept(self, kept.collect()))
        }
    }

    fn final_exponentiation(&self, f: &Fpk<E>) -> Fpk<E> {
        self.exponentiate(f)
    }

    fn gt_inv(&self, x: &Fpk<E>) -> Fpk<E> {
        self.conjugate(x)
    }

    fn gt_square(&self, x: &Fpk<E>) -> Fpk<E> {
        self.unitary_square(x)
    }
}
