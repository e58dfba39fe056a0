//! The families with a quadratic twist as asymmetric pairings.

use super::direction::{Ate, Tate};
use super::moving::Moving;
use super::{Fpk, QuadraticTwist, Target};
use crate::Kept;
use crate::asymmetric::{Asymmetric, FixedLines, FixedPair, Pair, Pairing, Source, TargetOf};
use crate::curve::{Affine, Curve};
use bilinear_field::Extension;
use bilinear_field::tower::NonResidue;
use num_bigint::BigUint;

impl<E: Extension, X: NonResidue<E>> Asymmetric for QuadraticTwist<E, X> {
    type Mask = E::Mask;
    type Prime = E::Prime;
    type Twist = E;
    type Target = Target<E, X>;
    type Prepared = FixedLines<E::Prime>;

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

    fn miller(&self, pairing: Pairing, pairs: &[Pair<E>], sizes: &[usize]) -> Vec<Fpk<E>> {
        match pairing {
            Pairing::Tate => self.run(pairing, Moving::<E, X, Tate>::new(self, pairs, sizes), sizes.len()),
            _ => self.run(pairing, Moving::<E, X, Ate>::new(self, pairs, sizes), sizes.len()),
        }
    }

    fn prepare(&self, pairing: Pairing, fixed: &Source<Self>) -> Self::Prepared {
        match (pairing, fixed) {
            (Pairing::Tate, Source::G1(p)) => FixedLines::G1(Moving::<E, X, Tate>::prepare(self, pairing, p)),
            (Pairing::Ate, Source::G2(q)) => FixedLines::G2(Moving::<E, X, Ate>::prepare(self, pairing, q)),
            _ => panic!("a point of the other group cannot be prepared for {pairing:?}"),
        }
    }

    fn kept<'a>(&self, prepared: &'a Self::Prepared) -> &'a Kept<E::Prime> {
        let (FixedLines::G1(kept) | FixedLines::G2(kept)) = prepared;
        kept
    }

    fn prepared(&self, pairing: Pairing, kept: Kept<E::Prime>) -> Self::Prepared {
        if self.prepares_g1(pairing) { FixedLines::G1(kept) } else { FixedLines::G2(kept) }
    }

    fn miller_prepared(&self, pairing: Pairing, pairs: &[FixedPair<'_, Self>], sizes: &[usize]) -> Vec<TargetOf<Self>> {
        let wrong = || -> ! { panic!("a point of the wrong group, or lines of another pairing than {pairing:?}") };
        if pairing == Pairing::Tate {
            let kept = pairs.iter().map(|pair| match (pair.prepared, &pair.other) {
                (FixedLines::G1(lines), Source::G2(q)) => (lines, q, pair.infinite),
                _ => wrong(),
            });
            self.run(pairing, Moving::<E, X, Tate>::kept(self, kept.collect(), sizes), sizes.len())
        } else {
            let kept = pairs.iter().map(|pair| match (pair.prepared, &pair.other) {
                (FixedLines::G2(lines), Source::G1(p)) => (lines, p, pair.infinite),
                _ => wrong(),
            });
            self.run(pairing, Moving::<E, X, Ate>::kept(self, kept.collect(), sizes), sizes.len())
        }
    }

    fn final_exponentiation(&self, acc: &mut [Fpk<E>]) {
        self.exponentiate(acc);
    }

    fn gt_inv(&self, x: &Fpk<E>) -> Fpk<E> {
        self.conjugate(x)
    }

    fn gt_pow(&self, x: &Fpk<E>, e: &BigUint) -> Fpk<E> {
        self.unitary_pow(x, &[e.clone().into()])
    }

    fn gt_square(&self, x: &Fpk<E>) -> Fpk<E> {
        self.unitary_square(x)
    }
}
