//! Products in F_p(i), i² = −1, without a correction between the products of F_p and the one reduction of each coefficient.
//!
//! Karatsuba's third product s = (a0 + a1)(b0 + b1) of sums that are not reduced makes s − v0 − v1 = a0·b1 + a1·b0 exact and
//! never negative. Cost as the contract's formulas; what is saved are the corrections of two sums and of two forms.

use super::forms::{two, wide_three, wide_two};
use super::kernels::{self, Wide};
use super::{Mont, Residue, Slack, Sum};
use crate::at;
use crate::contract::Field;
use crate::term::{minus, plus};

impl<const N: usize> Mont<N> {
    /// a + b below 2p or, where that does not fit the words, corrected.
    #[inline(always)]
    fn loose_add(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        match &self.slack {
            Slack::Tight(tight) if !tight.lazy => self.add(out, a, b),
            _ => two::<N, 0>(self.isa, &mut out.0, &a.0, &b.0),
        }
    }

    /// v0 = a0·b0, v1 = a1·b1, s = (a0 + a1)(b0 + b1).
    #[inline(always)]
    fn karatsuba(&self, v: [&mut Wide<N>; 3], a: &[Residue<N>; 2], b: &[Residue<N>; 2]) {
        let [v0, v1, s] = v;
        at! {self; x = loose_add(&a[0], &a[1]); y = loose_add(&b[0], &b[1]);}
        kernels::mul_wide(self.isa, v0, &a[0].0, &b[0].0);
        kernels::mul_wide(self.isa, v1, &a[1].0, &b[1].0);
        kernels::mul_wide(self.isa, s, &x.0, &y.0);
    }
}

/// (a0 + a1·i)(b0 + b1·i), unreduced.
pub(super) fn mul_wide<const N: usize>(f: &Mont<N>, out: &mut [Sum<N>; 2], a: &[Residue<N>; 2], b: &[Residue<N>; 2]) {
    let (mut v0, mut v1, mut s) = (Wide::default(), Wide::default(), Wide::default());
    f.karatsuba([&mut v0, &mut v1, &mut s], a, b);
    let [o0, o1] = out;
    o0.top = wide_two::<N, 1>(f.isa, &mut o0.words, &v0, &v1);
    o1.top = wide_three::<N, 1, 1>(f.isa, &mut o1.words, &s, &v0, &v1);
    if let Slack::Roomy(_) = f.slack {
        // what the formulas say, not the values
        (o0.top, o1.top) = (-1, 0);
    }
}

/// (a0 + a1·i)², unreduced.
pub(super) fn sqr_wide<const N: usize>(f: &Mont<N>, out: &mut [Sum<N>; 2], a: &[Residue<N>; 2]) {
    at! {f; x = loose_add(&a[0], &a[1]); y = sub(&a[0], &a[1]); t = loose_add(&a[0], &a[0]);}
    f.mul_wide(&mut out[0], &x, &y);
    f.mul_wide(&mut out[1], &t, &a[1]);
}

/// (a0 + a1·i)(b0 + b1·i), closed.
pub(super) fn mul<const N: usize>(f: &Mont<N>, out: &mut [Residue<N>; 2], a: &[Residue<N>; 2], b: &[Residue<N>; 2]) {
    let (mut v0, mut v1, mut s) = (Sum::default(), Sum::default(), Sum::default());
    f.karatsuba([&mut v0.words, &mut v1.words, &mut s.words], a, b);
    let mut t = Wide::default();
    match &f.slack {
        Slack::Tight(tight) if tight.lazy => {
            kernels::sub_mod_wide(f.isa, &mut t, &v0.words, &v1.words, &f.m.p);
            f.reduce_plain(&mut out[0], &mut t);
            // below 2p² ≤ pR
            wide_three::<N, 1, 1>(f.isa, &mut t, &s.words, &v0.words, &v1.words);
            f.reduce_plain(&mut out[1], &mut t);
        }
        Slack::Tight(_) => {
            f.reduce(&mut out[0], &[plus(&v0), minus(&v1)]);
            f.reduce(&mut out[1], &[plus(&s), minus(&v0), minus(&v1)]);
        }
        Slack::Roomy(_) => {
            f.reduce(&mut out[0], &[plus(&v0), minus(&v1)]);
            wide_three::<N, 1, 1>(f.isa, &mut t, &s.words, &v0.words, &v1.words);
            f.reduce_plain(&mut out[1], &mut t);
        }
    }
}

/// (a0 + a1·i)², closed.
pub(super) fn sqr<const N: usize>(f: &Mont<N>, out: &mut [Residue<N>; 2], a: &[Residue<N>; 2]) {
    // a product with a sum of two is below 2p² ≤ pR
    at! {f; x = loose_add(&a[0], &a[1]); y = sub(&a[0], &a[1]); t = loose_add(&a[0], &a[0]);}
    f.mul(&mut out[0], &x, &y);
    f.mul(&mut out[1], &t, &a[1]);
}
