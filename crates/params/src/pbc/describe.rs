//! Turns the integers of a `.param` file into a checked description.

use std::path::Path;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{CheckedSub, Zero};

use super::{ParamLines, Parameters, TypeA, TypeA1, TypeDg, TypeE, TypeF, TypeI};
use crate::curve::is_name;
use crate::origin::{KeyNames, Origin};
use crate::supersingular::{self, Supersingular};
use crate::{Curve, Description, Error, Factors, Family, Layout, SupersingularKind};
use crate::{
    QuadraticKind, QuadraticTwist, Sextic, SexticKind, Ternary, Tower, Twist, degree_one, quadratic, sextic, ternary,
};

/// Parses a text and checks it in full.
pub(crate) fn describe(text: &str, file: &str) -> Result<Description, Error> {
    let lines = ParamLines::read(text, file)?;
    let origin = &lines.origin;
    let (family, layout) = match lines.parameters()? {
        Parameters::A(a) => (Family::Supersingular(type_a(a, origin)?), Layout::Nested),
        Parameters::A1(TypeA1 { p, n, l }) => {
            (Family::Supersingular(of(SupersingularKind::A1, p, n, l, origin)?), Layout::Nested)
        }
        Parameters::D(d) => (Family::QuadraticTwist(type_dg(QuadraticKind::D, d, origin)?), Layout::Pbc),
        Parameters::G(g) => (Family::QuadraticTwist(type_dg(QuadraticKind::G, g, origin)?), Layout::Pbc),
        Parameters::E(TypeE { q, r, h, a, b, form }) => {
            let parts = degree_one::Parts { q, r, h, a, b, form: Some(form), g1: None, g2: None };
            (Family::DegreeOne(parts.check(origin, KeyNames::Pbc)?), Layout::Pbc)
        }
        Parameters::F(f) => (Family::Sextic(type_f(f, origin)?), Layout::Pbc),
        Parameters::I(i) => (Family::Ternary(type_i(i, origin)?), Layout::Pbc),
    };
    family.verify(origin, KeyNames::Pbc)?;
    let family = family.complete(origin, KeyNames::Pbc)?;
    let secret = match &family {
        Family::Supersingular(s) if s.kind() == SupersingularKind::A1 => lines.factors()?,
        _ => Vec::new(),
    };
    let mut curve = Curve {
        name: name_of(file),
        aliases: Vec::new(),
        family,
        layout,
        source: "PBC parameter file".to_owned(),
        note: String::new(),
    };
    if secret.is_empty() {
        return Ok(Description { factors: Factors::public(&curve), curve });
    }
    let at = || origin.at("n0");
    let factors = Factors::check(&curve, secret, at)?;
    if let Family::Supersingular(s) = &mut curve.family {
        s.set_prime_bits(factors.prime_bits(), at)?;
    }
    Ok(Description { curve, factors: Some(factors) })
}

fn type_a(a: TypeA, origin: &Origin) -> Result<Supersingular, Error> {
    let TypeA { q, h, r, form } = a;
    if form.is_some_and(|form| form.value().as_ref() != Some(&r)) {
        return Err(Error::ExponentForm { at: origin.at("r") });
    }
    of(SupersingularKind::A, q, r, h, origin)
}

fn of(
    kind: SupersingularKind,
    q: BigUint,
    order: BigUint,
    cofactor: BigUint,
    origin: &Origin,
) -> Result<Supersingular, Error> {
    let (q, cofactor) = (Some(q), Some(cofactor));
    let parts = supersingular::Parts { kind, q, order, cofactor, public_factors: None, generator: None };
    parts.check(origin, &supersingular::Keys::pbc(kind))
}

/// Checks parameters of types d and g. k, nk and hk follow from the other values and have to agree with them.
fn type_dg(kind: QuadraticKind, dg: TypeDg, origin: &Origin) -> Result<QuadraticTwist, Error> {
    let TypeDg { q, n, h, r, a, b, k, nk, hk, coefficients, nqr } = dg;
    if k != kind.k() {
        return Err(Error::EmbeddingDegree { at: origin.at("k"), k: kind.k() });
    }
    let parts = quadratic::Parts { kind, q, n, h, r, a, b, coefficients, nqr, g1: None, g2: None };
    let curve = parts.check(origin, KeyNames::Pbc)?;
    if curve.extension_order() != nk {
        return Err(Error::ExtensionOrder { at: origin.at("nk") });
    }
    if hk * curve.r() * curve.r() != nk {
        return Err(Error::ExtensionOrder { at: origin.at("hk") });
    }
    Ok(curve)
}

/// Checks parameters of type f: y^2 = x^3 + b with w^6 = -alpha and the twist y^2 = x^3 - alpha b.
fn type_f(f: TypeF, origin: &Origin) -> Result<Sextic, Error> {
    let TypeF { q, r, b, beta, alpha0, alpha1 } = f;
    let not_bn = || Error::NotBarretoNaehrig { at: origin.at("q") };
    let u = seed(&q, &r).ok_or_else(not_bn)?;
    let negated = |alpha: BigUint, key| match alpha < q {
        true => Ok(BigInt::from((&q - alpha) % &q)),
        false => Err(Error::CoefficientRange { at: origin.at(key) }),
    };
    let xi = Some([negated(alpha0, "alpha0")?, negated(alpha1, "alpha1")?]);
    let tower = Some(Tower { beta: beta.into(), xi });
    let (kind, twist) = (SexticKind::Bn, Some(Twist::M));
    let parts = sextic::Parts { kind, u, b: Some(b.into()), twist, tower, g1: None, g2: None, suites: [None, None] };
    parts.check(origin, &sextic::Keys::new(KeyNames::Pbc))
}

/// Checks parameters of type i. The order n follows from the other values and has to agree with them.
fn type_i(i: TypeI, origin: &Origin) -> Result<Ternary, Error> {
    let TypeI { m, t, n, n2 } = i;
    let (polynomial, coefficients) = (vec![m.into(), t.into(), 0], vec![1, 1, 2]);
    let curve = ternary::Parts { polynomial, coefficients, b: true, h: n2 }.check(origin, KeyNames::Pbc)?;
    if curve.r() != &n {
        return Err(Error::OrderMismatch { at: origin.at("n") });
    }
    Ok(curve)
}

/// Finds u with p(u) = q and r(u) = r. The trace q + 1 - r is 6 u^2 + 1, which determines u up to its sign.
fn seed(q: &BigUint, r: &BigUint) -> Option<BigInt> {
    let (square, rest) = q.checked_sub(r)?.div_rem(&BigUint::from(6u8));
    let u = BigInt::from(square.sqrt());
    let fits = |u: &BigInt| rest.is_zero() && sextic::is_seed(SexticKind::Bn, u, q, r);
    [u.clone(), -u].into_iter().find(fits)
}

/// Returns a curve name made from the file's stem, or `unnamed` if none can be made.
fn name_of(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name: String =
        stem.chars().map(|c| if is_name(c.encode_utf8(&mut [0; 4])) { c } else { '-' }).take(64).collect();
    if is_name(&name) { name } else { "unnamed".to_owned() }
}
