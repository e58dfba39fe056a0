//! F_2^4m = F_2^m(s, t) with s² = s + 1, t² = t + s, for odd m. An element is [a0, a1, a2, a3] for a0 + a1·s + (a2 + a3·s)·t.
//!
//! A product takes 9 products in the field below and 4 reductions; a product with the value g + t of a line, g in
//! F_2^2m, takes 6 products. Powers by 2^n are linear: they take 4n squarings, and sums, since s ↦ s + n and t ↦ t,
//! t + s, t + 1, t + s + 1 in turn. The power by 2^m takes no squaring, and the power by 2^2m is t ↦ t + 1. An
//! element is called unitary if this power is its inverse.

use crate::unitary_power::Unitary;
use bilinear_field::{Blank, Field, at, plus};

/// An element of F_2^4m.
pub type Quartic<F> = [<F as Field>::Elem; 4];

/// The number of products and reductions in a product.
pub(super) const PRODUCT: f64 = 9.0 + 4.0;

/// Returns the sum of these elements.
#[inline]
fn sum<F: Field, const K: usize>(f: &F, terms: [&F::Elem; K]) -> F::Elem {
    at!(f; sum(&terms.map(plus)))
}

/// Returns (x0 + x1·s)(y0 + y1·s) in F_2^2m: 3 products, 2 reductions.
fn mul_quadratic<F: Field>(f: &F, [x0, x1]: [&F::Elem; 2], [y0, y1]: [&F::Elem; 2]) -> [F::Elem; 2] {
    at! {f;
        x = add(x0, x1);
        y = add(y0, y1);
        p0 = mul_wide(x0, y0);
        p1 = mul_wide(x1, y1);
        p2 = mul_wide(&x, &y);
        c0 = reduce(&[plus(&p0), plus(&p1)]);
        c1 = reduce(&[plus(&p0), plus(&p2)]);
    }
    [c0, c1]
}

/// Computes A0·g and A1·g for A0 + A1·t, like [`mul_quadratic`] but with four products at a time: 6 products, 4 reductions.
fn mul_quadratics<F: Field>(f: &F, out: &mut Quartic<F>, a: &Quartic<F>, [g0, g1]: [&F::Elem; 2]) {
    let ([mut p0, mut p1, mut p2], [mut q0, mut q1, mut q2]): ([F::Wide; 3], [F::Wide; 3]) =
        (Blank::blank(), Blank::blank());
    at! {f; x = add(&a[0], &a[1]); y = add(&a[2], &a[3]); g = add(g0, g1);}
    f.mul_wide_four([&mut p0, &mut p1, &mut q0, &mut q1], [&a[0], &a[1], &a[2], &a[3]], [g0, g1, g0, g1]);
    f.mul_wide(&mut p2, &x, &g);
    f.mul_wide(&mut q2, &y, &g);
    f.reduce(&mut out[0], &[plus(&p0), plus(&p1)]);
    f.reduce(&mut out[1], &[plus(&p0), plus(&p2)]);
    f.reduce(&mut out[2], &[plus(&q0), plus(&q1)]);
    f.reduce(&mut out[3], &[plus(&q0), plus(&q2)]);
}

/// Computes a·(g + t) for g = g0 + g1·s: 6 products, 4 reductions.
pub fn mul_line<F: Field>(f: &F, out: &mut Quartic<F>, a: &Quartic<F>, [g0, g1]: &[F::Elem; 2]) {
    // (A0 + A1·t)(g + t) = A0·g + s·A1 + (A1·g + A0 + A1)·t
    let mut product: Quartic<F> = Blank::blank();
    mul_quadratics(f, &mut product, a, [g0, g1]);
    let [p0, p1, q0, q1] = &product;
    f.sum(&mut out[0], &[plus(p0), plus(&a[3])]);
    f.sum(&mut out[1], &[plus(p1), plus(&a[2]), plus(&a[3])]);
    f.sum(&mut out[2], &[plus(q0), plus(&a[0]), plus(&a[2])]);
    f.sum(&mut out[3], &[plus(q1), plus(&a[1]), plus(&a[3])]);
}

/// The intermediate values of [`mul_lines`].
pub struct LinesScratch<F: Field> {
    sums: [[F::Elem; 3]; 4],
    products: [[F::Wide; 4]; 6],
}

impl<F: Field> Default for LinesScratch<F> {
    fn default() -> Self {
        LinesScratch { sums: Blank::blank(), products: Blank::blank() }
    }
}

