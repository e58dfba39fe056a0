//! Lines through moving points: both arguments vary.

use super::product::{absorb, join, square};
use super::step::{Running, add_step, double_step};
use super::window::table_len;
use super::{Fq2, Supersingular};
use crate::bilinear_groups::Pair;
use crate::miller::Lines;
use bilinear_field::{Blank, Field, Prime, at};

/// dP and f_{d,P}(φ(Q)) for an odd d.
struct Multiple<F: Prime> {
    x: F::Elem,
    y: F::Elem,
    f: Fq2<F>,
}

/// The state of one pair in the loop.
struct State<F: Prime> {
    t: Running<F::Elem>,
    table: Vec<Multiple<F>>,
    xq: F::Elem,
    yq: F::Elem,
    infinite: Option<F::Mask>,
}

/// The pairs of a product, as a source of lines.
pub struct Moving<'a, F: Prime> {
    system: &'a Supersingular<F>,
    states: Vec<State<F>>,
}

impl<'a, F: Prime> Moving<'a, F> {
    /// Builds each P's table of odd multiples; all pairs share two inversions.
    pub fn new(system: &'a Supersingular<F>, pairs: &[Pair<F>]) -> Self {
        let f = system.fq();
        let states = pairs.iter().map(|pair| State {
            t: Running { x: pair.p.x.clone(), y: pair.p.y.clone(), z: f.one() },
            table: vec![Multiple { x: pair.p.x.clone(), y: pair.p.y.clone(), f: system.fq2().one() }],
            xq: pair.q.x.clone(),
            yq: pair.q.y.clone(),
            infinite: pair.infinite,
        });
        let mut moving = Moving { system, states: states.collect() };
        let len = table_len(&system.moving_loop().digits);
        if len > 1 {
            moving.fill_tables(len);
        }
        moving
    }

    /// Odd multiples up to (2·len − 1)P: T = P + 2P + 2P + …, f_{d+2} = f_d·f_2·l_{dP,2P}.
    fn fill_tables(&mut self, len: usize) {
        let (f, fq2) = (self.system.fq(), self.system.fq2());
        // f_2 and 2P; `doubles` = 2P with Z, then affine
        let mut line = Fq2::<F>::blank();
        let mut doubles: Vec<(Running<F::Elem>, Fq2<F>)> = Vec::with_capacity(self.states.len());
        for s in &self.states {
            let mut double = s.t.clone();
            double_step(f, &mut double, &mut line, [&s.xq, &s.yq]);
            doubles.push((double, line.clone()));
        }
        normalise(f, doubles.iter_mut().map(|(t, _)| t));
        let mut multiples: Vec<Running<F::Elem>> = Vec::with_capacity(self.states.len() * (len - 1));
        for (s, (double, f2)) in self.states.iter_mut().zip(&doubles) {
            let mut t = s.t.clone();
            for i in 1..len {
                add_step(f, &mut t, &mut line, [&double.x, &double.y], [&s.xq, &s.yq]);
                at! {fq2; ff2 = mul(&s.table[i - 1].f, f2); fd = mul(&ff2, &line);}
                s.table.push(Multiple { x: f.zero(), y: f.zero(), f: fd });
                multiples.push(t.clone());
            }
        }
        normalise(f, multiples.iter_mut());
        let mut multiples = multiples.into_iter();
        for s in &mut self.states {
            for (entry, t) in s.table[1..].iter_mut().zip(&mut multiples) {
                (entry.x, entry.y) = (t.x, t.y);
            }
        }
    }
}

/// Z = 1 for every point, with one inversion.
fn normalise<'t, F: Prime>(f: &F, points: impl Iterator<Item = &'t mut Running<F::Elem>>)
where
    F::Elem: 't,
{
    let mut points: Vec<_> = points.collect();
    let mut inverses: Vec<F::Elem> = points.iter().map(|t| t.z.clone()).collect();
    f.inv_many(&mut inverses);
    for (t, i) in points.iter_mut().zip(&inverses) {
        at! {f; ii = sqr(i); x = mul(&t.x, i); y = mul(&t.y, &ii);}
        **t = Running { x, y, z: f.one() };
    }
}

impl<F: Prime> State<F> {
    fn entry(&self, d: i8) -> &Multiple<F> {
        &self.table[d.unsigned_abs() as usize / 2]
    }
}

impl<F: Prime> Lines for Moving<'_, F> {
    type Value = Option<Fq2<F>>;

    fn start(&mut self, d: i8) -> Option<Fq2<F>> {
        for s in &mut self.states {
            let entry = s.entry(d);
            let (x, y) = (entry.x.clone(), entry.y.clone());
            s.t = Running { x, y, z: self.system.fq().one() };
        }
        self.join(d, None)
    }

    fn square(&self, f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        square(self.system.fq2(), f)
    }

    fn double(&mut self, mut f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        let (fq, fq2) = (self.system.fq(), self.system.fq2());
        let mut line = Fq2::<F>::blank();
        for s in &mut self.states {
            f = fq.routine("doubling step", || {
                double_step(fq, &mut s.t, &mut line, [&s.xq, &s.yq]);
                absorb(fq2, f.take(), &line, s.infinite)
            });
        }
        f
    }

    fn join(&mut self, d: i8, mut f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        for s in self.states.iter().filter(|_| d.unsigned_abs() != 1) {
            f = join(self.system.fq2(), f, (d, &s.entry(d).f), s.infinite);
        }
        f
    }

    fn add(&mut self, d: i8, mut f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        let (fq, fq2) = (self.system.fq(), self.system.fq2());
        let (mut line, mut minus_y) = (Fq2::<F>::blank(), F::Elem::blank());
        for s in &mut self.states {
            let entry = &s.table[d.unsigned_abs() as usize / 2];
            let y = if d > 0 {
                &entry.y
            } else {
                fq.neg(&mut minus_y, &entry.y);
                &minus_y
            };
            f = fq.routine("addition step", || {
                add_step(fq, &mut s.t, &mut line, [&entry.x, y], [&s.xq, &s.yq]);
                absorb(fq2, f.take(), &line, s.infinite)
            });
        }
        f
    }
}
