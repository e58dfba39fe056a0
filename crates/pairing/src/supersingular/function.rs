//! Functions a(x) + b(x)·y on E: y² = x³ + x whose only pole is O and that are monic there: of 1, x, y, x², xy, x³, …
//! (poles of order 0, 2, 3, 4, 5, 6, …) the term of the highest order has coefficient 1. Products and exact quotients
//! by vertical lines keep this form.

use super::SupersingularPairing;
use crate::curve::Affine;
use bilinear_field::{CollectVec, Field, Prime, at, minus, plus, times};

/// A function a(x) + b(x)·y. Coefficients are ordered from the constant one up and include the leading 1.
#[derive(Clone, Debug)]
pub(super) struct MonicFunction<E> {
    /// The coefficients of a.
    pub a: Vec<E>,
    /// The coefficients of b.
    pub b: Vec<E>,
}

impl<E> MonicFunction<E> {
    /// Returns true if the term of the highest order is in a: x^i has a pole of order 2i, x^j·y of order 2j + 3.
    pub(super) fn leads_in_a(&self) -> bool {
        2 * self.a.len() > 2 * self.b.len() + 3
    }
}

impl<F: Prime> SupersingularPairing<F> {
    /// Returns the line y − y_T − λ(x − x_T).
    pub(super) fn line(&self, t: &Affine<F>, lambda: &F::Elem) -> MonicFunction<F::Elem> {
        let f = self.fq();
        at! {f; lx = mul(lambda, &t.x); constant = sum(&[plus(&lx), minus(&t.y)]); slope = neg(lambda);}
        MonicFunction { a: vec![constant, slope], b: vec![f.one()] }
    }

    /// Returns the vertical x − x_T.
    pub(super) fn vertical(&self, t: &Affine<F>) -> MonicFunction<F::Elem> {
        let f = self.fq();
        at! {f; constant = neg(&t.x);}
        MonicFunction { a: vec![constant, f.one()], b: vec![] }
    }

    /// Returns g(x, −y), made monic.
    pub(super) fn reflect(&self, g: &MonicFunction<F::Elem>) -> MonicFunction<F::Elem> {
        let f = self.fq();
        let negated = |xs: &[F::Elem]| xs.iter().map(|x| negative(f, x)).collect_vec();
        if g.leads_in_a() {
            MonicFunction { a: g.a.clone(), b: negated(&g.b) }
        } else {
            MonicFunction { a: negated(&g.a), b: g.b.clone() }
        }
    }

    /// Returns g·h = a_g·a_h + (x³ + x)·b_g·b_h + (a_g·b_h + b_g·a_h)·y.
    pub(super) fn times(&self, g: &MonicFunction<F::Elem>, h: &MonicFunction<F::Elem>) -> MonicFunction<F::Elem> {
        let f = self.fq();
        let bb = convolve(f, &g.b, &h.b);
        MonicFunction {
            a: add(f, convolve(f, &g.a, &h.a), &times_cubic(f, &bb)),
            b: add(f, convolve(f, &g.a, &h.b), &convolve(f, &g.b, &h.a)),
        }
    }

    /// Returns g² = a² + (x³ + x)·b² + 2ab·y.
    pub(super) fn square(&self, g: &MonicFunction<F::Elem>) -> MonicFunction<F::Elem> {
        let f = self.fq();
        let bb = convolve(f, &g.b, &g.b);
        let double = |x: &F::Elem| at!(f; sum(&[times(2, x)]));
        MonicFunction {
            a: add(f, convolve(f, &g.a, &g.a), &times_cubic(f, &bb)),
            b: convolve(f, &g.a, &g.b).iter().map(double).collect_vec(),
        }
    }

    /// Returns g/(x − x_T) for a g with zeros at T and −T.
    pub(super) fn without(&self, g: &MonicFunction<F::Elem>, t: &Affine<F>) -> MonicFunction<F::Elem> {
        let f = self.fq();
        MonicFunction { a: divide(f, &g.a, &t.x), b: divide(f, &g.b, &t.x) }
    }
}

fn negative<F: Field>(f: &F, x: &F::Elem) -> F::Elem {
    at!(f; neg(x))
}

/// Returns the product of two polynomials.
fn convolve<F: Field>(f: &F, a: &[F::Elem], b: &[F::Elem]) -> Vec<F::Elem> {
    if a.is_empty() || b.is_empty() {
        return vec![];
    }
    let reversed: Vec<F::Elem> = b.iter().rev().cloned().collect_vec();
    let coefficient = |k: usize| {
        // Σ a_i·b_{k − i}
        let first = (k + 1).saturating_sub(b.len());
        let last = k.min(a.len() - 1);
        let offset = b.len() - 1 + first - k;
        at!(f; dot(&a[first..=last], &reversed[offset..=offset + last - first]))
    };
    (0..a.len() + b.len() - 1).map(coefficient).collect_vec()
}

/// Returns (x³ + x)·b.
fn times_cubic<F: Field>(f: &F, b: &[F::Elem]) -> Vec<F::Elem> {
    let mut out = vec![f.zero(); if b.is_empty() { 0 } else { b.len() + 3 }];
    for (i, c) in b.iter().enumerate() {
        at! {f; linear = sum(&[plus(&out[i + 1]), plus(c)]);}
        out[i + 1] = linear;
        out[i + 3].clone_from(c);
    }
    out
}

/// Returns the sum of two polynomials.
fn add<F: Field>(f: &F, a: Vec<F::Elem>, b: &[F::Elem]) -> Vec<F::Elem> {
    let (mut longer, shorter) = if a.len() < b.len() { (b.to_vec(), &a[..]) } else { (a, b) };
    for (x, y) in longer.iter_mut().zip(shorter) {
        *x = at!(f; sum(&[plus(x), plus(y)]));
    }
    longer
}

/// Returns a/(x − c), which has no remainder (Horner's scheme).
fn divide<F: Field>(f: &F, a: &[F::Elem], c: &F::Elem) -> Vec<F::Elem> {
    let Some((leading, rest)) = a.split_last() else { return vec![] };
    let mut quotient = Vec::with_capacity(rest.len());
    let mut carried = leading.clone();
    for coefficient in rest.iter().rev() {
        at! {f; product = mul(c, &carried); next = sum(&[plus(coefficient), plus(&product)]);}
        quotient.push(std::mem::replace(&mut carried, next));
    }
    quotient.reverse();
    quotient
}
