//! The loop of η_T, whole or in parts: the lines of a P, and their product at a Q.
//!
//! The lines are joined only by their product, since coordinates are squared instead of the accumulator. So any
//! consecutive doublings form a part (Aranha, López, Hankerson, CT-RSA 2010). A part needs P' and Q to the powers
//! 2^(n − 1 + i) and 2^(n − 1 − i) of its ends, which are linear maps, and the value of the loop is the product of
//! all parts. There are four accumulators, one for each line of four in a row, so that four independent products are
//! computed side by side.

use super::tower::{self, LinesScratch, Over};
use super::{Elem, Eta, Line, Pair, Value, Wide};
use crate::complete_group::CompleteGroup;
use crate::curve::Affine;
use crate::eta_t::{Costs, LinesAndPoint};
use crate::unitary_power::Unitary;
use bilinear_field::binary::{Binary, Power};
use bilinear_field::{Blank, Field, at, plus};
use std::ops::Range;

/// The maps to the first points of a part of the loop: the powers of the coordinates of P by 2^(n − 1 + first), and
/// of Q by 2^(n − end).
pub struct Start<const N: usize> {
    p: Power<N>,
    q: Power<N>,
}

/// The number of accumulators.
const LANES: usize = 4;
/// The cost of a squaring with its reduction, in products and reductions, one of which takes 69 cycles on Zen 5 for
/// m = 1223.
const SQUARING: f64 = 0.75;
/// A long power costs m² divided by this number: its matrix comes from a distant cache.
const POWER: f64 = 17_000.0;
/// The cost of a product with its reduction, if the product is computed alone.
const ALONE: f64 = 4.0;

/// Returns two elements of an array, whose indices must differ.
fn two_of<T, const K: usize>(places: &mut [T; K], i: usize, j: usize) -> [&mut T; 2] {
    places.get_disjoint_mut([i, j]).unwrap_or_else(|_| unreachable!("two places of the array"))
}

impl<const N: usize> Eta<N> {
    /// The costs of a pairing.
    pub(super) fn costs_of(&self) -> Costs {
        let (m, power) = (self.m as f64, self.power_cost());
        // an inversion: products along the bits of m, three long powers, and squarings for an eighth of m
        let inversion = 1.5 * m.log2() * ALONE + 3.0 * power + m / 8.0 * SQUARING;
        // in addition, 12 products with 9 reductions and 9 squarings make a value unitary
        let unitary = inversion + 21.0 + 9.0 * SQUARING;
        Costs {
            whole: self.steps_cost(&(0..self.doublings())) + power,
            join: tower::PRODUCT,
            finish: unitary + 2.0 * tower::PRODUCT + power,
        }
    }

    /// The cost of a part.
    pub(super) fn cost_of(&self, part: &Range<usize>) -> f64 {
        self.steps_cost(part) + 2.0 * self.power_cost()
    }

    /// The cost of a long power of up to four elements.
    fn power_cost(&self) -> f64 {
        (self.m * self.m) as f64 / POWER
    }

    /// The cost of the lines of these doublings and of their product.
    fn steps_cost(&self, part: &Range<usize>) -> f64 {
        // a product for the line, six to multiply it in, and squares of the coordinates of P and Q
        let line = 7.0 + 5.0;
        let last = if part.end == self.doublings() { line } else { 0.0 };
        part.len() as f64 * (line + 4.0 * SQUARING) + last + (LANES - 1) as f64 * tower::PRODUCT
    }

    /// Creates the maps for the doublings first..end.
    pub(super) fn start_of(&self, part: &Range<usize>) -> Start<N> {
        let (f, n) = (self.field(), self.doublings());
        Start { p: Power::new(f, n - 1 + part.start), q: Power::new(f, n - part.end) }
    }

    /// Computes all lines of P.
    pub(super) fn lines_of(&self, p: &Affine<Binary<N>>) -> Vec<Line<Binary<N>>> {
        let start = self.start.get_or_init(|| Power::new(self.field(), self.doublings() - 1));
        self.lines_from(start, 0..self.doublings(), p)
    }

