//! The symmetric optimal η pairing on the supersingular curves C: y² + y = x⁵ + x³ + d of genus 2 over F_2^m, d = 0 or 1, of embedding
//! degree 12 (Aranha, Beuchat, Detrey, Estibals, CT-RSA 2012, ePrint 2010/559; after Barreto, Galbraith, Ó hÉigeartaigh, Scott, Designs, Codes
//! and Cryptography 42, 2007), for m ≡ 1 modulo 6.
//!
//! **Discrete logarithms in these groups are broken**: in F_2^12m they take quasi-polynomial time (Barbulescu,
//! Gaudry, Joux, Thomé, EUROCRYPT 2014); those for m = 367 have been computed (Granger, Kleinjung, Zumbrägel, CRYPTO
//! 2014). This module is for research: for comparative measurements, and to read values of old systems.
//!
//! The groups are the Jacobian J, whose elements are divisors of two points or of one (degenerate). Its order is
//! N = U⁴/4 + U³/2 + U²/2 + U + 1 for U = σ·2^((m + 1)/2) and a sign σ. Let π be the squaring of coordinates and
//! ε(x, y) = (x + 1, y + x² + 1), so that ε² = −1. Then 8 = επ^6, so an octupling takes a point to a point. And
//! π³ = 2τ(ε − 1), τ = (−1)^d.
//!
//! From 2^3m = ε^m, the power of the Verschiebung, follows (2^m + U + 1) + 2^3m·(2^m − 1) = 0 modulo N. The pairing
//! is the function of this multiple, without that of 2^3m: f = F^(1 + 2^3m)·G^σ·l at ψ(Q), where F is the function of
//! 2^m, G that of |U|, and l what remains. All of them are known up to functions of x, which the exponent
//! (2^12m − 1)/N takes to 1. As 2^m = 2·8^n and |U| = 2·8^(n/2), n = (m − 1)/3, F is the square of the function of n
//! octuplings, and G is the square of this function half-way. With R = π^(−2)P, what remains is a function of ρR, ρεR
//! and π³R, and one of π³R, π²R, επ²R and σε^(n/2)πR, each y + a polynomial of degree 2 in x.
//!
//! The Tate pairing f_{N,P}(ψ(Q))^((2^12m − 1)/N) is the power of the optimal η pairing by 2^m + U + 1.
//!
//! Both arguments are given by their points, so one pairing of divisors is a product of up to four pairings of
//! points, in F_2^m or in F_2^2m, with shared squarings. Cost of an octupling, for each pair of points: 60 products
//! in F_2^m, or 75 if the points are over F_2^2m; and 36 squarings for all pairs. An octupling is a map of
//! coordinates, so the loop is cut into four parts that run side by side, in the lanes of a register (`parts.rs`).
//! Their product takes four products in F_2^12m and three powers. The final exponentiation takes an inversion, four
//! products in F_2^12m and a power by 2^((m + 1)/2), which is a matrix of bits.

pub mod divisor;
mod map;
mod parts;
mod points;
mod steps;
pub mod tower;
mod words;

pub use points::Points;
pub use words::{Genus2Job, on};

use crate::unitary_power::Unitary;
use bilinear_field::binary::{Binary, Quad};
use bilinear_field::{Blank, Field, Lanes};
use divisor::{Divisor, Jacobian};
use parts::Parts;
use points::{Coordinates, Double, Point, Powers, Single};
use steps::{EvaluationPoint, Octupling, Shape, Source, Steps, ValueScratch};
use tower::{Over, Pair, Product, Twelve};

type Elem<const N: usize> = <Binary<N> as Field>::Elem;
type Value<const N: usize> = Twelve<Binary<N>>;
/// The functions of a point over F_2^m, and of a point over F_2^2m.
type SingleSteps<const N: usize> = Steps<<Quad<N> as Field>::Elem, Elem<N>>;
type DoubleSteps<const N: usize> = Steps<Pair<Quad<N>>, Pair<Binary<N>>>;
type DoubleSource<'a, const N: usize> = Source<'a, Quad<N>, Elem<N>>;

/// The curve over F_2^m on N words, with the constants that its pairing needs.
pub struct Genus2<const N: usize> {
    jacobian: Jacobian<N>,
    /// The field in lanes, each of which computes a part of the octuplings.
    lanes: Quad<N>,
    shape: Shape,
    parts: Parts<N>,
    /// z⁴ and 1/(z + z² + z⁸ + z^16) for the map to the curve.
    map: [Elem<N>; 2],
    loops: Loops<N>,
}

/// The functions of the points of a divisor.
pub struct Lines<const N: usize>(Each<N>);

enum Each<const N: usize> {
    Single(Vec<SingleSteps<N>>),
    Double(DoubleSteps<N>),
}

/// A pair in the Miller loop: the functions of a P and the points of a Q.
pub type LinesAndPoint<'a, const N: usize> = (&'a Lines<N>, &'a Points<N>);

