//! The points of divisors, with coordinates in F_2^m or in F_2^2m, and what the pairing computes of them.

use super::divisor::Divisor;
use super::tower::{Pair, Six, Twelve, by_omega, conjugate2, mul2, mul2_two, mul6, sqr2, sum2, sum6};
use bilinear_field::binary::Binary;
use bilinear_field::{Blank, Field, Lanes, at, plus};

type Elem<const N: usize> = <Binary<N> as Field>::Elem;

/// A field that coordinates lie in.
pub(super) trait Coordinates<const N: usize> {
    /// A coordinate.
    type C: Clone;
    /// F_2^m.
    fn field(&self) -> &Binary<N>;
    /// An element of F_2^m.
    fn constant(&self, a: Elem<N>) -> Self::C;
    /// a + b.
    fn add(&self, a: &Self::C, b: &Self::C) -> Self::C;
    /// a².
    fn sqr(&self, a: &Self::C) -> Self::C;
    /// a·b.
    fn mul(&self, a: &Self::C, b: &Self::C) -> Self::C;
    /// a·b and c·d.
    fn mul_two(&self, a: [&Self::C; 2], b: [&Self::C; 2]) -> [Self::C; 2];
    /// a^(2^m).
    fn conjugate(&self, a: &Self::C) -> Self::C;
    /// p + q·ω.
    fn join(&self, p: &Self::C, q: &Self::C) -> Pair<Binary<N>>;
    /// (A + s)(B + s) for A and B in F_2^6m.
    fn product(&self, a: &Half<N, Self::C>, b: &Half<N, Self::C>) -> Twelve<Binary<N>>;

    /// a + 1 where that is asked for.
    fn plus_one(&self, a: &Self::C, there: bool) -> Self::C {
        if there { self.add(a, &self.constant(self.field().one())) } else { a.clone() }
    }

    /// a^(2^n).
    fn squared(&self, a: &Self::C, n: usize) -> Self::C {
        (0..n).fold(a.clone(), |power, _| self.sqr(&power))
    }
}

/// c0 + c1·w + (c2 + ω)·w², by c0 in F_2^2m, and c1 and c2 among the coordinates.
pub(super) struct Half<const N: usize, C> {
    pub(super) c0: Pair<Binary<N>>,
    pub(super) c1: C,
    pub(super) c2: C,
}

/// F_2^m.
pub(super) struct Single<'a, const N: usize>(pub(super) &'a Binary<N>);

/// F_2^2m.
pub(super) struct Double<'a, const N: usize>(pub(super) &'a Binary<N>);

impl<const N: usize> Coordinates<N> for Single<'_, N> {
    type C = Elem<N>;

    fn field(&self) -> &Binary<N> {
        self.0
    }

    fn constant(&self, a: Elem<N>) -> Elem<N> {
        a
    }

    fn add(&self, a: &Elem<N>, b: &Elem<N>) -> Elem<N> {
        at! {self.0; sum = add(a, b);}
        sum
    }

    fn sqr(&self, a: &Elem<N>) -> Elem<N> {
        at! {self.0; square = sqr(a);}
        square
    }

    fn mul(&self, a: &Elem<N>, b: &Elem<N>) -> Elem<N> {
        at! {self.0; product = mul(a, b);}
        product
    }

    fn mul_two(&self, a: [&Elem<N>; 2], b: [&Elem<N>; 2]) -> [Elem<N>; 2] {
        products(self.0, a, b)
    }

    fn conjugate(&self, a: &Elem<N>) -> Elem<N> {
        a.clone()
    }

    fn join(&self, p: &Elem<N>, q: &Elem<N>) -> Pair<Binary<N>> {
        [p.clone(), q.clone()]
    }

    /// 10 products: of coefficients d_i = x_i·y_i, and e_ij = (x_i + x_j)(y_i + y_j) + d_i + d_j.
    fn product(&self, a: &Half<N, Elem<N>>, b: &Half<N, Elem<N>>) -> Twelve<Binary<N>> {
        let f = self.0;
        let (x, y) = ([&a.c0[0], &a.c0[1], &a.c1, &a.c2], [&b.c0[0], &b.c0[1], &b.c1, &b.c2]);
        let mixed = |i: usize, j: usize| [self.add(x[i], x[j]), self.add(y[i], y[j])];
        let two = |[i, j]: [usize; 2], [k, l]: [usize; 2]| {
            let ([a, b], [c, d]) = (mixed(i, j), mixed(k, l));
            products(f, [&a, &c], [&b, &d])
        };
        let [d0, d1] = products(f, [x[0], x[1]], [y[0], y[1]]);
        let [d2, d3] = products(f, [x[2], x[3]], [y[2], y[3]]);
        let [m01, m23] = two([0, 1], [2, 3]);
        let [m02, m12] = two([0, 2], [1, 2]);
        let [m03, m13] = two([0, 3], [1, 3]);
        let c3 = {
            at! {f; low = sum(&[plus(&m23), plus(&d2), plus(&d3)]);}
            by_omega(f, &[low, self.add(x[2], y[2])]) // ω·(e23 + ω(x2 + y2)), of w³ = ω(w² + w + 1)
        };
        let c4 = [self.plus_one(&d3, true), self.plus_one(&self.add(x[3], y[3]), true)]; // d3 + ω(x3 + y3) + ω², of w⁴ = w² + w + ω²
        let high = sum2(f, &c3, &c4);
        at! {f;
            low0 = add(&d0, &d1);
            high0 = add(&m01, &d0);
            low1 = sum(&[plus(&m02), plus(&d0), plus(&d2)]);
            high1 = sum(&[plus(&m12), plus(&d1), plus(&d2)]);
            low2 = sum(&[plus(&m03), plus(&d0), plus(&d3), plus(&d2)]);
            high2 = sum(&[plus(&m13), plus(&d1), plus(&d3)]);
        }
        // in the coefficient of w², ω(c0 + b0) as well
        let across = by_omega(f, &sum2(f, &a.c0, &b.c0));
        let product = [
            sum2(f, &sum2(f, &[low0, high0], &high), &by_omega(f, &c4)),
            sum2(f, &[low1, high1], &high),
            sum2(f, &sum2(f, &[low2, high2], &high), &across),
        ];
        let zero = f.zero();
        let sum = [sum2(f, &a.c0, &b.c0), [self.add(x[2], y[2]), zero.clone()], [self.add(x[3], y[3]), zero]];
        with_s(f, product, sum)
    }
}

