//! The accumulator f of a Miller loop. `None` represents 1.

use super::Fq2;
use bilinear_field::tower::Complex;
use bilinear_field::{Field, Prime, at};

/// Returns f².
pub(super) fn square<F: Prime>(fq2: &Complex<F>, f: Option<Fq2<F>>) -> Option<Fq2<F>> {
    f.map(|f| at!(fq2; sqr(&f)))
}

/// Returns f·value, or f in the lanes where a point of the pair is O.
pub(super) fn mul_by_line<F: Prime>(
    fq2: &Complex<F>,
    f: Option<Fq2<F>>,
    value: &Fq2<F>,
    infinite: Option<F::Mask>,
) -> Option<Fq2<F>> {
    let product = f.as_ref().map_or_else(|| value.clone(), |f| at!(fq2; mul(f, value)));
    let Some(mask) = infinite else { return Some(product) };
    let f = f.unwrap_or_else(|| fq2.one());
    Some(at!(fq2; select(mask, &f, &product)))
}

/// Returns f·f_d from the f_|d| of a table.
pub(super) fn join<F: Prime>(
    fq2: &Complex<F>,
    f: Option<Fq2<F>>,
    (d, value): (i8, &Fq2<F>),
    infinite: Option<F::Mask>,
) -> Option<Fq2<F>> {
    if d > 0 {
        return mul_by_line(fq2, f, value, infinite);
    }
    at! {fq2; inverse = conjugate(value);}
    mul_by_line(fq2, f, &inverse, infinite)
}
