//! The functions of a point, and their values at ψ(Q).
//!
//! An octupling of V = (a, b), with t = x + a, has two functions. The first is y + b + g1·t + (a + g1²)·t² + t³,
//! g1 = a⁴ + a², which meets V four times and leaves −[4]V. The second is y + b + 1 + K + (a^32 + a^16)·t + (a^32 + 1)·t²,
//! K = (a + a⁴ + a⁸ + a^32)(a + a² + a⁸ + a^16), which meets the two points of [4]V twice and leaves −[8]V. So the
//! function of [8] is the square of the first times the second, up to functions of x.
//!
//! The x-coordinate of ψ(Q) is x_Q + w, so values lie in F_2^6m + s and have few coefficients.

use super::points::{Coordinates, Half, Point, ProductScratch};
use super::tower::{Pair, PairScratch, Twelve, conjugate2};
use bilinear_field::{Blank, Field, Lanes, at};

/// The parabola y + c + d·(x + a) + e·(x + a)².
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
    /// The values a⁴ + 1, g1 and a⁸ + a⁴.
    powers: [C; 3],
    second: Parabola<C>,
}

/// All functions of a point: those of the octuplings in lanes, and the last ones in one lane.
#[derive(Clone)]
pub(super) struct Steps<C, L> {
    pub(super) octuplings: Vec<Octupling<C>>,
    pub(super) last: [Parabola<L>; 2],
}

/// The powers of ε and the signs in the last functions, which m and d determine.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The number (m − 1)/3 of octuplings.
    pub(super) octuplings: usize,
    /// Whether the sign σ is −1.
    pub(super) minus: bool,
    /// Whether m is 1 modulo 4.
    pub(super) upper: bool,
}

/// Computes the functions of `steps` octuplings from a point on. `visit` is called with each point before its step,
/// and with the last point after the last step. An octupling takes 1 product and 13 squarings.
pub(super) fn octuplings<F: Lanes, K: Coordinates<F>>(
    k: &K,
    [mut a, mut b]: Point<K::C>,
    steps: usize,
    mut visit: impl FnMut(usize, &mut Point<K::C>),
) -> Vec<Octupling<K::C>> {
    let one = k.constant(k.field().one());
    let add = |a: &K::C, b: &K::C| at!(k; add(a, b));
    let sqr = |a: &K::C| at!(k; sqr(a));
    let mut out = Vec::with_capacity(steps);
    for i in 0..steps {
        let mut point = [a, b];
        visit(i, &mut point);
        [a, b] = point;
        let a2 = sqr(&a);
        let a4 = sqr(&a2);
        let a8 = sqr(&a4);
        let a16 = sqr(&a8);
        let a32 = sqr(&a16);
        let a64 = sqr(&a32);
        let low = add(&a, &a8);
        at! {k;
            constant = mul(&add(&low, &add(&a4, &a32)), &add(&low, &add(&a2, &a16)));
            c = add_three(&b, &one, &constant);
        }
        let next = add(&a64, &one);
        // [8](a, b) = (a^64 + 1, b^64 + a^128 + 1)
        let height = at!(k; add_three(&k.squared(&b, 6), &sqr(&a64), &one));
        out.push(Octupling {
            b,
            powers: [add(&a4, &one), add(&a4, &a2), add(&a8, &a4)],
            second: Parabola { a, c, d: add(&a32, &a16), e: add(&a32, &one) },
        });
        (a, b) = (next, height);
    }
    visit(steps, &mut [a, b]);
    out
}

/// Computes the last functions of a point from what n octuplings and n/2 octuplings make of it.
pub(super) fn last<F: Lanes, K: Coordinates<F>>(
    k: &K,
    [a, b]: Point<K::C>,
    [c, d]: Point<K::C>,
    shape: Shape,
) -> [Parabola<K::C>; 2] {
    let plus_one = |a: &K::C, there: bool| if there { k.plus_one(a) } else { a.clone() };
    // with R = π^(−2)P, these are ±R, and half-way επR, by the conjugate of R, or −επR
    let (c, d) = (k.conjugate(&c), k.conjugate(&d));
    let fourth = k.squared(&a, 2);
    [
        tangent(k, [a, b], plus_one(&fourth, shape.upper)),
        tangent(k, [c, plus_one(&d, shape.minus)], plus_one(&fourth, !shape.upper)),
    ]
}

