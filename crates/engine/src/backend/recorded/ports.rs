//! Points and elements at the ports of a program, and additions in affine coordinates.

use bilinear_field::{Extension, Field, at, minus, plus, times};
use bilinear_pairing::curve::{Affine, CoefficientA, Curve, Jacobian};
use bilinear_program::{Mask, Ports, Recorder};

/// Reads a point other than O: x and y, coefficient by coefficient.
pub(super) fn input_point<E>(ports: &mut Ports<'_>, curve: &Curve<E>) -> Affine<E>
where
    E: Extension<Prime = Recorder>,
{
    let e = curve.field();
    let x = e.compose(&mut || ports.elem());
    let y = e.compose(&mut || ports.elem());
    Affine { x, y, infinity: e.mask(false) }
}

/// Outputs all coefficients of an element.
pub(super) fn output<E: Extension<Prime = Recorder>>(ports: &mut Ports<'_>, e: &E, x: &E::Elem) {
    e.coefficients(x, &mut |c| ports.output(c));
}

/// Keeps all coefficients of an element.
pub(super) fn keep<E: Extension<Prime = Recorder>>(ports: &mut Ports<'_>, e: &E, x: &E::Elem) {
    e.coefficients(x, &mut |c| ports.output_to_store(c));
}

/// Outputs x and y of a point.
pub(super) fn output_affine<E>(ports: &mut Ports<'_>, curve: &Curve<E>, p: &Affine<E>)
where
    E: Extension<Prime = Recorder>,
{
    output(ports, curve.field(), &p.x);
    output(ports, curve.field(), &p.y);
}

/// Outputs a point in affine coordinates, and a mask that marks O.
pub(super) fn output_point<E>(ports: &mut Ports<'_>, curve: &Curve<E>, p: &Jacobian<E>)
where
    E: Extension<Prime = Recorder> + Field<Mask = Mask>,
{
    let p = curve.normalise(std::slice::from_ref(p)).remove(0);
    output_affine(ports, curve, &p);
    ports.output_mask(p.infinity);
}

/// Keeps x and y of a point.
pub(super) fn keep_affine<E>(ports: &mut Ports<'_>, curve: &Curve<E>, p: &Affine<E>)
where
    E: Extension<Prime = Recorder>,
{
    [&p.x, &p.y].iter().for_each(|c| keep(ports, curve.field(), c));
}

/// Computes P + Q for points with different x, by the chord: 5M + 1S with a shared inversion. If their x are equal,
/// returns P, and a mask that says so.
pub(super) fn chord<E>(curve: &Curve<E>, p: &Affine<E>, q: &Affine<E>) -> (Affine<E>, Mask)
where
    E: Extension<Prime = Recorder> + Field<Mask = Mask>,
{
    let e = curve.field();
    at! {e; rise = sum(&[plus(&q.y), minus(&p.y)]); run = sum(&[plus(&q.x), minus(&p.x)]);}
    let same = e.is_zero(&run);
    at! {e; divisor = select(same, &e.one(), &run);}
    let sum = on_line(curve, [p, q], &rise, &divisor);
    at! {e; x = select(same, &p.x, &sum.x); y = select(same, &p.y, &sum.y);}
    (Affine { x, y, infinity: sum.infinity }, same)
}

/// Computes P + Q for any points other than O, by the chord or the tangent, whose slope is (3x² + a)/2y. P = −Q where
/// the x are equal and the sum of the y is 0.
pub(super) fn chord_or_tangent<E>(curve: &Curve<E>, p: &Affine<E>, q: &Affine<E>) -> Affine<E>
where
    E: Extension<Prime = Recorder> + Field<Mask = Mask>,
{
    let e = curve.field();
    at! {e;
        rise = sum(&[plus(&q.y), minus(&p.y)]);
        run = sum(&[plus(&q.x), minus(&p.x)]);
        both = sum(&[plus(&q.y), plus(&p.y)]);
        xx = sqr(&p.x);
    }
    let mut tangent = e.zero();
    match curve.a() {
        CoefficientA::Zero => e.sum(&mut tangent, &[times(3, &xx)]),
        CoefficientA::One => e.sum(&mut tangent, &[times(3, &xx), plus(&e.one())]),
        CoefficientA::Other(a) => e.sum(&mut tangent, &[times(3, &xx), plus(a)]),
    }
    let same = e.is_zero(&run);
    let infinity = e.and(same, e.is_zero(&both));
    at! {e;
        numerator = select(same, &tangent, &rise);
        denominator = select(same, &both, &run);           // 2y where P = Q
        divisor = select(infinity, &e.one(), &denominator);
    }
    Affine { infinity, ..on_line(curve, [p, q], &numerator, &divisor) }
}

/// Computes P + Q from the slope λ of the line through them: x = λ² − x_P − x_Q, y = λ(x_P − x) − y_P.
fn on_line<E: Extension>(curve: &Curve<E>, [p, q]: [&Affine<E>; 2], rise: &E::Elem, run: &E::Elem) -> Affine<E> {
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
