//! The symmetric pairing η_T on the supersingular curves E: y² = x³ − x + b over F_3^m, b = 1 or −1, m prime to 6, of embedding degree 6 (Barreto,
//! Galbraith, Ó hÉigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007): PBC's type I, with its values, in a form without cube roots (after Beuchat, Brisebarre,
//! Detrey, Okamoto, Shirase, Takagi, IEEE Trans. Computers 57, 2008), and without cubings of the accumulator.
//!
//! **Their discrete logarithms are broken**: in F_3^6m they take quasi-polynomial time (Barbulescu, Gaudry, Joux, Thomé, EUROCRYPT 2014); those of
//! m = 97 were computed in 2012 (Hayashi, Shimoyama, Shinohara, Takagi, ASIACRYPT 2012). What is here is for research: to measure beside, and to read
//! values of old systems.
//!
//! #E = N = 3^m + s·3^n + 1, n = (m + 1)/2, for a sign s. 3·(x, y) = (x⁹ − b, −y⁹), and the function of divisor 3(V) + (−3V) − 4(O) is y_V³·y −
//! (x_V³ − x + b)². With P' = −sP and the distortion ψ(x, y) = (ρ − x, σ·y), σ² = −1, ρ³ = ρ + b, η_T is f_{3^n + s, P'}(ψ(Q))^M, M = (3^6m − 1)/N: a
//! loop of n triplings and the line through 3^n·P' and −P, whose slope is ε·y_P with ε = (−1)^(n + 1)·s. Lines straight up have values in F_3^3m,
//! which the exponent takes to 1.
//!
//! The i-th tripling counts to the power 3^(n − 1 − i). Its value to this power is u·σ − (t − ρ)² for t = x_P^(3^(n + i)) + x_Q^(3^(n − 1 − i)) +
//! (2 − n)·b and u = (−1)^n·s·y_P^(3^(n + i))·y_Q^(3^(n − 1 − i)): that of σ and ρ to the power cancels the small constants in multiples of P. So the
//! coordinates are cubed in the place of the accumulator. A line of a product costs as much as one alone.
//!
//! With T = −s·3^n − 1 is T² − T + 1 = 3N, so that T³ + 1 = 3(T + 1)·N, and the Tate pairing f_{N,P}(ψ(Q))^M is η_T to the power 3T²/3(T + 1) =
//! (2T − 1)/3 = −2s·3^(n − 1) − 1 modulo N.
//!
//! Cost of a pairing: 14 products in F_3^m a tripling (two for the value, twelve to multiply it in), 6 cubings. The final exponentiation takes one
//! inversion, some eighty products, and n cubings in F_3^6m.

mod map;
pub mod tower;
mod words;

pub use words::on;

use crate::curve::{Affine, CoefficientA, Curve};
use crate::eta_t::{EtaT, Meeting};
use crate::unitary_power::Unitary;
use bilinear_field::ternary::Ternary;
use bilinear_field::{Field, Lanes, at, plus, times};
use tower::{Six, Sparse, Tower};

type Elem<const N: usize> = <Ternary<N> as Field>::Elem;
type Value<const N: usize> = Six<Ternary<N>>;

/// The coordinates of a P to the power 3^(n + i), for the i-th tripling.
#[derive(Clone)]
pub struct Line<F: Field> {
    x: F::Elem,
    y: F::Elem,
}

/// The curve over F_3^m on N words, with the numbers that its pairing needs.
pub struct Eta3<const N: usize> {
    curve: Curve<Ternary<N>>,
    tower: Tower<Ternary<N>>,
    m: usize,
    /// s.
    sign: i32,
    /// z, 1/z and w of the map to the curve.
    map: [Elem<N>; 3],
    loops: Loops<N>,
}