    /// Computes the lines of a part. `start` is the power of P's coordinates with which the part begins.
    fn lines_from(&self, start: &Power<N>, part: Range<usize>, p: &Affine<Binary<N>>) -> Vec<Line<Binary<N>>> {
        let (f, [zero, one], n) = (self.field(), &self.constants, self.doublings());
        let bit = |there: bool| if there { one } else { zero };
        // P' = −νP
        let first = if self.plus { self.group.negate(p) } else { p.clone() };
        let mut places = [start.of([&first.x, &first.y]), Blank::blank()];
        let [mut now, mut next] = places.each_mut();
        let mut lines = Vec::with_capacity(part.len() + 1);
        lines.resize(part.len(), Line { slope: f.zero(), x: f.zero(), y: f.zero() });
        for (line, i) in lines.iter_mut().zip(part.clone()) {
            // the tangent at V = 2^i·P' = (X + i, Y + i·X + i(i − 1)/2), where X and Y are the coordinates of P' to
            // the power 4^i; here to the power 2^(n − 1 − i)
            let [x, y] = &*now;
            f.sqr(&mut next[0], x);
            f.sqr(&mut next[1], y);
            f.add(&mut line.x, x, bit(i % 2 == 0));
            f.add(&mut line.slope, &next[0], bit(i % 2 == 0)); // x_V² + 1
            f.sum(&mut line.y, &[plus(y), plus(if i % 2 == 1 { x } else { zero }), plus(bit(i % 4 >= 2))]);
            std::mem::swap(&mut now, &mut next);
        }
        if part.end == n {
            lines.push(self.last_line(p));
        }
        lines
    }

    /// Returns the line through −P and V = 2^n·P', which is (x² + n, …): its slope is x + n + 1.
    fn last_line(&self, p: &Affine<Binary<N>>) -> Line<Binary<N>> {
        let [_, one] = &self.constants;
        at! {self.field(); x = add(&p.x, one); y = add(&p.y, one);}
        let slope = if self.doublings().is_multiple_of(2) { x.clone() } else { p.x.clone() };
        Line { slope, x, y }
    }

    /// Computes g0 and g1 of the values g0 + g1·s + t of lines, each at ψ of its Q, with one product each. The
    /// coordinates already have the powers 2^k, 2^(k + 1), …: s^(2^k) is s + k, and t^(2^k) is t, t + s, t + 1 and
    /// t + s + 1 in turn.
    fn evaluate(
        &self,
        values: &mut [[Elem<N>; 2]; LANES],
        lines: [&Line<Binary<N>>; LANES],
        (q, k): (&[[Elem<N>; 2]; LANES], usize),
        products: &mut [Wide<N>; LANES],
    ) {
        let (f, [zero, one]) = (self.field(), &self.constants);
        for j in 0..LANES {
            f.add(&mut values[j][0], &q[j][0], &lines[j].x);
        }
        let ([a, b, c, d], [l0, l1, l2, l3]) = (&*values, lines);
        let slopes = [&l0.slope, &l1.slope, &l2.slope, &l3.slope];
        f.mul_wide_four(products.each_mut(), slopes, [&a[0], &b[0], &c[0], &d[0]]);
        for j in 0..LANES {
            let ([x, y], line, k) = (&q[j], lines[j], (k + j) % 4);
            let ([g0, g1], product) = (&mut values[j], [plus(&products[j])]);
            f.sum(g1, &[plus(x), plus(&line.slope), plus(if k % 2 == 1 { one } else { zero })]);
            match k {
                0 => f.reduce_sum(g0, &product, &[plus(y), plus(&line.y)]),
                1 => f.reduce_sum(g0, &product, &[plus(y), plus(&line.y), plus(x), plus(&line.slope)]),
                2 => f.reduce_sum(g0, &product, &[plus(y), plus(&line.y), plus(one)]),
                // g1 brings x, the slope and a 1
                _ => f.reduce_sum(g0, &product, &[plus(y), plus(&line.y), plus(g1)]),
            }
        }
    }

