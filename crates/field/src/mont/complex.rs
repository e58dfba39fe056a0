//! Products in F_p(i), i² = −1, without a correction between the products of F_p and the one reduction of each coefficient.
//!
//! Karatsuba's third product s = (a0 + a1)(b0 + b1) of sums that are not reduced makes s − v0 − v1 = a0·b1 + a1·b0 exact and
//! never negative. Cost as the contract's formulas; what is saved are the corrections of two sums and of two forms.

use super::forms::{three, two, wide_three, wide_two};
use super::kernels::{self, Wide};
use super::tight::Tight;
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

/// The sums of two elements of F_p(i), below 2p; `None` where a sum of two such does not fit the words.
fn loose_sums<'f, const N: usize, const K: usize>(
    f: &'f Mont<N>,
    pairs: [[&[Residue<N>; 2]; 2]; K],
) -> Option<([[Residue<N>; 2]; K], &'f [u64; N])> {
    let Slack::Tight(Tight { twice: Some(twice), .. }) = &f.slack else { return None };
    let mut sums = [[Residue::default(); 2]; K];
    for (sum, [a, c]) in sums.iter_mut().zip(pairs) {
        for i in 0..2 {
            two::<N, 0>(f.isa, &mut sum[i].0, &a[i].0, &c[i].0);
        }
    }
    Some((sums, twice))
}

/// (a + c)(b + d), unreduced.
pub(super) fn sums_mul_wide<const N: usize>(f: &Mont<N>, out: &mut [Sum<N>; 2], operands: [&[Residue<N>; 2]; 4]) {
    let [a, c, b, d] = operands;
    match loose_sums(f, [[a, c], [b, d]]) {
        Some(([x, y], _)) => mul_wide(f, out, &x, &y),
        None => {
            at! {f; x0 = add(&a[0], &c[0]); x1 = add(&a[1], &c[1]); y0 = add(&b[0], &d[0]); y1 = add(&b[1], &d[1]);}
            mul_wide(f, out, &[x0, x1], &[y0, y1]);
        }
    }
}

/// (a + c)², unreduced.
pub(super) fn sum_sqr_wide<const N: usize>(f: &Mont<N>, out: &mut [Sum<N>; 2], [a, c]: [&[Residue<N>; 2]; 2]) {
    match loose_sums(f, [[a, c]]) {
        Some(([x], twice)) => {
            let mut difference = Residue::default();
            at! {f; sum = loose_add(&x[0], &x[1]); t = loose_add(&x[0], &x[0]);}
            // x0 − x1 + 2p
            three::<N, 1, 0>(f.isa, &mut difference.0, &x[0].0, &x[1].0, twice);
            f.mul_wide(&mut out[0], &sum, &difference);
            f.mul_wide(&mut out[1], &t, &x[1]);
        }
        None => {
            at! {f; x0 = add(&a[0], &c[0]); x1 = add(&a[1], &c[1]);}
            sqr_wide(f, out, &[x0, x1]);
        }
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