impl<const N: usize> Coordinates<N> for Double<'_, N> {
    type C = Pair<Binary<N>>;

    fn field(&self) -> &Binary<N> {
        self.0
    }

    fn constant(&self, a: Elem<N>) -> Self::C {
        [a, self.0.zero()]
    }

    fn add(&self, a: &Self::C, b: &Self::C) -> Self::C {
        sum2(self.0, a, b)
    }

    fn sqr(&self, a: &Self::C) -> Self::C {
        sqr2(self.0, a)
    }

    fn mul(&self, a: &Self::C, b: &Self::C) -> Self::C {
        mul2(self.0, a, b)
    }

    fn mul_two(&self, a: [&Self::C; 2], b: [&Self::C; 2]) -> [Self::C; 2] {
        mul2_two(self.0, a, b)
    }

    fn conjugate(&self, a: &Self::C) -> Self::C {
        conjugate2(self.0, a)
    }

    fn join(&self, p: &Self::C, q: &Self::C) -> Pair<Binary<N>> {
        sum2(self.0, p, &by_omega(self.0, q))
    }

    /// 15 products.
    fn product(&self, a: &Half<N, Self::C>, b: &Half<N, Self::C>) -> Twelve<Binary<N>> {
        let f = self.0;
        let whole = |a: &Half<N, Self::C>| {
            at! {f; high = add(&a.c2[1], &f.one());}
            [a.c0.clone(), a.c1.clone(), [a.c2[0].clone(), high]]
        };
        let (a, b) = (whole(a), whole(b));
        with_s(f, mul6(f, &a, &b), sum6(f, &a, &b))
    }
}

/// (A + s)(B + s) = A·B + ω + (A + B + 1)·s from A·B and A + B.
fn with_s<const N: usize>(f: &Binary<N>, mut product: Six<Binary<N>>, mut sum: Six<Binary<N>>) -> Twelve<Binary<N>> {
    at! {f; with_omega = add(&product[0][1], &f.one()); with_one = add(&sum[0][0], &f.one());}
    (product[0][1], sum[0][0]) = (with_omega, with_one);
    [product, sum]
}

/// a·b and c·d in F_2^m.
fn products<const N: usize>(f: &Binary<N>, a: [&Elem<N>; 2], b: [&Elem<N>; 2]) -> [Elem<N>; 2] {
    let [mut p, mut q]: [<Binary<N> as Field>::Wide; 2] = Blank::blank();
    f.mul_wide_two([&mut p, &mut q], a, b);
    at! {f; ab = reduce(&[plus(&p)]); cd = reduce(&[plus(&q)]);}
    [ab, cd]
}

/// A point (x, y).
pub(super) type Point<C> = [C; 2];

/// The points of a divisor.
pub enum Points<const N: usize> {
    /// None, one or two over F_2^m.
    Single(Vec<[Elem<N>; 2]>),
    /// One over F_2^2m; the other is its conjugate.
    Double([Pair<Binary<N>>; 2]),
}

impl<const N: usize> Points<N> {
    /// The points of a divisor: the roots of u, and their values of v. One inversion and a half-trace.
    pub fn new(f: &Binary<N>, divisor: &Divisor<Binary<N>>) -> Self {
        let (u1, u0, v1, v0) = match divisor {
            Divisor::Zero => return Points::Single(Vec::new()),
            Divisor::Degenerate { x, y } => return Points::Single(vec![[x.clone(), y.clone()]]),
            Divisor::General { u1, u0, v1, v0 } => (u1, u0, v1, v0),
        };
        let over = |x: Elem<N>| {
            at! {f; y = mul_sum(v1, &x, &[plus(v0)]);}
            [x, y]
        };
        if f.lane(f.is_zero(u1), 0) {
            let mut x = f.zero();
            f.square_root(&mut x, u0);
            let point = over(x);
            return Points::Single(vec![point.clone(), point]);
        }
        // x = u1·z with z² + z = u0/u1²
        at! {f; inverse = inv(u1); square = sqr(&inverse); c = mul(u0, &square); h = half_trace(&c); check = sqr_sum(&h, &[plus(&h)]);}
        at! {f; x = mul(u1, &h);}
        if f.lane(f.equal(&check, &c), 0) {
            at! {f; other = add(&x, u1);}
            return Points::Single(vec![over(x), over(other)]);
        }
        // else z = h + ω
        let [x, y] = over(x);
        at! {f; slope = mul(v1, u1);}
        Points::Double([[x, u1.clone()], [y, slope]])
    }

    /// All of them over F_2^2m.
    pub(super) fn doubles(&self, f: &Binary<N>) -> Vec<[Pair<Binary<N>>; 2]> {
        match self {
            Points::Single(points) => {
                points.iter().map(|point| point.each_ref().map(|c| [c.clone(), f.zero()])).collect()
            }
            Points::Double(point) => vec![point.clone(), point.each_ref().map(|c| conjugate2(f, c))],
        }
    }
}
