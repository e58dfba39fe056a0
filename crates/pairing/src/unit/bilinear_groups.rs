//! What curves of embedding degree 1 offer: both groups are the points of order r.

use super::Unit;
use super::moving::Moving;
use crate::Kept;
use crate::bilinear_groups::{BilinearGroups, FixedPair, Pair, Pairing, Source};
use crate::curve::{Affine, Curve};
use bilinear_field::{Prime, at, pow};
use num_bigint::BigUint;

impl<F: Prime> Unit<F> {
    /// # Panics
    /// If the pairing is another than Tate's.
    fn only_tate(pairing: Pairing) {
        assert_eq!(pairing, Pairing::Tate, "curves of embedding degree 1 have the Tate pairing");
    }

    /// x^e.
    fn power(&self, x: &F::Elem, e: &BigUint) -> F::Elem {
        let mut out = self.fp().zero();
        pow(self.fp(), &mut out, x, e);
        out
    }

    /// Where r·P = O.
    fn has_order(&self, p: &Affine<F>) -> F::Mask {
        self.fp().is_zero(&self.curve().mul(&self.order, p).z)
    }
}

impl<F: Prime> BilinearGroups for Unit<F> {
    type Mask = F::Mask;
    type Prime = F;
    type Twist = F;
    type Target = F;

    fn order(&self) -> &BigUint {
        &self.order
    }

    fn g1(&self) -> &Curve<F> {
        self.curve()
    }

    fn g2(&self) -> &Curve<F> {
        self.curve()
    }

    fn target(&self) -> &F {
        self.fp()
    }

    /// h: the group has r² elements.
    fn g1_cofactor(&self) -> &BigUint {
        &self.cofactor
    }

    fn g2_cofactor(&self) -> &BigUint {
        &self.cofactor
    }

    fn in_g1(&self, p: &Affine<F>) -> F::Mask {
        self.has_order(p)
    }

    fn in_g2(&self, q: &Affine<F>) -> F::Mask {
        self.has_order(q)
    }

    fn in_gt(&self, x: &F::Elem) -> F::Mask {
        self.fp().equal(&self.power(x, &self.order), &self.fp().one())
    }

    fn pairings(&self) -> &'static [Pairing] {
        &[Pairing::Tate]
    }

    /// The quotient itself.
    fn miller(&self, pairing: Pairing, pairs: &[Pair<F>]) -> F::Elem {
        Self::only_tate(pairing);
        Moving::new(self, pairs).run()
    }

    fn prepare(&self, pairing: Pairing, fixed: &Source<Self>) -> Kept<F> {
        Self::only_tate(pairing);
        match fixed {
            Source::G1(p) => Moving::prepare(self, p),
            Source::G2(_) => panic!("a point of the other group cannot be prepared for {pairing:?}"),
        }
    }

    fn miller_prepared(&self, pairing: Pairing, pairs: &[FixedPair<'_, Self>]) -> F::Elem {
        Self::only_tate(pairing);
        let kept = pairs.iter().map(|pair| match &pair.other {
            Source::G2(q) => (pair.kept, q, pair.infinite),
            Source::G1(_) => panic!("a point of the wrong group for {pairing:?}"),
        });
        Moving::kept(self, &kept.collect::<Vec<_>>()).run()
    }

    /// No inversion.
    fn final_exponentiation(&self, f: &F::Elem) -> F::Elem {
        self.power(f, &self.exponent)
    }

    fn gt_inv(&self, x: &F::Elem) -> F::Elem {
        at! {self.fp(); out = inv(x);}
        out
    }

    fn gt_square(&self, x: &F::Elem) -> F::Elem {
        at! {self.fp(); out = sqr(x);}
        out
    }
}
