//! Cubic extensions B(v), v³ = ν.

use super::{NonResidue, componentwise, reduce_each};
use crate::at;
use crate::blank::Blank;
use crate::contract::Field;
use crate::term::{List, Term, minus, plus, times};

/// `base`(v) with v³ = ν, a non-cube of the base. Elements are [a0, a1, a2] for a0 + a1·v + a2·v².
#[derive(Clone)]
pub struct Cubic<B, N> {
    base: B,
    nr: N,
}

impl<B: Field, N: NonResidue<B>> Cubic<B, N> {
    /// Creates the extension of `base` by a cube root of `nr`.
    pub fn new(base: B, nr: N) -> Self {
        Cubic { base, nr }
    }

    /// The base field.
    pub fn base(&self) -> &B {
        &self.base
    }

    /// The non-residue ν.
    pub fn nonresidue(&self) -> &N {
        &self.nr
    }

    /// Computes c0 = a0² − ν·a1·a2, c1 = ν·a2² − a0·a1, c2 = a1² − a0·a2 and the norm d = a0·c0 + ν(a2·c1 + a1·c2):
    /// 1/a = (c0, c1, c2)/d.
    fn cofactors(&self, a: &[B::Elem; 3]) -> ([B::Elem; 3], B::Elem) {
        let b = &self.base;
        at! {b;
            s0 = sqr_wide(&a[0]); s1 = sqr_wide(&a[1]); s2 = sqr_wide(&a[2]);
            p01 = mul_wide(&a[0], &a[1]); p02 = mul_wide(&a[0], &a[2]); p12 = mul_wide(&a[1], &a[2]);
        }
        let (mut c0, mut c1, mut d) = (B::Elem::blank(), B::Elem::blank(), B::Elem::blank());
        self.nr.reduce(b, &mut c0, &[plus(&s0)], &[minus(&p12)]);
        self.nr.reduce(b, &mut c1, &[minus(&p01)], &[plus(&s2)]);
        at! {b;
            c2 = reduce(&[plus(&s1), minus(&p02)]);
            e0 = mul_wide(&a[0], &c0); e1 = mul_wide(&a[2], &c1); e2 = mul_wide(&a[1], &c2);
        }
        self.nr.reduce(b, &mut d, &[plus(&e0)], &[plus(&e1), plus(&e2)]);
        ([c0, c1, c2], d)
    }
}

/// A product by Karatsuba's method, with the last sums computed by `$op` = `lin` or `reduce`. With v_i = a_i·b_i and
/// t_ij = (a_i + a_j)(b_i + b_j): c0 = v0 + ν(t12 − v1 − v2), c1 = t01 − v0 − v1 + ν·v2, c2 = t02 − v0 + v1 − v2.
macro_rules! product {
    ($self:ident, $op:ident, $out:ident, $a:ident, $b:ident) => {
        at! {$self.base;
            v0 = mul_wide(&$a[0], &$b[0]); v1 = mul_wide(&$a[1], &$b[1]); v2 = mul_wide(&$a[2], &$b[2]);
            x = add(&$a[1], &$a[2]); y = add(&$b[1], &$b[2]); t12 = mul_wide(&x, &y);
            x = add(&$a[0], &$a[1]); y = add(&$b[0], &$b[1]); t01 = mul_wide(&x, &y);
            x = add(&$a[0], &$a[2]); y = add(&$b[0], &$b[2]); t02 = mul_wide(&x, &y);
        }
        let [o0, o1, o2] = $out;
        $self.nr.$op(&$self.base, o0, &[plus(&v0)], &[plus(&t12), minus(&v1), minus(&v2)]); // a0·b0 + ν(a1·b2 + a2·b1)
        $self.nr.$op(&$self.base, o1, &[plus(&t01), minus(&v0), minus(&v1)], &[plus(&v2)]); // a0·b1 + a1·b0 + ν·a2·b2
        $self.base.$op(o2, &[plus(&t02), minus(&v0), plus(&v1), minus(&v2)]); // a0·b2 + a1·b1 + a2·b0
    };
}

/// A square by Chung and Hasan, ARITH 2007, SQR2, with the last sums computed by `$op`. With s0 = a0², s1 = a0·a1,
/// s2 = (a0 − a1 + a2)², s3 = a1·a2, s4 = a2²: c0 = s0 + 2ν·s3, c1 = 2·s1 + ν·s4, c2 = s2 + 2·s1 + 2·s3 − s0 − s4.
macro_rules! square {
    ($self:ident, $op:ident, $out:ident, $a:ident) => {
        at! {$self.base;
            t = sum(&[plus(&$a[0]), minus(&$a[1]), plus(&$a[2])]);
            s0 = sqr_wide(&$a[0]);
            s1 = mul_wide(&$a[0], &$a[1]);
            s2 = sqr_wide(&t);
            s3 = mul_wide(&$a[1], &$a[2]);
            s4 = sqr_wide(&$a[2]);
        }
        let [o0, o1, o2] = $out;
        $self.nr.$op(&$self.base, o0, &[plus(&s0)], &[times(2, &s3)]); // a0² + 2ν·a1·a2
        $self.nr.$op(&$self.base, o1, &[times(2, &s1)], &[plus(&s4)]); // 2·a0·a1 + ν·a2²
        $self.base.$op(o2, &[plus(&s2), times(2, &s1), times(2, &s3), minus(&s0), minus(&s4)]); // a1² + 2·a0·a2
    };
}

impl<B: Field, N: NonResidue<B>> Field for Cubic<B, N> {
    type Elem = [B::Elem; 3];
    type Wide = [B::Wide; 3];
    type Mask = B::Mask;

    componentwise!(3);

    /// Computes a·b by Karatsuba's method: 6 products of the base.
    #[inline]
    fn mul_wide(&self, out: &mut Self::Wide, a: &Self::Elem, b: &Self::Elem) {
        product!(self, lin, out, a, b);
    }

    /// Computes a² by the method of Chung and Hasan: 3 squarings and 2 products of the base.
    #[inline]
    fn sqr_wide(&self, out: &mut Self::Wide, a: &Self::Elem) {
        square!(self, lin, out, a);
    }

    #[inline]
    fn reduce(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>]) {
        reduce_each(&self.base, out, terms);
    }

    fn mul(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
        product!(self, reduce, out, a, b);
    }

    fn sqr(&self, out: &mut Self::Elem, a: &Self::Elem) {
        square!(self, reduce, out, a);
    }

    /// Computes (c0, c1, c2)/d from the cofactors and the norm.
    fn inv(&self, out: &mut Self::Elem, a: &Self::Elem) {
        let (cofactors, norm) = self.cofactors(a);
        at! {self.base; i = inv(&norm);}
        for (o, c) in out.iter_mut().zip(&cofactors) {
            self.base.mul(o, c, &i);
        }
    }

    /// Inverts all elements with one inversion in the base.
    fn inv_many(&self, xs: &mut [Self::Elem]) {
        let (cofactors, mut norms): (Vec<_>, Vec<_>) = xs.iter().map(|x| self.cofactors(x)).unzip();
        self.base.inv_many(&mut norms);
        for ((x, cofactors), i) in xs.iter_mut().zip(&cofactors).zip(&norms) {
            for (o, c) in x.iter_mut().zip(cofactors) {
                self.base.mul(o, c, i);
            }
        }
    }
}
