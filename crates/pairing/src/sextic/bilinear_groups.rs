//! What the families with a sextic twist offer.

use super::chain::Chain;
use super::moving::{Ate, Moving, Tate};
use super::{Fpk, Sextic, Target};
use crate::Kept;
use crate::bilinear_groups::{BilinearGroups, FixedPair, Pair, Pairing, Source, TargetOf};
use crate::constant_time::split_bits;
use crate::curve::{Affine, Curve, Jacobian};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field};
use num_bigint::BigUint;
use zeroize::Zeroizing;

/// About how many bytes of values share the inversions of their hard parts; 2 to 16 values, which the counting engine has without bytes.
const BLOCK: usize = 32 << 10;

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

    fn miller(&self, pairing: Pairing, pairs: &[Pair<E>], sizes: &[usize]) -> Vec<Fpk<E>> {
        match pairing {
            Pairing::Tate => self.run(pairing, Moving::<E, X, Tate>::new(self, pairs, sizes), sizes.len()).0,
            _ => self.run(pairing, Moving::<E, X, Ate>::new(self, pairs, sizes), sizes.len()).0,
        }
    }

    fn prepare(&self, pairing: Pairing, fixed: &Source<Self>) -> Kept<E::Prime> {
        match (pairing, fixed) {
            (Pairing::Tate, Source::G1(p)) => {
                self.run(pairing, Moving::<E, X, Tate>::tracing(self, p), 0).1.into_kept()
            }
            (Pairing::OptAte | Pairing::Ate | Pairing::RAte, Source::G2(q)) => {
                self.run(pairing, Moving::<E, X, Ate>::tracing(self, q), 0).1.into_kept()
            }
            _ => panic!("a point of the other group cannot be prepared for {pairing:?}"),
        }
    }

    fn miller_prepared(&self, pairing: Pairing, pairs: &[FixedPair<'_, Self>], sizes: &[usize]) -> Vec<TargetOf<Self>> {
        let wrong = || -> ! { panic!("a point of the wrong group for {pairing:?}") };
        if pairing == Pairing::Tate {
            let kept = pairs.iter().map(|pair| match &pair.other {
                Source::G2(q) => (pair.kept, [q.x.clone(), q.y.clone()], pair.infinite),
                Source::G1(_) => wrong(),
            });
            self.run(pairing, Moving::<E, X, Tate>::kept(self, kept.collect(), sizes), sizes.len()).0
        } else {
            let kept = pairs.iter().map(|pair| match &pair.other {
                Source::G1(p) => (pair.kept, [p.x.clone(), p.y.clone()], pair.infinite),
                Source::G2(_) => wrong(),
            });
            self.run(pairing, Moving::<E, X, Ate>::kept(self, kept.collect(), sizes), sizes.len()).0
        }
    }

    fn final_exponentiation(&self, acc: &mut [Fpk<E>]) {
        self.easy_part(acc);
        let chain = Chain::new(self);
        for block in acc.chunks_mut((BLOCK / size_of::<Fpk<E>>().max(1)).clamp(2, 16)) {
            let out = chain.hard_part(block);
            block.clone_from_slice(&out);
        }
    }

    fn gt_inv(&self, x: &Fpk<E>) -> Fpk<E> {
        self.conjugate(x)
    }

    fn gt_pow_secret(&self, x: &Fpk<E>, es: &[&[u8]]) -> Fpk<E> {
        self.secret_power_in_gt(x, es)
    }

    fn gt_square(&self, x: &Fpk<E>) -> Fpk<E> {
        let mut out = self.target.zero();
        self.cyclotomic_square(&mut out, x);
        out
    }
}
