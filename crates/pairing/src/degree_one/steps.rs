//! The steps of the Miller loop, with numerators and denominators kept apart.
//!
//! f_{2m} = f_m²·l/v and f_{m+1} = f_m·l/v with l = y − y_T − λ(x − x_T), the line through T = mP and T or P, and
//! v = x − x', the vertical through the sum T' = (X'/Z'², Y'/Z'³). In Jacobian coordinates l = L/(Z'·Z²) for the line L
//! of `double_step`, or l = L/Z' for that of `add_step`, and v = V/Z'² with V = xZ'² − X'. So g_m = f_m/Z_m, where
//! Z_m belongs to mP, satisfies
//!
//! g_{2m} = g_m²·L/V, g_{m+1} = g_m·Z_m·L/V,
//!
//! without any other factor. f_{−1} is 1/(x − x_P). At the end r·P = O: the last line is the vertical x − x_P, and
//! f_r = g·Z·(x − x_P).
//!
//! The Weil pairing uses f(A)/f(B): L(A)·V(B) and V(A)·L(B) take the places of L and V, and Z cancels.
//!
//! Cost in addition to the step and two squarings: 5M + 4R for a doubling, 6M + 5R for an addition, 10M + 8R for
//! either at two points; with prepared lines 3M + 3R for either, 6M + 6R at two points. A digit −1 takes 1M + 1R
//! more, or 2M + 2R at two points.

use super::DegreeOnePairing;
use crate::bilinear_groups::{FixedPair, Pair, SourcePoint};
use crate::curve::Affine;
use crate::line_coefficients::{LineCoefficients, LineReader};
use crate::miller::{LoopPart, miller, miller_part};
use crate::moving::{Line, Moving, Steps};
use crate::names::PairingKind;
use crate::quadratic_twist::{JacobianZz, add_step, double_step};
use bilinear_field::{Blank, CollectVec, Extension, Field, Prime, at, minus, plus};

/// The line L, and the X' and Z'² of V = xZ'² − X'.
#[derive(Clone, Default)]
pub struct LineOverVertical<E> {
    line: Line<E>,
    x: E,
    zz: E,
}

/// A point, and the value of x − x_P there.
#[derive(Clone, Default)]
pub(super) struct Place<E> {
    pub(super) x: E,
    pub(super) y: E,
    pub(super) vertical: E,
}

/// The points where f is evaluated.
#[derive(Default)]
pub struct Places<E> {
    /// The point A.
    pub(super) over: Place<E>,
    /// The point B, if the value is f(A)/f(B).
    pub(super) under: Option<Place<E>>,
}

/// An accumulated quotient.
pub struct Quotient<E> {
    numerator: E,
    denominator: E,
}

/// A running point, the point where its function is evaluated, and the lanes where one of them is O.
type RunningAndOther<'a, F> = (&'a Affine<F>, &'a Affine<F>, Option<<F as Field>::Mask>);

impl<E> Places<E> {
    /// Iterates over A and, if there is one, B. The flag is true for B, whose values count inversely.
    fn each(&self) -> impl Iterator<Item = (&Place<E>, bool)> {
        std::iter::once((&self.over, false)).chain(self.under.iter().map(|place| (place, true)))
    }
}

impl<E> Quotient<E> {
    /// Multiplies the numerator or the denominator by x, except in the lanes where a point of the pair is O.
    fn scaled<F: Field<Elem = E>>(self, f: &F, x: &E, in_numerator: bool, infinite: Option<F::Mask>) -> Self {
        let Quotient { numerator, denominator } = self;
        if in_numerator {
            Quotient { numerator: times(f, numerator, x, infinite), denominator }
        } else {
            Quotient { numerator, denominator: times(f, denominator, x, infinite) }
        }
    }
}

