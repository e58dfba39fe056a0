//! The steps of the Miller loop, with numerators and denominators kept apart.
//!
//! f_{2m} = f_m²·l/v and f_{m+1} = f_m·l/v with l = y − y_T − λ(x − x_T), the line through T = mP and T or P, and v = x − x', the
//! vertical through the sum T' = (X'/Z'², Y'/Z'³). In Jacobian coordinates l = L/(Z'·Z²), L the line of `double_step`, or
//! l = L/Z', L that of `add_step`, and v = V/Z'² with V = xZ'² − X'. So g_m = f_m/Z_m, where Z_m belongs to mP, satisfies
//!
//! g_{2m} = g_m²·L/V, g_{m+1} = g_m·Z_m·L/V,
//!
//! without any other factor. f_{−1} is 1/(x − x_P). At the end r·P = O: the last line is the vertical x − x_P, and
//! f_r = g·Z·(x − x_P).
//!
//! Cost beside the step and two squarings: 5M + 4R for a doubling, 6M + 5R for an addition; with prepared lines
//! 3M + 3R for either.

use super::DegreeOnePairing;
use crate::bilinear_groups::{FixedPair, Pair, SourcePoint};
use crate::curve::Affine;
use crate::line_coefficients::{LineCoefficients, LineReader};
use crate::miller::{LoopPart, miller, miller_part};
use crate::moving::{Line, Moving, Steps};
use crate::quadratic_twist::{JacobianZz, add_step, double_step};
use bilinear_field::{Blank, Extension, Field, Prime, at, minus, plus};

/// L, and X' and Z'² of V = xZ'² − X'.
#[derive(Clone, Default)]
pub struct LineOverVertical<E> {
    line: Line<E>,
    x: E,
    zz: E,
}

/// Q + R, and x − x_P there.
#[derive(Default)]
pub struct Shifted<E> {
    pub(super) x: E,
    pub(super) y: E,
    pub(super) vertical: E,
}

/// An accumulated quotient: numerator and denominator.
pub struct Quotient<E> {
    numerator: E,
    denominator: E,
}

/// f·x, or f where the pair has an O.
fn times<F: Field>(field: &F, f: F::Elem, x: &F::Elem, infinite: Option<F::Mask>) -> F::Elem {
    at! {field; product = mul(&f, x);}
    let Some(mask) = infinite else { return product };
    at! {field; chosen = select(mask, &f, &product);}
    chosen
}

impl<'a, F: Prime> Steps for &'a DegreeOnePairing<F> {
    type Field = F;
    type Point = JacobianZz<F::Elem>;
    type Line = LineOverVertical<F::Elem>;
    type At = Shifted<F::Elem>;
    /// l_x, l_c and x' of each quotient (y + l_x·x + l_c)/(x − x').
    type Prepared = LineReader<'a, F>;
    /// g.
    type Value = Quotient<F::Elem>;

    fn field(&self) -> &F {
        self.fp()
    }

    fn point(&self, p: &Affine<F>) -> Self::Point {
        JacobianZz::new(self.fp(), p)
    }

    fn double(&self, t: &mut Self::Point, l: &mut Self::Line, _: &Self::At) {
        double_step(self.fp(), &self.a, t, &mut l.line);
        l.x.clone_from(&t.x);
        l.zz.clone_from(&t.zz);
    }

    fn add(&self, t: &mut Self::Point, l: &mut Self::Line, r: [&F::Elem; 2], _: &Self::At) {
        add_step(self.fp(), t, &mut l.line, r);
        l.x.clone_from(&t.x);
        l.zz.clone_from(&t.zz);
    }

    fn one(&self) -> Quotient<F::Elem> {
        Quotient { numerator: self.fp().one(), denominator: self.fp().one() }
    }

    fn square(&self, g: Quotient<F::Elem>) -> Quotient<F::Elem> {
        at! {self.fp(); numerator = sqr(&g.numerator); denominator = sqr(&g.denominator);}
        Quotient { numerator, denominator }
    }

    fn absorb(
        &self,
        g: Quotient<F::Elem>,
        LineOverVertical { line, x, zz }: &Self::Line,
        at: &Self::At,
        infinite: Option<F::Mask>,
    ) -> Quotient<F::Elem> {
        let f = self.fp();
        at! {f;
            slope = mul_add(&line.y, &at.y, &line.x, &at.x);
            xzz = mul(&at.x, zz);
            l = sum(&[plus(&slope), plus(&line.c)]);  // L = l_y·y + l_x·x + l_c
            v = sum(&[plus(&xzz), minus(x)]);         // V = xZ'² − X'
        }
        Quotient { numerator: times(f, g.numerator, &l, infinite), denominator: times(f, g.denominator, &v, infinite) }
    }

