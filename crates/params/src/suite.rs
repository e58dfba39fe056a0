//! Hashing of messages to a curve y^2 = x^3 + b by the simplified map of Shallue, van de Woestijne and Ulas (RFC
//! 9380, sections 6.6.2 and 6.6.3). The map leads to a curve E': y^2 = g(x) = x^3 + A x + B, and an isogeny of odd
//! degree l leads from E' to the curve itself.
//!
//! The isogeny is given by its kernel polynomial f, monic of degree (l - 1)/2, and a scale s. Kohel ("Endomorphism rings of
//! elliptic curves over finite fields", 1996, section 2.4) gives the isogeny with this kernel that preserves the differential:
//!
//! > x |-> N / f^2,  N = (l x - 2 e) f^2 - 2 (3 x^2 + A) f f' - 4 g (f f'' - f'^2),  y |-> y (N / f^2)',
//!
//! where e is the sum of the roots of f. The scale then maps (x, y) to (s^2 x, s^3 y). RFC 9380, appendix E, writes
//! the same four polynomials out. [`crate::Curve::verify`] checks that the map leads to the curve:
//! y_num^2 g = x_num^3 + b f^6 for x_num = s^2 N and y_num / f^3 = s^3 (N / f^2)'. This suffices, since a map of curves
//! that fixes infinity is an isogeny. The conditions on Z of section 6.6.2 are checked as well, except one: whether
//! g(x) - Z is irreducible matters to the distribution only.

use num_bigint::{BigInt, BigUint};

use crate::extension::ExtensionField;
use crate::integer::residue;
use crate::{Error, Location};

/// The keys of a suite in a description.
pub(crate) const KEYS: [&str; 5] = ["z", "a", "b", "kernel", "scale"];

/// An element of the curve's field: its coefficients over F_p.
type Element = Vec<BigUint>;
/// A polynomial over the curve's field, constant term first.
type Polynomial = Vec<Element>;

/// A suite as the description writes it: every element as its coefficients over F_p, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) z: Vec<BigInt>,
    pub(crate) a: Vec<BigInt>,
    pub(crate) b: Vec<BigInt>,
    /// The coefficients of the kernel polynomial from the constant term on, without the leading 1.
    pub(crate) kernel: Vec<BigInt>,
    pub(crate) scale: Vec<BigInt>,
}

/// A simplified map of Shallue, van de Woestijne and Ulas with its isogeny (RFC 9380, section 6.6.3). Elements are lists of
/// coefficients over F_p, each 0 to p - 1; polynomials are lists of elements, constant term first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    parts: Parts,
    z: Element,
    a: Element,
    b: Element,
    kernel: Polynomial,
    x_numerator: Polynomial,
    y_numerator: Polynomial,
}

impl Suite {
    /// Z, a non-square.
    pub fn z(&self) -> &[BigUint] {
        &self.z
    }

    /// A of E': y^2 = x^3 + A x + B; not 0.
    pub fn a(&self) -> &[BigUint] {
        &self.a
    }

    /// B of E': y^2 = x^3 + A x + B; not 0.
    pub fn b(&self) -> &[BigUint] {
        &self.b
    }

    /// The kernel polynomial f, monic: the isogeny is (x, y) |-> (x_numerator(x) / f(x)^2, y y_numerator(x) / f(x)^3).
    pub fn kernel(&self) -> &[Vec<BigUint>] {
        &self.kernel
    }

    /// The numerator of the isogeny's x-coordinate.
    pub fn x_numerator(&self) -> &[Vec<BigUint>] {
        &self.x_numerator
    }

    /// The numerator of the isogeny's y-coordinate, without the factor y.
    pub fn y_numerator(&self) -> &[Vec<BigUint>] {
        &self.y_numerator
    }

    /// Returns the keys and values of the suite as the description holds them.
    pub(crate) fn primary(&self) -> impl Iterator<Item = (&'static str, &[BigInt])> {
        let Parts { z, a, b, kernel, scale } = &self.parts;
        KEYS.into_iter().zip([&z[..], a, b, kernel, scale])
    }

