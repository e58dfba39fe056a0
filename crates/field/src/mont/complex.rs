//! Products in F_p(i), i² = −1, without a correction between the products of F_p and the one reduction of each coefficient.
//!
//! Karatsuba's third product s = (a0 + a1)(b0 + b1) of sums that are not reduced makes s − v0 − v1 = a0·b1 + a1·b0 exact and
//! never negative. The cost is that of the contract's formulas, without the corrections of two sums and of two forms.

use super::arithmetic::Arithmetic;
use super::forms::{three, two};
use super::ring::Slack;
use super::tight::Tight;
use super::values::{Scratch, Terms};
use crate::term::{minus, plus};

/// An element of F_p(i): its real and imaginary part.
pub(super) type Pair<'a> = [&'a [u64]; 2];

impl Arithmetic<'_> {
    /// Computes a + b without a correction, for a tight modulus below 2p; corrected where 2p does not fit the words.
    #[inline(always)]
    fn loose_add<'t>(&self, t: &'t mut Scratch, a: &[u64], b: &[u64]) -> &'t [u64] {
        match &self.ring.slack {
            Slack::Tight(tight) if !tight.lazy => self.add(t, a, b),
            _ => two::<0>(self.isa(), t, a, b).1,
        }
    }

    /// v0 = a0·b0, v1 = a1·b1, s = (a0 + a1)(b0 + b1).
    #[inline(always)]
    fn karatsuba(&self, v: [&mut Scratch; 3], a: Pair, b: Pair) {
        let [v0, v1, s] = v;
        let (mut x, mut y) = (Scratch::new(), Scratch::new());
        let (x, y) = (self.loose_add(&mut x, a[0], a[1]), self.loose_add(&mut y, b[0], b[1]));
        self.kernels.mul_wide(v0, a[0], b[0]);
        self.kernels.mul_wide(v1, a[1], b[1]);
        self.kernels.mul_wide(s, x, y);
    }

    /// Returns true if sums of two elements, in [0, 2p), may be operands.
    #[inline(always)]
    fn takes_sums(&self) -> bool {
        matches!(&self.ring.slack, Slack::Tight(Tight { takes_sums: true, .. }))
    }

    /// Computes a + c in F_p(i) in scratch: below 2p, or like `add` where such sums may not be operands.
    #[inline(always)]
    fn complex_sum<'t>(&self, [t0, t1]: [&'t mut Scratch; 2], a: Pair, c: Pair) -> Pair<'t> {
        if self.takes_sums() {
            let isa = self.isa();
            return [two::<0>(isa, t0, a[0], c[0]).1, two::<0>(isa, t1, a[1], c[1]).1];
        }
        [self.add(t0, a[0], c[0]), self.add(t1, a[1], c[1])]
    }

    /// (a + c)(b + d), unreduced.
    #[inline(always)]
    pub(super) fn complex_sums_mul_wide(&self, out: [&mut [u64]; 2], [a, c, b, d]: [Pair; 4]) {
        let (mut x0, mut x1, mut y0, mut y1) = (Scratch::new(), Scratch::new(), Scratch::new(), Scratch::new());
        let (x, y) = (self.complex_sum([&mut x0, &mut x1], a, c), self.complex_sum([&mut y0, &mut y1], b, d));
        self.complex_mul_wide(out, x, y);
    }

    /// (a + c)², unreduced.
    #[inline(always)]
    pub(super) fn complex_sum_sqr_wide(&self, out: [&mut [u64]; 2], [a, c]: [Pair; 2]) {
        let (mut x0, mut x1) = (Scratch::new(), Scratch::new());
        let x = self.complex_sum([&mut x0, &mut x1], a, c);
        if !self.takes_sums() {
            return self.complex_sqr_wide(out, x);
        }
        let ([o0, o1], mut sum, mut twice, mut difference) = (out, Scratch::new(), Scratch::new(), Scratch::new());
        let sum = self.loose_add(&mut sum, x[0], x[1]);
        // x0 − x1 + 2p
        let (_, difference) = three::<1, 0>(self.isa(), &mut difference, x[0], x[1], self.ring.m.twice());
        self.mul_wide(o0, sum, difference);
        self.mul_wide(o1, self.loose_add(&mut twice, x[0], x[0]), x[1]);
    }

    /// (a0 + a1·i)(b0 + b1·i), unreduced.
    #[inline(always)]
    pub(super) fn complex_mul_wide(&self, [o0, o1]: [&mut [u64]; 2], a: Pair, b: Pair) {
        let (mut v0, mut v1, mut s) = (Scratch::new(), Scratch::new(), Scratch::new());
        self.karatsuba([&mut v0, &mut v1, &mut s], a, b);
        let (isa, wide) = (self.isa(), 2 * a[0].len());
        o0[wide] = two::<1>(isa, &mut o0[..wide], v0.words(), v1.words()).0 as u64;
        o1[wide] = three::<1, 1>(isa, &mut o1[..wide], s.words(), v0.words(), v1.words()).0 as u64;
        if let Slack::Roomy(_) = self.ring.slack {
            // the signs by the formulas, not by the values
            (o0[wide], o1[wide]) = (u64::MAX, 0);
        }
    }

    /// (a0 + a1·i)², unreduced.
    #[inline(always)]
    pub(super) fn complex_sqr_wide(&self, [o0, o1]: [&mut [u64]; 2], a: Pair) {
        let (mut x, mut y, mut t) = (Scratch::new(), Scratch::new(), Scratch::new());
        let (x, y) = (self.loose_add(&mut x, a[0], a[1]), self.sub(&mut y, a[0], a[1]));
        self.mul_wide(o0, x, y);
        self.mul_wide(o1, self.loose_add(&mut t, a[0], a[0]), a[1]);
    }

    /// (a0 + a1·i)(b0 + b1·i), closed.
    #[inline(always)]
    pub(super) fn complex_mul(&self, [o0, o1]: [&mut [u64]; 2], a: Pair, b: Pair) {
        let (mut v0, mut v1, mut s) = (Scratch::new(), Scratch::new(), Scratch::new());
        self.karatsuba([&mut v0, &mut v1, &mut s], a, b);
        // s − v0 − v1 = a0·b1 + a1·b0 is below 2p² ≤ pR where 2p fits the words
        let fits = !matches!(&self.ring.slack, Slack::Tight(tight) if !tight.lazy);
        let mut t = Scratch::new();
        if fits {
            let (_, t) = three::<1, 1>(self.isa(), &mut t, s.words(), v0.words(), v1.words());
            self.reduce_plain(o1, t);
        }
        if let (Slack::Tight(_), true) = (&self.ring.slack, fits) {
            let v0 = v0.words_mut();
            self.kernels.sub_mod_wide(v0, v1.words(), self.ring.m.p());
            return self.reduce_plain(o0, v0);
        }
        let wide = 2 * a[0].len() + 1;
        for v in [&mut v0, &mut v1, &mut s] {
            v.push(0);
        }
        self.ring.reduce(o0, Terms::new(&[plus(&v0), minus(&v1)], wide));
        if !fits {
            self.ring.reduce(o1, Terms::new(&[plus(&s), minus(&v0), minus(&v1)], wide));
        }
    }

    /// (a0 + a1·i)², closed.
    #[inline(always)]
    pub(super) fn complex_sqr(&self, [o0, o1]: [&mut [u64]; 2], a: Pair) {
        // a product with a sum of two is below 2p² ≤ pR
        let (mut x, mut y, mut t) = (Scratch::new(), Scratch::new(), Scratch::new());
        let (x, y) = (self.loose_add(&mut x, a[0], a[1]), self.sub(&mut y, a[0], a[1]));
        self.mul(o0, x, y);
        self.mul(o1, self.loose_add(&mut t, a[0], a[0]), a[1]);
    }
}
