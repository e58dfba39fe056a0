//! Arithmetic of points of y^2 = x^3 + a x + b over F_q = F_{p^e}, enough to find and check groups of order r.
//!
//! Coordinates are Jacobian: (x, y) = (X / Z^2, Y / Z^3), Z = 0 at infinity. Doubling and mixed addition are those
//! of Bernstein and Lange's Explicit-Formulas Database (dbl-2009-l: 2M + 5S, and a Z^4 if a is not 0; madd-2007-bl:
//! 7M + 4S), with digits in non-adjacent form. Square roots come from `square_roots.rs`, field arithmetic from
//! `extension.rs`. Finding a generator in a field F_{p^4} with p of 509 bits takes some tenths of a second.

use num_bigint::BigUint;
use num_traits::Zero;

use crate::extension::ExtensionField;
use crate::sextic::ExtensionPoint;

/// The number of abscissas to try. On a curve with h r points, h P is other than O for all but 1/r of the points P.
const ABSCISSAS: u32 = 256;

/// The number of points whose multiples test whether a curve has the stated order.
const TRIALS: usize = 3;

/// A curve y^2 = x^3 + a x + b.
pub(crate) struct Points<'a> {
    field: ExtensionField<'a>,
    /// The coefficient a; `None` stands for 0.
    a: Option<Vec<BigUint>>,
    b: Vec<BigUint>,
}

/// The Jacobian coordinates X, Y, Z of a point.
type Jacobian = [Vec<BigUint>; 3];

impl<'a> Points<'a> {
    /// Creates the curve y^2 = x^3 + b over a field.
    pub(crate) fn new(field: ExtensionField<'a>, b: Vec<BigUint>) -> Self {
        Self { field, a: None, b }
    }

    /// Sets the coefficient a of x.
    pub(crate) fn with_a(self, a: Vec<BigUint>) -> Self {
        Self { a: Some(a), ..self }
    }

    /// Returns true if the curve has points, and `order` times each of some of them is O. A curve with another
    /// number of points hardly has such points.
    pub(crate) fn have_order(&self, order: &BigUint) -> bool {
        let points: Vec<_> = (0..ABSCISSAS).filter_map(|n| self.lift_x(n)).take(TRIALS).collect();
        !points.is_empty() && points.iter().all(|point| self.has_order(order, point))
    }

    /// Returns a generator of the subgroup of order r, if the curve has cofactor * r points. It is the first
    /// multiple by the cofactor other than O of the points P with x = 0, 1, 2, ..., read as coefficients in base p,
    /// that of 1 first. In P, the last coefficient of y that is not 0 is below p/2.
    ///
    /// `None` proves that the curve has another number of points; a value proves that r divides the number of points.
    pub(crate) fn generator(&self, cofactor: &BigUint, r: &BigUint) -> Option<ExtensionPoint> {
        for n in 0..ABSCISSAS {
            let Some(point) = self.lift_x(n) else { continue };
            if let Some(multiple) = self.affine(&self.mul(cofactor, &point)) {
                return self.has_order(r, &multiple).then_some(multiple);
            }
        }
        None
    }

    /// Returns true if r P = O for a point of the curve. An affine point is not O, so for a prime r its order is
    /// then r.
    pub(crate) fn has_order(&self, r: &BigUint, point: &ExtensionPoint) -> bool {
        self.mul(r, point)[2].iter().all(BigUint::is_zero)
    }

    /// Returns a point with the n-th abscissa, if there is one: the last coefficient of its y that is not 0 is
    /// below p/2.
    fn lift_x(&self, n: u32) -> Option<ExtensionPoint> {
        let f = &self.field;
        let x = f.element(n)?;
        // x^2 + a
        let square = f.mul(&x, &x);
        let slope = self.a.as_ref().map_or_else(|| square.clone(), |a| f.add(&square, a));
        let y = f.square_root(&f.add(&f.mul(&slope, &x), &self.b))?;
        let large = y.iter().rev().find(|c| !c.is_zero()).is_some_and(|c| *c > f.p() >> 1u8);
        let y = if large { f.sub(&f.zero(), &y) } else { y };
        Some((x, y))
    }

    /// Computes n P.
    fn mul(&self, n: &BigUint, point: &ExtensionPoint) -> Jacobian {
        let f = &self.field;
        let negative = (point.0.clone(), f.sub(&f.zero(), &point.1));
        let mut sum = self.infinity();
        // digit i of n in non-adjacent form is bit i + 1 of 3n minus that of n
        let triple: BigUint = n * 3u8;
        for i in (1..triple.bits()).rev() {
            sum = self.double(&sum);
            match (triple.bit(i), n.bit(i)) {
                (true, false) => sum = self.add(&sum, point),
                (false, true) => sum = self.add(&sum, &negative),
                _ => {}
            }
        }
        sum
    }

