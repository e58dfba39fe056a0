//! The simplified map of Shallue, van de Woestijne and Ulas to curves y² = x³ + b (RFC 9380, sections 6.6.2 and 6.6.3; Wahby and
//! Boneh, CHES 2019): to E': y² = g(x) = x³ + Ax + B with AB ≠ 0, and on by an isogeny. 2 square roots, 2 inversions; no branch
//! depends on a value.

use crate::curve::{Affine, CoefficientA, Curve};
use crate::svdw::{signs, with_signs};
use bilinear_field::{Extension, Lanes, SquareRoot, at, plus};
use num_bigint::BigUint;

/// A suite as residues: each element is a list of coefficients over F_p, each polynomial a list of elements, constant term first.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Z, a non-square.
    pub z: Vec<BigUint>,
    /// A.
    pub a: Vec<BigUint>,
    /// B.
    pub b: Vec<BigUint>,
    /// The kernel polynomial f: the isogeny is (x, y) ↦ (x_numerator/f², y·y_numerator/f³).
    pub kernel: Vec<Vec<BigUint>>,
    /// The numerator of x.
    pub x_numerator: Vec<Vec<BigUint>>,
    /// The numerator of y, without the factor y.
    pub y_numerator: Vec<Vec<BigUint>>,
}

/// The constants of the map to one curve.
#[derive(Clone)]
pub struct Map<E: Extension> {
    /// E'.
    source: Curve<E>,
    z: E::Elem,
    /// −B/A.
    quotient: E::Elem,
    /// B/(ZA): x where the fraction has no denominator.
    exception: E::Elem,
    kernel: Vec<E::Elem>,
    x_numerator: Vec<E::Elem>,
    y_numerator: Vec<E::Elem>,
    root: SquareRoot<E::Elem>,
}

impl<E> Map<E>
where
    E: Extension,
    E::Prime: Lanes,
{
    /// The map of a suite, which has been validated.
    pub fn new(e: &E, suite: &Suite) -> Self {
        let polynomial = |p: &[Vec<BigUint>]| p.iter().map(|c| e.element(c)).collect::<Vec<_>>();
        let (z, a, b) = (e.element(&suite.z), e.element(&suite.a), e.element(&suite.b));
        at! {e;
            one_over_a = inv(&a);
            ratio = mul(&b, &one_over_a);
            quotient = neg(&ratio);
            one_over_z = inv(&z);
            exception = mul(&ratio, &one_over_z);
        }
        Map {
            root: SquareRoot::new(e, &z),
            source: Curve::new(e.clone(), CoefficientA::Other(a), b),
            z,
            quotient,
            exception,
            kernel: polynomial(&suite.kernel),
            x_numerator: polynomial(&suite.x_numerator),
            y_numerator: polynomial(&suite.y_numerator),
        }
    }

    /// Square roots in the field of the curve.
    pub fn root(&self) -> &SquareRoot<E::Elem> {
        &self.root
    }

    /// The point of u: on the curve of the group, outside it in general, and O only for the few u that lead to the kernel.
    pub fn point(&self, u: &E::Elem) -> Affine<E> {
        self.isogeny(&self.on_source(u))
    }

    /// E'.
    pub fn source(&self) -> &Curve<E> {
        &self.source
    }

    /// The point of u on E'.
    pub fn on_source(&self, u: &E::Elem) -> Affine<E> {
        let e = self.source.field();
        let one = e.one();
        at! {e;
            uu = sqr(u);
            zuu = mul(&self.z, &uu);
            zzuuuu = sqr(&zuu);
            denominator = sum(&[plus(&zzuuuu), plus(&zuu)]);
            fraction = inv(&denominator);
            factor = sum(&[plus(&one), plus(&fraction)]);
            usual = mul(&self.quotient, &factor);
            x1 = select(e.is_zero(&denominator), &self.exception, &usual);
            x2 = mul(&zuu, &x1);
        }
        let (mut g1, mut g2, mut y1, mut y2) = (e.zero(), e.zero(), e.zero(), e.zero());
        self.source.right_side(&mut g1, &x1);
        self.source.right_side(&mut g2, &x2);
        let first = self.root.root(e, &mut y1, &g1);
        self.root.root(e, &mut y2, &g2);
        at! {e; x = select(first, &x1, &x2); y = select(first, &y1, &y2);}
        let y = with_signs(e, &y, &signs(e, u));
        Affine { x, y, infinity: e.mask(false) }
    }

    /// The image of a point of E'. One inversion; points of the kernel lead to O.
    pub fn isogeny(&self, p: &Affine<E>) -> Affine<E> {
        let e = self.source.field();
        let at_x = |polynomial: &[E::Elem]| {
            let mut value = e.zero();
            for c in polynomial.iter().rev() {
                at! {e; product = mul(&value, &p.x); next = sum(&[plus(&product), plus(c)]);}
                value = next;
            }
            value
        };
        let f = at_x(&self.kernel);
        at! {e;
            i = inv(&f);
            ii = sqr(&i);
            iii = mul(&ii, &i);
            x = mul(&at_x(&self.x_numerator), &ii);
            y_numerator = mul(&p.y, &at_x(&self.y_numerator));
            y = mul(&y_numerator, &iii);
        }
        Affine { x, y, infinity: e.either(p.infinity, e.is_zero(&f)) }
    }
}
