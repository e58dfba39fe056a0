//! The symmetric pairing η_T on the supersingular curves E: y² + y = x³ + x + b over F_2^m, m odd, of embedding degree 4
//! (Barreto, Galbraith, Ó hÉigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007), in the form without square roots and
//! without squarings of the accumulator (Beuchat and others, CANS 2009; Aranha, López, Hankerson, CT-RSA 2010).
//!
//! **Their discrete logarithms are broken**: in F_2^4m they take quasi-polynomial time (Barbulescu, Gaudry, Joux, Thomé,
//! EUROCRYPT 2014), about 2^59 steps for m = 1223 (Granger, Kleinjung, Zumbrägel, CRYPTO 2014). What is here is for research:
//! to measure beside, and to read values of old systems.
//!
//! #E = N = 2^m + ν·2^((m + 1)/2) + 1 for a sign ν. With T' = 2^((m + 1)/2) + ν, P' = −νP and the distortion ψ(x, y) =
//! (x + s + 1, y + s·x + t) the pairing is f_{T', P'}(ψ(Q))^M, M = (2^4m − 1)/N: a loop of n = (m + 1)/2 doublings and one
//! further line. The line through a point V with slope λ has the value g + t at ψ(Q), g = y_Q + y_V + λ·(x_Q + x_V + 1) +
//! (x_Q + λ)·s; lines straight up have values in F_2^2m, which the exponent takes to 1.
//!
//! The i-th tangent counts to the power 2^(n − 1 − i). Coordinates of 2^i·P' are those of P' to the power 4^i, and small
//! constants, so that the values of these powers are made of those of P' to the power 2^(n − 1 + i) and those of Q to the
//! power 2^(n − 1 − i): two squarings a line for each, in place of four of the accumulator. A line of a product costs as much
//! as one alone.
//!
//! The Tate pairing f_{N,P}(ψ(Q))^M is its power by −ν·2^((m + 1)/2) − 1, which takes squarings and a product.
//!
//! Cost of a pairing: 7 products in F_2^m a doubling (one for the line, six to multiply it in), 6 squarings. The final
//! exponentiation takes one inversion, a few products, and a squaring in F_2^4m for every doubling.

pub mod group;
mod map;
pub mod tower;
mod words;

pub use words::on;

use crate::complete_group::CompleteGroup;
use crate::curve::Affine;
use crate::eta_t::{EtaT, Meeting};
use crate::unitary_power::Unitary;
use bilinear_field::binary::Binary;
use bilinear_field::{Blank, Field, Lanes, Prime, at, plus};
use group::Group;
use tower::{Over, Quartic};

type Elem<const N: usize> = <Binary<N> as Field>::Elem;
type Wide<const N: usize> = <Binary<N> as Field>::Wide;
type Value<const N: usize> = Quartic<Binary<N>>;

/// A line by its slope λ, x_V + 1 and y_V, to the power of 2 to which its value counts.
#[derive(Clone)]
pub struct Line<F: Field> {
    slope: F::Elem,
    x: F::Elem,
    y: F::Elem,
}

/// The curve over F_2^m on N words, with the numbers that its pairing needs.
pub struct Eta<const N: usize> {
    group: Group<Binary<N>>,
    m: usize,
    b: bool,
    /// Whether ν = 1.
    plus: bool,
    /// z² of the map to the curve, and 1/(z⁴ + z).
    map: [Elem<N>; 2],
    loops: Loops<N>,
}

