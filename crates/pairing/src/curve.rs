//! Short Weierstrass curves E: y² = x³ + ax + b over any field: points, the group law, scalar multiplication.
//!
//! Points are computed in Jacobian coordinates (x = X/Z², y = Y/Z³). Additions are complete by selection: they
//! compute the chord and the tangent and select one of them, so that lanes never diverge and a secret scalar leaves
//! no trace.
//!
//! Cost (M products, S squarings; one reduction for each, or for a sum of two) for a = 0: a doubling takes 3M + 4S
//! with 6 reductions, a mixed addition 8M + 4S and an addition 12M + 5S (Cohen, Miyaji, Ono, ASIACRYPT 1998, with the
//! numerator and denominator of the slope selected). For a = 1 they take 2S more, and a mixed addition 1S more.

use crate::edwards::{Edwards, Multiples};
use crate::legendre::legendre;
use bilinear_field::{CollectVec, Field, Prime, at, minus, plus, times};
use num_bigint::BigUint;
use std::sync::Arc;

/// The curve coefficient a.
#[derive(Clone, Debug)]
pub enum CoefficientA<E> {
    /// a = 0.
    Zero,
    /// a = 1.
    One,
    /// Any other value of a.
    Other(E),
}

/// The curve E: y² = x³ + ax + b.
#[derive(Clone)]
pub struct Curve<F: Field> {
    field: F,
    a: CoefficientA<F::Elem>,
    b: F::Elem,
    /// The Edwards form, in which multiples are computed.
    edwards: Option<Arc<dyn Multiples<F>>>,
}

/// An affine point, or O in the lanes where the mask is set. The coordinates of O are arbitrary but defined.
pub struct Affine<F: Field> {
    /// The coordinate x.
    pub x: F::Elem,
    /// The coordinate y.
    pub y: F::Elem,
    /// The lanes where the point is O.
    pub infinity: F::Mask,
}

/// A point in Jacobian coordinates. O has Z = 0.
pub struct Jacobian<F: Field> {
    /// The coordinate X.
    pub x: F::Elem,
    /// The coordinate Y.
    pub y: F::Elem,
    /// The coordinate Z.
    pub z: F::Elem,
}

impl<F: Field> Clone for Affine<F> {
    fn clone(&self) -> Self {
        Affine { x: self.x.clone(), y: self.y.clone(), infinity: self.infinity }
    }
}

impl<F: Field> Affine<F> {
    /// Returns −P.
    pub fn negate(&self, f: &F) -> Self {
        at! {f; y = neg(&self.y);}
        Affine { x: self.x.clone(), y, infinity: self.infinity }
    }

    /// Selects `p` in the lanes where the mask is set, else `q`.
    pub(crate) fn select(f: &F, mask: F::Mask, p: &Self, q: &Self) -> Self {
        at! {f; x = select(mask, &p.x, &q.x); y = select(mask, &p.y, &q.y);}
        Affine { x, y, infinity: f.or(f.and(mask, p.infinity), f.and(f.not(mask), q.infinity)) }
    }

    /// Converts the point to Jacobian coordinates with Z = 1, or Z = 0 for O.
    pub(crate) fn to_jacobian(&self, f: &F) -> Jacobian<F> {
        at! {f; z = select(self.infinity, &f.zero(), &f.one());}
        Jacobian { x: self.x.clone(), y: self.y.clone(), z }
    }
}

impl<F: Field> Clone for Jacobian<F> {
    fn clone(&self) -> Self {
        Jacobian { x: self.x.clone(), y: self.y.clone(), z: self.z.clone() }
    }
}

/// Operations that are the same on every curve.
impl<F: Field> Jacobian<F> {
    /// Selects `p` in the lanes where the mask is set, else `q`.
    pub(crate) fn select(f: &F, mask: F::Mask, p: &Self, q: &Self) -> Self {
        at! {f; x = select(mask, &p.x, &q.x); y = select(mask, &p.y, &q.y); z = select(mask, &p.z, &q.z);}
        Jacobian { x, y, z }
    }

    /// Converts many points to affine coordinates: one inversion, and 6M + 1S per point. O gets x = y = 0.
    pub(crate) fn normalise(f: &F, points: &[Self]) -> Vec<Affine<F>> {
        let mut inverses: Vec<F::Elem> = points.iter().map(|p| p.z.clone()).collect_vec();
        f.inv_many(&mut inverses);
        points.iter().zip(&inverses).map(|(p, inverse)| p.to_affine(f, inverse)).collect_vec()
    }

