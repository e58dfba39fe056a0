//! The functions of a point, and their values at ψ(Q).
//!
//! With V = (a, b) and t = x + a the functions of an octupling are y + b + g1·t + (a + g1²)·t² + t³, g1 = a⁴ + a², which meets V four times and
//! leaves −[4]V, and y + b + 1 + K + (a^32 + a^16)·t + (a^32 + 1)·t², K = (a + a⁴ + a⁸ + a^32)(a + a² + a⁸ + a^16), which meets the two points
//! of [4]V twice and leaves −[8]V. So the function of [8] is the square of the first by the second, up to functions of x.
//!
//! x of ψ(Q) is x_Q + w, so that values lie in F_2^6m + s, and have few coefficients.

use super::points::{Coordinates, Half, Point};
use super::tower::{Twelve, sqr2, sum2};
use bilinear_field::Field;
use bilinear_field::binary::Binary;

/// y + c + d·(x + a) + e·(x + a)².
#[derive(Clone)]
pub(super) struct Parabola<C> {
    a: C,
    c: C,
    d: C,
    e: C,
}

/// The functions of an octupling.
#[derive(Clone)]
pub(super) struct Octupling<C> {
    b: C,
    /// a⁴, g1 and a⁸ + a⁴.
    powers: [C; 3],
    second: Parabola<C>,
}

/// All functions of a point.
#[derive(Clone)]
pub(super) struct Steps<C> {
    octuplings: Vec<Octupling<C>>,
    last: [Parabola<C>; 2],
}

/// Which powers of ε and signs the last functions have: what m and d decide.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// (m − 1)/3.
    pub(super) octuplings: usize,
    /// Whether the sign σ is −1.
    pub(super) minus: bool,
    /// Whether m is 1 modulo 4.
    pub(super) upper: bool,
}

impl<C: Clone> Steps<C> {
    /// Of a point. 1 product an octupling, and 12 squarings.
    pub(super) fn new<const N: usize>(k: &impl Coordinates<N, C = C>, point: &Point<C>, shape: Shape) -> Self {
        let one = k.constant(k.field().one());
        let ([mut a, mut b], mut middle) = (point.clone(), point.clone());
        let mut octuplings = Vec::with_capacity(shape.octuplings);
        for i in 0..shape.octuplings {
            if i == shape.octuplings / 2 {
                middle = [a.clone(), b.clone()];
            }
            let a2 = k.sqr(&a);
            let a4 = k.sqr(&a2);
            let a8 = k.sqr(&a4);
            let a16 = k.sqr(&a8);
            let a32 = k.sqr(&a16);
            let a64 = k.sqr(&a32);
            let g8 = k.add(&a8, &a4);
            let low = k.add(&a, &a8);
            let constant = k.mul(&k.add(&low, &k.add(&a4, &a32)), &k.add(&low, &k.add(&a2, &a16)));
            let second = Parabola {
                a: a.clone(),
                c: k.add(&k.add(&b, &one), &constant),
                d: k.add(&a32, &a16),
                e: k.add(&a32, &one),
            };
            octuplings.push(Octupling { b: b.clone(), powers: [a4.clone(), k.add(&a4, &a2), g8], second });
            // [8](a, b) = (a^64 + 1, b^64 + a^128 + 1)
            b = k.add(&k.add(&k.squared(&b, 6), &k.sqr(&a64)), &one);
            a = k.add(&a64, &one);
        }
        // with R = π^(−2)P, V is now ±R, and half-way επR, by the conjugate of R, or −επR
        let middle = middle.map(|c| k.conjugate(&c));
        let square = k.squared(&a, 2);
        let last = [
            Self::tangent(k, [a, b], k.plus_one(&square, shape.upper)),
            Self::tangent(
                k,
                [middle[0].clone(), k.plus_one(&middle[1], shape.minus)],
                k.plus_one(&square, !shape.upper),
            ),
        ];
        Steps { octuplings, last }
    }

    /// The function of the tangent at a point, with this coefficient of the square.
    fn tangent<const N: usize>(k: &impl Coordinates<N, C = C>, [a, c]: Point<C>, e: C) -> Parabola<C> {
        let square = k.sqr(&a);
        let d = k.add(&k.sqr(&square), &square); // the slope of the curve, x⁴ + x²
        Parabola { a, c, d, e }
    }

