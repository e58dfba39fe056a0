//! Products of the accumulator of the Miller loop with lines, up to factors that the final exponentiation removes.
//!
//! With s = w³ and z = w, F_p^k = K(z), z³ = s, over K = E(s), s² = ξ. An element is A + Bz + Cz² with A = (c0, c3),
//! B = (c1, c4), C = (c2, c5), where c_j is the coefficient of w^j. The factors left out are small integers and
//! powers of w: w^(p^(k/2)) = −w, and p^(k/6) + 1 is even.

use super::{E, Elem, Fpk, Target, Wide};
use bilinear_field::tower::{AnyNonResidue, NonResidue};
use bilinear_field::{Blank, Field, Prime, at, minus, plus};

/// The positions of the coefficients [a, x, b] of a line, around L = a + bs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// a + xw + bw³ = L + xz: the coefficient of y, that of x, and the constant.
    First,
    /// a + xw² + bw³: the constant, the coefficient of x, and that of y. The line is used times w, as xs + Lz.
    Second,
}

/// Returns the line 1.
pub(super) fn one<F: Prime>(e: &E<F>) -> [Elem<F>; 3] {
    [e.one(), e.zero(), e.zero()]
}

/// Computes (a0 + a1·s)(b0 + b1·s), unreduced: 3M in E.
#[inline(always)]
fn product<F: Prime>(
    (e, xi): (&E<F>, &AnyNonResidue<F>),
    [o0, o1]: [&mut Wide<F>; 2],
    [a0, a1]: [&Elem<F>; 2],
    [b0, b1]: [&Elem<F>; 2],
) {
    at! {e;
        a = add(a0, a1); b = add(b0, b1);
        v0 = mul_wide(a0, b0); v1 = mul_wide(a1, b1); v = mul_wide(&a, &b);
    }
    xi.lin(e, o0, &[plus(&v0)], &[plus(&v1)]); // a0·b0 + ξ·a1·b1
    e.lin(o1, &[plus(&v), minus(&v0), minus(&v1)]); // a0·b1 + a1·b0
}

/// Computes out = 2·f·l: 11M + 6R in E.
///
/// The product has degree 3 in z, so its values at 0, ∞, 1 and −1 determine it: A·L, C·x, (A ± B + C)(L ± x) for the
/// first pattern, and A·xs, C·L, (A ± B + C)(xs ± L) for the second. Forms of elements have two terms, and forms of
/// products only the coefficients 1 and −1, which are the cheap ones. So 2L and 2x are computed instead of doubling
/// products.
pub(super) fn times_line<F: Prime>(
    target: &Target<F>,
    pattern: Pattern,
    out: &mut Fpk<F>,
    [[c0, c2, c4], [c1, c3, c5]]: &Fpk<F>,
    [a, x, b]: &[Elem<F>; 3],
) {
    let cubic = target.base();
    let (e, xi) = (cubic.base(), cubic.nonresidue());
    let [[o0, o2, o4], [o1, o3, o5]] = out;
    at! {e;
        ac0 = add(c0, c2); ac1 = add(c3, c5);           // A + C
        p0 = add(&ac0, c1); p1 = add(&ac1, c4);         // A + B + C
        m0 = sub(&ac0, c1); m1 = sub(&ac1, c4);         // A − B + C
        a2 = add(a, a); b2 = add(b, b); x2 = add(x, x); // 2L, 2x
    }
    let [mut r, mut i, mut rp, mut ip, mut rm, mut im] = Blank::blank();
    let over = (e, xi);
    match pattern {
        Pattern::First => {
            at! {e; ap = add(a, x); am = sub(a, x); x0 = mul_wide(c2, &x2); x1 = mul_wide(c5, &x2);} // L ± x, 2Cx
            product(over, [&mut r, &mut i], [c0, c3], [&a2, &b2]); // r + is = 2AL, the value at 0
            product(over, [&mut rp, &mut ip], [&p0, &p1], [&ap, b]); // (A + B + C)(L + x), at 1
            product(over, [&mut rm, &mut im], [&m0, &m1], [&am, b]); // (A − B + C)(L − x), at −1
            xi.reduce(e, o0, &[plus(&r)], &[plus(&x1)]); // 2(AL + Cx·s)
            e.reduce(o3, &[plus(&i), plus(&x0)]);
            e.reduce(o1, &[plus(&rp), minus(&rm), minus(&x0)]); // 2(BL + Ax)
            e.reduce(o4, &[plus(&ip), minus(&im), minus(&x1)]);
            e.reduce(o2, &[plus(&rp), plus(&rm), minus(&r)]); // 2(CL + Bx)
            e.reduce(o5, &[plus(&ip), plus(&im), minus(&i)]);
        }
        Pattern::Second => {
            at! {e; bp = add(b, x); bm = sub(b, x); x0 = mul_wide(c0, &x2); x1 = mul_wide(c3, &x2);} // L ± xs, 2Ax
            product(over, [&mut r, &mut i], [c2, c5], [&a2, &b2]); // r + is = 2CL, the value at ∞
            product(over, [&mut rp, &mut ip], [&p0, &p1], [a, &bp]); // (A + B + C)(xs + L), at 1
            product(over, [&mut rm, &mut im], [&m0, &m1], [a, &bm]); // −(A − B + C)(xs − L), at −1, negated
            xi.reduce(e, o0, &[], &[plus(&i), plus(&x1)]); // 2(Ax + CL)s
            e.reduce(o3, &[plus(&r), plus(&x0)]);
            e.reduce(o1, &[plus(&rp), plus(&rm), minus(&r)]); // 2(AL + Bxs)
            e.reduce(o4, &[plus(&ip), plus(&im), minus(&i)]);
            xi.reduce(e, o2, &[plus(&rp), minus(&rm)], &[minus(&x1)]); // 2(BL + Cxs)
            e.reduce(o5, &[plus(&ip), minus(&im), minus(&x0)]);
        }
    }
}

