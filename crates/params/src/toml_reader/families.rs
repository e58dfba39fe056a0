//! Readers of `[parameters]`, `[tower]` and the tables of generators and suites, for each family.

use num_bigint::BigUint;

use super::table::Table;
use crate::origin::KeyNames;
use crate::sextic::ExtensionPoint;
use crate::solinas::Solinas;
use crate::supersingular::{Keys, Parts};
use crate::{
    Binary, DegreeOne, Error, Genus, QuadraticKind, QuadraticTwist, Sextic, SexticKind, Supersingular,
    SupersingularKind, Ternary, Tower, Twist,
};
use crate::{binary, degree_one, quadratic, sextic, suite, ternary};

/// Reads a curve of the family `a` or `a1`.
pub(super) fn supersingular(kind: SupersingularKind, top: &Table<'_>) -> Result<Supersingular, Error> {
    let (order, cofactor) = match kind {
        SupersingularKind::A => ("r", "h"),
        SupersingularKind::A1 => ("n", "l"),
    };
    let mut known = vec!["q", order, cofactor];
    if kind == SupersingularKind::A1 {
        known.extend(["factors", "factors_public", "prime_bits"]);
    }
    let parameters = top.required("parameters", |top, key| top.table(key, &known))?;
    let public = parameters.boolean("factors_public")?.unwrap_or(false);
    let public_factors = parameters.integers("factors")?;
    if public != public_factors.is_some() {
        let key = if public { "factors_public" } else { "factors" };
        return Err(Error::FactorsNotPublic { at: parameters.at(key) });
    }
    let parts = Parts {
        kind,
        q: parameters.integer("q")?,
        order: parameters.required(order, Table::integer)?,
        cofactor: parameters.integer(cofactor)?,
        public_factors,
        generator: point(top, "g1")?,
    };
    let prime_bits = parameters.naturals("prime_bits")?;
    let mut curve = parts.check(&top.origin(), &Keys::new(KeyNames::Toml, kind))?;
    if let Some(bits) = prime_bits {
        // if the factors are given, the sizes must be theirs
        if curve.prime_bits().is_some_and(|known| known != bits) {
            return Err(Error::PrimeSizes { at: parameters.at("prime_bits"), bits: curve.order().bits() });
        }
        curve.set_prime_bits(bits, || parameters.at("prime_bits"))?;
    }
    Ok(curve)
}

/// Reads a curve of a family with a sextic twist.
pub(super) fn sextic(kind: SexticKind, top: &Table<'_>) -> Result<Sextic, Error> {
    let parameters = top.required("parameters", |top, key| top.table(key, &["u", "b", "twist"]))?;
    let twist = match parameters.string("twist")? {
        None => None,
        Some("D") => Some(Twist::D),
        Some("M") => Some(Twist::M),
        Some(_) => return Err(Error::WrongType { at: parameters.at("twist"), expected: "\"D\" or \"M\"" }),
    };
    let tower = match top.table("tower", &["beta", "xi"])? {
        Some(tower) => {
            let beta = tower.required("beta", Table::signed)?;
            let xi = tower
                .signeds("xi")?
                .map(<[_; 2]>::try_from)
                .transpose()
                .map_err(|found| Error::CoefficientCount { at: tower.at("xi"), expected: 2, found: found.len() })?;
            Some(Tower { beta, xi })
        }
        None => None,
    };
    let parts = sextic::Parts {
        kind,
        u: parameters.required("u", Table::signed)?,
        b: parameters.signed("b")?,
        twist,
        tower,
        g1: point(top, "g1")?,
        g2: extension_point(top)?,
        suites: suites(top)?,
    };
    parts.check(&top.origin(), &sextic::Keys::new(KeyNames::Toml))
}

/// Reads a curve of the family `d` or `g`.
pub(super) fn quadratic(kind: QuadraticKind, top: &Table<'_>) -> Result<QuadraticTwist, Error> {
    let known = ["q", "n", "h", "r", "a", "b", "coefficients", "nqr"];
    let parameters = top.required("parameters", |top, key| top.table(key, &known))?;
    let integer = |key| parameters.required(key, Table::integer);
    let parts = quadratic::Parts {
        kind,
        q: integer("q")?,
        n: integer("n")?,
        h: integer("h")?,
        r: integer("r")?,
        a: integer("a")?,
        b: integer("b")?,
        coefficients: parameters.required("coefficients", Table::integers)?,
        nqr: integer("nqr")?,
        g1: point(top, "g1")?,
        g2: extension_point(top)?,
    };
    parts.check(&top.origin(), KeyNames::Toml)
}

