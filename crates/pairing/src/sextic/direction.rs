//! The direction of a loop: the argument that drives it, the value of its lines at the other argument, and its steps.

use super::line::{Pattern, one};
use super::product::SparseProduct;
use super::step::{Homogeneous, TripleB, add_step, double_step};
use super::{E, Elem, SexticPairing};
use crate::bilinear_groups::Pair;
use crate::curve::Affine;
use crate::line_coefficients::LineReader;
use crate::moving::{Ate, Line, Moving, Steps, Tate};
use crate::names::PairingKind;
use bilinear_field::{Blank, Extension, Field, Prime, at};
use bilinear_params::Twist;
use std::marker::PhantomData;

/// The direction of a loop: the argument that drives it.
pub trait Direction<F: Prime>: Sized {
    /// The field of the running point.
    type Field: Extension<Prime = F> + Field<Mask = F::Mask>;
    /// The field of the other point.
    type Other: Field;

    /// The field of the running point.
    fn field(system: &SexticPairing<F>) -> &Self::Field;
    /// The coefficient 3b of the running point's curve.
    fn triple_b(system: &SexticPairing<F>) -> &TripleB<<Self::Field as Field>::Elem>;
    /// Returns the start of the running point, and the other point.
    fn split(pair: &Pair<E<F>>) -> (&Affine<Self::Field>, &Affine<Self::Other>);
    /// Computes the value of a line at the other point.
    fn value(
        system: &SexticPairing<F>,
        out: &mut [Elem<F>; 3],
        line: &Line<<Self::Field as Field>::Elem>,
        at: &[<Self::Other as Field>::Elem; 2],
    );
    /// The positions of the coefficients in the value of a line.
    fn pattern(system: &SexticPairing<F>) -> Pattern;
    /// Returns f times the factors that follow the loop of a pairing. The Tate pairing has none.
    fn close(
        _: &SexticPairing<F>,
        _: PairingKind,
        _: &mut PairsOf<'_, F, Self>,
        f: SparseProduct<F>,
    ) -> SparseProduct<F> {
        f
    }
}

/// The pairs of a product in a loop of this direction.
pub(super) type PairsOf<'a, F, D> = Moving<SexticSteps<'a, F, D>>;

impl<F: Prime> Direction<F> for Ate {
    type Field = E<F>;
    type Other = F;

    fn field(system: &SexticPairing<F>) -> &E<F> {
        system.e()
    }

    fn triple_b(system: &SexticPairing<F>) -> &TripleB<Elem<F>> {
        &system.triple_b_twist
    }

    fn split(pair: &Pair<E<F>>) -> (&Affine<E<F>>, &Affine<F>) {
        (&pair.q, &pair.p)
    }

    /// For type D, T = (xw², yw³) and the line is l_y·yP + l_x·xP·w + l_c·w³. For type M, multiplied by w³, it is
    /// l_c + l_x·xP·w² + l_y·yP·w³.
    #[inline]
    fn value(system: &SexticPairing<F>, out: &mut [Elem<F>; 3], line: &Line<Elem<F>>, [x, y]: &[F::Elem; 2]) {
        let e = system.e();
        let [first, second, third] = out;
        let (ly, lc) = match Self::pattern(system) {
            Pattern::First => (first, third),
            Pattern::Second => (third, first),
        };
        e.scale(ly, &line.y, y);
        e.scale(second, &line.x, x);
        lc.clone_from(&line.c);
    }

    fn pattern(system: &SexticPairing<F>) -> Pattern {
        if system.twist == Twist::D { Pattern::First } else { Pattern::Second }
    }

    fn close(
        system: &SexticPairing<F>,
        pairing: PairingKind,
        lines: &mut PairsOf<'_, F, Ate>,
        f: SparseProduct<F>,
    ) -> SparseProduct<F> {
        system.corrections(pairing, lines, f)
    }
}

impl<F: Prime> Direction<F> for Tate {
    type Field = F;
    type Other = E<F>;

    fn field(system: &SexticPairing<F>) -> &F {
        system.fp()
    }

    fn triple_b(system: &SexticPairing<F>) -> &TripleB<F::Elem> {
        &system.triple_b
    }

