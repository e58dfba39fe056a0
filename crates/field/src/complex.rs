//! Products and squares in F_p(i), i² = −1, from the primitives of F_p: the default for engines without fused operations.

use crate::at;
use crate::blank::Blank;
use crate::contract::Field;
use crate::term::{List, Term, minus, plus, times};

/// Computes a·b unreduced by Karatsuba's method: with v0 = a0·b0, v1 = a1·b1 and s = (a0 + a1)(b0 + b1) it is
/// (v0 − v1) + (s − v0 − v1)·i.
#[inline(always)]
pub(crate) fn mul_wide<F: Field>(f: &F, out: &mut [F::Wide; 2], a: &[F::Elem; 2], b: &[F::Elem; 2]) {
    at! {f;
        v0 = mul_wide(&a[0], &b[0]);
        v1 = mul_wide(&a[1], &b[1]);
        x = add(&a[0], &a[1]);
        y = add(&b[0], &b[1]);
        s = mul_wide(&x, &y);
    }
    f.lin(&mut out[0], &[plus(&v0), minus(&v1)]);
    f.lin(&mut out[1], &[plus(&s), minus(&v0), minus(&v1)]);
}

/// Computes a² = (a0 + a1)(a0 − a1) + 2·a0·a1·i, unreduced.
#[inline(always)]
pub(crate) fn sqr_wide<F: Field>(f: &F, out: &mut [F::Wide; 2], a: &[F::Elem; 2]) {
    at! {f;
        x = add(&a[0], &a[1]);
        y = sub(&a[0], &a[1]);
        t = add(&a[0], &a[0]);
    }
    f.mul_wide(&mut out[0], &x, &y);
    f.mul_wide(&mut out[1], &t, &a[1]);
}

/// Computes a·b like [`mul_wide`], with the last sums folded into the reductions.
#[inline(always)]
pub(crate) fn mul<F: Field>(f: &F, out: &mut [F::Elem; 2], a: &[F::Elem; 2], b: &[F::Elem; 2]) {
    at! {f;
        v0 = mul_wide(&a[0], &b[0]);
        v1 = mul_wide(&a[1], &b[1]);
        x = add(&a[0], &a[1]);
        y = add(&b[0], &b[1]);
        s = mul_wide(&x, &y);
    }
    f.reduce2(out, &[plus(&v0), minus(&v1)], &[plus(&s), minus(&v0), minus(&v1)]);
}

/// Computes a² like [`sqr_wide`], reduced.
#[inline(always)]
pub(crate) fn sqr<F: Field>(f: &F, out: &mut [F::Elem; 2], a: &[F::Elem; 2]) {
    at! {f;
        x = add(&a[0], &a[1]);
        y = sub(&a[0], &a[1]);
        v0 = mul_wide(&x, &y);
        v1 = mul_wide(&a[0], &a[1]);
    }
    f.reduce2(out, &[plus(&v0)], &[times(2, &v1)]);
}

/// Computes x + Σ c·w in F_p(i) for a product x, with the terms of each half, unreduced.
#[inline(always)]
pub(crate) fn plus_terms<F: Field>(
    f: &F,
    out: &mut [F::Wide; 2],
    product: impl FnOnce(&mut [F::Wide; 2]),
    terms: [&[Term<F::Wide>]; 2],
) {
    let mut x = Blank::blank();
    product(&mut x);
    for ((out, x), terms) in out.iter_mut().zip(&x).zip(terms) {
        f.lin(out, List::new().all(1, &[plus(x)]).all(1, terms).terms());
    }
}
