//! The curve E: y² + y = x³ + x + b over F_2^m, b = 0 or 1, in Jacobian coordinates x = X/Z², y = Y/Z³.
//!
//! −(x, y) = (x, y + 1), and 2(x, y) = (x⁴ + 1, x⁴ + y⁴): a doubling takes one product, for Z⁴·X⁴, and squarings. A
//! mixed addition takes 9 products. O has Z = 0. There is no other exceptional point: no point is its own inverse.

use crate::complete_group::CompleteGroup;
use crate::curve::{Affine, Jacobian};
use bilinear_field::{Field, at, plus};

/// The group of points of the curve.
#[derive(Clone)]
pub struct Group<F: Field> {
    field: F,
    b: F::Elem,
}

impl<F: Field> Group<F> {
    /// Creates the curve with b = 1 or 0.
    pub fn new(field: F, b: bool) -> Self {
        let b = if b { field.one() } else { field.zero() };
        Group { field, b }
    }

    /// Returns x³ + x + b.
    pub fn rhs(&self, x: &F::Elem) -> F::Elem {
        at! {self.field; square = sqr(x); out = mul_sum(&square, x, &[plus(x), plus(&self.b)]);}
        out
    }

    /// Returns the mask of the lanes where (x, y) is on the curve.
    pub fn contains(&self, x: &F::Elem, y: &F::Elem) -> F::Mask {
        at! {self.field; left = sqr_sum(y, &[plus(y)]);}
        self.field.equal(&left, &self.rhs(x))
    }
}

impl<F: Field> CompleteGroup for Group<F> {
    type F = F;

    fn field(&self) -> &F {
        &self.field
    }

    /// Returns −P.
    fn negate(&self, p: &Affine<F>) -> Affine<F> {
        at! {self.field; y = add(&p.y, &self.field.one());}
        Affine { x: p.x.clone(), y, infinity: p.infinity }
    }

    /// Returns 2P = (X⁴ + Z⁸, X⁴·Z⁴ + Y⁴, Z⁴): 1 product, 7 squarings.
    fn double(&self, p: &Jacobian<F>) -> Jacobian<F> {
        at! {self.field;
            xx = sqr(&p.x);
            zz = sqr(&p.z);
            yy = sqr(&p.y);
            x4 = sqr(&xx);
            z4 = sqr(&zz);
            y4 = sqr(&yy);
            z8 = sqr(&z4);
            x = add(&x4, &z8);
            y = mul_sum(&x4, &z4, &[plus(&y4)]);
        }
        Jacobian { x, y, z: z4 }
    }

    /// Returns P + Q, for any P and Q: 9 products, 4 squarings and a doubling.
    fn add(&self, p: &Jacobian<F>, q: &Affine<F>) -> Jacobian<F> {
        let f = &self.field;
        at! {f;
            zz = sqr(&p.z);
            zzz = mul(&zz, &p.z);
            h = mul_sum(&q.x, &zz, &[plus(&p.x)]); // x_Q·Z² + X
            r = mul_sum(&q.y, &zzz, &[plus(&p.y)]); // y_Q·Z³ + Y
            z = mul(&p.z, &h);
            hh = sqr(&h);
            hhh = mul(&hh, &h);
            x = sqr_sum(&r, &[plus(&hhh)]);
            across = mul_sum(&p.x, &hh, &[plus(&x)]); // X·H² + X'
            z2 = sqr(&z);
            z3 = mul(&z2, &z);
            along = mul(&r, &across);
            y = mul_sum(&p.y, &hhh, &[plus(&along), plus(&z3)]);
        }
        let sum = Jacobian { x, y, z };
        // H = 0 where the points are equal or opposite: P = Q if R = 0; any other R leaves Z' = 0
        let equal = f.and(f.is_zero(&h), f.is_zero(&r));
        let sum = Jacobian::select(f, equal, &self.double(p), &sum);
        let sum = Jacobian::select(f, f.is_zero(&p.z), &self.to_jacobian(q), &sum);
        Jacobian::select(f, q.infinity, p, &sum)
    }
}
