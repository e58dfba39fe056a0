//! Reads the integers of each type of `.param` file and makes a checked description of them.

use std::path::Path;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{CheckedSub, Zero};

use super::ParamLines;
use crate::curve::is_name;
use crate::origin::{KeyNames, Origin};
use crate::supersingular::{self, Supersingular};
use crate::{Curve, Description, Error, Factors, Family, Layout, SupersingularKind};
use crate::{
    DegreeOne, QuadraticKind, QuadraticTwist, Sextic, SexticKind, Ternary, Tower, Twist, degree_one, quadratic, sextic,
    ternary,
};

/// Parses a text and checks it in full.
pub(crate) fn describe(text: &str, file: &str) -> Result<Description, Error> {
    let lines = ParamLines::read(text, file)?;
    let origin = &lines.origin;
    let family = match lines.text("type")? {
        "a" => Family::Supersingular(type_a(&lines)?),
        "a1" => Family::Supersingular(type_a1(&lines)?),
        "d" => Family::QuadraticTwist(type_dg(QuadraticKind::D, &lines)?),
        "e" => Family::DegreeOne(type_e(&lines)?),
        "f" => Family::Sextic(type_f(&lines)?),
        "g" => Family::QuadraticTwist(type_dg(QuadraticKind::G, &lines)?),
        "i" => Family::Ternary(type_i(&lines)?),
        other => {
            return Err(Error::UnknownPbcType { at: origin.at("type"), value: other.chars().take(40).collect() });
        }
    };
    let layout = if matches!(family, Family::Supersingular(_)) { Layout::Nested } else { Layout::Pbc };
    family.verify(origin, KeyNames::Pbc)?;
    let family = family.complete(origin, KeyNames::Pbc)?;
    let secret = match &family {
        Family::Supersingular(s) if s.kind() == SupersingularKind::A1 => lines.factors()?,
        _ => Vec::new(),
    };
    let mut curve = Curve::new(name_of(file), family, layout, "PBC parameter file".to_owned());
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

/// Reads type a: q + 1 = h r. The form of r as a Solinas prime has to agree with r.
fn type_a(lines: &ParamLines<'_>) -> Result<Supersingular, Error> {
    let (q, h, r) = (lines.integer("q")?, lines.integer("h")?, lines.integer("r")?);
    if lines.solinas_if_any()?.is_some_and(|form| form.value().as_ref() != Some(&r)) {
        return Err(Error::ExponentForm { at: lines.origin.at("r") });
    }
    supersingular(SupersingularKind::A, q, r, h, &lines.origin)
}

/// Reads type a1: p + 1 = l n.
fn type_a1(lines: &ParamLines<'_>) -> Result<Supersingular, Error> {
    let (p, n, l) = (lines.integer("p")?, lines.integer("n")?, lines.integer("l")?);
    supersingular(SupersingularKind::A1, p, n, l, &lines.origin)
}

fn supersingular(
    kind: SupersingularKind,
    q: BigUint,
    order: BigUint,
    cofactor: BigUint,
    origin: &Origin,
) -> Result<Supersingular, Error> {
    let (q, cofactor) = (Some(q), Some(cofactor));
    let parts = supersingular::Parts { kind, q, order, cofactor, public_factors: None, generator: None };
    parts.check(origin, &supersingular::Keys::new(KeyNames::Pbc, kind))
}

/// Reads types d and g. k, nk = #E(F_{q^k}) and hk = nk / r^2 follow from the other values and have to agree with them.
fn type_dg(kind: QuadraticKind, lines: &ParamLines<'_>) -> Result<QuadraticTwist, Error> {
    let (origin, integer) = (&lines.origin, |key: &str| lines.integer(key));
    let parts = quadratic::Parts {
        kind,
        q: integer("q")?,
        n: integer("n")?,
        h: integer("h")?,
        r: integer("r")?,
        a: integer("a")?,
        b: integer("b")?,
        coefficients: (0..kind.k() / 2).map(|i| integer(&format!("coeff{i}"))).collect::<Result<_, _>>()?,
        nqr: integer("nqr")?,
        g1: None,
        g2: None,
    };
    let (k, nk, hk) = (lines.small("k")?, lines.extension("nk")?, lines.extension("hk")?);
    if k != kind.k() {
        return Err(Error::EmbeddingDegree { at: origin.at("k"), k: kind.k() });
    }
    let curve = parts.check(origin, KeyNames::Pbc)?;
    if curve.extension_order() != nk {
        return Err(Error::ExtensionOrder { at: origin.at("nk") });
    }
    if hk * curve.r() * curve.r() != nk {
        return Err(Error::ExtensionOrder { at: origin.at("hk") });
    }
    Ok(curve)
}

/// Reads type e: q = h r^2 + 1, y^2 = x^3 + a x + b.
fn type_e(lines: &ParamLines<'_>) -> Result<DegreeOne, Error> {
    let parts = degree_one::Parts {
        q: lines.integer("q")?,
        r: lines.integer("r")?,
        h: lines.integer("h")?,
        a: lines.integer("a")?,
        b: lines.integer("b")?,
        form: Some(lines.solinas()?),
        g1: None,
        g2: None,
    };
    parts.check(&lines.origin, KeyNames::Pbc)
}

/// Reads type f: y^2 = x^3 + b over F_q with i^2 = beta, w^6 = -(alpha0 + alpha1 i) and the twist y^2 = x^3 + b w^6.
fn type_f(lines: &ParamLines<'_>) -> Result<Sextic, Error> {
    let (origin, integer) = (&lines.origin, |key: &str| lines.integer(key));
    let (q, r, b, beta) = (integer("q")?, integer("r")?, integer("b")?, integer("beta")?);
    let (alpha0, alpha1) = (integer("alpha0")?, integer("alpha1")?);
    let u = seed(&q, &r).ok_or_else(|| Error::NotBarretoNaehrig { at: origin.at("q") })?;
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

/// Reads type i: y^2 = x^3 - x + 1 over F_3\[x\]/(x^m + x^t + 2). The order n follows from the other values and has to
/// agree with them.
fn type_i(lines: &ParamLines<'_>) -> Result<Ternary, Error> {
    let (m, t) = (lines.small("m")?, lines.small("t")?);
    let (n, h) = (lines.integer("n")?, lines.integer("n2")?);
    let (polynomial, coefficients) = (vec![m.into(), t.into(), 0], vec![1, 1, 2]);
    let curve = ternary::Parts { polynomial, coefficients, b: true, h }.check(&lines.origin, KeyNames::Pbc)?;
    if curve.r() != &n {
        return Err(Error::OrderMismatch { at: lines.origin.at("n") });
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
