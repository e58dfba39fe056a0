//! F_p(i) with i² = −1, for p ≡ 3 (mod 4): the quadratic extension that machines fuse.
//!
//! A type of its own, since an engine's fused `complex_*` kernels must be reached without specialisation.

use super::componentwise;
use crate::at;
use crate::blank::Blank;
use crate::contract::Field;
use crate::term::{List, Term, plus};

/// `base`(i), i² = −1. Elements are [re, im].
#[derive(Clone)]
pub struct Complex<B> {
    base: B,
}

impl<B: Field> Complex<B> {
    /// The extension of `base` by a square root of −1, which must not exist in `base`.
    pub fn new(base: B) -> Self {
        Complex { base }
    }

    /// The field below.
    pub fn base(&self) -> &B {
        &self.base
    }

    /// a0 − a1·i, the p-th power of a.
    pub fn conjugate(&self, out: &mut [B::Elem; 2], a: &[B::Elem; 2]) {
        out[0].clone_from(&a[0]);
        self.base.neg(&mut out[1], &a[1]);
    }

    /// a0² + a1², the norm to the field below. 2 squarings, 1 reduction.
    pub fn norm(&self, out: &mut B::Elem, a: &[B::Elem; 2]) {
        at! {self.base; s0 = sqr_wide(&a[0]); s1 = sqr_wide(&a[1]);}
        self.base.reduce(out, &[plus(&s0), plus(&s1)]);
    }
}

impl<B: Field> Field for Complex<B> {
    type Elem = [B::Elem; 2];
    type Wide = [B::Wide; 2];
    type Mask = B::Mask;

    componentwise!(2);

    #[inline(always)]
    fn mul_wide(&self, out: &mut Self::Wide, a: &Self::Elem, b: &Self::Elem) {
        self.base.complex_mul_wide(out, a, b);
    }

    #[inline(always)]
    fn sqr_wide(&self, out: &mut Self::Wide, a: &Self::Elem) {
        self.base.complex_sqr_wide(out, a);
    }

    #[inline(always)]
    fn mul(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
        self.base.complex_mul(out, a, b);
    }

    #[inline(always)]
    fn sqr(&self, out: &mut Self::Elem, a: &Self::Elem) {
        self.base.complex_sqr(out, a);
    }

    #[inline(always)]
    fn reduce(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>]) {
        self.base.reduce2(out, List::new().pick(1, terms, 0).terms(), List::new().pick(1, terms, 1).terms());
    }

    /// (a0 − a1·i)/(a0² + a1²).
    fn inv(&self, out: &mut Self::Elem, a: &Self::Elem) {
        let mut norm = B::Elem::blank();
        self.norm(&mut norm, a);
        at! {self.base; d = inv(&norm); im = mul(&a[1], &d);}
        self.base.mul(&mut out[0], &a[0], &d);
        self.base.neg(&mut out[1], &im);
    }

    /// One inversion in the base for all: 1/a = conj(a)/norm(a).
    fn inv_many(&self, xs: &mut [Self::Elem]) {
        let mut norms = vec![B::Elem::blank(); xs.len()];
        for (norm, x) in norms.iter_mut().zip(xs.iter()) {
            self.norm(norm, x);
        }
        self.base.inv_many(&mut norms);
        for (x, d) in xs.iter_mut().zip(&norms) {
            at! {self.base; re = mul(&x[0], d); t = mul(&x[1], d); im = neg(&t);}
            *x = [re, im];
        }
    }
}
