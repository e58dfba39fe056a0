//! Ordinary curves y^2 = x^3 + a x + b whose second group lies on a quadratic twist: PBC types D (Miyaji, Nakabayashi,
//! Takano, IEICE Trans. E84-A, 2001: k = 6) and G (Freeman, ANTS 2006: k = 10).
//!
//! #E(F_q) = n = h r. With d = k/2, F_{q^d} = F_q\[x\]/(x^d + c_(d-1) x^(d-1) + ... + c_0), and F_{q^k} adjoins s with
//! s^2 = v, v the quadratic non-residue `nqr` of F_q (and of F_{q^d}, d being odd). G2 lies on the twist
//! y^2 = x^3 + a v^2 x + b v^3 over F_{q^d}; (x, y) -> (x / v, y s / v^2) leads to E over F_{q^k}.

use std::borrow::Cow;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use crate::Error;
use crate::extension::ExtensionField;
use crate::integer::{is_power, is_prime};
use crate::origin::{KeyNames, Origin};
use crate::points::Points;
use crate::sextic::ExtensionPoint;
use crate::weierstrass::{Equation, trace};

/// The type of a curve with a quadratic twist: D or G.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuadraticKind {
    /// Embedding degree 6.
    D,
    /// Embedding degree 10.
    G,
}

impl QuadraticKind {
    /// The embedding degree: 6 or 10.
    pub fn k(self) -> u32 {
        match self {
            Self::D => 6,
            Self::G => 10,
        }
    }

    /// The family's name in TOML files, which is PBC's letter.
    pub fn name(self) -> &'static str {
        match self {
            Self::D => "d",
            Self::G => "g",
        }
    }
}

/// The parameters of a curve of type D or G, consistent as described in the crate's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuadraticTwist {
    parts: Parts,
    t: BigInt,
    h2: BigUint,
}

/// The parameters of a description before the consistency checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) kind: QuadraticKind,
    pub(crate) q: BigUint,
    pub(crate) n: BigUint,
    pub(crate) h: BigUint,
    pub(crate) r: BigUint,
    pub(crate) a: BigUint,
    pub(crate) b: BigUint,
    pub(crate) coefficients: Vec<BigUint>,
    pub(crate) nqr: BigUint,
    pub(crate) g1: Option<(BigUint, BigUint)>,
    pub(crate) g2: Option<ExtensionPoint>,
}

impl QuadraticTwist {
    /// The type: D or G.
    pub fn kind(&self) -> QuadraticKind {
        self.parts.kind
    }

    /// The field characteristic.
    pub fn q(&self) -> &BigUint {
        &self.parts.q
    }

    /// The order n of the curve: #E(F_q) = h r = q + 1 - t.
    pub fn n(&self) -> &BigUint {
        &self.parts.n
    }

    /// The cofactor of G1, n / r.
    pub fn h(&self) -> &BigUint {
        &self.parts.h
    }

    /// The order of the pairing groups, a prime above k.
    pub fn r(&self) -> &BigUint {
        &self.parts.r
    }

    /// The trace of Frobenius, q + 1 - n.
    pub fn t(&self) -> &BigInt {
        &self.t
    }

    /// The embedding degree: 6 or 10.
    pub fn k(&self) -> u32 {
        self.parts.kind.k()
    }

    /// Coefficient of x in the curve equation, below q.
    pub fn a(&self) -> &BigUint {
        &self.parts.a
    }

    /// Constant of the curve equation, below q.
    pub fn b(&self) -> &BigUint {
        &self.parts.b
    }

    /// c_0, ..., c_(k/2 - 1) of the irreducible monic polynomial of degree k/2, each below q.
    pub fn coefficients(&self) -> &[BigUint] {
        &self.parts.coefficients
    }

    /// The quadratic non-residue v of F_q.
    pub fn nqr(&self) -> &BigUint {
        &self.parts.nqr
    }