    fn absorb_prepared(
        &self,
        g: Quotient<F::Elem>,
        lines: &mut LineReader<'_, F>,
        at: &Self::At,
        infinite: Option<F::Mask>,
    ) -> Quotient<F::Elem> {
        let (f, mut coefficients) = (self.fp(), <[F::Elem; 3]>::blank());
        coefficients.iter_mut().for_each(|x| lines.next(f, x));
        let [slope, constant, x] = &coefficients;
        at! {f;
            lx = mul(slope, &at.x);
            l = sum(&[plus(&at.y), plus(&lx), plus(constant)]);  // y + l_x·x + l_c
            v = sum(&[plus(&at.x), minus(x)]);                   // x − x'
        }
        Quotient { numerator: times(f, g.numerator, &l, infinite), denominator: times(f, g.denominator, &v, infinite) }
    }

    /// f_{−1} = 1/(x − x_P), and Z of the addition that follows.
    fn join(
        &self,
        d: i8,
        mut g: Quotient<F::Elem>,
        t: Option<&Self::Point>,
        at: &Self::At,
        infinite: Option<F::Mask>,
    ) -> Quotient<F::Elem> {
        if d < 0 {
            g.denominator = times(self.fp(), g.denominator, &at.vertical, infinite);
        }
        if let Some(t) = t {
            g.numerator = times(self.fp(), g.numerator, &t.z, infinite);
        }
        g
    }
}

impl<F: Prime> DegreeOnePairing<F> {
    /// What a part of the loop contributes to the product of f_{r,P}(Q + R).
    pub(super) fn product(&self, pairs: &[Pair<F>], part: LoopPart) -> F::Elem {
        let starts = pairs.iter().map(|pair| (&pair.p.x, &pair.q)).collect::<Vec<_>>();
        let pairs = pairs.iter().zip(self.shifted(&starts)).map(|(pair, at)| (vec![pair.p.clone()], at, pair.infinite));
        self.run(Moving::new(self, pairs), part)
    }

    /// The same with prepared P: x_P and the coefficients of the quotients.
    ///
    /// # Panics
    /// If the other point is of G1.
    pub(super) fn prepared_product(&self, pairs: &[FixedPair<'_, Self>], part: LoopPart) -> F::Elem {
        let mut readers = vec![];
        for FixedPair { lines, other, infinite } in pairs {
            let SourcePoint::G2(q) = other else { panic!("a point of the wrong group") };
            let (mut reader, mut start) = (lines.reader(), F::Elem::blank());
            reader.next(self.fp(), &mut start);
            readers.push((reader, start, q, *infinite));
        }
        let starts = readers.iter().map(|(_, start, q, _)| (start, *q)).collect::<Vec<_>>();
        let shifted = self.shifted(&starts);
        let pairs = readers.into_iter().zip(shifted).map(|((reader, _, _, infinite), at)| (reader, at, infinite));
        self.run(Moving::prepared(self, pairs), part)
    }

    /// x and the quotients of one point; one inversion.
    pub(super) fn lines(&self, point: &Affine<F>) -> LineCoefficients<F> {
        let f = self.fp();
        let mut traced = Moving::traced(self, point);
        miller(&mut traced, &self.length);
        let traced = traced.into_lines();
        let mut inverses: Vec<F::Elem> = traced.iter().flat_map(|l| [l.line.y.clone(), l.zz.clone()]).collect();
        f.inv_many(&mut inverses);
        let mut lines = LineCoefficients::new();
        lines.push(f, &point.x);
        for (LineOverVertical { line, x, .. }, i) in traced.iter().zip(inverses.chunks(2)) {
            at! {f; lx = mul(&line.x, &i[0]); lc = mul(&line.c, &i[0]); vertical = mul(x, &i[1]);}
            [lx, lc, vertical].iter().for_each(|x| lines.push(f, x));
        }
        lines.complete()
    }

    /// What a part of the loop contributes to the product of f_r; one inversion.
    fn run(&self, mut lines: Moving<&Self>, part: LoopPart) -> F::Elem {
        let f = self.fp();
        let is_last = part.end == self.length.steps();
        // at the end g·Z: r is odd, so the loop ends with a digit, whose join multiplies by Z
        let mut g = miller_part(&mut lines, &self.length, part);
        if is_last {
            // f_r = g·Z·(x − x_P)
            g = lines.fold(g, |steps, g, _, at, infinite| {
                let numerator = times(steps.fp(), g.numerator, &at.vertical, infinite);
                Quotient { numerator, ..g }
            });
        }
        let Quotient { numerator, denominator } = g;
        at! {f; inverse = inv(&denominator); quotient = mul(&numerator, &inverse);}
        quotient
    }
}