    /// The same functions with other coordinates.
    pub(super) fn map<D>(&self, to: impl Fn(&C) -> D) -> Steps<D> {
        let parabola = |p: &Parabola<C>| Parabola { a: to(&p.a), c: to(&p.c), d: to(&p.d), e: to(&p.e) };
        let octupling = |o: &Octupling<C>| Octupling {
            b: to(&o.b),
            powers: o.powers.each_ref().map(&to),
            second: parabola(&o.second),
        };
        Steps { octuplings: self.octuplings.iter().map(octupling).collect(), last: self.last.each_ref().map(parabola) }
    }
}

/// A Q with its point to be met at.
pub(super) struct Met<C> {
    x: C,
    /// x².
    square: C,
    /// x² + x.
    both: C,
    /// x + y.
    sum: C,
}

impl<C: Clone> Met<C> {
    pub(super) fn new<const N: usize>(k: &impl Coordinates<N, C = C>, [x, y]: &Point<C>) -> Self {
        let square = k.sqr(x);
        Met { x: x.clone(), both: k.add(&square, x), sum: k.add(x, y), square }
    }
}

/// The value of the function of the i-th octupling. 4 products, and those of two halves.
pub(super) fn octupled<const N: usize, K: Coordinates<N>>(
    k: &K,
    steps: &Steps<K::C>,
    i: usize,
    q: &Met<K::C>,
) -> Twelve<Binary<N>> {
    let Octupling { b, powers: [a4, g1, g8], second } = &steps.octuplings[i];
    let t = k.add(&q.x, &second.a);
    // of α = a0 + a1·w + a2·w² + s, with a0 = p + q·ω: p = x + y + b + t·(g1 + t·(x + a⁸ + a⁴))
    let [first, own] = k.mul_two([&t, &t], [&k.add(&q.x, g8), &second.e]);
    let [first, own] = k.mul_two([&t, &t], [&k.add(g1, &first), &k.add(&second.d, &own)]);
    let p = k.add(&k.add(&q.sum, b), &first);
    let a0 = k.join(&p, &k.plus_one(&q.both, true));
    let (a1, a2) = (k.add(a4, &q.x), k.add(g8, &q.both)); // without the ω of a1
    // α² = A² + ω + s, A² = a0² + ω²·a2² + a2²·w + (a1² + a2²)·w²
    let (s1, s2) = (k.plus_one(&k.sqr(&a1), true), k.sqr(&a2)); // a1² without its ω
    let c0 = sum2(k.field(), &sqr2(k.field(), &a0), &k.join(&s2, &k.plus_one(&s2, true)));
    let square = Half { c0, c1: s2.clone(), c2: k.add(&s1, &s2) };
    k.product(&square, &half(k, second, &own, q))
}

/// The product of the values of the last functions.
pub(super) fn finished<const N: usize, K: Coordinates<N>>(
    k: &K,
    steps: &Steps<K::C>,
    q: &Met<K::C>,
) -> Twelve<Binary<N>> {
    let [one, two] = &steps.last;
    let [t, u] = [k.add(&q.x, &one.a), k.add(&q.x, &two.a)];
    let [first, second] = k.mul_two([&t, &u], [&one.e, &two.e]);
    let [first, second] = k.mul_two([&t, &u], [&k.add(&one.d, &first), &k.add(&two.d, &second)]);
    k.product(&half(k, one, &first, q), &half(k, two, &second, q))
}

/// The value of a parabola, less s, from (d + e·t)·t for t = x_Q + a.
fn half<const N: usize, K: Coordinates<N>>(k: &K, p: &Parabola<K::C>, upper: &K::C, q: &Met<K::C>) -> Half<N, K::C> {
    let c0 = k.join(&k.add(&k.add(&q.sum, &p.c), upper), &q.both);
    Half { c0, c1: k.add(&q.both, &p.d), c2: k.add(&q.square, &p.e) }
}

/// Used where a coordinate of F_2^m is met by one of F_2^2m.
pub(super) fn lifted<const N: usize>(
    f: &Binary<N>,
    steps: &Steps<<Binary<N> as Field>::Elem>,
) -> Steps<[<Binary<N> as Field>::Elem; 2]> {
    steps.map(|c| [c.clone(), f.zero()])
}
