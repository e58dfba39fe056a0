//! The squaring of the Miller loop.

use super::{Fpk, Target};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, at, minus, plus, times};

/// out = 2f²: 11M + 6R in E. The factor vanishes in the final exponentiation.
///
/// Over K = E(w³), f = A + Bw + Cw²; from S0 = A², S1 = (A + B + C)², S2 = (A − B + C)², S4 = C² and BC (Chung and Hasan,
/// ARITH 2007, SQR3, without its halving): 2f² = 2S0 + 4w³·BC + (S1 − S2 − 4BC + 2w³·S4)w + (S1 + S2 − 2S0 − 2S4)w². A square
/// in K takes 2M: with t = a0·a1 it is (a0 + a1)(a0 + ξa1) − t − ξt + 2t·w³.
pub(super) fn doubled_square<E: Extension, X: NonResidue<E>>(
    target: &Target<E, X>,
    out: &mut Fpk<E>,
    [[c0, c2, c4], [c1, c3, c5]]: &Fpk<E>,
) {
    let cubic = target.base();
    let (e, xi) = (cubic.base(), cubic.nonresidue());
    // (a0 + a1)(a0 + ξa1) and a0·a1
    let square = |a0: &E::Elem, a1: &E::Elem| {
        let mut y = e.zero();
        xi.sum(e, &mut y, &[plus(a0)], &[plus(a1)]);
        at! {e; x = add(a0, a1); p = mul_wide(&x, &y); t = mul_wide(a0, a1);}
        (p, t)
    };
    at! {e;
        p0 = sum(&[plus(c0), plus(c1), plus(c2)]); p1 = sum(&[plus(c3), plus(c4), plus(c5)]);
        m0 = sum(&[plus(c0), minus(c1), plus(c2)]); m1 = sum(&[plus(c3), minus(c4), plus(c5)]);
        b = add(c1, c4); c = add(c2, c5);
        v = mul_wide(c1, c2); u = mul_wide(c4, c5); m = mul_wide(&b, &c);
    }
    let ((x0, t0), (x1, t1), (x2, t2), (x4, t4)) = (square(c0, c3), square(&p0, &p1), square(&m0, &m1), square(c2, c5));
    let [[o0, o2, o4], [o1, o3, o5]] = out;
    let two = times;
    xi.reduce(e, o0, &[two(2, &x0), two(-2, &t0)], &[two(-2, &t0), two(4, &m), two(-4, &v), two(-4, &u)]);
    xi.reduce(e, o3, &[two(4, &t0), two(4, &v)], &[two(4, &u)]);
    xi.reduce(
        e,
        o1,
        &[plus(&x1), minus(&t1), minus(&x2), plus(&t2), two(-4, &v)],
        &[minus(&t1), plus(&t2), two(-4, &u), two(4, &t4)],
    );
    xi.reduce(
        e,
        o4,
        &[two(2, &t1), two(-2, &t2), two(-4, &m), two(4, &v), two(4, &u), two(2, &x4), two(-2, &t4)],
        &[two(-2, &t4)],
    );
    xi.reduce(
        e,
        o2,
        &[plus(&x1), minus(&t1), plus(&x2), minus(&t2), two(-2, &x0), two(2, &t0), two(-2, &x4), two(2, &t4)],
        &[minus(&t1), minus(&t2), two(2, &t0), two(2, &t4)],
    );
    e.reduce(o5, &[two(2, &t1), two(2, &t2), two(-4, &t0), two(-4, &t4)]);
}
