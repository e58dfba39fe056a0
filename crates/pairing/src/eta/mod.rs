//! The symmetric pairing η_T on the supersingular curves E: y² + y = x³ + x + b over F_2^m, m odd, of embedding degree 4
//! (Barreto, Galbraith, Ó hÉigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007), in the form without square roots and
//! without squarings of the accumulator (Beuchat and others, CANS 2009; Aranha, López, Hankerson, CT-RSA 2010).
//!
//! **Discrete logarithms in these groups are broken**: in F_2^4m they take quasi-polynomial time (Barbulescu, Gaudry,
//! Joux, Thomé, EUROCRYPT 2014), about 2^59 steps for m = 1223 (Granger, Kleinjung, Zumbrägel, CRYPTO 2014). This
//! module is for research: for comparative measurements, and to read values of old systems.
//!
//! #E = N = 2^m + ν·2^((m + 1)/2) + 1 for a sign ν. With T' = 2^((m + 1)/2) + ν, P' = −νP and the distortion
//! ψ(x, y) = (x + s + 1, y + s·x + t) the pairing is f_{T', P'}(ψ(Q))^M, M = (2^4m − 1)/N: a loop of n = (m + 1)/2
//! doublings and one further line. The line through a point V with slope λ has the value g + t at ψ(Q),
//! g = y_Q + y_V + λ·(x_Q + x_V + 1) + (x_Q + λ)·s. Vertical lines have values in F_2^2m, which the exponent takes to 1.
//!
//! The i-th tangent counts to the power 2^(n − 1 − i). The coordinates of 2^i·P' are those of P' to the power 4^i, up
//! to small constants. So the tangent's value to this power is computed from the coordinates of P' to the power
//! 2^(n − 1 + i) and those of Q to the power 2^(n − 1 − i). This takes two squarings a line for each point, instead
//! of four of the accumulator. A line of a product costs as much as a line alone.
//!
//! The Tate pairing f_{N,P}(ψ(Q))^M is the power of η_T by −ν·2^((m + 1)/2) − 1, which takes squarings and a product.
//!
//! Cost of a pairing: 7 products in F_2^m a doubling (one for the line, six to multiply it in), and 4 squarings. The
//! final exponentiation takes one inversion, a few products, and a power by 2^n. The loop can be cut into parts
//! (`parts.rs`).

pub mod group;
mod map;
mod parts;
pub mod tower;
mod words;

pub use parts::Start;
pub use words::on;

use crate::complete_group::CompleteGroup;
use crate::curve::Affine;
use crate::eta_t::{Costs, EtaT, LinesAndPoint};
use crate::unitary_power::Unitary;
use bilinear_field::binary::{Binary, Power};
use bilinear_field::{Field, Lanes, Prime};
use group::Group;
use std::ops::Range;
use std::sync::OnceLock;
use tower::{Over, Quartic};

type Elem<const N: usize> = <Binary<N> as Field>::Elem;
type Wide<const N: usize> = <Binary<N> as Field>::Wide;
type Value<const N: usize> = Quartic<Binary<N>>;
/// The points P and Q of a pair.
type Pair<'a, const N: usize> = [&'a Affine<Binary<N>>; 2];

/// A line, given by its slope λ, x_V + 1 and y_V, each to the power of 2 to which the line's value counts.
#[derive(Clone)]
pub struct Line<F: Field> {
    slope: F::Elem,
    x: F::Elem,
    y: F::Elem,
}

/// The curve over F_2^m on N words, with the constants that its pairing needs.
pub struct Eta<const N: usize> {
    group: Group<Binary<N>>,
    m: usize,
    b: bool,
    /// Whether ν = 1.
    plus: bool,
    /// z² and 1/(z⁴ + z) for the map to the curve.
    map: [Elem<N>; 2],
    /// The constants 0 and 1.
    constants: [Elem<N>; 2],
    /// The power by 2^(n − 1) with which the lines begin.
    start: OnceLock<Power<N>>,
    loops: Loops<N>,
}