/// Reads a curve of the family `e`.
pub(super) fn degree_one(top: &Table<'_>) -> Result<DegreeOne, Error> {
    let known = ["q", "r", "h", "a", "b", "exp2", "exp1", "sign1", "sign0"];
    let parameters = top.required("parameters", |top, key| top.table(key, &known))?;
    let integer = |key| parameters.required(key, Table::integer);
    let parts = degree_one::Parts {
        q: integer("q")?,
        r: integer("r")?,
        h: integer("h")?,
        a: integer("a")?,
        b: integer("b")?,
        form: solinas(&parameters)?,
        g1: point(top, "g1")?,
        g2: point(top, "g2")?,
    };
    parts.check(&top.origin(), KeyNames::Toml)
}

/// Reads a curve of the family `ss2` or `hss2`.
pub(super) fn binary(genus: Genus, top: &Table<'_>) -> Result<Binary, Error> {
    let parameters = top.required("parameters", |top, key| top.table(key, &["polynomial", genus.constant(), "h"]))?;
    let b = bit(&parameters, genus.constant())?;
    let polynomial = parameters.required("polynomial", Table::naturals)?;
    let parts = binary::Parts { genus, polynomial, b, h: parameters.required("h", Table::integer)? };
    parts.check(&top.origin(), KeyNames::Toml)
}

/// Reads a curve of the family `ss3`.
pub(super) fn ternary(top: &Table<'_>) -> Result<Ternary, Error> {
    let known = ["polynomial", "coefficients", "b", "h"];
    let parameters = top.required("parameters", |top, key| top.table(key, &known))?;
    let parts = ternary::Parts {
        polynomial: parameters.required("polynomial", Table::naturals)?,
        coefficients: parameters.required("coefficients", Table::naturals)?,
        b: sign(&parameters, "b")? == 1,
        h: parameters.required("h", Table::integer)?,
    };
    parts.check(&top.origin(), KeyNames::Toml)
}

/// Reads a sign: 1 or -1.
fn sign(parameters: &Table<'_>, key: &'static str) -> Result<i8, Error> {
    match parameters.required(key, Table::small)? {
        sign @ (1 | -1) => Ok(sign as i8),
        _ => Err(Error::WrongType { at: parameters.at(key), expected: "1 or -1" }),
    }
}

/// Reads a bit: 0 or 1.
fn bit(parameters: &Table<'_>, key: &'static str) -> Result<bool, Error> {
    match parameters.required(key, Table::small)? {
        bit @ (0 | 1) => Ok(bit == 1),
        _ => Err(Error::WrongType { at: parameters.at(key), expected: "0 or 1" }),
    }
}

/// Reads the form of r: all four keys or none.
fn solinas(parameters: &Table<'_>) -> Result<Option<Solinas>, Error> {
    if !["exp2", "exp1", "sign1", "sign0"].iter().any(|key| parameters.has(key)) {
        return Ok(None);
    }
    let sign = |key| sign(parameters, key);
    let exponent = |key| {
        let exponent = u32::try_from(parameters.required(key, Table::small)?);
        exponent.map_err(|_| Error::WrongType { at: parameters.at(key), expected: "an exponent, 0 or more" })
    };
    Ok(Some(Solinas { exp2: exponent("exp2")?, exp1: exponent("exp1")?, sign1: sign("sign1")?, sign0: sign("sign0")? }))
}

/// Reads the suites of `[hash.g1]` and `[hash.g2]`.
fn suites(top: &Table<'_>) -> Result<[Option<suite::Parts>; 2], Error> {
    let Some(hash) = top.table("hash", &["g1", "g2"])? else { return Ok([None, None]) };
    let read = |group| {
        let Some(table) = hash.table(group, &suite::KEYS)? else { return Ok(None) };
        let integers = |key| table.required(key, Table::signeds);
        let [z, a, b, kernel, scale] = suite::KEYS;
        Ok(Some(suite::Parts {
            z: integers(z)?,
            a: integers(a)?,
            b: integers(b)?,
            kernel: integers(kernel)?,
            scale: integers(scale)?,
        }))
    };
    Ok([read("g1")?, read("g2")?])
}

/// Reads a generator with coordinates in the field of the curve.
fn point(top: &Table<'_>, name: &'static str) -> Result<Option<(BigUint, BigUint)>, Error> {
    let Some(point) = top.table(name, &["x", "y"])? else { return Ok(None) };
    Ok(Some((point.required("x", Table::integer)?, point.required("y", Table::integer)?)))
}

/// Reads a generator of G2 with coordinates in an extension field.
fn extension_point(top: &Table<'_>) -> Result<Option<ExtensionPoint>, Error> {
    let Some(point) = top.table("g2", &["x", "y"])? else { return Ok(None) };
    Ok(Some((point.required("x", Table::integers)?, point.required("y", Table::integers)?)))
}
