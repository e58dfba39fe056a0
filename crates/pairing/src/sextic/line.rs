//! Products of f with a line: three coefficients in E at places of F_p^k = E(w).

use super::{Fpk, Target};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field, at, minus, plus};

/// Where the coefficients of a line stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// At 1, w, w³: that of y, of x, and the constant.
    First,
    /// At 1, w², w³: the constant, that of x, and of y.
    Second,
}

/// out = f·l: 13 products of E by Karatsuba (Aranha et al., EUROCRYPT 2011, section 4; 13 M of E, 6 R).
pub(super) fn times_line<E: Extension, X: NonResidue<E>>(
    target: &Target<E, X>,
    pattern: Pattern,
    out: &mut Fpk<E>,
    [f0, f1]: &Fpk<E>,
    [l0, l1, l2]: &[E::Elem; 3],
) {
    let cubic = target.base();
    let e = cubic.base();
    at! {cubic; f = add(f0, f1);}
    let (mut v0, mut v1, mut s) = Default::default();
    match pattern {
        Pattern::First => {
            // (l0) + (l1 + l2·v)·w
            at! {e; l01 = add(l0, l1);}
            cubic.mul_wide_0(&mut v0, f0, l0);
            cubic.mul_wide_01(&mut v1, f1, l1, l2);
            cubic.mul_wide_01(&mut s, &f, &l01, l2);
        }
        Pattern::Second => {
            // (l0 + l1·v) + (l2·v)·w
            at! {e; l12 = add(l1, l2);}
            cubic.mul_wide_01(&mut v0, f0, l0, l1);
            cubic.mul_wide_1(&mut v1, f1, l2);
            cubic.mul_wide_01(&mut s, &f, l0, &l12);
        }
    }
    target.nonresidue().reduce(cubic, &mut out[0], &[plus(&v0)], &[plus(&v1)]);
    cubic.reduce(&mut out[1], &[plus(&s), minus(&v0), minus(&v1)]);
}