/// Returns the function of the tangent at a point, with the coefficient e of the square.
fn tangent<F: Lanes, K: Coordinates<F>>(k: &K, [a, c]: Point<K::C>, e: K::C) -> Parabola<K::C> {
    let square = k.squared(&a, 1);
    let d = at!(k; add(&k.squared(&square, 1), &square)); // the slope of the curve, x⁴ + x²
    Parabola { a, c, d, e }
}

impl<C> Parabola<C> {
    fn map<D>(&self, to: impl Fn(&C) -> D) -> Parabola<D> {
        Parabola { a: to(&self.a), c: to(&self.c), d: to(&self.d), e: to(&self.e) }
    }
}

impl<C> Octupling<C> {
    fn coordinates(&self) -> [&C; 8] {
        let Octupling { b, powers: [a4, g1, g8], second: Parabola { a, c, d, e } } = self;
        [b, a4, g1, g8, a, c, d, e]
    }

    fn coordinates_mut(&mut self) -> [&mut C; 8] {
        let Octupling { b, powers: [a4, g1, g8], second: Parabola { a, c, d, e } } = self;
        [b, a4, g1, g8, a, c, d, e]
    }
}

impl<C: Blank> Default for Octupling<C> {
    fn default() -> Self {
        let [b, a, c, d, e] = Blank::blank();
        Octupling { b, powers: Blank::blank(), second: Parabola { a, c, d, e } }
    }
}

