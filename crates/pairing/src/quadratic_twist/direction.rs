//! The direction of a loop: the argument that drives it, and the value of its lines at the other argument. Lines may
//! be multiplied by any factor in E, since it vanishes in the final exponentiation. The factor is chosen so that few
//! coefficients remain.

use super::step::{JacobianZz, add_step, double_step};
use super::{E, Elem, Fpk, QuadraticTwistPairing};
use crate::bilinear_groups::Pair;
use crate::curve::Affine;
use crate::line_coefficients::LineReader;
use crate::moving::{Ate, Line, Steps, Tate};
use bilinear_field::{Blank, CollectVec, Extension, Field, Prime, at, plus};
use std::marker::PhantomData;

/// A line y + l_x·x + l_c.
#[derive(Clone, Debug, Default)]
pub struct Monic<E> {
    /// The coefficient of x.
    pub x: E,
    /// The constant term.
    pub c: E,
}

/// The direction of a loop: the argument that drives it.
pub trait Direction<F: Prime>: Sized {
    /// The field of the running point.
    type Field: Extension<Prime = F> + Field<Mask = F::Mask>;
    /// The field of the other point.
    type Other: Field<Mask = F::Mask>;
    /// The data of the other point that lines need.
    type At: Default;

    /// The field of the running point.
    fn field(system: &QuadraticTwistPairing<F>) -> &Self::Field;
    /// The coefficient a of the running point's curve.
    fn a(system: &QuadraticTwistPairing<F>) -> &F::Elem;
    /// Returns the start of the running point, and the other point.
    fn split(pair: &Pair<E<F>>) -> (&Affine<Self::Field>, &Affine<Self::Other>);
    /// Computes the data of the other points that lines need.
    fn at(system: &QuadraticTwistPairing<F>, others: &[&Affine<Self::Other>]) -> Vec<Self::At>;
    /// Computes out = f·l for the value l of a line.
    fn times(
        system: &QuadraticTwistPairing<F>,
        out: &mut Fpk<F>,
        f: &Fpk<F>,
        line: &Line<<Self::Field as Field>::Elem>,
        at: &Self::At,
    );
    /// Computes out = f·l for the value l of a line whose coefficient of y is 1.
    fn times_monic(
        system: &QuadraticTwistPairing<F>,
        out: &mut Fpk<F>,
        f: &Fpk<F>,
        line: &Monic<<Self::Field as Field>::Elem>,
        at: &Self::At,
    );
}

/// T = mP over F_p, lines at Q. Let d = k/2, and let M_E be the unreduced product in E (9M or 25M). f times a line
/// costs 2M_E + (4d + 1)M, 2 reductions in E and d + 1 in F_p; f times a prepared line costs 2M_E + 3dM, 2 reductions
/// in E and d in F_p.
impl<F: Prime> Direction<F> for Tate {
    type Field = F;
    type Other = E<F>;
    /// The values ν·x/y and ν²/y for Q = (x, y).
    type At = [Elem<F>; 2];

    fn field(system: &QuadraticTwistPairing<F>) -> &F {
        system.fp()
    }

    fn a(system: &QuadraticTwistPairing<F>) -> &F::Elem {
        &system.a[0]
    }

    fn split(pair: &Pair<E<F>>) -> (&Affine<F>, &Affine<E<F>>) {
        (&pair.p, &pair.q)
    }

    /// Takes one inversion in E for all points. A point of odd order has y ≠ 0.
    fn at(system: &QuadraticTwistPairing<F>, others: &[&Affine<E<F>>]) -> Vec<[Elem<F>; 2]> {
        let e = system.e();
        let [nu, nu2] = &system.nu;
        let mut inverses: Vec<Elem<F>> = others.iter().map(|q| q.y.clone()).collect_vec();
        e.inv_many(&mut inverses);
        let coordinates = |(q, i): (&&Affine<E<F>>, &Elem<F>)| {
            at! {e; ratio = mul(&q.x, i); x = scale(&ratio, nu); c = scale(i, nu2);}
            [x, c]
        };
        others.iter().zip(&inverses).map(coordinates).collect_vec()
    }

    /// The value at (x/ν, ys/ν²), times ν²/y: l_y·s + l_x·(νx/y) + l_c·(ν²/y), with l_y in F_p.
    #[inline]
    fn times(
        system: &QuadraticTwistPairing<F>,
        out: &mut Fpk<F>,
        [f0, f1]: &Fpk<F>,
        line: &Line<F::Elem>,
        [x, c]: &[Elem<F>; 2],
    ) {
        let e = system.e();
        at! {system.fp(); nu_y = mul(&system.nu[0], &line.y);} // ν·l_y
        at! {e; l0 = scale_two(x, &line.x, c, &line.c);} // l0 = l_x·(νx/y) + l_c·(ν²/y)
        e.mul_add(&mut out[0], f0, &l0, f1, &nu_y); // f0·l0 + ν·f1·l_y
        e.mul_add(&mut out[1], f1, &l0, f0, &line.y); // f1·l0 + f0·l_y
    }

    #[inline]
    fn times_monic(
        system: &QuadraticTwistPairing<F>,
        out: &mut Fpk<F>,
        [f0, f1]: &Fpk<F>,
        line: &Monic<F::Elem>,
        [x, c]: &[Elem<F>; 2],
    ) {
        let e = system.e();
        at! {e; l0 = scale_two(x, &line.x, c, &line.c); product = mul(f1, &l0);} // l0 = l_x·(νx/y) + l_c·(ν²/y)
        e.mul_add(&mut out[0], f0, &l0, f1, &system.nu[0]); // f0·l0 + ν·f1
        e.sum(&mut out[1], &[plus(&product), plus(f0)]); // f1·l0 + f0
    }
}

