//! What the families with a sextic twist offer.

use super::moving::{Ate, Moving, Tate};
use super::{Fpk, Sextic, Target};
use crate::Kept;
use crate::bilinear_groups::{BilinearGroups, FixedPair, Pair, Pairing, Source};
use crate::constant_time::split_bits;
use crate::curve::{Affine, Curve, Jacobian};
use bilinear_field::Extension;
use bilinear_field::tower::NonResidue;
use num_bigint::BigUint;
use zeroize::Zeroizing;

impl<E: Extension, X: NonResidue<E>> BilinearGroups for Sextic<E, X> {
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

    fn mul_g1_secret(&self, ks: &[&[u8]], p: &Affine<E::Prime>) -> Jacobian<E::Prime> {
        self.secret_multiple_in_g1(ks, p)
    }

    fn mul_g2_secret(&self, ks: &[&[u8]], q: &Affine<E>) -> Jacobian<E> {
        self.secret_multiple_in_g2(ks, q)
    }

    fn g1_digits(&self, k: &[u8]) -> Zeroizing<Vec<bool>> {
        split_bits(&self.split_g1, k)
    }

    fn g2_digits(&self, k: &[u8]) -> Zeroizing<Vec<bool>> {
        split_bits(&self.split, k)
    }

    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        split_bits(&self.split, e)
    }

    fn clear_g1(&self, p: &Affine<E::Prime>) -> Jacobian<E::Prime> {
        self.cleared_g1(p)
    }

    fn clear_g2(&self, q: &Affine<E>) -> Jacobian<E> {
        self.cleared_g2(q)
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
        self.kind.pairings()
    }

    fn miller(&self, pairing: Pairing, pairs: &[Pair<E>]) -> Fpk<E> {
        match pairing {
            Pairing::Tate => self.run(pairing, &mut Moving::<E, X, Tate>::new(self, pairs)),
            _ => self.run(pairing, &mut Moving::<E, X, Ate>::new(self, pairs)),
        }
    }

    fn prepare(&self, pairing: Pairing, fixed: &Source<Self>) -> Kept<E::Prime> {
        match (pairing, fixed) {
            (Pairing::Tate, Source::G1(p)) => {
                let mut lines = Moving::<E, X, Tate>::tracing(self, p);
                self.run(pairing, &mut lines);
                lines.into_kept()
            }
            (Pairing::OptAte | Pairing::Ate | Pairing::RAte, Source::G2(q)) => {
                let mut lines = Moving::<E, X, Ate>::tracing(self, q);
                self.run(pairing, &mut lines);
                lines.into_kept()
            }
            _ => panic!("a point of the other group cannot be prepared for {pairing:?}"),
        }
    }

    fn miller_prepared(&self, pairing: Pairing, pairs: &[FixedPair<'_, Self>]) -> Fpk<E> {
        let wrong = || -> ! { panic!("a point of the wrong group for {pairing:?}") };
        if pairing == Pairing::Tate {
            let kept = pairs.iter().map(|pair| match &pair.other {
                Source::G2(q) => (pair.kept, [q.x.clone(), q.y.clone()], pair.infinite),
                Source::G1(_) => wrong(),
            });
            self.run(pairing, &mut Moving::<E, X, Tate>::kept(self, kept.collect()))
        } else {
            let kept = pairs.iter().map(|pair| match &pair.other {
                Source::G1(p) => (pair.kept, [p.x.clone(), p.y.clone()], pair.infinite),
                Source::G2(_) => wrong(),
            });
            self.run(pairing, &mut Moving::<E, X, Ate>::kept(self, kept.collect()))
        }
    }

    fn final_exponentiation(&self, f: &Fpk<E>) -> Fpk<E> {
        self.hard_part(&self.easy_part(f))
    }

    fn gt_inv(&self, x: &Fpk<E>) -> Fpk<E> {
        self.conjugate(x)
    }

    fn gt_pow_secret(&self, x: &Fpk<E>, es: &[&[u8]]) -> Fpk<E> {
        self.secret_power_in_gt(x, es)
    }

    fn gt_square(&self, x: &Fpk<E>) -> Fpk<E> {
        self.cyclotomic_square(x)
    }
}