    /// Converts the point to affine coordinates, given 1/Z, or 0 for O: 3M + 1S.
    pub(crate) fn to_affine(&self, f: &F, inverse: &F::Elem) -> Affine<F> {
        at! {f; ii = sqr(inverse); iii = mul(&ii, inverse); x = mul(&self.x, &ii); y = mul(&self.y, &iii);}
        Affine { x, y, infinity: f.is_zero(&self.z) }
    }
}

impl<F: Prime + 'static> Curve<F> {
    /// Creates the curve y² = x³ + x over F_q, q ≡ 3 (mod 4), whose multiples are computed in its Edwards form.
    pub fn with_edwards_form(field: F) -> Self {
        let edwards = Edwards::new(field.clone(), legendre(2, field.modulus()) == 1);
        Curve { a: CoefficientA::One, b: field.zero(), edwards: Some(Arc::new(edwards)), field }
    }
}

impl<F: Field> Curve<F> {
    /// Creates the curve with these coefficients over `field`.
    pub fn new(field: F, a: CoefficientA<F::Elem>, b: F::Elem) -> Self {
        Curve { field, a, b, edwards: None }
    }

    /// The field of definition.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// The Edwards form, if the curve has one.
    pub(crate) fn edwards(&self) -> Option<&dyn Multiples<F>> {
        self.edwards.as_deref()
    }

    /// The curve coefficient a.
    pub fn a(&self) -> &CoefficientA<F::Elem> {
        &self.a
    }

    /// Returns O.
    pub fn infinity(&self) -> Jacobian<F> {
        let f = &self.field;
        Jacobian { x: f.one(), y: f.one(), z: f.zero() }
    }

    /// Converts an affine point to Jacobian coordinates.
    pub fn to_jacobian(&self, p: &Affine<F>) -> Jacobian<F> {
        p.to_jacobian(&self.field)
    }

    /// Returns x³ + ax + b. Costs 1M + 1S (+1M for a general a).
    pub fn rhs(&self, x: &F::Elem) -> F::Elem {
        let f = &self.field;
        at! {f; square = sqr(x);}
        match &self.a {
            CoefficientA::Zero => at!(f; mul_sum(&square, x, &[plus(&self.b)])),
            CoefficientA::One => at!(f; mul_sum(&square, x, &[plus(x), plus(&self.b)])),
            CoefficientA::Other(a) => {
                at! {f; ax = mul(a, x); sum = mul_sum(&square, x, &[plus(&ax), plus(&self.b)]);}
                sum
            }
        }
    }

    /// Returns the mask of the lanes where y² = x³ + ax + b. The point O satisfies it by definition.
    pub fn contains(&self, p: &Affine<F>) -> F::Mask {
        let f = &self.field;
        let right = self.rhs(&p.x);
        f.or(p.infinity, f.equal(&at!(f; sqr(&p.y)), &right))
    }

    /// Returns 2P.
    pub fn double(&self, p: &Jacobian<F>) -> Jacobian<F> {
        self.field.routine("doubling", || self.doubled(p))
    }

    fn doubled(&self, p: &Jacobian<F>) -> Jacobian<F> {
        let f = &self.field;
        let m = self.slope(&p.x, &self.square_for_slope(&p.z)); // M = 3X² + aZ⁴
        at! {f;
            yy = sqr(&p.y);                            // Y²
            u = sum(&[times(2, &yy)]);                 // U = 2Y²
            v = sum(&[times(2, &u)]);                  // V = 4Y²
            s = mul(&p.x, &v);                         // S = 4XY²
            x = sqr_sum(&m, &[times(-2, &s)]);         // X' = M² − 2S
            d = sum(&[plus(&s), minus(&x)]);           // S − X'
            md = mul_wide(&m, &d);                     // M(S − X')
            uu = sqr_wide(&u);                         // U² = 4Y⁴
            y = reduce(&[plus(&md), times(-2, &uu)]);  // Y' = M(S − X') − 8Y⁴
            yz = mul(&p.y, &p.z);                      // YZ
            z = sum(&[times(2, &yz)]);                 // Z' = 2YZ
        }
        Jacobian { x, y, z }
    }

    /// Returns P + Q for an affine Q; complete.
    pub fn add(&self, p: &Jacobian<F>, q: &Affine<F>) -> Jacobian<F> {
        self.field.routine("mixed addition", || self.added(p, q))
    }

