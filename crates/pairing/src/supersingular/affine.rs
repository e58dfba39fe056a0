//! Lines through moving points in affine coordinates, for many pairs at a time: a step of all pairs shares one inversion
//! (Montgomery, Mathematics of Computation 48, 1987, section 10.3.1).
//!
//! With λ the slope of the tangent or chord at T = (x, −v) and s = x + xQ, the line at φ(Q) = (−xQ, iyQ) is l + yQ·i for
//! l = λs + v. With x' = λ² − 2x, or λ² − x − x_R for T + R, and s' = x' + xQ, the new v' = −λ(x − x') − v is λs' − l: the
//! same l serves both. Ordinates are kept with their signs changed, so that all of these are a product plus a form.
//!
//! Cost of a pair, including its share of the inversion: doubling and tangent 6M + 2S + 8R, addition and chord
//! 6M + 1S + 7R; 1 inversion in each step.
//!
//! Affine coordinates have no O, and the denominator of a slope may be 0: where T is O or meets ±R in the middle of
//! the loop. Then the values of this lane are meaningless, and [`MovingAffine::undefined`] marks the lane. A P of
//! large prime order does not get there before the end of the loop.

use super::product::{join, mul_by_line, square};
use super::window::table_len;
use super::{Fq2, SupersingularPairing};
use crate::bilinear_groups::Pair;
use crate::miller::Lines;
use crate::moving::index;
use bilinear_field::{Blank, CollectVec, Field, Prime, at, minus, plus, times};

/// A multiple dP = (x, −v), and f_{d,P}(φ(Q)), for an odd d.
struct Multiple<F: Prime> {
    x: F::Elem,
    v: F::Elem,
    f: Fq2<F>,
}

/// The running points, one list for each coordinate, so that the denominators of a step lie side by side.
struct AffinePoints<F: Prime> {
    x: Vec<F::Elem>,
    /// The negated ordinates −y.
    v: Vec<F::Elem>,
    /// The sums x + xQ.
    s: Vec<F::Elem>,
    xq: Vec<F::Elem>,
    /// The line of the last step; its second coefficient is always yQ.
    line: Vec<Fq2<F>>,
    /// The quotients of which the slopes of a step are multiples.
    quotients: Vec<F::Elem>,
    /// The lanes in which some denominator was 0.
    undefined: F::Mask,
}

/// The pairs of a product, as a source of lines.
pub struct MovingAffine<'a, F: Prime> {
    system: &'a SupersingularPairing<F>,
    points: AffinePoints<F>,
    tables: Vec<Vec<Multiple<F>>>,
    infinite: Vec<Option<F::Mask>>,
    denominators: Vec<F::Elem>,
}

impl<'a, F: Prime> MovingAffine<'a, F> {
    /// Creates the source and each P's table of odd multiples. An entry takes one inversion for all pairs.
    pub fn new(system: &'a SupersingularPairing<F>, pairs: &[Pair<F>]) -> Self {
        let f = system.fq();
        let first = |pair: &Pair<F>| {
            let [x, y] = [&pair.p.x, &pair.p.y].map(|c| match pair.infinite {
                None => c.clone(),
                // (1, 1) is on y² = x³ + x − 1, for which the formulas are the same, and its order is not small
                Some(mask) => {
                    at!(f; select(mask, &f.one(), c))
                }
            });
            at! {f; v = neg(&y);}
            vec![Multiple { x, v, f: system.fq2().one() }]
        };
        let mut source = MovingAffine {
            system,
            points: AffinePoints {
                x: vec![f.zero(); pairs.len()],
                v: vec![f.zero(); pairs.len()],
                s: vec![f.zero(); pairs.len()],
                xq: pairs.iter().map(|pair| pair.q.x.clone()).collect_vec(),
                line: pairs.iter().map(|pair| [f.zero(), pair.q.y.clone()]).collect_vec(),
                quotients: vec![f.zero(); pairs.len()],
                undefined: f.mask(false),
            },
            tables: pairs.iter().map(first).collect_vec(),
            infinite: pairs.iter().map(|pair| pair.infinite).collect_vec(),
            denominators: vec![f.zero(); pairs.len()],
        };
        let len = table_len(&system.moving_loop().digits);
        if len > 1 {
            source.fill_tables(len);
        }
        source
    }

    /// The lanes whose values are meaningless.
    pub fn undefined(&self) -> F::Mask {
        self.points.undefined
    }

    /// Sets the running points to entries of the tables.
    fn set_points(&mut self, entry: usize) {
        for (i, table) in self.tables.iter().enumerate() {
            self.points.set(self.system.fq(), i, &table[entry]);
        }
    }

    /// Fills the tables with the odd multiples up to (2·len − 1)P: T = P + 2P + 2P + …, f_{d+2} = f_d·f_2·l_{dP,2P}.
    fn fill_tables(&mut self, len: usize) {
        let fq2 = self.system.fq2();
        self.set_points(0);
        self.points.slopes_of_tangents(self.system);
        let doubles: Vec<Multiple<F>> = (0..self.tables.len())
            .map(|i| {
                self.points.double(self.system, i);
                Multiple { x: self.points.x[i].clone(), v: self.points.v[i].clone(), f: self.points.line[i].clone() }
            })
            .collect_vec();
        self.set_points(0);
        for entry in 1..len {
            let addends = doubles.iter().map(|double| &double.x);
            self.points.slopes_of_chords(self.system, &mut self.denominators, addends);
            for (i, (table, double)) in self.tables.iter_mut().zip(&doubles).enumerate() {
                self.points.add(self.system, i, double, false);
                at! {fq2; ff2 = mul(&table[entry - 1].f, &double.f); f = mul(&ff2, &self.points.line[i]);}
                table.push(Multiple { x: self.points.x[i].clone(), v: self.points.v[i].clone(), f });
            }
        }
    }
}