/// The compiled functions in which a pairing spends its time.
#[derive(Clone, Copy)]
struct Loops<const N: usize> {
    lines: fn(&Genus2<N>, &Points<N>) -> Lines<N>,
    miller: fn(&Genus2<N>, &[LinesAndPoint<'_, N>]) -> Value<N>,
    raise: fn(&Genus2<N>, &[Value<N>]) -> Vec<Value<N>>,
}

impl<const N: usize> Loops<N> {
    const COMPILED: Self = Loops { lines: Genus2::lines_of, miller: Genus2::product_of, raise: Genus2::raised };
}

impl<const N: usize> Genus2<N> {
    /// Creates the curve with d = 1 or 0 over a field of degree 1 modulo 6; `plus` says whether σ = 1.
    pub fn new(field: Binary<N>, d: bool, plus: bool) -> Self {
        let m = field.degree();
        let shape = Shape { octuplings: (m - 1) / 3, minus: !plus, upper: m % 4 == 1 };
        let (lanes, parts) = (Quad::new(field.clone()), Parts::new(shape.octuplings));
        let jacobian = Jacobian::new(field, d);
        let map = map::constants(&jacobian);
        Genus2 { jacobian, lanes, shape, parts, map, loops: Loops::COMPILED }
    }

    /// The group of divisors.
    pub fn jacobian(&self) -> &Jacobian<N> {
        &self.jacobian
    }

    fn field(&self) -> &Binary<N> {
        self.jacobian.field()
    }

    fn m(&self) -> usize {
        self.field().degree()
    }

    /// Returns the points of a divisor.
    pub fn points(&self, divisor: &Divisor<Binary<N>>) -> Points<N> {
        Points::new(self.field(), divisor)
    }

    /// Computes the functions of the points of a divisor.
    pub fn lines(&self, points: &Points<N>) -> Lines<N> {
        (self.loops.lines)(self, points)
    }

    /// Returns the product of f over pairs of the functions of a P and the points of a Q.
    pub fn miller(&self, pairs: &[LinesAndPoint<'_, N>]) -> Value<N> {
        (self.loops.miller)(self, pairs)
    }

    /// Returns x^((2^12m − 1)/N) for each x, with one inversion for all.
    pub fn final_exponentiation(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        (self.loops.raise)(self, values)
    }

    fn lines_of(&self, points: &Points<N>) -> Lines<N> {
        let (f, lanes) = (self.field(), &self.lanes);
        Lines(match points {
            Points::Single(points) => {
                Each::Single(points.iter().map(|point| self.steps(&Single(lanes), &Single(f), point)).collect())
            }
            Points::Double(point) => Each::Double(self.steps(&Double(lanes), &Double(f), point)),
        })
    }

    /// Computes the functions of a point, with coordinates in lanes (`k`) and in one lane (`one`).
    fn steps<K, L>(&self, k: &K, one: &L, point: &Point<L::C>) -> Steps<K::C, L::C>
    where
        K: Coordinates<Quad<N>, Lane = L::C>,
        L: Coordinates<Binary<N>, C: Powers<N>>,
    {
        let parts = &self.parts;
        let starts = parts.starts(one, point);
        let start = [0, 1].map(|i| k.gather(&starts.iter().map(|start| start[i].clone()).collect::<Vec<_>>()));
        let of_lane = |point: &Point<K::C>, lane: usize| point.each_ref().map(|c| k.lane(c, lane));
        let (mut middle, mut end) = (point.clone(), point.clone());
        let octuplings = steps::octuplings(k, start, parts.steps(), |step, point| {
            if step == parts.idle() {
                *point = [0, 1].map(|i| k.with_lane(&point[i], 0, &starts[0][i]));
            }
            let [lane, half] = parts.half();
            if step == half {
                middle = of_lane(point, lane);
            }
            if step == parts.steps() {
                end = of_lane(point, Quad::<N>::LANES - 1);
            }
        });
        Steps { octuplings, last: steps::last(one, end, middle, self.shape) }
    }

    fn product_of(&self, pairs: &[LinesAndPoint<'_, N>]) -> Value<N> {
        let f = self.field();
        let (mut singles, mut doubles) = (Vec::new(), Vec::new());
        for (lines, q) in pairs {
            let sources: Vec<DoubleSource<'_, N>> = match (&lines.0, q) {
                (Each::Single(steps), Points::Single(points)) => {
                    singles.extend(points.iter().flat_map(|q| steps.iter().map(move |s| (s, q.clone()))));
                    continue;
                }
                (Each::Single(steps), Points::Double(_)) => steps.iter().map(Source::Single).collect(),
                (Each::Double(steps), _) => vec![Source::Double(steps), Source::Conjugate(steps)],
            };
            doubles.extend(q.doubles(f).iter().flat_map(|q| sources.iter().map(move |s| (*s, q.clone()))));
        }
        let [whole, half] = self.octupled(&singles, &doubles).map(|x| Over(f).sqr_times(&x, 1));
        let half = if self.shape.minus { Over(f).conjugate(&half) } else { half };
        let turned = tower::frobenius(f, &whole, 3 * self.m());
        let mut product = Product::<Binary<N>>::new(whole);
        product.times(f, &turned);
        product.times(f, &half);
        let (mut scratch, mut next) = (ValueScratch::default(), Value::<N>::blank());
        for (steps, q) in &singles {
            let k = Single(f);
            steps::finished(&k, &mut next, &steps.last, &EvaluationPoint::new(&k, q), &mut scratch);
            product.times(f, &next);
        }
        let mut scratch = ValueScratch::default();
        for (steps, q) in &doubles {
            let k = Double(f);
            steps::finished(&k, &mut next, &steps.last(f), &EvaluationPoint::new(&k, q), &mut scratch);
            product.times(f, &next);
        }
        product.value().clone()
    }

    /// Returns the products of the functions of all octuplings and of the first half of them, each to the power of 8
    /// to which it counts. The parts are computed in lanes, then joined by their product.
    fn octupled(
        &self,
        singles: &[(&SingleSteps<N>, Point<Elem<N>>)],
        doubles: &[(DoubleSource<'_, N>, Point<Pair<Binary<N>>>)],
    ) -> [Value<N>; 2] {
        let (lanes, parts) = (&self.lanes, &self.parts);
        let (single, double) = (Single(lanes), Double(lanes));
        let met = |q: &Point<Elem<N>>| EvaluationPoint::new(&single, &q.each_ref().map(|c| single.broadcast(c)));
        let singles: Vec<_> = singles.iter().map(|(steps, q)| (*steps, met(q))).collect();
        let met =
            |q: &Point<Pair<Binary<N>>>| EvaluationPoint::new(&double, &q.each_ref().map(|c| double.broadcast(c)));
        let doubles: Vec<_> = doubles.iter().map(|(steps, q)| (*steps, met(q))).collect();
        let mut product = Product::<Quad<N>>::new(Over(lanes).one());
        let mut half = Over(lanes).one();
        let (mut scratch, mut scratch_of_doubles) = (ValueScratch::default(), ValueScratch::default());
        let mut next: Twelve<Quad<N>> = Blank::blank();
        let (one, mut made) = (Over(lanes).one(), Octupling::default());
        for step in 0..parts.steps() {
            let idle = lanes.mask_from(&parts.idle_lanes(step));
            let multiply = |product: &mut Product<Quad<N>>, next: &mut Twelve<Quad<N>>| {
                if step < parts.idle() {
                    *next = Over(lanes).select(idle, &one, next);
                }
                product.times(lanes, next);
            };
            if step == parts.half()[1] {
                half.clone_from(product.value());
            }
            product.octuple(lanes);
            for (steps, q) in &singles {
                steps::octupled(&single, &mut next, &steps.octuplings[step], q, &mut scratch);
                multiply(&mut product, &mut next);
            }
            for (steps, q) in &doubles {
                let octupling = steps.octupling(lanes, step, &mut made);
                steps::octupled(&double, &mut next, octupling, q, &mut scratch_of_doubles);
                multiply(&mut product, &mut next);
            }
        }
        parts.joined(self.field(), lanes, product.value(), &half)
    }

    /// Raises values to the power (2^6m − 1)·(2^2m + 1)·(2^2m − U³/2 + 2^m − U + 1).
    fn raised(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        let (f, m) = (self.field(), self.m());
        let mut product = Product::<Binary<N>>::new(Over(f).one());
        let raise = |u: Value<N>| {
            let turned = tower::frobenius(f, &u, 2 * m);
            product.set(&u);
            product.times(f, &turned);
            let x = product.value().clone();
            product.times(f, &tower::frobenius(f, &x, m));
            let y = product.value().clone();
            product.times(f, &tower::frobenius(f, &x, 2 * m));
            product.times(f, &Over(f).conjugate(&self.by_u(&y)));
            product.value().clone()
        };
        tower::unitary(f, values, m).into_iter().map(raise).collect()
    }

    /// Returns x^U for a unitary x.
    fn by_u(&self, x: &Value<N>) -> Value<N> {
        let f = self.field();
        let power = tower::power_of(f, f.half_power(), x, self.m().div_ceil(2));
        if self.shape.minus { Over(f).conjugate(&power) } else { power }
    }

    /// Returns the reduced Tate pairing for a value of the optimal η pairing: its power by 2^m + U + 1.
    pub fn tate(&self, eta: &Value<N>) -> Value<N> {
        let f = self.field();
        let power = Over(f).mul(&tower::frobenius(f, eta, self.m()), eta);
        Over(f).mul(&power, &self.by_u(eta))
    }

    /// Returns true if x is unitary and x^N = 1.
    pub fn divides_divisors(&self, x: &Value<N>) -> bool {
        let (f, m) = (self.field(), self.m());
        let is_one = |y: &Value<N>| f.lane(Over(f).equal(y, &Over(f).one()), 0);
        // N = 2^2m + 2^m + 1 + U·(2^m + 1)
        let both = Over(f).mul(&tower::frobenius(f, x, m), x);
        let power = Over(f).mul(&Over(f).mul(&tower::frobenius(f, x, 2 * m), &both), &self.by_u(&both));
        is_one(&Over(f).mul(x, &Over(f).conjugate(x))) && is_one(&power)
    }
}