/// Computes [`mul_line`] for four elements and four lines, with four products at a time.
pub fn mul_lines<F: Field>(
    f: &F,
    out: &mut [Quartic<F>; 4],
    a: &[Quartic<F>; 4],
    g: &[[F::Elem; 2]; 4],
    LinesScratch { sums, products }: &mut LinesScratch<F>,
) {
    for j in 0..4 {
        let [s0, s1, s2] = &mut sums[j];
        f.add(s0, &a[j][0], &a[j][1]);
        f.add(s1, &a[j][2], &a[j][3]);
        f.add(s2, &g[j][0], &g[j][1]);
    }
    let [p0, p1, p2, q0, q1, q2] = products;
    let [g0, g1, g2, g3] = g;
    let [s0, s1, s2, s3] = &*sums;
    let [a0, a1, a2, a3] = a;
    let low = [&g0[0], &g1[0], &g2[0], &g3[0]];
    let high = [&g0[1], &g1[1], &g2[1], &g3[1]];
    let both = [&s0[2], &s1[2], &s2[2], &s3[2]];
    f.mul_wide_four(p0.each_mut(), [&a0[0], &a1[0], &a2[0], &a3[0]], low);
    f.mul_wide_four(q0.each_mut(), [&a0[2], &a1[2], &a2[2], &a3[2]], low);
    f.mul_wide_four(p1.each_mut(), [&a0[1], &a1[1], &a2[1], &a3[1]], high);
    f.mul_wide_four(q1.each_mut(), [&a0[3], &a1[3], &a2[3], &a3[3]], high);
    f.mul_wide_four(p2.each_mut(), [&s0[0], &s1[0], &s2[0], &s3[0]], both);
    f.mul_wide_four(q2.each_mut(), [&s0[1], &s1[1], &s2[1], &s3[1]], both);
    for j in 0..4 {
        let (products, [o0, o1, o2, o3]) = ([&p0[j], &p1[j], &p2[j], &q0[j], &q1[j], &q2[j]], &mut out[j]);
        let ([p0, p1, p2, q0, q1, q2], [a0, a1, a2, a3]) = (products, &a[j]);
        f.reduce_sum(o0, &[plus(p0), plus(p1)], &[plus(a3)]);
        f.reduce_sum(o1, &[plus(p0), plus(p2)], &[plus(a2), plus(a3)]);
        f.reduce_sum(o2, &[plus(q0), plus(q1)], &[plus(a0), plus(a2)]);
        f.reduce_sum(o3, &[plus(q0), plus(q2)], &[plus(a1), plus(a3)]);
    }
}

/// Returns a0 + a1·s' + (a2 + a3·s')·t', where s' and t' are s and t to the power 2^n: s + n, and t, t + s, t + 1,
/// t + s + 1 in turn. This is x^(2^n) for the element x whose coefficients to this power are those of a; for n = m,
/// or m modulo 4, it is a^(2^m). It takes no product and no squaring.
pub fn frobenius<F: Field>(f: &F, a: &Quartic<F>, n: usize) -> Quartic<F> {
    let once = |a: &Quartic<F>| {
        let [c0, c1] = [sum(f, [&a[0], &a[1], &a[3]]), sum(f, [&a[1], &a[2]])];
        [c0, c1, sum(f, [&a[2], &a[3]]), a[3].clone()]
    };
    match n % 4 {
        0 => a.clone(),
        1 => once(a),
        2 => Over(f).conjugate(a),
        _ => Over(f).conjugate(&once(a)),
    }
}

/// Returns a·a^(2^2m) = A0² + A0·A1 + s·A1², in F_2^2m: 3 products, 4 squarings.
fn norm<F: Field>(f: &F, a: &Quartic<F>) -> [F::Elem; 2] {
    let [p0, p1] = mul_quadratic(f, [&a[0], &a[1]], [&a[2], &a[3]]);
    // A0² + s·A1² are the first two coefficients of a²
    let [s0, s1, ..] = Over(f).sqr_times(a, 1);
    [sum(f, [&p0, &s0]), sum(f, [&p1, &s1])]
}

