//! The symmetric pairing η_T on the supersingular curves E: y² = x³ − x + b over F_3^m, b = 1 or −1, m prime to 6, of
//! embedding degree 6 (Barreto, Galbraith, Ó hÉigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007). This is
//! PBC's type I, with its values, in a form without cube roots (after Beuchat, Brisebarre, Detrey, Okamoto, Shirase,
//! Takagi, IEEE Trans. Computers 57, 2008) and without cubings of the accumulator.
//!
//! **Discrete logarithms in these groups are broken**: in F_3^6m they take quasi-polynomial time (Barbulescu, Gaudry,
//! Joux, Thomé, EUROCRYPT 2014); those for m = 97 were computed in 2012 (Hayashi, Shimoyama, Shinohara, Takagi,
//! ASIACRYPT 2012). This module is for research: for comparative measurements, and to read values of old systems.
//!
//! #E = N = 3^m + s·3^n + 1, n = (m + 1)/2, for a sign s. 3·(x, y) = (x⁹ − b, −y⁹), and the function of divisor
//! 3(V) + (−3V) − 4(O) is y_V³·y − (x_V³ − x + b)². With P' = −sP and the distortion ψ(x, y) = (ρ − x, σ·y), σ² = −1,
//! ρ³ = ρ + b, η_T is f_{3^n + s, P'}(ψ(Q))^M, M = (3^6m − 1)/N: a loop of n triplings and the line through 3^n·P'
//! and −P, whose slope is ε·y_P with ε = (−1)^(n + 1)·s. Vertical lines have values in F_3^3m, which the exponent
//! takes to 1.
//!
//! The i-th tripling counts to the power 3^(n − 1 − i). Its value to this power is u·σ − (t − ρ)² for t =
//! x_P^(3^(n + i)) + x_Q^(3^(n − 1 − i)) + (2 − n)·b and u = (−1)^n·s·y_P^(3^(n + i))·y_Q^(3^(n − 1 − i)): σ and ρ to this power
//! cancel the small constants in multiples of P. So the coordinates are cubed instead of the accumulator. A line of a
//! product costs as much as a line alone.
//!
//! With T = −s·3^n − 1, T² − T + 1 = 3N, so T³ + 1 = 3(T + 1)·N. So the Tate pairing f_{N,P}(ψ(Q))^M is η_T to the
//! power 3T²/3(T + 1) = (2T − 1)/3 = −2s·3^(n − 1) − 1 modulo N.
//!
//! Cost of a pairing: 14 products in F_3^m a tripling (two for the value, twelve to multiply it in), and 6 cubings.
//! The final exponentiation takes one inversion, about eighty products, and n cubings in F_3^6m.

mod map;
pub mod tower;
mod words;

pub use words::on;

use crate::curve::{Affine, CoefficientA, Curve};
use crate::eta_t::{Costs, EtaT, LinesAndPoint};
use crate::unitary_power::Unitary;
use bilinear_field::ternary::Ternary;
use bilinear_field::{Field, Lanes, at, plus, times};
use std::ops::Range;
use tower::{Six, Sparse, Tower};

type Elem<const N: usize> = <Ternary<N> as Field>::Elem;
type Value<const N: usize> = Six<Ternary<N>>;

/// The costs of a product and of a cubing, each with its reduction, where products and reductions cost one each. For
/// F_3^97 in lanes on Zen 5: 47 and 14 ns.
const PRODUCT: f64 = 2.0;
const CUBING: f64 = 0.6;

/// The line of the i-th tripling: the coordinates of a P to the power 3^(n + i).
#[derive(Clone)]
pub struct Line<F: Field> {
    x: F::Elem,
    y: F::Elem,
}

/// The curve over F_3^m on N words, with the constants that its pairing needs.
pub struct Eta3<const N: usize> {
    curve: Curve<Ternary<N>>,
    tower: Tower<Ternary<N>>,
    m: usize,
    /// The sign s.
    sign: i32,
    /// z, 1/z and w of the map to the curve.
    map: [Elem<N>; 3],
    loops: Loops<N>,
}