    fn added(&self, p: &Jacobian<F>, q: &Affine<F>) -> Jacobian<F> {
        let f = &self.field;
        let [zz, h, r] = self.differences(p, q);
        // H = R = 0 where P = Q; where P = −Q the result has Z' = 0; where P = O it is Q
        let p_infinite = f.is_zero(&p.z);
        let same = f.and(f.and(f.is_zero(&h), f.is_zero(&r)), f.not(p_infinite));
        let sum = self.chord_or_tangent(p, [&h, &r], same, || self.slope(&p.x, &zz));
        let sum = Jacobian::select(f, p_infinite, &self.to_jacobian(q), &sum);
        Jacobian::select(f, q.infinity, p, &sum)
    }

    /// Returns Z², H and R, where H and R are the differences of the coordinates of P and an affine Q, times Z² and
    /// Z³.
    pub(crate) fn differences(&self, p: &Jacobian<F>, q: &Affine<F>) -> [F::Elem; 3] {
        let f = &self.field;
        at! {f;
            zz = sqr(&p.z);                           // Z²
            zzz = mul(&zz, &p.z);                     // Z³
            h = mul_sum(&q.x, &zz, &[minus(&p.x)]);   // H = x₂Z² − X
            r = mul_sum(&q.y, &zzz, &[minus(&p.y)]);  // R = y₂Z³ − Y
        }
        [zz, h, r]
    }

    /// Returns P + Q by the chord with H and R, or, in the lanes where the mask is set, 2P by the tangent with H = 2Y
    /// and R = 3X² + aZ⁴, which `slope` computes. The tangent uses the formulas of the chord without H³ in X'.
    fn chord_or_tangent(
        &self,
        p: &Jacobian<F>,
        [h, r]: [&F::Elem; 2],
        same: F::Mask,
        slope: impl FnOnce() -> F::Elem,
    ) -> Jacobian<F> {
        let f = &self.field;
        let (zero, m) = (f.zero(), slope());
        at! {f;
            twice_y = sum(&[times(2, &p.y)]);
            den = select(same, &twice_y, h);  // H
            num = select(same, &m, r);        // R
        }
        self.along(p, [&den, &num], |hhh| at!(f; select(same, &zero, &hhh)))
    }

    /// Returns P + Q by the line with H and R. `cube` turns H³ into the term that X' subtracts.
    pub(crate) fn along(
        &self,
        p: &Jacobian<F>,
        [h, r]: [&F::Elem; 2],
        cube: impl FnOnce(F::Elem) -> F::Elem,
    ) -> Jacobian<F> {
        let f = &self.field;
        at! {f;
            hh = sqr(h);       // H²
            hhh = mul(&hh, h); // H³
        }
        let cube = cube(hhh.clone());
        at! {f;
            xhh = mul(&p.x, &hh);                               // XH²
            x = sqr_sum(r, &[minus(&cube), times(-2, &xhh)]);   // X' = R² − H³ − 2XH²
            d = sum(&[plus(&xhh), minus(&x)]);                  // XH² − X'
            rd = mul_wide(r, &d);
            yh = mul_wide(&p.y, &hhh);
            y = reduce(&[plus(&rd), minus(&yh)]);               // Y' = R(XH² − X') − YH³
            z = mul(&p.z, h);                                   // Z' = ZH
        }
        Jacobian { x, y, z }
    }

    /// Returns 3x² + a·zz².
    pub(crate) fn slope(&self, x: &F::Elem, zz: &F::Elem) -> F::Elem {
        let f = &self.field;
        at! {f; xx = sqr(x);}
        match &self.a {
            CoefficientA::Zero => at!(f; sum(&[times(3, &xx)])),
            CoefficientA::One => {
                at! {f; z4 = sqr(zz); slope = sum(&[times(3, &xx), plus(&z4)]);}
                slope
            }
            CoefficientA::Other(a) => {
                at! {f; z4 = sqr(zz); az4 = mul(a, &z4); slope = sum(&[times(3, &xx), plus(&az4)]);}
                slope
            }
        }
    }

    /// Returns z² if [`Curve::slope`] reads it, else 0.
    fn square_for_slope(&self, z: &F::Elem) -> F::Elem {
        let mut zz = self.field.zero();
        if !matches!(self.a, CoefficientA::Zero) {
            self.field.sqr(&mut zz, z);
        }
        zz
    }

    /// Returns P + Q for two points in Jacobian coordinates; complete. Works like [`Curve::add`], with both points
    /// brought to the denominator Z₁Z₂.
    pub fn add_jacobian(&self, p: &Jacobian<F>, q: &Jacobian<F>) -> Jacobian<F> {
        self.field.routine("addition", || self.added_jacobian(p, q))
    }