/// Returns a^(2^2m − 1) for each a, and 0 for 0, with one inversion in the field below for all.
pub fn unitary<F: Field>(f: &F, values: &[Quartic<F>]) -> Vec<Quartic<F>> {
    let norms: Vec<[F::Elem; 2]> = values.iter().map(|a| norm(f, a)).collect();
    // 1/(n0 + n1·s) = (n0 + n1 + n1·s)/(n0² + n0·n1 + n1²)
    let small = norms.iter().map(|[n0, n1]| {
        at! {f; n = add(n0, n1); square = sqr(&n); product = mul(n0, n1);}
        sum(f, [&square, &product])
    });
    let mut inverses: Vec<F::Elem> = small.collect();
    f.inv_many(&mut inverses);
    let quotient = |a: &Quartic<F>, [n0, n1]: &[F::Elem; 2], inverse: &F::Elem| {
        at! {f; n = add(n0, n1); i0 = mul(&n, inverse); i1 = mul(n1, inverse);}
        // conj(a)/a = conj(a)²/(a·conj(a))
        let mut out = Blank::blank();
        mul_quadratics(f, &mut out, &Over(f).sqr_times(&Over(f).conjugate(a), 1), [&i0, &i1]);
        out
    };
    let parts = values.iter().zip(norms.iter().zip(&inverses));
    parts.map(|(a, (n, inverse))| quotient(a, n, inverse)).collect()
}

/// The tower over a field.
pub struct Over<'f, F>(pub &'f F);

impl<F: Field> Unitary for Over<'_, F> {
    type Field = F;
    type Elem = Quartic<F>;

    fn field(&self) -> &F {
        self.0
    }
    fn degree(&self) -> usize {
        4
    }
    fn coefficients<'a>(&self, a: &'a Quartic<F>) -> &'a [F::Elem] {
        a
    }
    fn element(&self, mut next: impl FnMut() -> F::Elem) -> Quartic<F> {
        std::array::from_fn(|_| next())
    }

    /// Returns a·b by Karatsuba's method on both levels, with four products at a time: 9 products, 4 reductions.
    fn mul(&self, a: &Quartic<F>, b: &Quartic<F>) -> Quartic<F> {
        let f = self.0;
        let sums = |[a0, a1, a2, a3]: &Quartic<F>| -> [F::Elem; 5] {
            at! {f; low = add(a0, a1); high = add(a2, a3); even = add(a0, a2); odd = add(a1, a3);}
            at! {f; all = add(&even, &odd);}
            [low, high, even, odd, all]
        };
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a, b);
        let ([x0, x1, x2, x3, x4], [y0, y1, y2, y3, y4]) = (&sums(a), &sums(b));
        let mut products: [F::Wide; 9] = Blank::blank();
        let [p0, p1, q0, q1, p2, q2, n0, n1, n2] = &mut products;
        f.mul_wide_four([p0, p1, q0, q1], [a0, a1, a2, a3], [b0, b1, b2, b3]);
        f.mul_wide_four([p2, q2, n0, n1], [x0, x1, x2, x3], [y0, y1, y2, y3]);
        f.mul_wide(n2, x4, y4);
        let [p0, p1, q0, q1, p2, q2, n0, n1, n2] = &products;
        // with V0, V1 and M, the products of the lower halves, of the upper halves and of the sums: V0 + s·V1 and
        // M + V0, where (x0 + x1·s)(y0 + y1·s) = (p0 + p1) + (p0 + p2)·s, and s·(c0 + c1·s) = c1 + (c0 + c1)·s
        at! {f;
            c0 = reduce(&[plus(p0), plus(p1), plus(q0), plus(q2)]);
            c1 = reduce(&[plus(p0), plus(p2), plus(q1), plus(q2)]);
            c2 = reduce(&[plus(n0), plus(n1), plus(p0), plus(p1)]);
            c3 = reduce(&[plus(n0), plus(n2), plus(p0), plus(p2)]);
        }
        [c0, c1, c2, c3]
    }

    /// Returns a^(2^n): 4n squarings.
    fn sqr_times(&self, a: &Quartic<F>, n: usize) -> Quartic<F> {
        let f = self.0;
        // all coefficients in turn, so that one squaring need not wait for the other
        let each = |to: &mut Quartic<F>, from: &Quartic<F>| to.iter_mut().zip(from).for_each(|(c, a)| f.sqr(c, a));
        let (mut power, mut next) = (a.clone(), Blank::blank());
        for _ in 0..n / 2 {
            each(&mut next, &power);
            each(&mut power, &next);
        }
        if n.is_multiple_of(2) {
            return frobenius(f, &power, n);
        }
        each(&mut next, &power);
        frobenius(f, &next, n)
    }

    /// Returns a^(2^2m), which is 1/a for a unitary a.
    fn conjugate(&self, a: &Quartic<F>) -> Quartic<F> {
        let f = self.0;
        [sum(f, [&a[0], &a[2]]), sum(f, [&a[1], &a[3]]), a[2].clone(), a[3].clone()]
    }
}