impl<F: Prime> AffinePoints<F> {
    /// Sets T_i to a multiple of P_i.
    fn set(&mut self, f: &F, i: usize, multiple: &Multiple<F>) {
        self.x[i].clone_from(&multiple.x);
        self.v[i].clone_from(&multiple.v);
        f.add(&mut self.s[i], &self.x[i], &self.xq[i]);
    }

    /// Computes c/v for c = −3/2, since λ = (3x² + 1)/2y = (x² + 1/3)·c/v.
    fn slopes_of_tangents(&mut self, system: &SupersingularPairing<F>) {
        let f = system.fq();
        let zero = f.quotients(&mut self.quotients, &system.less_three_halves, &self.v);
        self.undefined = f.or(self.undefined, zero);
    }

    /// Computes 1/(x − x_R) for the abscissas x_R of the points to be added.
    fn slopes_of_chords<'t>(
        &mut self,
        system: &SupersingularPairing<F>,
        denominators: &mut [F::Elem],
        addends: impl Iterator<Item = &'t F::Elem>,
    ) where
        F::Elem: 't,
    {
        let f = system.fq();
        for ((difference, x), xr) in denominators.iter_mut().zip(&self.x).zip(addends) {
            f.sub(difference, x, xr);
        }
        let zero = f.quotients(&mut self.quotients, &f.one(), denominators);
        self.undefined = f.or(self.undefined, zero);
    }

    /// Sets T_i ← 2T_i, and computes the tangent.
    #[inline]
    fn double(&mut self, system: &SupersingularPairing<F>, i: usize) {
        let f = system.fq();
        at! {f;
            numerator = sqr_sum(&self.x[i], &[plus(&system.third)]); // x² + 1/3
            lambda = mul(&numerator, &self.quotients[i]);            // λ = (x² + 1/3)·c/v
            x = sqr_sum(&lambda, &[times(-2, &self.x[i])]);          // x' = λ² − 2x
        }
        self.step(f, i, &lambda, x);
    }

    /// Sets T_i ← T_i + R or T_i − R, and computes the chord.
    #[inline]
    fn add(&mut self, system: &SupersingularPairing<F>, i: usize, r: &Multiple<F>, subtract: bool) {
        let f = system.fq();
        let mut numerator = F::Elem::blank();
        if subtract {
            f.sum(&mut numerator, &[minus(&self.v[i]), minus(&r.v)]);
        } else {
            f.sub(&mut numerator, &r.v, &self.v[i]);
        }
        at! {f;
            lambda = mul(&numerator, &self.quotients[i]);            // λ = (y − y_R)/(x − x_R)
            x = sqr_sum(&lambda, &[minus(&self.x[i]), minus(&r.x)]); // x' = λ² − x − x_R
        }
        self.step(f, i, &lambda, x);
    }

    /// Computes the line of slope λ at T_i, and replaces T_i by the point with abscissa x'.
    #[inline]
    fn step(&mut self, f: &F, i: usize, lambda: &F::Elem, x: F::Elem) {
        let l = &mut self.line[i][0];
        f.mul_sum(l, lambda, &self.s[i], &[plus(&self.v[i])]); // l = λs + v
        f.add(&mut self.s[i], &x, &self.xq[i]); // s' = x' + xQ
        f.mul_sum(&mut self.v[i], lambda, &self.s[i], &[minus(&*l)]); // v' = λs' − l
        self.x[i] = x;
    }
}

impl<F: Prime> Lines for MovingAffine<'_, F> {
    type Value = Option<Fq2<F>>;

    fn one(&self) -> Option<Fq2<F>> {
        None
    }

    fn start(&mut self, d: i8) -> Option<Fq2<F>> {
        self.set_points(index(d));
        self.join(d, None)
    }

    fn square(&self, f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        square(self.system.fq2(), f)
    }

    fn double(&mut self, mut f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        self.points.slopes_of_tangents(self.system);
        for (i, infinite) in self.infinite.iter().enumerate() {
            f = self.system.fq().routine("doubling step", || {
                self.points.double(self.system, i);
                mul_by_line(self.system.fq2(), f.take(), &self.points.line[i], *infinite)
            });
        }
        f
    }

    fn join(&mut self, d: i8, mut f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        for (table, infinite) in self.tables.iter().zip(&self.infinite).filter(|_| d.unsigned_abs() != 1) {
            f = join(self.system.fq2(), f, (d, &table[index(d)].f), *infinite);
        }
        f
    }

    fn add(&mut self, d: i8, mut f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        let addends = self.tables.iter().map(|table| &table[index(d)].x);
        self.points.slopes_of_chords(self.system, &mut self.denominators, addends);
        for (i, (table, infinite)) in self.tables.iter().zip(&self.infinite).enumerate() {
            f = self.system.fq().routine("addition step", || {
                self.points.add(self.system, i, &table[index(d)], d < 0);
                mul_by_line(self.system.fq2(), f.take(), &self.points.line[i], *infinite)
            });
        }
        f
    }
}