/// What takes the time of a pairing, as it was compiled.
#[derive(Clone, Copy)]
struct Loops<const N: usize> {
    lines: fn(&Eta3<N>, &Affine<Ternary<N>>) -> Vec<Line<Ternary<N>>>,
    miller: fn(&Eta3<N>, &[Meeting<'_, Eta3<N>>]) -> Value<N>,
    raise: fn(&Eta3<N>, &[Value<N>]) -> Vec<Value<N>>,
}

impl<const N: usize> Loops<N> {
    const COMPILED: Self = Loops { lines: Eta3::lines_of, miller: Eta3::product_of, raise: Eta3::raised };
}

impl<const N: usize> Eta3<N> {
    /// The curve with b = 1 or −1, and whether s = 1.
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

    /// n, how many triplings the loop takes.
    fn triplings(&self) -> usize {
        self.m.div_ceil(2)
    }

    /// 3P = (x⁹ − b, −y⁹): four cubings.
    pub fn triple(&self, p: &Affine<Ternary<N>>) -> Affine<Ternary<N>> {
        let f = self.field();
        at! {f; x = sum(&[plus(&f.cubed(&p.x, 2)), times(-self.tower.b(), &f.one())]); y = neg(&f.cubed(&p.y, 2));}
        Affine { x, y, infinity: p.infinity }
    }

    fn lines_of(&self, p: &Affine<Ternary<N>>) -> Vec<Line<Ternary<N>>> {
        let f = self.field();
        let next = |line: &Line<Ternary<N>>| {
            at! {f; x = cube(&line.x); y = cube(&line.y);}
            Some(Line { x, y })
        };
        let n = self.triplings();
        let first = Line { x: f.cubed(&p.x, n), y: f.cubed(&p.y, n) };
        std::iter::successors(Some(first), next).take(n).collect()
    }

    fn product_of(&self, pairs: &[Meeting<'_, Eta3<N>>]) -> Value<N> {
        let (f, tower, n) = (self.field(), &self.tower, self.triplings());
        let one = f.one();
        let b = tower.b();
        let constant = (2 - n as i32) % 3 * b;
        let sign = if n.is_multiple_of(2) { self.sign } else { -self.sign }; // of u, and −ε
        let mut value = tower.one();
        for (lines, q) in pairs {
            // P's coordinates to the power 3^m
            let Some(last) = lines.last() else { continue };
            // Q's to the power 3^(n − 1 − i), from i = n − 1 down
            let (mut x, mut y) = (q.x.clone(), q.y.clone());
            // the line through 3^n·P' and −P: ε·y_P·(x_P + x_Q + ε) + y_Q·σ − ε·y_P·ρ
            at! {f;
                sum = sum(&[plus(&last.x), plus(&x), times(-sign, &one)]);
                product = mul(&last.y, &sum);
                real = sum(&[times(-sign, &product)]);
                imaginary = sum(&[plus(&y)]);
                root = sum(&[times(sign, &last.y)]);
                t = sum(&[plus(&last.x), plus(&x), times(constant, &one)]);
            }
            let line: Sparse<Ternary<N>> = ([real, imaginary], root, false);
            let (mut so_far, [mut square, mut u]) = tower.mul_line(&value, &line, [[&t, &t], [&last.y, &y]]);
            for i in (0..n).rev() {
                // −t² + u·σ − t·ρ − ρ²
                at! {f; real = neg(&square); imaginary = sum(&[times(sign, &u)]); root = neg(&t);}
                let line: Sparse<Ternary<N>> = ([real, imaginary], root, true);
                // of the next tripling, and of none behind the last
                let following = &lines[i.saturating_sub(1)];
                at! {f; next_x = cube(&x); next_y = cube(&y); next_t = sum(&[plus(&following.x), plus(&next_x), times(constant, &one)]);}
                (so_far, [square, u]) = tower.mul_line(&so_far, &line, [[&next_t, &next_t], [&following.y, &next_y]]);
                (x, y, t) = (next_x, next_y, next_t);
            }
            value = so_far;
        }
        value
    }

    /// x^(s·3^n) of a unitary x.
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
    const COEFFICIENTS: usize = 6;

    fn group(&self) -> &Curve<Ternary<N>> {
        &self.curve
    }
    fn contains(&self, p: &Affine<Ternary<N>>) -> <Ternary<N> as Field>::Mask {
        self.curve.contains(p)
    }
    /// Whether y is above −y, as integers.
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

    /// Of every tripling.
    fn lines(&self, p: &Affine<Ternary<N>>) -> Vec<Line<Ternary<N>>> {
        (self.loops.lines)(self, p)
    }
    /// The product of f_{3^n + s, P'}(ψ(Q)) over the pairs.
    fn miller(&self, pairs: &[Meeting<'_, Eta3<N>>]) -> Value<N> {
        (self.loops.miller)(self, pairs)
    }
    /// x^M for each x, M = (3^3m − 1)(3^m + 1)(3^m − s·3^n + 1).
    fn final_exponentiation(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        (self.loops.raise)(self, values)
    }
    /// The power by −2s·3^(n − 1) − 1.
    fn tate(&self, eta: &Value<N>) -> Value<N> {
        let tower = &self.tower;
        let third = tower.cubed(eta, self.triplings() - 1);
        let third = if self.sign > 0 { third } else { tower.conjugate(&third) };
        tower.conjugate(&tower.mul(&tower.mul(&third, &third), eta))
    }

    /// Whether x is unitary and x^N = 1.
    fn divides_points(&self, x: &Value<N>) -> bool {
        let (f, tower) = (self.field(), &self.tower);
        let is_one = |y: &Value<N>| f.lane(tower.equal(y, &tower.one()), 0);
        let power = tower.mul(&tower.mul(&tower.frobenius(x, self.m), x), &self.by_half(x));
        is_one(&tower.mul(x, &tower.conjugate(x))) && is_one(&power)
    }

    fn tower(&self) -> impl Unitary<Elem = Value<N>, Mask = <Ternary<N> as Field>::Mask> {
        &self.tower
    }
    fn coefficients(x: &Value<N>) -> &[Elem<N>] {
        x.as_flattened()
    }
    fn value(mut next: impl FnMut() -> Elem<N>) -> Value<N> {
        std::array::from_fn(|_| std::array::from_fn(|_| next()))
    }
}