    /// Multiplies the accumulators by the lines of `tangents` tangents at a Q, and one accumulator by the last line
    /// of the loop if it is present. The coordinates `first` of Q have the power 2^k that the last tangent needs; the
    /// tangent before it needs 2^(k + 1), and so on.
    fn multiply(
        &self,
        values: &mut [Value<N>; LANES],
        (lines, q): LinesAndPoint<'_, Self>,
        tangents: usize,
        (first, mut k): ([Elem<N>; 2], usize),
    ) {
        let (tangents, last) = lines.split_at(tangents);
        let f = self.field();
        let mut scratch = LinesScratch::default();
        let mut places = [std::mem::replace(values, Blank::blank()), Blank::blank()];
        let [mut from, mut to] = places.each_mut();
        let (mut g, mut products): ([[Elem<N>; 2]; LANES], [Wide<N>; LANES]) = (Blank::blank(), Blank::blank());
        let mut powers: [[Elem<N>; 2]; LANES] = Blank::blank();
        powers[LANES - 1] = first;
        for (turn, lines) in tangents.rchunks(LANES).enumerate() {
            for j in 0..LANES {
                if (turn, j) == (0, 0) {
                    powers.swap(0, LANES - 1);
                    continue;
                }
                let [before, own] = two_of(&mut powers, (j + LANES - 1) % LANES, j);
                f.sqr(&mut own[0], &before[0]);
                f.sqr(&mut own[1], &before[1]);
            }
            // with fewer than four lines, the first is evaluated again and not used
            let line = |j: usize| &lines[(lines.len() - 1).saturating_sub(j)];
            self.evaluate(&mut g, [line(0), line(1), line(2), line(3)], (&powers, k), &mut products);
            if lines.len() == LANES {
                tower::mul_lines(f, to, from, &g, &mut scratch);
                std::mem::swap(&mut from, &mut to);
            } else {
                for j in 0..lines.len() {
                    tower::mul_line(f, &mut to[j], &from[j], &g[j]);
                    from[j].clone_from(&to[j]);
                }
            }
            k += LANES;
        }
        if let Some(line) = last.first() {
            let q = [(); LANES].map(|()| [q.x.clone(), q.y.clone()]);
            self.evaluate(&mut g, [line; LANES], (&q, 0), &mut products);
            tower::mul_line(f, &mut to[LANES - 1], &from[LANES - 1], &g[0]);
            from[LANES - 1].clone_from(&to[LANES - 1]);
        }
        std::mem::swap(values, from);
    }

    fn product(&self, [a, b, c, d]: &[Value<N>; LANES]) -> Value<N> {
        let f = self.field();
        Over(f).mul(&Over(f).mul(a, b), &Over(f).mul(c, d))
    }

    /// Returns the product of all lines of the pairs.
    pub(super) fn product_of(&self, pairs: &[LinesAndPoint<'_, Self>]) -> Value<N> {
        let mut values = [(); LANES].map(|()| Over(self.field()).one());
        for (lines, q) in pairs {
            self.multiply(&mut values, (lines, q), self.doublings(), ([q.x.clone(), q.y.clone()], 0));
        }
        self.product(&values)
    }

    /// Returns the product of the lines of a part.
    pub(super) fn part_of(&self, part: Range<usize>, start: &Start<N>, [p, q]: Pair<'_, N>) -> Value<N> {
        let lines = self.lines_from(&start.p, part.clone(), p);
        let first = start.q.of([&q.x, &q.y]);
        let mut values = [(); LANES].map(|()| Over(self.field()).one());
        self.multiply(&mut values, (&lines, q), part.len(), (first, self.doublings() - part.end));
        self.product(&values)
    }
}
