//! Points and elements through the ports of a program, and the group law in affine coordinates.

use bilinear_field::{Extension, Field, at, minus, plus, times};
use bilinear_pairing::curve::{Affine, CoefficientA, Curve, Jacobian};
use bilinear_program::{Mask, Ports, Recorder};

/// A point other than O comes in: x and y, coefficient by coefficient.
pub(super) fn input_point<E>(ports: &mut Ports<'_>, curve: &Curve<E>) -> Affine<E>
where
    E: Extension<Prime = Recorder>,
{
    let e = curve.field();
    let x = e.compose(&mut || ports.elem());
    let y = e.compose(&mut || ports.elem());
    Affine { x, y, infinity: e.mask(false) }
}

/// All coefficients of an element go out.
pub(super) fn output<E: Extension<Prime = Recorder>>(ports: &mut Ports<'_>, e: &E, x: &E::Elem) {
    e.coefficients(x, &mut |c| ports.output(c));
}

/// x and y of a point go out.
pub(super) fn output_affine<E>(ports: &mut Ports<'_>, curve: &Curve<E>, p: &Affine<E>)
where
    E: Extension<Prime = Recorder>,
{
    output(ports, curve.field(), &p.x);
    output(ports, curve.field(), &p.y);
}

/// The same in affine coordinates, and where it is O.
pub(super) fn output_point<E>(ports: &mut Ports<'_>, curve: &Curve<E>, p: &Jacobian<E>)
where
    E: Extension<Prime = Recorder> + Field<Mask = Mask>,
{
    let p = curve.normalise(std::slice::from_ref(p)).remove(0);
    output_affine(ports, curve, &p);
    ports.output_mask(p.infinity);
}

/// P + Q for points with different x.
pub(super) fn slope_sum<E: Extension>(curve: &Curve<E>, p: &Affine<E>, q: &Affine<E>) -> Affine<E> {
    let e = curve.field();
    at! {e; rise = sum(&[plus(&q.y), minus(&p.y)]); run = sum(&[plus(&q.x), minus(&p.x)]);}
    on_line(curve, p, q, &rise, &run)
}

/// 2P for a P other than O whose order is not 2.
pub(super) fn double<E: Extension>(curve: &Curve<E>, p: &Affine<E>) -> Affine<E> {
    let e = curve.field();
    at! {e; xx = sqr(&p.x); run = sum(&[times(2, &p.y)]);}
    let mut rise = e.zero();
    match curve.a() {
        CoefficientA::Zero => e.sum(&mut rise, &[times(3, &xx)]),
        CoefficientA::One => e.sum(&mut rise, &[times(3, &xx), plus(&e.one())]),
        CoefficientA::Other(a) => e.sum(&mut rise, &[times(3, &xx), plus(a)]),
    }
    on_line(curve, p, p, &rise, &run)
}

/// P + Q by the slope of the line through them: x = λ² − x_P − x_Q, y = λ(x_P − x) − y_P.
fn on_line<E: Extension>(curve: &Curve<E>, p: &Affine<E>, q: &Affine<E>, rise: &E::Elem, run: &E::Elem) -> Affine<E> {
    let e = curve.field();
    at! {e;
        inverse = inv(run);
        lambda = mul(rise, &inverse);
        x = sqr_sum(&lambda, &[minus(&p.x), minus(&q.x)]);
        across = sum(&[plus(&p.x), minus(&x)]);
        y = mul_sum(&lambda, &across, &[minus(&p.y)]);
    }
    Affine { x, y, infinity: e.mask(false) }
}