    fn split(pair: &Pair<E<F>>) -> (&Affine<F>, &Affine<E<F>>) {
        (&pair.p, &pair.q)
    }

    /// For type D, Q is (xw², yw³) and the line is l_c + l_x·x·w² + l_y·y·w³. For type M, multiplied by w³, it is
    /// l_y·y + l_x·x·w + l_c·w³.
    #[inline]
    fn value(system: &SexticPairing<F>, out: &mut [Elem<F>; 3], line: &Line<F::Elem>, [x, y]: &[Elem<F>; 2]) {
        let e = system.e();
        let [first, second, third] = out;
        let (ly, lc) = match Self::pattern(system) {
            Pattern::First => (first, third),
            Pattern::Second => (third, first),
        };
        e.scale(ly, y, &line.y);
        e.scale(second, x, &line.x);
        let mut c = Some(line.c.clone());
        *lc = e.compose(&mut || c.take().unwrap_or_else(|| system.fp().zero())); // l_c, in F_p
    }

    fn pattern(system: &SexticPairing<F>) -> Pattern {
        if system.twist == Twist::D { Pattern::Second } else { Pattern::First }
    }
}

/// The steps of the Miller loop in a direction.
pub struct SexticSteps<'a, F: Prime, D> {
    pub(super) system: &'a SexticPairing<F>,
    direction: PhantomData<D>,
}

impl<'a, F: Prime, D: Direction<F>> SexticSteps<'a, F, D> {
    pub(super) fn new(system: &'a SexticPairing<F>) -> Self {
        SexticSteps { system, direction: PhantomData }
    }
}

impl<'a, F: Prime, D: Direction<F>> Steps for SexticSteps<'a, F, D> {
    type Field = D::Field;
    type Point = Homogeneous<<D::Field as Field>::Elem>;
    type Line = Line<<D::Field as Field>::Elem>;
    /// The coordinates x and y of the other point.
    type At = [<D::Other as Field>::Elem; 2];
    type Prepared = LineReader<'a, F>;
    type Value = SparseProduct<F>;

    fn field(&self) -> &D::Field {
        D::field(self.system)
    }

    fn point(&self, p: &Affine<D::Field>) -> Self::Point {
        Homogeneous { x: p.x.clone(), y: p.y.clone(), z: self.field().one() }
    }

    fn double(&self, t: &mut Self::Point, line: &mut Self::Line, _: &Self::At) {
        double_step(self.field(), D::triple_b(self.system), t, line);
    }

    fn add(&self, t: &mut Self::Point, line: &mut Self::Line, r: [&<D::Field as Field>::Elem; 2], _: &Self::At) {
        add_step(self.field(), t, line, r);
    }

    fn one(&self) -> SparseProduct<F> {
        SparseProduct::One
    }

    fn square(&self, f: SparseProduct<F>) -> SparseProduct<F> {
        f.square(&self.system.groups.target, D::pattern(self.system))
    }

    /// The line is 1 in the lanes where a point of the pair is O.
    #[inline]
    fn mul_by_line(
        &self,
        f: SparseProduct<F>,
        line: &Self::Line,
        at: &Self::At,
        infinite: Option<F::Mask>,
    ) -> SparseProduct<F> {
        let (system, mut value) = (self.system, Blank::blank());
        D::value(system, &mut value, line, at);
        if let Some(mask) = infinite {
            let e = system.e();
            for (x, one) in value.iter_mut().zip(&one(e)) {
                *x = at!(e; select(mask, one, x));
            }
        }
        f.mul_by_line(&system.groups.target, D::pattern(system), &value)
    }

    #[inline]
    fn mul_by_prepared_line(
        &self,
        f: SparseProduct<F>,
        lines: &mut LineReader<'_, F>,
        at: &Self::At,
        infinite: Option<F::Mask>,
    ) -> SparseProduct<F> {
        let mut line = Line::default();
        [&mut line.x, &mut line.y, &mut line.c].into_iter().for_each(|x| lines.next(self.field(), x));
        self.mul_by_line(f, &line, at, infinite)
    }
}