    /// The cofactor of G2: the order of the twist over F_{q^(k/2)}, divided by r.
    pub fn h2(&self) -> &BigUint {
        &self.h2
    }

    /// Affine coordinates (x, y) of a generator of G1; it lies on the curve.
    pub fn g1(&self) -> Option<(&BigUint, &BigUint)> {
        self.parts.g1.as_ref().map(|(x, y)| (x, y))
    }

    /// Affine coordinates of a generator of G2, each as the k/2 coefficients of 1, x, x^2, ...; it lies on the twist.
    pub fn g2(&self) -> Option<(&[BigUint], &[BigUint])> {
        self.parts.g2.as_ref().map(|(x, y)| (x.as_slice(), y.as_slice()))
    }

    /// Computes #E(F_{q^k}), PBC's nk.
    pub(crate) fn extension_order(&self) -> BigUint {
        let size = BigInt::from(self.q().pow(self.k()));
        (size + 1u8 - trace(self.q(), &self.t, self.k())).magnitude().clone()
    }

    pub(crate) fn equation(&self) -> Equation<'_> {
        self.parts.equation()
    }

    /// Sets the generator of G1 after checking range and curve equation.
    pub(crate) fn set_g1(&mut self, x: BigUint, y: BigUint, origin: &Origin) -> Result<(), Error> {
        self.equation().check(&x, &y, |of_y| origin.at(if of_y { "g1.y" } else { "g1.x" }))?;
        self.parts.g1 = Some((x, y));
        Ok(())
    }

    /// Sets the generator of G2 after checking lengths, range and the equation of the twist.
    pub(crate) fn set_g2(&mut self, x: Vec<BigUint>, y: Vec<BigUint>, origin: &Origin) -> Result<(), Error> {
        let at = |of_y| origin.at(if of_y { "g2.y" } else { "g2.x" });
        let Parts { q, a, b, nqr, coefficients, .. } = &self.parts;
        let field = ExtensionField::polynomial(q, coefficients);
        field.check_range(&x, &y, at)?;
        let (a, b) = (field.constant(&(a * nqr * nqr % q)), field.constant(&(b * nqr.pow(3) % q)));
        let right = field.add(&field.mul(&field.add(&field.mul(&x, &x), &a), &x), &b);
        if field.mul(&y, &y) != right {
            let curve = "the twist y^2 = x^3 + a nqr^2 x + b nqr^3";
            return Err(Error::GeneratorOffCurve { at: at(true), curve });
        }
        self.parts.g2 = Some((x, y));
        Ok(())
    }

    /// Performs the costly half of validation: checks that q and r are prime, that nqr is a non-residue, that the
    /// polynomial is irreducible, and that the curve has n points.
    pub(crate) fn verify(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        let at = |name: &str| origin.at(&words.parameter(name));
        if !is_prime(self.q()) {
            return Err(Error::FieldComposite { at: at("q") });
        }
        if !is_prime(self.r()) {
            return Err(Error::OrderComposite { at: at("r") });
        }
        if is_power(self.nqr(), 2, self.q()) {
            return Err(Error::NotANonResidue { at: at("nqr"), power: "square", field: "F_q" });
        }
        if !ExtensionField::polynomial(self.q(), self.coefficients()).is_irreducible() {
            return Err(Error::Reducible { at: at(coefficients_key(words)) });
        }
        self.verify_orders(origin, words)
    }

    /// Checks that the curve has n points and that the generators have the order r. The order of the twist follows
    /// from that of the curve.
    fn verify_orders(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        let Parts { q, n, a, b, h, r, nqr, coefficients, g1, g2, .. } = &self.parts;
        let wrong = |at, reason| Err(Error::WrongOrder { at, reason });
        let curve = Points::new(ExtensionField::base(q), vec![b.clone()]).with_a(vec![a.clone()]);
        if curve.generator(h, r).is_none() || !curve.have_order(n) {
            return wrong(origin.at(&words.parameter("b")), "with these a and b the curve does not have n points");
        }
        if let Some((x, y)) = g1
            && !curve.has_order(r, &(vec![x.clone()], vec![y.clone()]))
        {
            return wrong(origin.at("g1.x"), "the order of the generator is not r");
        }
        if let Some(point) = g2 {
            let field = ExtensionField::polynomial(q, coefficients);
            let [a, b] = [a * nqr * nqr % q, b * nqr.pow(3) % q].map(|c| field.constant(&c));
            if !Points::new(field, b).with_a(a).has_order(r, point) {
                return wrong(origin.at("g2.x"), "the order of the generator is not r");
            }
        }
        Ok(())
    }
}

