//! The steps of the Miller loop, in windows, for two arguments that vary. P, 3P, 5P, … and their functions are
//! computed beforehand.

use super::product::{join, mul_by_line, square};
use super::step::{Weighted, add_step, double_step};
use super::window::table_len;
use super::{Fq2, SupersingularPairing};
use crate::bilinear_groups::Pair;
use crate::curve::Affine;
use crate::moving::{Moving, Steps, index};
use bilinear_field::{Blank, CollectVec, Field, Prime, at};
use std::convert::Infallible;

/// The point Q, and the values f_{d,P}(φ(Q)) for d = 1, 3, 5, …
pub struct Evaluation<F: Prime> {
    xq: F::Elem,
    yq: F::Elem,
    functions: Vec<Fq2<F>>,
}

impl<F: Prime> Default for Evaluation<F> {
    fn default() -> Self {
        Evaluation { xq: F::Elem::blank(), yq: F::Elem::blank(), functions: vec![] }
    }
}

impl<F: Prime> Steps for &SupersingularPairing<F> {
    type Field = F;
    type Point = Weighted<F::Elem>;
    /// The value of the line at φ(Q).
    type Line = Fq2<F>;
    type At = Evaluation<F>;
    /// Prepared arguments use functions of several steps instead: [`PreparedFunctions`](super::PreparedFunctions).
    type Prepared = Infallible;
    type Value = Option<Fq2<F>>;

    fn field(&self) -> &F {
        self.fq()
    }

    fn point(&self, p: &Affine<F>) -> Weighted<F::Elem> {
        Weighted { x: p.x.clone(), y: p.y.clone(), z: self.fq().one() }
    }

    fn double(&self, t: &mut Weighted<F::Elem>, line: &mut Fq2<F>, at: &Evaluation<F>) {
        double_step(self.fq(), t, line, [&at.xq, &at.yq]);
    }

    fn add(&self, t: &mut Weighted<F::Elem>, line: &mut Fq2<F>, r: [&F::Elem; 2], at: &Evaluation<F>) {
        add_step(self.fq(), t, line, r, [&at.xq, &at.yq]);
    }

    fn one(&self) -> Option<Fq2<F>> {
        None
    }

    fn square(&self, f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        square(self.fq2(), f)
    }

    fn mul_by_line(
        &self,
        f: Option<Fq2<F>>,
        line: &Fq2<F>,
        _: &Evaluation<F>,
        infinite: Option<F::Mask>,
    ) -> Option<Fq2<F>> {
        mul_by_line(self.fq2(), f, line, infinite)
    }

    fn mul_by_prepared_line(
        &self,
        _: Option<Fq2<F>>,
        lines: &mut Infallible,
        _: &Evaluation<F>,
        _: Option<F::Mask>,
    ) -> Option<Fq2<F>> {
        match *lines {}
    }

    fn join(
        &self,
        d: i8,
        f: Option<Fq2<F>>,
        _: Option<&Weighted<F::Elem>>,
        at: &Evaluation<F>,
        infinite: Option<F::Mask>,
    ) -> Option<Fq2<F>> {
        if d.unsigned_abs() == 1 { f } else { join(self.fq2(), f, (d, &at.functions[index(d)]), infinite) }
    }
}

impl<F: Prime> SupersingularPairing<F> {
    /// Creates the source of lines for pairs of points that vary. All pairs share the two inversions of the tables.
    pub fn moving<'a>(&'a self, pairs: &[Pair<F>]) -> Moving<&'a SupersingularPairing<F>> {
        let at = |pair: &Pair<F>| {
            let functions = vec![self.fq2().one()];
            let at = Evaluation { xq: pair.q.x.clone(), yq: pair.q.y.clone(), functions };
            (vec![pair.p.clone()], at, pair.infinite)
        };
        let mut pairs: Vec<_> = pairs.iter().map(at).collect_vec();
        let len = table_len(&self.moving_loop().digits);
        if len > 1 {
            self.fill_tables(len, pairs.iter_mut().map(|(multiples, at, _)| (multiples, at)).collect_vec());
        }
        Moving::new(self, pairs)
    }

    /// Fills the tables with the odd multiples up to (2·len − 1)P: T = P + 2P + 2P + …, f_{d+2} = f_d·f_2·l_{dP,2P}.
    fn fill_tables(&self, len: usize, mut tables: Vec<(&mut Vec<Affine<F>>, &mut Evaluation<F>)>) {
        let (f, fq2) = (self.fq(), self.fq2());
        let mut line = Fq2::<F>::blank();
        let mut doubles = vec![];
        let mut f2s = vec![];
        for (multiples, at) in &tables {
            let mut t = (&self).point(&multiples[0]); // P
            double_step(f, &mut t, &mut line, [&at.xq, &at.yq]); // 2P, f_2
            doubles.push(t);
            f2s.push(line.clone());
        }
        let doubles = affine(f, &doubles);
        let mut sums = Vec::with_capacity(tables.len() * (len - 1));
        for ((multiples, at), (double, f2)) in tables.iter_mut().zip(doubles.iter().zip(&f2s)) {
            let mut t = (&self).point(&multiples[0]); // P
            for i in 1..len {
                add_step(f, &mut t, &mut line, [&double.x, &double.y], [&at.xq, &at.yq]); // dP, l_{(d−2)P,2P}
                at! {fq2; product = mul(&at.functions[i - 1], f2); fd = mul(&product, &line);}
                at.functions.push(fd);
                sums.push(t.clone());
            }
        }
        let mut sums = affine(f, &sums).into_iter();
        tables.iter_mut().for_each(|(multiples, _)| multiples.extend(sums.by_ref().take(len - 1)));
    }
}

/// Converts points to affine coordinates, with one inversion.
fn affine<F: Prime>(f: &F, points: &[Weighted<F::Elem>]) -> Vec<Affine<F>> {
    let mut inverses: Vec<F::Elem> = points.iter().map(|t| t.z.clone()).collect_vec();
    f.inv_many(&mut inverses);
    let affine = |(t, i): (&Weighted<F::Elem>, &F::Elem)| {
        at! {f; ii = sqr(i); x = mul(&t.x, i); y = mul(&t.y, &ii);}
        Affine { x, y, infinity: f.mask(false) }
    };
    points.iter().zip(&inverses).map(affine).collect_vec()
}