/// The functions of a point, as they meet points over F_2^2m. The functions of a conjugate, or of a point over F_2^m,
/// are computed when they are needed: a stored list of them would take additional pages of memory.
pub(super) enum Source<'a, F: Lanes, L> {
    /// The functions of a point over F_2^m.
    Single(&'a Steps<F::Elem, L>),
    /// The functions of a point over F_2^2m.
    Double(&'a Steps<Pair<F>, [L; 2]>),
    /// The functions of the conjugate of a point over F_2^2m.
    Conjugate(&'a Steps<Pair<F>, [L; 2]>),
}

impl<F: Lanes, L> Clone for Source<'_, F, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Lanes, L> Copy for Source<'_, F, L> {}

impl<'a, F: Lanes, L> Source<'a, F, L> {
    /// Returns the functions of an octupling. If they are not stored, they are computed in `made`.
    pub(super) fn octupling(&self, f: &F, step: usize, made: &'a mut Octupling<Pair<F>>) -> &'a Octupling<Pair<F>> {
        match self {
            Source::Double(steps) => return &steps.octuplings[step],
            Source::Single(steps) => {
                for (made, c) in made.coordinates_mut().into_iter().zip(steps.octuplings[step].coordinates()) {
                    made[0].clone_from(c);
                    made[1] = f.zero();
                }
            }
            Source::Conjugate(steps) => {
                for ([x, y], c) in made.coordinates_mut().into_iter().zip(steps.octuplings[step].coordinates()) {
                    f.add(x, &c[0], &c[1]);
                    y.clone_from(&c[1]);
                }
            }
        }
        made
    }

    /// Returns the last functions, in a field of one lane.
    pub(super) fn last<G: Field<Elem = L>>(&self, f: &G) -> [Parabola<[L; 2]>; 2]
    where
        L: Clone,
    {
        match self {
            Source::Single(steps) => steps.last.each_ref().map(|p| p.map(|c| [c.clone(), f.zero()])),
            Source::Double(steps) => steps.last.clone(),
            Source::Conjugate(steps) => steps.last.each_ref().map(|p| p.map(|c| conjugate2(f, c))),
        }
    }
}

/// A point of a Q, prepared for the evaluation of functions.
pub(super) struct EvaluationPoint<C> {
    x: C,
    /// The square x².
    square: C,
    /// The sum x² + x.
    both: C,
    /// The sum x⁴ + x².
    fourth: C,
    /// The sum x⁴ + x² + 1.
    fourth_and_one: C,
    /// The sum x + y.
    sum: C,
}

impl<C: Clone + Blank> EvaluationPoint<C> {
    pub(super) fn new<F: Lanes>(k: &impl Coordinates<F, C = C>, [x, y]: &Point<C>) -> Self {
        let square = k.squared(x, 1);
        let [mut both, mut fourth, mut sum] = [C::blank(), C::blank(), C::blank()];
        k.add(&mut both, &square, x);
        k.sqr(&mut fourth, &both);
        k.add(&mut sum, x, y);
        let fourth_and_one = k.plus_one(&fourth);
        EvaluationPoint { x: x.clone(), square, both, fourth, fourth_and_one, sum }
    }
}

/// The intermediate results of the evaluation of functions.
pub(super) struct ValueScratch<F: Field, C> {
    mixed: [C; 5],
    squares: [C; 2],
    first: [C; 4],
    second: [C; 4],
    pairs: PairScratch<F>,
    pub(super) product: ProductScratch<F>,
}

impl<F: Field, C: Blank> Default for ValueScratch<F, C> {
    #[inline]
    fn default() -> Self {
        ValueScratch {
            mixed: Blank::blank(),
            squares: Blank::blank(),
            first: Blank::blank(),
            second: Blank::blank(),
            pairs: PairScratch::default(),
            product: ProductScratch::default(),
        }
    }
}

/// Computes the value of the function of an octupling: 4 products, and those of a product of two halves.
pub(super) fn octupled<F: Lanes, K: Coordinates<F>>(
    k: &K,
    out: &mut Twelve<F>,
    Octupling { b, powers: [a4, g1, g8], second }: &Octupling<K::C>,
    q: &EvaluationPoint<K::C>,
    scratch: &mut ValueScratch<F, K::C>,
) {
    let ValueScratch {
        mixed: [t, u, v, upper, own],
        squares: [s1, s2],
        first: [low, high, c1, c2],
        second: other,
        pairs,
        product,
    } = scratch;
    k.add(t, &q.x, &second.a);
    k.add(u, &q.x, g8);
    k.mul_two([&mut *upper, &mut *own], [&*t, &*t], [&*u, &second.e], pairs);
    k.add(u, g1, upper);
    k.add(v, &second.d, own);
    k.mul_two([&mut *upper, &mut *own], [&*t, &*t], [&*u, &*v], pairs);
    // for α = a0 + a1·w + a2·w² + s, with a0 = p + (x² + x + 1)·ω: p = x + y + b + t·(g1 + t·(x + a⁸ + a⁴))
    k.add_three(low, &q.sum, b, upper);
    k.sqr(u, low); // p²
    k.add(low, a4, &q.x); // a1 + 1, without the ω of a1
    k.sqr(s1, low);
    k.add(low, g8, &q.both); // a2
    k.sqr(s2, low);
    // α² = A² + ω + s, A² = a0² + ω²·a2² + a2²·w + (a1² + a2²)·w²
    k.add_three(low, u, &q.fourth_and_one, s2);
    k.add(high, &q.fourth, s2);
    c1.clone_from(s2);
    k.add(c2, s1, s2);
    let square = Half { low: &*low, high: &*high, c1: &*c1, c2: &*c2 };
    let [low, c1, c2, _] = other;
    k.product(out, square, half(k, [low, c1, c2], second, own, q), product);
}

/// Computes the product of the values of the last functions.
pub(super) fn finished<F: Lanes, K: Coordinates<F>>(
    k: &K,
    out: &mut Twelve<F>,
    [one, two]: &[Parabola<K::C>; 2],
    q: &EvaluationPoint<K::C>,
    scratch: &mut ValueScratch<F, K::C>,
) {
    let ValueScratch {
        mixed: [t, u, v, first, second],
        squares: [w, _],
        first: [low, c1, c2, _],
        second: [low2, d1, d2, _],
        pairs,
        product,
    } = scratch;
    k.add(t, &q.x, &one.a);
    k.add(u, &q.x, &two.a);
    k.mul_two([&mut *first, &mut *second], [&*t, &*u], [&one.e, &two.e], pairs);
    k.add(v, &one.d, first);
    k.add(w, &two.d, second);
    k.mul_two([&mut *first, &mut *second], [&*t, &*u], [&*v, &*w], pairs);
    k.product(out, half(k, [low, c1, c2], one, first, q), half(k, [low2, d1, d2], two, second, q), product);
}

/// Computes the value of a parabola, without s, from (d + e·t)·t for t = x_Q + a.
fn half<'a, F: Lanes, K: Coordinates<F>>(
    k: &K,
    [low, c1, c2]: [&'a mut K::C; 3],
    p: &Parabola<K::C>,
    upper: &K::C,
    q: &'a EvaluationPoint<K::C>,
) -> Half<'a, K::C> {
    k.add_three(low, &q.sum, &p.c, upper);
    k.add(c1, &q.both, &p.d);
    k.add(c2, &q.square, &p.e);
    Half { low, high: &q.both, c1, c2 }
}
