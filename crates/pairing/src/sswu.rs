//! The simplified map of Shallue, van de Woestijne and Ulas to curves y² = x³ + b (RFC 9380, sections 6.6.2 and
//! 6.6.3; Wahby and Boneh, CHES 2019). It maps to E': y² = g(x) = x³ + Ax + B with AB ≠ 0, and from there by an
//! isogeny. It takes one square root for each element and one inversion for several. No branch depends on a value.

use crate::curve::{Affine, CoefficientA, Curve, Jacobian};
use crate::svdw::{sign, with_sign};
use bilinear_field::{CollectVec, Extension, Lanes, NonSquare, SquareRoot, at, plus};
use bilinear_params::Suite;
use num_bigint::BigUint;

/// The constants of the map to one curve.
#[derive(Clone)]
pub struct SswuMap<E: Extension> {
    /// The curve E'.
    source: Curve<E>,
    z: E::Elem,
    /// The quotient −B/A.
    quotient: E::Elem,
    /// The value B/(ZA) of x where the fraction has denominator 0.
    exception: E::Elem,
    kernel: Vec<E::Elem>,
    x_numerator: Vec<E::Elem>,
    y_numerator: Vec<E::Elem>,
    root: SquareRoot<E>,
    /// Z³, as the non-square for [`SquareRoot::root_of_either`].
    cube: NonSquare<E>,
}

impl<E> SswuMap<E>
where
    E: Extension,
    E::Prime: Lanes,
{
    /// Creates the map of a validated suite.
    pub fn new(e: &E, suite: &Suite) -> Self {
        let polynomial = |p: &[Vec<BigUint>]| p.iter().map(|c| e.element(c)).collect_vec();
        let (z, a, b) = (e.element(suite.z()), e.element(suite.a()), e.element(suite.b()));
        let root = SquareRoot::new(e, &z);
        at! {e;
            zz = sqr(&z);
            zzz = mul(&zz, &z);
            one_over_a = inv(&a);
            ratio = mul(&b, &one_over_a);
            quotient = neg(&ratio);
            one_over_z = inv(&z);
            exception = mul(&ratio, &one_over_z);
        }
        SswuMap {
            cube: root.non_square(e, &zzz),
            root,
            source: Curve::new(e.clone(), CoefficientA::Other(a), b),
            z,
            quotient,
            exception,
            kernel: polynomial(suite.kernel()),
            x_numerator: polynomial(suite.x_numerator()),
            y_numerator: polynomial(suite.y_numerator()),
        }
    }

    /// The curve E'.
    pub fn source(&self) -> &Curve<E> {
        &self.source
    }

    /// Maps each u to the curve of the group and returns the sum of the points. There is at least one u. The sum is
    /// not in the group in general, and it is O only for the few u that lead to the kernel. The isogeny is a
    /// homomorphism, so it is applied once, to the sum.
    pub fn sum(&self, us: &[E::Elem]) -> Jacobian<E> {
        let points = self.on_source(us);
        let first = self.source.to_jacobian(&points[0]);
        self.isogeny(&points[1..].iter().fold(first, |sum, point| self.source.add(&sum, point)))
    }

    /// Maps each u to a point of E'.
    pub fn on_source(&self, us: &[E::Elem]) -> Vec<Affine<E>> {
        let e = self.source.field();
        let square = |u: &E::Elem| {
            at! {e; uu = sqr(u); zuu = mul(&self.z, &uu);}
            zuu
        };
        let squares: Vec<E::Elem> = us.iter().map(square).collect_vec();
        let denominator = |zuu: &E::Elem| {
            at! {e; zzuuuu = sqr(zuu); denominator = sum(&[plus(&zzuuuu), plus(zuu)]);}
            denominator
        };
        let mut fractions: Vec<E::Elem> = squares.iter().map(denominator).collect_vec();
        e.inv_many(&mut fractions);
        us.iter().zip(&squares).zip(&fractions).map(|((u, zuu), fraction)| self.over(u, zuu, fraction)).collect_vec()
    }

    /// Maps u to a point of E', given Zu² and 1/(Z²u⁴ + Zu²), which is 0 where the denominator is 0. With
    /// x2 = Zu²·x1, g(x2) = Z³u⁶·g(x1): where g(x1) is not a square, a root of Z³·g(x1) gives a root of g(x2).
    fn over(&self, u: &E::Elem, zuu: &E::Elem, fraction: &E::Elem) -> Affine<E> {
        let e = self.source.field();
        at! {e;
            factor = sum(&[plus(&e.one()), plus(fraction)]);            // 1 + 1/(Z²u⁴ + Zu²)
            usual = mul(&self.quotient, &factor);                       // −B/A·(1 + 1/(Z²u⁴ + Zu²))
            x1 = select(e.is_zero(fraction), &self.exception, &usual);
            x2 = mul(zuu, &x1);                                         // Zu²·x1
        }
        let (g, mut y1) = (self.source.rhs(&x1), e.zero());
        let first = self.root.root_of_either(e, &mut y1, &g, &self.cube);
        at! {e;
            uu = sqr(u);
            uuu = mul(&uu, u);
            y2 = mul(&uuu, &y1);                                        // u³·√(Z³·g(x1)) = √g(x2)
            x = select(first, &x1, &x2);
            y = select(first, &y1, &y2);
        }
        let y = with_sign(e, &y, sign(e, u));
        Affine { x, y, infinity: e.mask(false) }
    }

    /// Returns the image of a point of E' under the isogeny. Points of the kernel lead to O. For (X : Y : Z) and
    /// polynomials n and m of degrees 2d + 1 and 3d beside f of degree d, homogenised by Z², the image is
    /// (n : Ym : Zf).
    pub fn isogeny(&self, p: &Jacobian<E>) -> Jacobian<E> {
        let e = self.source.field();
        let most = [&self.kernel, &self.x_numerator, &self.y_numerator].map(Vec::len).into_iter().max().unwrap_or(0);
        let mut powers = vec![e.one()];
        at! {e; zz = sqr(&p.z);}
        for i in 1..most {
            powers.push(at!(e; mul(&powers[i - 1], &zz)));
        }
        let at_x = |polynomial: &[E::Elem]| {
            let mut value = e.zero();
            for (c, power) in polynomial.iter().rev().zip(&powers) {
                at! {e; higher = mul_wide(&value, &p.x); own = mul_wide(c, power); next = reduce(&[plus(&higher), plus(&own)]);}
                value = next;
            }
            value
        };
        at! {e; y = mul(&p.y, &at_x(&self.y_numerator)); z = mul(&p.z, &at_x(&self.kernel));}
        Jacobian { x: at_x(&self.x_numerator), y, z }
    }
}