/// Computes out = l·m, or l² if `m` is `None`: 6M + 5R, or 6S + 5R, in E.
pub(super) fn line_times_line<F: Prime>(
    target: &Target<F>,
    pattern: Pattern,
    out: &mut Fpk<F>,
    l: &[Elem<F>; 3],
    m: Option<&[Elem<F>; 3]>,
) {
    let cubic = target.base();
    let (e, xi) = (cubic.base(), cubic.nonresidue());
    // aa', xx', bb'; then the products of the sums over the pairs (a, x), (a, b), (x, b)
    let mut w: [Wide<F>; 6] = Blank::blank();
    for (i, out) in w.iter_mut().enumerate() {
        let (j, k) = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)][i];
        let sum = |l: &[Elem<F>; 3]| at!(e; add(&l[j], &l[k]));
        match m {
            Some(m) if j == k => e.mul_wide(out, &l[j], &m[j]),
            Some(m) => e.mul_wide(out, &sum(l), &sum(m)),
            None if j == k => e.sqr_wide(out, &l[j]),
            None => e.sqr_wide(out, &sum(l)),
        }
    }
    let [aa, xx, bb, ax, ab, xb] = &w;
    let [[o0, o2, o4], [o1, o3, o5]] = out;
    let ax = [plus(ax), minus(aa), minus(xx)]; // ax' + xa'
    let ab = [plus(ab), minus(aa), minus(bb)]; // ab' + ba'
    let xb = [plus(xb), minus(xx), minus(bb)]; // xb' + bx'
    match pattern {
        Pattern::First => {
            xi.reduce(e, o0, &[plus(aa)], &[plus(bb)]); // aa' + ξbb', since w^6 = ξ
            e.reduce(o3, &ab);
            e.reduce(o1, &ax);
            e.reduce(o4, &xb);
            e.reduce(o2, &[plus(xx)]);
            *o5 = e.zero();
        }
        Pattern::Second => {
            xi.reduce(e, o0, &[], &[plus(xx)]); // ξxx', from w^6
            *o3 = e.zero();
            xi.reduce(e, o1, &[], &xb); // ξ(xb' + bx')
            e.reduce(o4, &ax);
            xi.reduce(e, o2, &[plus(aa)], &[plus(bb)]); // aa' + ξbb'
            e.reduce(o5, &ab);
        }
    }
}

/// Returns the line as an element of F_p^k.
pub(super) fn embed<F: Prime>(e: &E<F>, pattern: Pattern, [a, x, b]: [Elem<F>; 3]) -> Fpk<F> {
    let zero = || e.zero();
    match pattern {
        Pattern::First => [[a, zero(), zero()], [x, b, zero()]],
        Pattern::Second => [[zero(), zero(), b], [a, x, zero()]],
    }
}