/// Returns f·x, or f in the lanes where a point of the pair is O.
fn times<F: Field>(field: &F, f: F::Elem, x: &F::Elem, infinite: Option<F::Mask>) -> F::Elem {
    at! {field; product = mul(&f, x);}
    let Some(mask) = infinite else { return product };
    at!(field; select(mask, &f, &product))
}

impl<'a, F: Prime> Steps for &'a DegreeOnePairing<F> {
    type Field = F;
    type Point = JacobianZz<F::Elem>;
    type Line = LineOverVertical<F::Elem>;
    type At = Places<F::Elem>;
    /// The coefficients l_x, l_c and x' of each quotient (y + l_x·x + l_c)/(x − x').
    type Prepared = LineReader<'a, F>;
    /// The accumulated g.
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

    fn mul_by_line(
        &self,
        g: Quotient<F::Elem>,
        LineOverVertical { line, x, zz }: &Self::Line,
        at: &Self::At,
        infinite: Option<F::Mask>,
    ) -> Quotient<F::Elem> {
        let f = self.fp();
        at.each().fold(g, |g, (at, inverse)| {
            at! {f;
                slope = mul_add(&line.y, &at.y, &line.x, &at.x);
                xzz = mul(&at.x, zz);
                l = sum(&[plus(&slope), plus(&line.c)]);  // L = l_y·y + l_x·x + l_c
                v = sum(&[plus(&xzz), minus(x)]);         // V = xZ'² − X'
            }
            g.scaled(f, &l, !inverse, infinite).scaled(f, &v, inverse, infinite)
        })
    }

    fn mul_by_prepared_line(
        &self,
        g: Quotient<F::Elem>,
        lines: &mut LineReader<'_, F>,
        at: &Self::At,
        infinite: Option<F::Mask>,
    ) -> Quotient<F::Elem> {
        let (f, mut coefficients) = (self.fp(), <[F::Elem; 3]>::blank());
        coefficients.iter_mut().for_each(|x| lines.next(f, x));
        let [slope, constant, x] = &coefficients;
        at.each().fold(g, |g, (at, inverse)| {
            at! {f;
                lx = mul(slope, &at.x);
                l = sum(&[plus(&at.y), plus(&lx), plus(constant)]);  // y + l_x·x + l_c
                v = sum(&[plus(&at.x), minus(x)]);                   // x − x'
            }
            g.scaled(f, &l, !inverse, infinite).scaled(f, &v, inverse, infinite)
        })
    }

    /// Multiplies by f_{−1} = 1/(x − x_P) for a negative digit, and by the Z of the addition that follows.
    fn join(
        &self,
        d: i8,
        mut g: Quotient<F::Elem>,
        t: Option<&Self::Point>,
        at: &Self::At,
        infinite: Option<F::Mask>,
    ) -> Quotient<F::Elem> {
        let f = self.fp();
        if d < 0 {
            g = at.each().fold(g, |g, (at, inverse)| g.scaled(f, &at.vertical, inverse, infinite));
        }
        match t {
            Some(t) if at.under.is_none() => g.scaled(f, &t.z, true, infinite),
            _ => g,
        }
    }
}

impl<F: Prime> DegreeOnePairing<F> {
    /// Returns the contribution of a part of a loop: to f_{r,P}(Q + R) for Tate's pairing; to
    /// f_{r,P}(Q + R)/f_{r,P}(R) and, in the second loop, to f_{r,Q}(−R)/f_{r,Q}(P − R) for Weil's.
    pub(super) fn product(&self, pairing: PairingKind, pairs: &[Pair<F>], part: LoopPart) -> F::Elem {
        let ordered = pairs.iter().map(|Pair { p, q, infinite }| match part.number {
            0 => (p, q, *infinite),
            _ => (q, p, *infinite),
        });
        self.moving(pairing, &ordered.collect_vec(), part)
    }

