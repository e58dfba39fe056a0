//! Reads the `.param` files of PBC (Lynn, "On the implementation of pairing-based cryptosystems", 2007; PBC 1.0.0).
//!
//! A file is lines of `key value`, one key being `type`; every other value is an integer. All of PBC's types, a, a1, d,
//! e, f, g and i, become curves. As in PBC, keys that a type does not have are ignored, with one exception: n0, n1, ... of type a1 are
//! taken as the prime factors of n.

mod describe;

use std::collections::BTreeMap;

use num_bigint::BigUint;

pub(crate) use describe::describe;

use crate::factors::{Secret, parse_secret};
use crate::integer::{self, MAX_FIELD_BITS};
use crate::origin::Origin;
pub use crate::solinas::Solinas;
use crate::{Error, text};

/// Largest group order over an extension field, in bits: that of type g, k = 10.
const MAX_EXTENSION_BITS: u64 = 10 * MAX_FIELD_BITS;

/// The parameters of a file, by type. Only their syntax has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameters {
    /// Type a: supersingular, prime order.
    A(TypeA),
    /// Type a1: supersingular, composite order.
    A1(TypeA1),
    /// Type d: MNT curves, k = 6.
    D(TypeDg),
    /// Type e: ordinary curves with k = 1.
    E(TypeE),
    /// Type f: Barreto-Naehrig curves, k = 12.
    F(TypeF),
    /// Type g: Freeman curves, k = 10.
    G(TypeDg),
    /// Type i: supersingular over F_3^m, k = 6.
    I(TypeI),
}

/// The parameters of type a: q + 1 = h r.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeA {
    /// Field characteristic.
    pub q: BigUint,
    /// Cofactor.
    pub h: BigUint,
    /// Group order.
    pub r: BigUint,
    /// The form of r as a Solinas prime, if the file has the four keys.
    pub form: Option<Solinas>,
}

/// The parameters of type a1: p + 1 = l n. Factors of n, if given, are in [`crate::Description::factors`] only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeA1 {
    /// Field characteristic.
    pub p: BigUint,
    /// Group order.
    pub n: BigUint,
    /// Cofactor.
    pub l: BigUint,
}

/// The parameters of types d and g: y^2 = x^3 + a x + b over F_q, twist over
/// F_{q^(k/2)} = F_q\[x\]/(x^(k/2) + ... + coeff1 x + coeff0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDg {
    /// Field characteristic.
    pub q: BigUint,
    /// Curve order over F_q.
    pub n: BigUint,
    /// Cofactor n / r.
    pub h: BigUint,
    /// Group order.
    pub r: BigUint,
    /// The coefficient of x in the curve equation.
    pub a: BigUint,
    /// The constant of the curve equation.
    pub b: BigUint,
    /// Embedding degree: 6 (d) or 10 (g).
    pub k: u32,
    /// Curve order over F_{q^k}.
    pub nk: BigUint,
    /// The cofactor nk / r^2.
    pub hk: BigUint,
    /// The k/2 coefficients: coeff0, coeff1, ...
    pub coefficients: Vec<BigUint>,
    /// A quadratic non-residue.
    pub nqr: BigUint,
}

/// The parameters of type e: q = h r^2 + 1, y^2 = x^3 + a x + b.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeE {
    /// Field characteristic.
    pub q: BigUint,
    /// Group order.
    pub r: BigUint,
    /// Cofactor.
    pub h: BigUint,
    /// The coefficient of x in the curve equation.
    pub a: BigUint,
    /// The constant of the curve equation.
    pub b: BigUint,
    /// The form of r as a Solinas prime.
    pub form: Solinas,
}

/// The parameters of type f: y^2 = x^3 + b over F_q, F_{q^2} = F_q\[t\]/(t^2 - beta),
/// F_{q^12} = F_{q^2}\[w\]/(w^6 + alpha0 + alpha1 t).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeF {
    /// Field characteristic.
    pub q: BigUint,
    /// Group order.
    pub r: BigUint,
    /// The constant of the curve equation.
    pub b: BigUint,
    /// Quadratic non-residue.
    pub beta: BigUint,
    /// Sextic non-residue, constant part.
    pub alpha0: BigUint,
    /// Sextic non-residue, coefficient of t.
    pub alpha1: BigUint,
}

/// The parameters of type i: y^2 = x^3 - x + 1 over F_3\[x\]/(x^m + x^t + 2), with n n2 points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeI {
    /// Degree of the field.
    pub m: u32,
    /// Exponent of the middle term.
    pub t: u32,
    /// Group order.
    pub n: BigUint,
    /// Cofactor.
    pub n2: BigUint,
}

/// Parses a `.param` text of type a, a1, d, e, f, g or i. `file` is for messages.
///
/// # Errors
/// Returns [`Error::Syntax`], [`Error::DuplicateKey`], [`Error::MissingKey`], [`Error::NotAnInteger`],
/// [`Error::TooManyBits`], [`Error::WrongType`], [`Error::FileTooLarge`] or [`Error::UnknownPbcType`] for the first
/// fault found.
pub fn parse(text: &str, file: &str) -> Result<Parameters, Error> {
    ParamLines::read(text, file)?.parameters()
}

