//! Quadratic extensions B(w), w² = ν. For ν = −1 they are F_p(i), with p ≡ 3 (mod 4), whose products engines fuse.

use super::{NonResidue, Small, componentwise, reduce_each};
use crate::at;
use crate::blank::Blank;
use crate::contract::Field;
use crate::term::{List, Term, minus, plus, times};

/// `base`(w) with w² = ν, a non-square of the base. Elements are [a0, a1] for a0 + a1·w.
#[derive(Clone)]
pub struct Quadratic<B, N> {
    base: B,
    nr: N,
}

/// The extension `base`(i), i² = −1.
pub type Complex<B> = Quadratic<B, Small>;

impl<B: Field> Complex<B> {
    /// Creates the extension of `base` by a square root of −1, which must not exist in `base`.
    pub fn complex(base: B) -> Self {
        Quadratic::new(base, Small(-1))
    }
}

impl<B: Field, N: NonResidue<B>> Quadratic<B, N> {
    /// Creates the extension of `base` by a square root of `nr`.
    pub fn new(base: B, nr: N) -> Self {
        Quadratic { base, nr }
    }

    /// The base field.
    pub fn base(&self) -> &B {
        &self.base
    }

    /// The non-residue ν.
    pub fn nonresidue(&self) -> &N {
        &self.nr
    }

    /// Computes a0² − ν·a1², the norm to the base field. 2 squarings, 1 reduction.
    pub fn norm(&self, out: &mut B::Elem, a: &[B::Elem; 2]) {
        at! {self.base; s0 = sqr_wide(&a[0]); s1 = sqr_wide(&a[1]);}
        self.nr.reduce(&self.base, out, &[plus(&s0)], &[minus(&s1)]);
    }

    /// Computes a0 − a1·w.
    pub fn conjugate(&self, out: &mut [B::Elem; 2], a: &[B::Elem; 2]) {
        out[0].clone_from(&a[0]);
        self.base.neg(&mut out[1], &a[1]);
    }
}

/// A product by Karatsuba's method, with the last sums computed by `$op` = `lin` or `reduce`. With v0 = a0·b0 and
/// v1 = a1·b1 it is (v0 + ν·v1) + ((a0 + a1)(b0 + b1) − v0 − v1)·w.
macro_rules! product {
    ($self:ident, $op:ident, $out:ident, $a:ident, $b:ident) => {
        at! {$self.base;
            v0 = mul_wide(&$a[0], &$b[0]);
            v1 = mul_wide(&$a[1], &$b[1]);
            x = add(&$a[0], &$a[1]);
            y = add(&$b[0], &$b[1]);
            s = mul_wide(&x, &y);
        }
        $self.nr.$op(&$self.base, &mut $out[0], &[plus(&v0)], &[plus(&v1)]); // a0·b0 + ν·a1·b1
        $self.base.$op(&mut $out[1], &[plus(&s), minus(&v0), minus(&v1)]); // a0·b1 + a1·b0
    };
}

/// A square, with the last sums computed by `$op`: with t = a0·a1 it is ((a0 + a1)(a0 + ν·a1) − t − ν·t) + 2t·w.
macro_rules! square {
    ($self:ident, $op:ident, $out:ident, $a:ident) => {
        let mut y = B::Elem::blank();
        $self.nr.sum(&$self.base, &mut y, &[plus(&$a[0])], &[plus(&$a[1])]);
        at! {$self.base; t = mul_wide(&$a[0], &$a[1]); x = add(&$a[0], &$a[1]); s = mul_wide(&x, &y);}
        $self.nr.$op(&$self.base, &mut $out[0], &[plus(&s), minus(&t)], &[minus(&t)]); // a0² + ν·a1²
        $self.base.$op(&mut $out[1], &[times(2, &t)]); // 2·a0·a1
    };
}

impl<B: Field, N: NonResidue<B>> Field for Quadratic<B, N> {
    type Elem = [B::Elem; 2];
    type Wide = [B::Wide; 2];
    type Mask = B::Mask;

    componentwise!(2);

    /// Computes a·b by Karatsuba's method: 3 products of the base.
    #[inline]
    fn mul_wide(&self, out: &mut Self::Wide, a: &Self::Elem, b: &Self::Elem) {
        if self.nr.is_minus_one() {
            return self.base.complex_mul_wide(out, a, b);
        }
        product!(self, lin, out, a, b);
    }

    /// Computes a²: 2 products of the base.
    #[inline]
    fn sqr_wide(&self, out: &mut Self::Wide, a: &Self::Elem) {
        if self.nr.is_minus_one() {
            return self.base.complex_sqr_wide(out, a);
        }
        square!(self, lin, out, a);
    }

    #[inline]
    fn reduce(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>]) {
        reduce_each(&self.base, out, terms);
    }

    /// Computes a·b like `mul_wide`, with the last sums folded into the reductions.
    fn mul(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
        if self.nr.is_minus_one() {
            return self.base.complex_mul(out, a, b);
        }
        self.base.routine("product", || {
            product!(self, reduce, out, a, b);
        });
    }

    /// Computes a² like `sqr_wide`, with the last sums folded into the reductions.
    fn sqr(&self, out: &mut Self::Elem, a: &Self::Elem) {
        if self.nr.is_minus_one() {
            return self.base.complex_sqr(out, a);
        }
        self.base.routine("square", || {
            square!(self, reduce, out, a);
        });
    }

    /// Computes (a0 − a1·w)/(a0² − ν·a1²).
    fn inv(&self, out: &mut Self::Elem, a: &Self::Elem) {
        let mut norm = B::Elem::blank();
        self.norm(&mut norm, a);
        at! {self.base; d = inv(&norm); t = mul(&a[1], &d);}
        self.base.mul(&mut out[0], &a[0], &d);
        self.base.neg(&mut out[1], &t);
    }

    /// Inverts all elements with one inversion in the base.
    fn inv_many(&self, xs: &mut [Self::Elem]) {
        let mut norms = vec![B::Elem::blank(); xs.len()];
        for (norm, x) in norms.iter_mut().zip(xs.iter()) {
            self.norm(norm, x);
        }
        self.base.inv_many(&mut norms);
        for (x, d) in xs.iter_mut().zip(&norms) {
            at! {self.base; a0 = mul(&x[0], d); t = mul(&x[1], d); a1 = neg(&t);}
            *x = [a0, a1];
        }
    }
}