    fn added_jacobian(&self, p: &Jacobian<F>, q: &Jacobian<F>) -> Jacobian<F> {
        let f = &self.field;
        at! {f;
            zz = sqr(&q.z);                          // Z₂²
            zzz = mul(&zz, &q.z);                    // Z₂³
            x = mul(&p.x, &zz);                      // X₁Z₂²
            y = mul(&p.y, &zzz);                     // Y₁Z₂³
            z = mul(&p.z, &q.z);                     // Z₁Z₂
            own = sqr(&p.z);                         // Z₁²
            cube = mul(&own, &p.z);                  // Z₁³
            h = mul_sum(&q.x, &own, &[minus(&x)]);   // H = X₂Z₁² − X₁Z₂²
            r = mul_sum(&q.y, &cube, &[minus(&y)]);  // R = Y₂Z₁³ − Y₁Z₂³
        }
        let (p_infinite, q_infinite) = (f.is_zero(&p.z), f.is_zero(&q.z));
        let finite = f.not(f.or(p_infinite, q_infinite));
        let same = f.and(f.and(f.is_zero(&h), f.is_zero(&r)), finite);
        let common = Jacobian { x, y, z };
        let slope = || self.slope(&common.x, &self.square_for_slope(&common.z));
        let sum = self.chord_or_tangent(&common, [&h, &r], same, slope);
        let sum = Jacobian::select(f, p_infinite, q, &sum);
        Jacobian::select(f, q_infinite, p, &sum)
    }

    /// Returns the mask of the lanes where P and Q are the same point. Costs 3M + 1S.
    pub fn equal(&self, p: &Jacobian<F>, q: &Affine<F>) -> F::Mask {
        let f = &self.field;
        at! {f; zz = sqr(&p.z); x = mul(&q.x, &zz); qy = mul(&q.y, &p.z); y = mul(&qy, &zz);}
        let infinite = f.is_zero(&p.z);
        let coordinates = f.and(f.equal(&p.x, &x), f.equal(&p.y, &y));
        let finite = f.and(coordinates, f.not(f.or(infinite, q.infinity)));
        f.or(f.and(infinite, q.infinity), finite)
    }

    /// Returns −P.
    pub fn negate(&self, p: &Affine<F>) -> Affine<F> {
        p.negate(&self.field)
    }

    /// Converts many points to affine coordinates: one inversion, and 6M + 1S per point. O gets x = y = 0.
    pub fn normalise(&self, points: &[Jacobian<F>]) -> Vec<Affine<F>> {
        Jacobian::normalise(&self.field, points)
    }

    /// Returns kP for a public k and any P, by the NAF of k in the width that needs the fewest additions. The running
    /// time depends only on k, never on P.
    pub fn mul(&self, k: &BigUint, p: &Affine<F>) -> Jacobian<F> {
        if let Some(edwards) = &self.edwards {
            return edwards.mul(k, p);
        }
        self.msm(&[(k.clone().into(), p.clone())])
    }

    /// Returns the odd multiples P, 3P, 5P, …, `count` of them. For a = 0 the additions of 2P take place on the
    /// isomorphic curve on which 2P is affine (the formulas do not depend on b), so that no inversion is needed.
    pub(crate) fn odd_multiples(&self, p: &Affine<F>, count: usize) -> Vec<Jacobian<F>> {
        let f = &self.field;
        if count <= 1 {
            return vec![self.to_jacobian(p); count];
        }
        let double = self.double(&self.to_jacobian(p));
        if !matches!(self.a, CoefficientA::Zero) {
            let double = self.normalise(&[double]).remove(0);
            let next = |q: &Jacobian<F>| Some(self.add(q, &double));
            return std::iter::successors(Some(self.to_jacobian(p)), next).take(count).collect_vec();
        }
        // (x, y) ↦ (xZ², yZ³) for the Z of 2P, or 1 where 2P = O
        let infinity = f.is_zero(&double.z);
        at! {f;
            z = select(infinity, &f.one(), &double.z);
            zz = sqr(&z);
            zzz = mul(&zz, &z);
            x = mul(&p.x, &zz);
            y = mul(&p.y, &zzz);
        }
        let double = Affine { x: double.x, y: double.y, infinity };
        let first = self.to_jacobian(&Affine { x, y, infinity: p.infinity });
        let next = |q: &Jacobian<F>| Some(self.add(q, &double));
        let back = |q: Jacobian<F>| {
            at! {f; own = mul(&q.z, &z);}
            Jacobian { z: own, ..q }
        };
        std::iter::successors(Some(first), next).take(count).map(back).collect_vec()
    }
}