/// Returns the key that messages name for the polynomial.
fn coefficients_key(words: KeyNames) -> &'static str {
    match words {
        KeyNames::Toml => "coefficients",
        KeyNames::Pbc => "coeff0",
    }
}

impl Parts {
    fn equation(&self) -> Equation<'_> {
        let (a, b) = (Cow::Borrowed(&self.a), Cow::Borrowed(&self.b));
        Equation { q: &self.q, a, b, text: "y^2 = x^3 + a x + b" }
    }

    /// Performs the cheap half of validation and derives t and h2.
    pub(crate) fn check(mut self, origin: &Origin, words: KeyNames) -> Result<QuadraticTwist, Error> {
        let at = |name: &str| origin.at(&words.parameter(name));
        let (q, r, k) = (&self.q, &self.r, self.kind.k());
        if *q < BigUint::from(5u8) {
            return Err(Error::FieldTooSmall { at: at("q") });
        }
        if !q.bit(0) {
            return Err(Error::FieldEven { at: at("q") });
        }
        self.equation().check_coefficients(|of_b| at(if of_b { "b" } else { "a" }))?;
        if &self.h * r != self.n {
            return Err(Error::OrderMismatch { at: at("h") });
        }
        let t = BigInt::from(q.clone()) + 1u8 - BigInt::from(self.n.clone());
        if t.magnitude().pow(2) > q * 4u8 {
            return Err(Error::HasseBound { at: at("n") });
        }
        // Phi_k(q) for k = 2 d, d an odd prime: q^(d-1) - q^(d-2) + ... + 1 = (q^d + 1) / (q + 1)
        let d = k / 2;
        let cyclotomic = (q.pow(d) + 1u8) / (q + 1u8);
        // a prime r that divides Phi_k(q) and not k divides no q^j - 1 with j < k
        if *r <= BigUint::from(k) || !(cyclotomic % r).is_zero() {
            return Err(Error::EmbeddingDegree { at: at("r"), k });
        }
        let (expected, found) = (d as usize, self.coefficients.len());
        if found != expected {
            return Err(Error::CoefficientCount { at: at("coefficients"), expected, found });
        }
        if let Some(index) = self.coefficients.iter().position(|c| c >= q) {
            let key = if words == KeyNames::Pbc { format!("coeff{index}") } else { "coefficients".to_owned() };
            return Err(Error::CoefficientRange { at: at(&key) });
        }
        if self.nqr >= *q {
            return Err(Error::CoefficientRange { at: at("nqr") });
        }
        // the twist has the trace -t_d; r divides q^d + 1, and t_d = 1 + q^d mod r since 1 and q are the
        // eigenvalues of Frobenius there
        let h2 = (BigInt::from(q.pow(d)) + BigInt::one() + trace(q, &t, d)).magnitude() / r;
        let (g1, g2) = (self.g1.take(), self.g2.take());
        let mut curve = QuadraticTwist { parts: self, t, h2 };
        if let Some((x, y)) = g1 {
            curve.set_g1(x, y, origin)?;
        }
        if let Some((x, y)) = g2 {
            curve.set_g2(x, y, origin)?;
        }
        Ok(curve)
    }
}