/// T = mQ over E, lines at P. With d and M_E as for the Tate pairing, f times a line costs a product in F_p^k and
/// 2dM + 2dR; f times a prepared line costs 2M_E + 3dM, 2 reductions in E and d in F_p.
impl<F: Prime> Direction<F> for Ate {
    type Field = E<F>;
    type Other = F;
    /// The values νx, νy and ν²y for P = (x, y).
    type At = [F::Elem; 3];

    fn field(system: &QuadraticTwistPairing<F>) -> &E<F> {
        system.e()
    }

    fn a(system: &QuadraticTwistPairing<F>) -> &F::Elem {
        &system.a[1]
    }

    fn split(pair: &Pair<E<F>>) -> (&Affine<E<F>>, &Affine<F>) {
        (&pair.q, &pair.p)
    }

    fn at(system: &QuadraticTwistPairing<F>, others: &[&Affine<F>]) -> Vec<[F::Elem; 3]> {
        let fp = system.fp();
        let [nu, nu2] = &system.nu;
        let coordinates = |p: &&Affine<F>| {
            at! {fp; x = mul(&p.x, nu); y = mul(&p.y, nu); nu_y = mul(&p.y, nu2);}
            [x, y, nu_y]
        };
        others.iter().map(coordinates).collect_vec()
    }

    /// P = (x, y) is (νx, νys) on the twist, where the value is l_y·νy·s + l_x·νx + l_c.
    #[inline]
    fn times(
        system: &QuadraticTwistPairing<F>,
        out: &mut Fpk<F>,
        f: &Fpk<F>,
        line: &Line<Elem<F>>,
        [x, y, _]: &[F::Elem; 3],
    ) {
        let e = system.e();
        at! {e;
            lx = scale(&line.x, x);
            l0 = sum(&[plus(&lx), plus(&line.c)]); // l_x·νx + l_c
            l1 = scale(&line.y, y);                // l_y·νy
        }
        system.groups.target.mul(out, f, &[l0, l1]);
    }

    #[inline]
    fn times_monic(
        system: &QuadraticTwistPairing<F>,
        out: &mut Fpk<F>,
        [f0, f1]: &Fpk<F>,
        line: &Monic<Elem<F>>,
        [x, y, nu_y]: &[F::Elem; 3],
    ) {
        let e = system.e();
        at! {e; lx = scale(&line.x, x); l0 = sum(&[plus(&lx), plus(&line.c)]);} // l0 = l_x·νx + l_c
        e.mul_add(&mut out[0], f0, &l0, f1, nu_y); // f0·l0 + ν·f1·νy
        e.mul_add(&mut out[1], f1, &l0, f0, y); // f1·l0 + f0·νy
    }
}

/// The steps of the Miller loop in a direction.
pub(super) struct QuadraticSteps<'a, F: Prime, D> {
    system: &'a QuadraticTwistPairing<F>,
    direction: PhantomData<D>,
}

impl<'a, F: Prime, D: Direction<F>> QuadraticSteps<'a, F, D> {
    pub(super) fn new(system: &'a QuadraticTwistPairing<F>) -> Self {
        QuadraticSteps { system, direction: PhantomData }
    }

    /// Returns `product`, or f in the lanes where a point of the pair is O.
    fn masked(&self, f: Fpk<F>, product: Fpk<F>, infinite: Option<F::Mask>) -> Fpk<F> {
        let Some(mask) = infinite else { return product };
        at!(self.system.groups.target; select(mask, &f, &product))
    }
}

impl<'a, F: Prime, D: Direction<F>> Steps for QuadraticSteps<'a, F, D> {
    type Field = D::Field;
    type Point = JacobianZz<<D::Field as Field>::Elem>;
    type Line = Line<<D::Field as Field>::Elem>;
    type At = D::At;
    type Prepared = LineReader<'a, F>;
    type Value = Fpk<F>;

    fn field(&self) -> &D::Field {
        D::field(self.system)
    }

    fn point(&self, p: &Affine<D::Field>) -> Self::Point {
        JacobianZz::new(self.field(), p)
    }

    fn double(&self, t: &mut Self::Point, line: &mut Self::Line, _: &D::At) {
        double_step(self.field(), D::a(self.system), t, line);
    }

    fn add(&self, t: &mut Self::Point, line: &mut Self::Line, r: [&<D::Field as Field>::Elem; 2], _: &D::At) {
        add_step(self.field(), t, line, r);
    }

    fn one(&self) -> Fpk<F> {
        self.system.groups.target.one()
    }

    fn square(&self, f: Fpk<F>) -> Fpk<F> {
        at!(self.system.groups.target; sqr(&f))
    }

    fn mul_by_line(&self, f: Fpk<F>, line: &Self::Line, at: &D::At, infinite: Option<F::Mask>) -> Fpk<F> {
        let mut product = Blank::blank();
        D::times(self.system, &mut product, &f, line, at);
        self.masked(f, product, infinite)
    }

    fn mul_by_prepared_line(
        &self,
        f: Fpk<F>,
        lines: &mut LineReader<'_, F>,
        at: &D::At,
        infinite: Option<F::Mask>,
    ) -> Fpk<F> {
        let (mut line, mut product) = (Monic::default(), Blank::blank());
        lines.next(self.field(), &mut line.x);
        lines.next(self.field(), &mut line.c);
        D::times_monic(self.system, &mut product, &f, &line, at);
        self.masked(f, product, infinite)
    }
}