    fn infinity(&self) -> Jacobian {
        let one = self.field.constant(&BigUint::from(1u8));
        [one.clone(), one, self.field.zero()]
    }

    fn double(&self, [x, y, z]: &Jacobian) -> Jacobian {
        let f = &self.field;
        let twice = |a: &[BigUint]| f.add(a, a);
        let (a, b) = (f.mul(x, x), f.mul(y, y));
        // D = 4 X Y^2, E = 3 X^2 + a Z^4
        let (d, e) = (twice(&twice(&f.mul(x, &b))), f.add(&twice(&a), &a));
        let e = match &self.a {
            Some(a) => {
                let zz = f.mul(z, z);
                f.add(&e, &f.mul(a, &f.mul(&zz, &zz)))
            }
            None => e,
        };
        let x3 = f.sub(&f.mul(&e, &e), &twice(&d));
        let c8 = twice(&twice(&twice(&f.mul(&b, &b))));
        let y3 = f.sub(&f.mul(&e, &f.sub(&d, &x3)), &c8);
        [x3, y3, twice(&f.mul(y, z))]
    }

    fn add(&self, sum: &Jacobian, point: &ExtensionPoint) -> Jacobian {
        let f = &self.field;
        let ([x1, y1, z1], (x2, y2)) = (sum, point);
        if z1.iter().all(BigUint::is_zero) {
            return [x2.clone(), y2.clone(), f.constant(&BigUint::from(1u8))];
        }
        let zz = f.mul(z1, z1);
        // H = X2 Z1^2 - X1, R = Y2 Z1^3 - Y1
        let h = f.sub(&f.mul(x2, &zz), x1);
        let r = f.sub(&f.mul(y2, &f.mul(&zz, z1)), y1);
        if h.iter().all(BigUint::is_zero) {
            return if r.iter().all(BigUint::is_zero) { self.double(sum) } else { self.infinity() };
        }
        let hh = f.mul(&h, &h);
        let (hhh, v) = (f.mul(&h, &hh), f.mul(x1, &hh));
        let x3 = f.sub(&f.sub(&f.mul(&r, &r), &hhh), &f.add(&v, &v));
        let y3 = f.sub(&f.mul(&r, &f.sub(&v, &x3)), &f.mul(y1, &hhh));
        [x3, y3, f.mul(z1, &h)]
    }

    /// Returns the affine x and y, or `None` at infinity.
    fn affine(&self, [x, y, z]: &Jacobian) -> Option<ExtensionPoint> {
        let f = &self.field;
        if z.iter().all(BigUint::is_zero) {
            return None;
        }
        let inverse = f.inverse(z);
        let square = f.mul(&inverse, &inverse);
        Some((f.mul(x, &square), f.mul(y, &f.mul(&square, &inverse))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(value: u32) -> Vec<BigUint> {
        vec![BigUint::from(value)]
    }

    /// Compares with all points of y^2 = x^3 + 5 over F_103, found by trial: with O they are 97, a prime, so that
    /// every other one has that order.
    #[test]
    fn points_agree_with_trial() {
        let p = BigUint::from(103u8);
        let curve = Points::new(ExtensionField::base(&p), one(5));
        let on_curve = |x: u32, y: u32| (y * y) % 103 == (x * x * x + 5) % 103;
        let points = (0..103).flat_map(|x| (0..103).map(move |y| (x, y))).filter(|(x, y)| on_curve(*x, *y));
        let points: Vec<_> = points.collect();
        assert_eq!(points.len() + 1, 97);
        for x in 0..103 {
            let found = curve.lift_x(x);
            let known = points.iter().find(|(known, y)| *known == x && *y < 52);
            assert_eq!(found, known.map(|(x, y)| (one(*x), one(*y))));
        }
        assert_eq!(curve.lift_x(103), None);
        // by repeated addition
        let (r, start) = (BigUint::from(97u8), (one(points[0].0), one(points[0].1)));
        let mut sum = curve.infinity();
        for n in 1..=97u32 {
            sum = curve.add(&sum, &start);
            assert_eq!(curve.affine(&sum), curve.affine(&curve.mul(&n.into(), &start)), "{n}");
        }
        assert_eq!(curve.affine(&sum), None);
        assert!(curve.has_order(&r, &start));
        assert!(curve.generator(&BigUint::from(1u8), &r).is_some());
        // y^2 = x^3 + 1 has 124 points or another even number, 3-torsion and 2-torsion
        assert_eq!(Points::new(ExtensionField::base(&p), one(1)).generator(&BigUint::from(1u8), &r), None);
    }
}