/// The compiled functions in which a pairing spends its time.
#[derive(Clone, Copy)]
struct Loops<const N: usize> {
    lines: fn(&Eta<N>, &Affine<Binary<N>>) -> Vec<Line<Binary<N>>>,
    miller: fn(&Eta<N>, &[LinesAndPoint<'_, Eta<N>>]) -> Value<N>,
    part: fn(&Eta<N>, Range<usize>, &Start<N>, Pair<'_, N>) -> Value<N>,
    raise: fn(&Eta<N>, &[Value<N>]) -> Vec<Value<N>>,
}

impl<const N: usize> Loops<N> {
    const COMPILED: Self =
        Loops { lines: Eta::lines_of, miller: Eta::product_of, part: Eta::part_of, raise: Eta::raised };
}

impl<const N: usize> Eta<N> {
    /// Creates the curve with b = 1 or 0; `plus` says whether ν = 1.
    pub fn new(field: Binary<N>, b: bool, plus: bool) -> Self {
        let m = field.degree();
        let group = Group::new(field, b);
        let map = map::constants(&group);
        let constants = [group.field().zero(), group.field().one()];
        Eta { group, m, b, plus, map, constants, start: OnceLock::new(), loops: Loops::COMPILED }
    }

    fn field(&self) -> &Binary<N> {
        self.group.field()
    }

    /// The number of doublings in the loop.
    fn doublings(&self) -> usize {
        self.m.div_ceil(2)
    }

    /// Returns x^(2^n).
    fn by_half(&self, x: &Value<N>) -> Value<N> {
        let power = self.field().half_power().of(x.each_ref());
        tower::frobenius(self.field(), &power, self.doublings())
    }

    fn raised(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        let f = self.field();
        let raise = |u: &Value<N>| {
            let high = Over(f).mul(&tower::frobenius(f, u, self.m), u);
            let half = self.by_half(u);
            let half = if self.plus { Over(f).conjugate(&half) } else { half };
            Over(f).mul(&high, &half)
        };
        tower::unitary(f, values).iter().map(raise).collect()
    }
}

impl<const N: usize> EtaT for Eta<N> {
    type Field = Binary<N>;
    type Group = Group<Binary<N>>;
    type Line = Line<Binary<N>>;
    type Value = Value<N>;
    type Start = Start<N>;

    fn group(&self) -> &Group<Binary<N>> {
        &self.group
    }
    fn contains(&self, p: &Affine<Binary<N>>) -> <Binary<N> as Field>::Mask {
        self.group.contains(&p.x, &p.y)
    }
    /// Returns the lowest bit of y, in which the two y over one x differ.
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

    /// Computes the lines of every doubling and the last line.
    fn lines(&self, p: &Affine<Binary<N>>) -> Vec<Line<Binary<N>>> {
        (self.loops.lines)(self, p)
    }
    /// Returns the product of f_{T', P'}(ψ(Q)) over the pairs.
    fn miller(&self, pairs: &[LinesAndPoint<'_, Eta<N>>]) -> Value<N> {
        (self.loops.miller)(self, pairs)
    }
    fn steps(&self) -> usize {
        self.doublings()
    }
    fn costs(&self) -> Costs {
        self.costs_of()
    }
    fn part_cost(&self, part: &Range<usize>) -> f64 {
        self.cost_of(part)
    }
    fn start(&self, part: &Range<usize>) -> Start<N> {
        self.start_of(part)
    }
    /// Returns the product of the lines of these doublings; the part with the last doubling includes the last line.
    fn miller_part(&self, part: Range<usize>, start: &Start<N>, pair: Pair<'_, N>) -> Value<N> {
        (self.loops.part)(self, part, start, pair)
    }
    /// Returns x^M for each x, M = (2^2m − 1)(2^m − ν·2^((m + 1)/2) + 1).
    fn final_exponentiation(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        (self.loops.raise)(self, values)
    }
    /// Returns the power by T = −ν·2^((m + 1)/2) − 1.
    fn tate(&self, eta: &Value<N>) -> Value<N> {
        let f = self.field();
        let half = self.by_half(eta);
        let half = if self.plus { half } else { Over(f).conjugate(&half) };
        Over(f).conjugate(&Over(f).mul(&half, eta))
    }

    /// Returns true if x is unitary and x^N = 1.
    fn divides_points(&self, x: &Value<N>) -> bool {
        let f = self.field();
        let is_one = |y: &Value<N>| f.lane(Over(f).equal(y, &Over(f).one()), 0);
        let half = self.by_half(x);
        let half = if self.plus { half } else { Over(f).conjugate(&half) };
        let power = Over(f).mul(&Over(f).mul(&tower::frobenius(f, x, self.m), x), &half);
        is_one(&Over(f).mul(x, &Over(f).conjugate(x))) && is_one(&power)
    }

    fn tower(&self) -> impl Unitary<Field = Binary<N>, Elem = Value<N>> {
        Over(self.field())
    }
}