    /// Creates a suite: checks lengths and ranges and derives the isogeny. `at` gives the location of a key.
    pub(crate) fn new(parts: Parts, field: &ExtensionField<'_>, at: impl Fn(&str) -> Location) -> Result<Self, Error> {
        let (p, degree) = (field.p(), field.degree());
        let elements = |key: &'static str, values: &[BigInt]| -> Result<Polynomial, Error> {
            if values.iter().any(|value| value.magnitude() >= p) {
                return Err(Error::CoefficientRange { at: at(key) });
            }
            Ok(values.chunks(degree).map(|c| c.iter().map(|value| residue(value, p)).collect()).collect())
        };
        let one = |key: &'static str, values: &[BigInt]| match values.len() {
            found if found != degree => Err(Error::CoefficientCount { at: at(key), expected: degree, found }),
            _ => Ok(elements(key, values)?.remove(0)),
        };
        let [z, a, b, scale] =
            [one("z", &parts.z)?, one("a", &parts.a)?, one("b", &parts.b)?, one("scale", &parts.scale)?];
        let zero = field.constant(&BigUint::ZERO);
        for (key, value) in [("a", &a), ("b", &b), ("scale", &scale)] {
            if *value == zero {
                return Err(Error::ZeroCoefficient { at: at(key) });
            }
        }
        let found = parts.kernel.len();
        if found == 0 || !found.is_multiple_of(degree) || found / degree > MAX_KERNEL {
            return Err(Error::KernelLength { at: at("kernel"), degree, limit: MAX_KERNEL });
        }
        let mut kernel = elements("kernel", &parts.kernel)?;
        kernel.push(field.constant(&BigUint::from(1u8)));
        let (x_numerator, y_numerator) = isogeny(field, &a, &b, &kernel, &scale);
        Ok(Self { parts, z, a, b, kernel, x_numerator, y_numerator })
    }

    /// Performs the costly half of validation: checks Z, and that the isogeny leads to the curve
    /// left (y^2 - x^3) = right over `field`.
    pub(crate) fn verify(
        &self,
        field: &ExtensionField<'_>,
        [left, right]: [&[BigUint]; 2],
        at: impl Fn(&str) -> Location,
    ) -> Result<(), Error> {
        let ring = PolynomialRing(field);
        let (z, a, b) = (&self.z, &self.a, &self.b);
        if field.is_square(z) {
            return Err(Error::NotANonResidue { at: at("z"), power: "square", field: "the field of the curve" });
        }
        // g(B/(Z A)) (Z A)^4 = Z A B (B^2 + A^3 Z^2 (1 + Z)), and (Z A)^4 is a square
        let one = field.constant(&BigUint::from(1u8));
        let az = field.mul(a, z);
        let inner = field.mul(&field.mul(&field.mul(&az, &az), a), &field.add(&one, z));
        let value = field.mul(&field.mul(&az, b), &field.add(&field.mul(b, b), &inner));
        if *z == field.sub(&field.constant(&BigUint::ZERO), &one) || !field.is_square(&value) {
            return Err(Error::BadMapConstant { at: at("z") });
        }
        let g = vec![b.clone(), a.clone(), field.constant(&BigUint::ZERO), one];
        let kernel2 = ring.mul(&self.kernel, &self.kernel);
        let kernel6 = ring.mul(&kernel2, &ring.mul(&kernel2, &kernel2));
        let (x, y) = (&self.x_numerator, &self.y_numerator);
        let difference = ring.sub(&ring.mul(&ring.mul(y, y), &g), &ring.mul(&ring.mul(x, x), x));
        let rest = ring.sub(&ring.scale(left, &difference), &ring.scale(right, &kernel6));
        if rest.iter().flatten().any(|c| *c != BigUint::ZERO) {
            return Err(Error::NotAnIsogeny { at: at("kernel") });
        }
        Ok(())
    }
}

/// The largest degree of a kernel polynomial, which belongs to isogenies of degree 31. It bounds the check, which
/// multiplies polynomials of six times that degree.
const MAX_KERNEL: usize = 15;

/// Computes the numerators of the isogeny's x- and y-coordinates.
fn isogeny(
    field: &ExtensionField<'_>,
    a: &Element,
    b: &Element,
    kernel: &Polynomial,
    scale: &Element,
) -> (Polynomial, Polynomial) {
    let ring = PolynomialRing(field);
    let integer = |n: usize| field.constant(&(BigUint::from(n) % field.p()));
    let (zero, one, d) = (integer(0), integer(1), kernel.len() - 1);
    let g = vec![b.clone(), a.clone(), zero.clone(), one];
    let slope = vec![a.clone(), zero.clone(), integer(3)];
    let (first, square) = (ring.derivative(kernel), ring.mul(kernel, kernel));
    let second = ring.derivative(&first);
    // l x - 2 e, where -e is the coefficient of x^(d - 1) in f
    let line = vec![field.mul(&integer(2), &kernel[d - 1]), integer(2 * d + 1)];
    let mut x = ring.mul(&line, &square);
    x = ring.sub(&x, &ring.scale(&integer(2), &ring.mul(&slope, &ring.mul(kernel, &first))));
    let bend = ring.sub(&ring.mul(kernel, &second), &ring.mul(&first, &first));
    x = ring.sub(&x, &ring.scale(&integer(4), &ring.mul(&g, &bend)));
    // (N / f^2)' = (N' f - 2 N f') / f^3
    let mut y = ring.mul(&ring.derivative(&x), kernel);
    y = ring.sub(&y, &ring.scale(&integer(2), &ring.mul(&x, &first)));
    let scale2 = field.mul(scale, scale);
    let scaled = |factor: &Element, mut polynomial: Polynomial| {
        while polynomial.last() == Some(&zero) {
            polynomial.pop();
        }
        ring.scale(factor, &polynomial)
    };
    (scaled(&scale2, x), scaled(&field.mul(&scale2, scale), y))
}

/// The ring of polynomials over a field.
struct PolynomialRing<'a>(&'a ExtensionField<'a>);

impl PolynomialRing<'_> {
    fn zeros(&self, len: usize) -> Polynomial {
        vec![self.0.constant(&BigUint::ZERO); len]
    }

    fn mul(&self, a: &[Element], b: &[Element]) -> Polynomial {
        if a.is_empty() || b.is_empty() {
            return Vec::new();
        }
        let mut out = self.zeros(a.len() + b.len() - 1);
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                out[i + j] = self.0.add(&out[i + j], &self.0.mul(x, y));
            }
        }
        out
    }

    fn sub(&self, a: &[Element], b: &[Element]) -> Polynomial {
        let mut out = self.zeros(a.len().max(b.len()));
        for (i, o) in out.iter_mut().enumerate() {
            if let Some(x) = a.get(i) {
                o.clone_from(x);
            }
            if let Some(y) = b.get(i) {
                *o = self.0.sub(o, y);
            }
        }
        out
    }

    fn scale(&self, factor: &[BigUint], a: &[Element]) -> Polynomial {
        a.iter().map(|x| self.0.mul(factor, x)).collect()
    }

    fn derivative(&self, a: &[Element]) -> Polynomial {
        let times = |(i, x): (usize, &Element)| self.0.mul(&self.0.constant(&(BigUint::from(i) % self.0.p())), x);
        a.iter().enumerate().skip(1).map(times).collect()
    }
}