/// Returns true if the first line with content is not TOML (no `=`, no leading `[`).
pub(crate) fn looks_like(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| !line.contains('=') && !line.starts_with('['))
}

/// The keys of a file with their values and lines.
struct ParamLines<'a> {
    values: BTreeMap<&'a str, &'a str>,
    origin: Origin,
}

impl<'a> ParamLines<'a> {
    fn read(text: &'a str, file: &str) -> Result<Self, Error> {
        text::check(text, file)?;
        let mut lines = Self { values: BTreeMap::new(), origin: Origin::file(file) };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.split_whitespace();
            let (Some(key), Some(value), None) = (words.next(), words.next(), words.next()) else {
                let at = lines.origin.at_line("", number);
                return Err(Error::Syntax { at, reason: "not a line of the form `key value`".to_owned() });
            };
            if lines.values.insert(key, value).is_some() {
                return Err(Error::DuplicateKey { at: lines.origin.at_line(key, number) });
            }
            lines.origin.record(key, number);
        }
        Ok(lines)
    }

    fn parameters(&self) -> Result<Parameters, Error> {
        let at = || self.origin.at("type");
        Ok(match self.text("type")? {
            "a" => Parameters::A(TypeA {
                q: self.integer("q")?,
                h: self.integer("h")?,
                r: self.integer("r")?,
                form: self.solinas_if_any()?,
            }),
            "a1" => Parameters::A1(TypeA1 { p: self.integer("p")?, n: self.integer("n")?, l: self.integer("l")? }),
            "d" => Parameters::D(self.dg(3)?),
            "e" => Parameters::E(TypeE {
                q: self.integer("q")?,
                r: self.integer("r")?,
                h: self.integer("h")?,
                a: self.integer("a")?,
                b: self.integer("b")?,
                form: self.solinas()?,
            }),
            "f" => Parameters::F(TypeF {
                q: self.integer("q")?,
                r: self.integer("r")?,
                b: self.integer("b")?,
                beta: self.integer("beta")?,
                alpha0: self.integer("alpha0")?,
                alpha1: self.integer("alpha1")?,
            }),
            "g" => Parameters::G(self.dg(5)?),
            "i" => Parameters::I(TypeI {
                m: self.small("m")?,
                t: self.small("t")?,
                n: self.integer("n")?,
                n2: self.integer("n2")?,
            }),
            other => return Err(Error::UnknownPbcType { at: at(), value: other.chars().take(40).collect() }),
        })
    }

    /// Reads the parameters of types d and g, which differ in the number of coefficients.
    fn dg(&self, coefficients: usize) -> Result<TypeDg, Error> {
        Ok(TypeDg {
            q: self.integer("q")?,
            n: self.integer("n")?,
            h: self.integer("h")?,
            r: self.integer("r")?,
            a: self.integer("a")?,
            b: self.integer("b")?,
            k: self.small("k")?,
            nk: self.extension("nk")?,
            hk: self.extension("hk")?,
            coefficients: (0..coefficients).map(|i| self.integer(&format!("coeff{i}"))).collect::<Result<_, _>>()?,
            nqr: self.integer("nqr")?,
        })
    }

    fn solinas(&self) -> Result<Solinas, Error> {
        let sign = |key: &str| match self.text(key)? {
            "1" | "+1" => Ok(1),
            "-1" => Ok(-1),
            _ => Err(Error::WrongType { at: self.origin.at(key), expected: "1 or -1" }),
        };
        Ok(Solinas {
            exp2: self.small("exp2")?,
            exp1: self.small("exp1")?,
            sign1: sign("sign1")?,
            sign0: sign("sign0")?,
        })
    }

    /// Reads the four keys of the form of r, or none of them, since r is given in full as well.
    fn solinas_if_any(&self) -> Result<Option<Solinas>, Error> {
        let any = ["exp2", "exp1", "sign1", "sign0"].iter().any(|key| self.values.contains_key(key));
        any.then(|| self.solinas()).transpose()
    }

    /// Reads the factors n0, n1, ... up to the first missing key.
    fn factors(&self) -> Result<Vec<Secret>, Error> {
        let keys = (0..).map(|i| format!("n{i}"));
        keys.map_while(|key| {
            let text = self.values.get(key.as_str())?;
            Some(parse_secret(text, || self.origin.at(&key)))
        })
        .collect()
    }

    fn text(&self, key: &str) -> Result<&'a str, Error> {
        self.values.get(key).copied().ok_or_else(|| Error::MissingKey { at: self.origin.at(key) })
    }

    fn integer(&self, key: &str) -> Result<BigUint, Error> {
        integer::parse(self.text(key)?, MAX_FIELD_BITS, || self.origin.at(key))
    }

    fn extension(&self, key: &str) -> Result<BigUint, Error> {
        integer::parse(self.text(key)?, MAX_EXTENSION_BITS, || self.origin.at(key))
    }

    fn small(&self, key: &str) -> Result<u32, Error> {
        integer::parse_small(self.text(key)?, || self.origin.at(key))
    }
}