/// The compiled functions in which a pairing spends its time.
#[derive(Clone, Copy)]
struct Loops<const N: usize> {
    lines: fn(&Eta3<N>, &Affine<Ternary<N>>) -> Vec<Line<Ternary<N>>>,
    miller: fn(&Eta3<N>, &[LinesAndPoint<'_, Eta3<N>>]) -> Value<N>,
    part: fn(&Eta3<N>, Range<usize>, [&Affine<Ternary<N>>; 2]) -> Value<N>,
    raise: fn(&Eta3<N>, &[Value<N>]) -> Vec<Value<N>>,
}

impl<const N: usize> Loops<N> {
    const COMPILED: Self =
        Loops { lines: Eta3::lines_of, miller: Eta3::product_of, part: Eta3::part_of, raise: Eta3::raised };
}

impl<const N: usize> Eta3<N> {
    /// Creates the curve with b = 1 or −1; `plus` says whether s = 1.
    pub fn new(field: Ternary<N>, b: bool, plus: bool) -> Self {
        let (one, m) = (field.one(), field.degree());
        at! {field; minus_one = neg(&one);}
        let map = map::constants(&field);
        let b_element = if b { one } else { minus_one.clone() };
        let curve = Curve::new(field.clone(), CoefficientA::Other(minus_one), b_element);
        Eta3 { curve, tower: Tower::new(field, b), m, sign: if plus { 1 } else { -1 }, map, loops: Loops::COMPILED }
    }

    fn field(&self) -> &Ternary<N> {
        self.curve.field()
    }

    /// The number n of triplings in the loop.
    fn triplings(&self) -> usize {
        self.m.div_ceil(2)
    }

    fn lines_of(&self, p: &Affine<Ternary<N>>) -> Vec<Line<Ternary<N>>> {
        self.lines_from(0..self.triplings(), p)
    }

    /// Computes the lines of some triplings.
    fn lines_from(&self, part: Range<usize>, p: &Affine<Ternary<N>>) -> Vec<Line<Ternary<N>>> {
        let f = self.field();
        let next = |line: &Line<Ternary<N>>| {
            at! {f; x = cube(&line.x); y = cube(&line.y);}
            Some(Line { x, y })
        };
        let n = self.triplings() + part.start;
        let first = Line { x: f.cubed(&p.x, n), y: f.cubed(&p.y, n) };
        std::iter::successors(Some(first), next).take(part.len()).collect()
    }

    fn product_of(&self, pairs: &[LinesAndPoint<'_, Eta3<N>>]) -> Value<N> {
        let one = self.tower.one();
        pairs.iter().fold(one, |value, (lines, q)| {
            // the last line has P's coordinates to the power 3^m, which are P's own
            let Some(p) = lines.last() else { return value };
            self.multiplied(&value, lines, (&self.last_line([&p.x, &p.y], q), (&q.x, &q.y)))
        })
    }

    /// Returns the product of the lines of a part.
    fn part_of(&self, part: Range<usize>, [p, q]: [&Affine<Ternary<N>>; 2]) -> Value<N> {
        let (f, tower) = (self.field(), &self.tower);
        let back = self.triplings() - part.end;
        let (x, y) = (f.cubed(&q.x, back), f.cubed(&q.y, back));
        let lines = self.lines_from(part, p);
        if back == 0 {
            return self.multiplied(&tower.one(), &lines, (&self.last_line([&p.x, &p.y], q), (&x, &y)));
        }
        // the line 1
        let one: Sparse<Ternary<N>> = ([f.one(), f.zero()], f.zero(), false);
        self.multiplied(&tower.one(), &lines, (&one, (&x, &y)))
    }

    /// Returns the value of the line through 3^n·P' and −P: ε·y_P·(x_P + x_Q + ε) + y_Q·σ − ε·y_P·ρ.
    fn last_line(&self, [x, y]: [&Elem<N>; 2], q: &Affine<Ternary<N>>) -> Sparse<Ternary<N>> {
        let (f, sign) = (self.field(), self.u_sign());
        at! {f;
            sum = sum(&[plus(x), plus(&q.x), times(-sign, &f.one())]);
            product = mul(y, &sum);
            real = sum(&[times(-sign, &product)]);
            imaginary = sum(&[plus(&q.y)]);
            root = sum(&[times(sign, y)]);
        }
        ([real, imaginary], root, false)
    }

    /// The sign (−1)^n·s of u, which is −ε.
    fn u_sign(&self) -> i32 {
        if self.triplings().is_multiple_of(2) { self.sign } else { -self.sign }
    }

    /// Returns the value times a line and the lines of some triplings at a Q, whose coordinates x and y have the
    /// power that the last of these triplings needs.
    fn multiplied(
        &self,
        value: &Value<N>,
        lines: &[Line<Ternary<N>>],
        (line, (x, y)): (&Sparse<Ternary<N>>, (&Elem<N>, &Elem<N>)),
    ) -> Value<N> {
        let (f, tower, sign) = (self.field(), &self.tower, self.u_sign());
        let constant = (2 - self.triplings() as i32) % 3 * tower.b();
        let t_of =
            |line: &Line<Ternary<N>>, x: &Elem<N>| at!(f; sum(&[plus(&line.x), plus(x), times(constant, &f.one())]));
        let (mut x, mut y) = (x.clone(), y.clone());
        let last = &lines[lines.len() - 1];
        let mut t = t_of(last, &x);
        let (mut so_far, [mut square, mut u]) = tower.mul_line(value, line, [[&t, &t], [&last.y, &y]]);
        for i in (0..lines.len()).rev() {
            // −t² + u·σ − t·ρ − ρ²
            at! {f; real = neg(&square); imaginary = sum(&[times(sign, &u)]); root = neg(&t);}
            let line: Sparse<Ternary<N>> = ([real, imaginary], root, true);
            // the line of the next tripling; after the last one, a line that is not used
            let following = &lines[i.saturating_sub(1)];
            at! {f; next_x = cube(&x); next_y = cube(&y);}
            let next_t = t_of(following, &next_x);
            (so_far, [square, u]) = tower.mul_line(&so_far, &line, [[&next_t, &next_t], [&following.y, &next_y]]);
            (x, y, t) = (next_x, next_y, next_t);
        }
        so_far
    }

    /// Returns x^(s·3^n) for a unitary x.
    fn by_half(&self, x: &Value<N>) -> Value<N> {
        let power = self.tower.cubed(x, self.triplings());
        if self.sign > 0 { power } else { self.tower.conjugate(&power) }
    }

    fn raised(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        let tower = &self.tower;
        let with_power = |x: &Value<N>| tower.mul(&tower.frobenius(x, self.m), x); // x^(3^m + 1)
        let raise = |u: &Value<N>| {
            let first = with_power(u);
            tower.mul(&with_power(&first), &tower.conjugate(&self.by_half(&first)))
        };
        tower.unitary(values).iter().map(raise).collect()
    }
}

impl<const N: usize> EtaT for Eta3<N> {
    type Field = Ternary<N>;
    type Group = Curve<Ternary<N>>;
    type Line = Line<Ternary<N>>;
    type Value = Value<N>;
    type Start = ();

    fn group(&self) -> &Curve<Ternary<N>> {
        &self.curve
    }
    fn contains(&self, p: &Affine<Ternary<N>>) -> <Ternary<N> as Field>::Mask {
        self.curve.contains(p)
    }
    /// Returns true if y is above −y, as integers.
    fn sign(&self, y: &Elem<N>) -> bool {
        self.field().lane(self.field().is_upper(y), 0)
    }
    fn point(&self, x: &Elem<N>, upper: bool) -> Option<Affine<Ternary<N>>> {
        self.point_over(x, upper)
    }
    fn points(&self) -> impl Iterator<Item = Affine<Ternary<N>>> + '_ {
        self.points_over()
    }
    fn map(&self, u: &Elem<N>) -> Affine<Ternary<N>> {
        self.mapped(u)
    }

    /// Computes the lines of every tripling.
    fn lines(&self, p: &Affine<Ternary<N>>) -> Vec<Line<Ternary<N>>> {
        (self.loops.lines)(self, p)
    }
    /// Returns the product of f_{3^n + s, P'}(ψ(Q)) over the pairs.
    fn miller(&self, pairs: &[LinesAndPoint<'_, Eta3<N>>]) -> Value<N> {
        (self.loops.miller)(self, pairs)
    }
    fn steps(&self) -> usize {
        self.triplings()
    }
    fn costs(&self) -> Costs {
        let (m, n) = (self.m as f64, self.triplings());
        // an inversion along the bits of m, five products and n cubings in F_3^6m
        let inversion = PRODUCT * 2.0 * m.log2() + CUBING * m;
        let finish = inversion + 5.0 * 15.0 * PRODUCT + 6.0 * n as f64 * CUBING;
        Costs { whole: self.part_cost(&(0..n)), join: 15.0 * PRODUCT, finish }
    }
    /// Counts 14 products a tripling, the cubes of the coordinates of P and Q in it, and the cubes that lead to the
    /// first tripling.
    fn part_cost(&self, part: &Range<usize>) -> f64 {
        let n = self.triplings();
        let cubes = 4 * part.len() + 2 * (n + part.start) + 2 * (n - part.end);
        14.0 * PRODUCT * part.len() as f64 + CUBING * cubes as f64
    }
    /// A part needs no data: cubings lead to its first points.
    fn start(&self, _: &Range<usize>) {}
    /// Returns the product of the values of these triplings; the part with the last tripling includes the last line.
    fn miller_part(&self, part: Range<usize>, (): &(), pair: [&Affine<Ternary<N>>; 2]) -> Value<N> {
        (self.loops.part)(self, part, pair)
    }
    /// Returns x^M for each x, M = (3^3m − 1)(3^m + 1)(3^m − s·3^n + 1).
    fn final_exponentiation(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        (self.loops.raise)(self, values)
    }
    /// Returns the power by −2s·3^(n − 1) − 1.
    fn tate(&self, eta: &Value<N>) -> Value<N> {
        let tower = &self.tower;
        let third = tower.cubed(eta, self.triplings() - 1);
        let third = if self.sign > 0 { third } else { tower.conjugate(&third) };
        tower.conjugate(&tower.mul(&tower.mul(&third, &third), eta))
    }

    /// Returns true if x is unitary and x^N = 1.
    fn divides_points(&self, x: &Value<N>) -> bool {
        let (f, tower) = (self.field(), &self.tower);
        let is_one = |y: &Value<N>| f.lane(tower.equal(y, &tower.one()), 0);
        let power = tower.mul(&tower.mul(&tower.frobenius(x, self.m), x), &self.by_half(x));
        is_one(&tower.mul(x, &tower.conjugate(x))) && is_one(&power)
    }

    fn tower(&self) -> impl Unitary<Field = Ternary<N>, Elem = Value<N>> {
        self.tower.clone()
    }
}