    /// Returns the contribution of a part of a loop, for running points and the other points of their pairs.
    fn moving(&self, pairing: PairingKind, points: &[RunningAndOther<'_, F>], part: LoopPart) -> F::Elem {
        let starts = points.iter().map(|(running, other, _)| (&running.x, *other)).collect_vec();
        let places = self.places(pairing, part.number, &starts);
        let pairs = points.iter().zip(places).map(|((p, _, infinite), at)| (vec![(*p).clone()], at, *infinite));
        self.run(Moving::new(self, pairs), part)
    }

    /// Returns the contribution of a part of a loop for prepared P. The stored values are x_P, for Weil's pairing
    /// y_P, and the coefficients of the quotients.
    ///
    /// # Panics
    /// Panics if the other point is of G1.
    pub(super) fn prepared_product(
        &self,
        pairing: PairingKind,
        pairs: &[FixedPair<'_, Self>],
        part: LoopPart,
    ) -> F::Elem {
        let f = self.fp();
        let mut fixed = vec![];
        for FixedPair { lines, other, infinite } in pairs {
            let SourcePoint::G2(q) = other else { panic!("a point of the wrong group") };
            let (mut reader, [mut x, mut y]) = (lines.reader(), <[F::Elem; 2]>::blank());
            reader.next(f, &mut x);
            if pairing.is_weil() {
                reader.next(f, &mut y);
            }
            fixed.push((reader, Affine { x, y, infinity: f.mask(false) }, q, *infinite));
        }
        if part.number == 1 {
            let points = fixed.iter().map(|(_, p, q, infinite)| (*q, p, *infinite)).collect_vec();
            return self.moving(pairing, &points, part);
        }
        let starts = fixed.iter().map(|(_, p, q, _)| (&p.x, *q)).collect_vec();
        let places = self.places(pairing, 0, &starts);
        let pairs = fixed.into_iter().zip(places).map(|((reader, _, _, infinite), at)| (reader, at, infinite));
        self.run(Moving::prepared(self, pairs), part)
    }

    /// Computes the values of one point that [`Self::prepared_product`] reads, with one inversion.
    pub(super) fn lines(&self, pairing: PairingKind, point: &Affine<F>) -> LineCoefficients<F> {
        let f = self.fp();
        let mut traced = Moving::traced(self, point);
        miller(&mut traced, &self.length);
        let traced = traced.into_lines();
        let mut inverses: Vec<F::Elem> = traced.iter().flat_map(|l| [l.line.y.clone(), l.zz.clone()]).collect_vec();
        f.inv_many(&mut inverses);
        let mut lines = LineCoefficients::new();
        lines.push(f, &point.x);
        if pairing.is_weil() {
            lines.push(f, &point.y);
        }
        for (LineOverVertical { line, x, .. }, i) in traced.iter().zip(inverses.chunks(2)) {
            at! {f; lx = mul(&line.x, &i[0]); lc = mul(&line.c, &i[0]); vertical = mul(x, &i[1]);}
            [lx, lc, vertical].iter().for_each(|x| lines.push(f, x));
        }
        lines.complete()
    }

    /// Returns the contribution of a part of a loop to the product of f_r, or in the second loop of 1/f_r, with one
    /// inversion.
    fn run(&self, mut lines: Moving<&Self>, part: LoopPart) -> F::Elem {
        let f = self.fp();
        let is_last = part.end == self.length.steps();
        // at the end this is g·Z: r is odd, so the last digit is not 0, and its join multiplies by Z
        let mut g = miller_part(&mut lines, &self.length, part);
        if is_last {
            // f_r = g·Z·(x − x_P)
            g = lines.fold(g, |steps, g, _, at, infinite| {
                at.each().fold(g, |g, (at, inverse)| g.scaled(steps.fp(), &at.vertical, !inverse, infinite))
            });
        }
        let Quotient { numerator, denominator } = g;
        let [numerator, denominator] =
            if part.number == 0 { [numerator, denominator] } else { [denominator, numerator] };
        at! {f; inverse = inv(&denominator); quotient = mul(&numerator, &inverse);}
        quotient
    }
}
