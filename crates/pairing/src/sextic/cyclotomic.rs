//! The cyclotomic subgroup of F_p^k, of order Φ_k(p), k = 6d. Inversion is conjugation, and a square (Granger and
//! Scott, PKC 2010, section 3.2) costs 9S + 6R in E. Every result is closed.

use super::{Elem, Fpk, SexticPairing, Target};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Field, Prime, at, minus, plus};

/// Computes, for (a, b), 3(a² + ξb²) − 2x in `even`, and 6ab + 2y, or 6ξab + 2y if `by_xi` is true, in `odd`: 3S + 2R
/// in E.
#[inline(always)]
pub(super) fn square_pair<F: Prime>(
    target: &Target<F>,
    [a, b]: [&Elem<F>; 2],
    (even, x): (&mut Elem<F>, &Elem<F>),
    (odd, y): (&mut Elem<F>, &Elem<F>),
    by_xi: bool,
) {
    let (e, xi) = (target.base().base(), target.base().nonresidue());
    at! {e; aa = sqr_wide(a); bb = sqr_wide(b); sum = add(a, b); ss = sqr_wide(&sum);} // a², b², (a + b)²
    // the factor 3 is cheaper after the reduction
    let (mut p, mut q) = (Blank::blank(), Blank::blank());
    xi.reduce(e, &mut p, &[plus(&aa)], &[plus(&bb)]); // p = a² + ξb²
    let product = [plus(&ss), minus(&aa), minus(&bb)]; // 2ab
    if by_xi {
        xi.reduce(e, &mut q, &[], &product) // q = 2ξab
    } else {
        e.reduce(&mut q, &product) // q = 2ab
    }
    e.three_and_two(even, &p, x, true); // 3p − 2x
    e.three_and_two(odd, &q, y, false); // 3q + 2y
}

/// Computes f² for f in the cyclotomic subgroup: 9S + 6R in E. The coefficients c_j of w^j are taken in pairs over
/// F_p^(k/3) = E(w³).
pub(super) fn square<F: Prime>(target: &Target<F>, out: &mut Fpk<F>, f: &Fpk<F>) {
    let [[c0, c2, c4], [c1, c3, c5]] = f;
    let [[o0, o2, o4], [o1, o3, o5]] = out;
    square_pair(target, [c0, c3], (o0, c0), (o3, c3), false); // c0' = 3(c0² + ξc3²) − 2c0, c3' = 6·c0·c3 + 2c3
    square_pair(target, [c2, c5], (o4, c4), (o1, c1), true); // c4' = 3(c2² + ξc5²) − 2c4, c1' = 6ξ·c2·c5 + 2c1
    square_pair(target, [c1, c4], (o2, c2), (o5, c5), false); // c2' = 3(c1² + ξc4²) − 2c2, c5' = 6·c1·c4 + 2c5
}

impl<F: Prime> SexticPairing<F> {
    /// Returns f² for f in the cyclotomic subgroup.
    pub fn cyclotomic_square(&self, f: &Fpk<F>) -> Fpk<F> {
        let mut out = Blank::blank();
        self.groups.target.routine("cyclotomic square", || square(&self.groups.target, &mut out, f));
        out
    }

    /// Returns f·g.
    pub(super) fn mul(&self, f: &Fpk<F>, g: &Fpk<F>) -> Fpk<F> {
        at!(self.groups.target; mul(f, g))
    }

    /// Returns f·g, where `None` represents 1.
    pub(super) fn mul_some(&self, f: Option<Fpk<F>>, g: Option<&Fpk<F>>) -> Option<Fpk<F>> {
        match (f, g) {
            (Some(f), Some(g)) => Some(self.mul(&f, g)),
            (f, g) => f.or_else(|| g.cloned()),
        }
    }

    /// Returns the product of the first factor and the rest.
    pub(super) fn product<const N: usize>(&self, first: &Fpk<F>, rest: [&Fpk<F>; N]) -> Fpk<F> {
        rest.into_iter().fold(first.clone(), |f, g| self.mul(&f, g))
    }
}