/// What takes the time of a pairing, as it was compiled.
#[derive(Clone, Copy)]
struct Loops<const N: usize> {
    lines: fn(&Eta<N>, &Affine<Binary<N>>) -> Vec<Line<Binary<N>>>,
    miller: fn(&Eta<N>, &[Meeting<'_, Eta<N>>]) -> Value<N>,
    raise: fn(&Eta<N>, &[Value<N>]) -> Vec<Value<N>>,
}

impl<const N: usize> Loops<N> {
    const COMPILED: Self = Loops { lines: Eta::lines_of, miller: Eta::product_of, raise: Eta::raised };
}

impl<const N: usize> Eta<N> {
    /// The curve with b = 1 or 0, and whether ν = 1.
    pub fn new(field: Binary<N>, b: bool, plus: bool) -> Self {
        let m = field.degree();
        let group = Group::new(field, b);
        let map = map::constants(&group);
        Eta { group, m, b, plus, map, loops: Loops::COMPILED }
    }

    fn field(&self) -> &Binary<N> {
        self.group.field()
    }

    /// How many doublings the loop takes.
    fn doublings(&self) -> usize {
        self.m.div_ceil(2)
    }

    fn lines_of(&self, p: &Affine<Binary<N>>) -> Vec<Line<Binary<N>>> {
        let (f, n) = (self.field(), self.doublings());
        let square = |a: &Elem<N>| {
            at! {f; out = sqr(a);}
            out
        };
        // P' = −νP, its coordinates to the power 2^(n − 1)
        let first = if self.plus { self.group.negate(p) } else { p.clone() };
        let [mut x, mut y] = [first.x, first.y].map(|a| (1..n).fold(a, |power, _| square(&power)));
        let mut lines = Vec::with_capacity(n + 1);
        for i in 0..n {
            // of V = 2^i·P' = (X + i, Y + i·X + i(i − 1)/2) for X and Y, the coordinates of P' to the power 4^i; here to the
            // power 2^(n − 1 − i)
            let next = square(&x);
            let with_one = |a: &Elem<N>, there: bool| if there { self.plus_one(a) } else { a.clone() };
            let up = with_one(&x, i % 2 == 0);
            let slope = with_one(&next, i % 2 == 0); // x_V² + 1
            at! {f; sum = add(&y, &x);}
            let own = with_one(if i % 2 == 1 { &sum } else { &y }, i % 4 >= 2);
            lines.push(Line { slope, x: up, y: own });
            (x, y) = (next, square(&y));
        }
        // through −P and V = 2^n·P', which is (x² + n, …): its slope is x + n + 1
        let (up, minus_y) = (self.plus_one(&p.x), self.plus_one(&p.y));
        let slope = if n.is_multiple_of(2) { up.clone() } else { p.x.clone() };
        lines.push(Line { slope, x: up, y: minus_y });
        lines
    }

    /// a + 1.
    fn plus_one(&self, a: &Elem<N>) -> Elem<N> {
        at! {self.field(); out = add(a, &self.field().one());}
        out
    }

    /// g of the values g + t of two lines, each at ψ of its Q. 2 products.
    fn evaluate(&self, [l, k]: [&Line<Binary<N>>; 2], [p, q]: [&Affine<Binary<N>>; 2]) -> [[Elem<N>; 2]; 2] {
        let f = self.field();
        at! {f; x = add(&p.x, &l.x); y = add(&q.x, &k.x);}
        let mut products: [Wide<N>; 2] = Blank::blank();
        let [first, second] = products.each_mut();
        f.mul_wide_two([first, second], [&l.slope, &k.slope], [&x, &y]);
        at! {f;
            c = reduce(&[plus(&products[0])]);
            d = reduce(&[plus(&products[1])]);
            c0 = sum(&[plus(&c), plus(&p.y), plus(&l.y)]);
            c1 = add(&p.x, &l.slope);
            d0 = sum(&[plus(&d), plus(&q.y), plus(&k.y)]);
            d1 = add(&q.x, &k.slope);
        }
        [[c0, c1], [d0, d1]]
    }

    /// g with g + t = (g0 + g1·s + t)^(2^k), where g0 and g1 have this power already: s^(2^k) is s + k, and t^(2^k) is t, t +
    /// s, t + 1 and t + s + 1 in turn.
    fn frobenius(&self, [g0, g1]: [Elem<N>; 2], k: usize) -> [Elem<N>; 2] {
        at! {self.field(); sum = add(&g0, &g1);}
        match k % 4 {
            0 => [g0, g1],
            1 => [sum, self.plus_one(&g1)],
            2 => [self.plus_one(&g0), g1],
            _ => [self.plus_one(&sum), self.plus_one(&g1)],
        }
    }

    fn product_of(&self, pairs: &[Meeting<'_, Eta<N>>]) -> Value<N> {
        let (f, n) = (self.field(), self.doublings());
        let square = |q: &Affine<Binary<N>>| {
            at! {f; x = sqr(&q.x); y = sqr(&q.y);}
            Affine { x, y, infinity: q.infinity }
        };
        let (mut value, mut next) = (tower::one(f), Blank::blank());
        for (lines, q) in pairs {
            let (tangents, last) = lines.split_at(n);
            // Q's coordinates to the power 2^k for the k-th line from the end
            let mut q = (*q).clone();
            let mut lines = tangents.iter().rev().enumerate();
            // the last line, which has no power, beside the first tangent
            if let (Some(last), Some((_, tangent))) = (last.first(), lines.next()) {
                let [g, h] = self.evaluate([last, tangent], [&q, &q]);
                tower::mul_line(f, &mut next, &value, &g);
                tower::mul_line(f, &mut value, &next, &h);
            }
            while let Some((k, tangent)) = lines.next() {
                let own = square(&q);
                let after = square(&own);
                match lines.next() {
                    Some((_, following)) => {
                        let [g, h] = self.evaluate([tangent, following], [&own, &after]);
                        tower::mul_line(f, &mut next, &value, &self.frobenius(g, k));
                        tower::mul_line(f, &mut value, &next, &self.frobenius(h, k + 1));
                    }
                    None => {
                        let [g, _] = self.evaluate([tangent, tangent], [&own, &own]);
                        tower::mul_line(f, &mut next, &value, &self.frobenius(g, k));
                        value.clone_from(&next);
                    }
                }
                q = after;
            }
        }
        value
    }

    fn raised(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        let f = self.field();
        let raise = |u: &Value<N>| {
            let high = tower::mul(f, &tower::frobenius(f, u, self.m), u);
            let half = tower::sqr_times(f, u, self.doublings());
            let half = if self.plus { tower::conjugate(f, &half) } else { half };
            tower::mul(f, &high, &half)
        };
        tower::unitary(f, values).iter().map(raise).collect()
    }
}

impl<const N: usize> EtaT for Eta<N> {
    type Field = Binary<N>;
    type Group = Group<Binary<N>>;
    type Line = Line<Binary<N>>;
    type Value = Value<N>;
    const COEFFICIENTS: usize = 4;

    fn group(&self) -> &Group<Binary<N>> {
        &self.group
    }
    fn contains(&self, p: &Affine<Binary<N>>) -> <Binary<N> as Field>::Mask {
        self.group.contains(&p.x, &p.y)
    }
    /// The lowest bit, which that of the other y is not.
    fn sign(&self, y: &Elem<N>) -> bool {
        self.field().lane(self.field().is_odd(y), 0)
    }
    fn point(&self, x: &Elem<N>, odd: bool) -> Option<Affine<Binary<N>>> {
        self.point_over(x, odd)
    }
    fn points(&self) -> impl Iterator<Item = Affine<Binary<N>>> + '_ {
        self.points_over()
    }
    fn map(&self, u: &Elem<N>) -> Affine<Binary<N>> {
        self.mapped(u)
    }

    /// Of every doubling and the last line.
    fn lines(&self, p: &Affine<Binary<N>>) -> Vec<Line<Binary<N>>> {
        (self.loops.lines)(self, p)
    }
    /// The product of f_{T', P'}(ψ(Q)) over the pairs.
    fn miller(&self, pairs: &[Meeting<'_, Eta<N>>]) -> Value<N> {
        (self.loops.miller)(self, pairs)
    }
    /// x^M for each x, M = (2^2m − 1)(2^m − ν·2^((m + 1)/2) + 1).
    fn final_exponentiation(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        (self.loops.raise)(self, values)
    }
    /// The power by T = −ν·2^((m + 1)/2) − 1.
    fn tate(&self, eta: &Value<N>) -> Value<N> {
        let f = self.field();
        let half = tower::sqr_times(f, eta, self.doublings());
        let half = if self.plus { half } else { tower::conjugate(f, &half) };
        tower::conjugate(f, &tower::mul(f, &half, eta))
    }

    /// Whether x is unitary and x^N = 1.
    fn divides_points(&self, x: &Value<N>) -> bool {
        let f = self.field();
        let is_one = |y: &Value<N>| f.lane(tower::equal(f, y, &tower::one(f)), 0);
        let half = tower::sqr_times(f, x, self.doublings());
        let half = if self.plus { half } else { tower::conjugate(f, &half) };
        let power = tower::mul(f, &tower::mul(f, &tower::frobenius(f, x, self.m), x), &half);
        is_one(&tower::mul(f, x, &tower::conjugate(f, x))) && is_one(&power)
    }

    fn tower(&self) -> impl Unitary<Elem = Value<N>, Mask = <Binary<N> as Field>::Mask> {
        Over(self.field())
    }
    fn coefficients(x: &Value<N>) -> &[Elem<N>] {
        x
    }
    fn value(mut next: impl FnMut() -> Elem<N>) -> Value<N> {
        std::array::from_fn(|_| next())
    }
}
