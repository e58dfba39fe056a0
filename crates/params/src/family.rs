//! The families of curves, as one enum.

use num_bigint::BigUint;
use std::fmt;

use crate::origin::{KeyNames, Origin};
use crate::supersingular::Keys;
use crate::{
    Binary, DegreeOne, Error, Location, QuadraticTwist, Sextic, Supersingular, SupersingularKind, Ternary, sextic,
};

/// The family of a curve, with the parameters of the curve.
///
/// The `family` key of a TOML file selects the variant; new families will be new variants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Supersingular curves y^2 = x^3 + x over F_q, q = 3 mod 4, embedding degree 2: PBC types A and A1
    /// (TOML families `a` and `a1`).
    Supersingular(Supersingular),
    /// Ordinary curves y^2 = x^3 + b with a sextic twist (TOML families `bn`, `bls12`, `bls24`, `bls48`, `kss18`; PBC type F).
    Sextic(Sextic),
    /// Ordinary curves with a quadratic twist, embedding degree 6 or 10: PBC types D and G (TOML families `d`, `g`).
    QuadraticTwist(QuadraticTwist),
    /// Ordinary curves of embedding degree 1: PBC type E (TOML family `e`).
    DegreeOne(DegreeOne),
    /// Supersingular curves over F_2^m: y^2 + y = x^3 + x + b, embedding degree 4 (TOML family `ss2`), and y^2 + y = x^5 + x^3 + d of genus 2,
    /// embedding degree 12 (`hss2`), where elements of the groups are divisors. Their discrete logarithms are broken: for research only
    /// ([`crate::Curve::is_for_research`]).
    Binary(Binary),
    /// Supersingular curves y^2 = x^3 - x + b over F_3^m, embedding degree 6: PBC type I (TOML family `ss3`). Their discrete logarithms are
    /// broken: for research only.
    Ternary(Ternary),
}

/// The order in which the coefficients of extension-field elements are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// The order in which the tower nests, innermost coefficients first.
    #[default]
    Nested,
    /// PBC's order: for type F the coefficients of w^0, ..., w^5 over F_{q^2} in that order. For the other types
    /// both layouts are the same.
    Pbc,
}

impl Layout {
    /// The layout's name in TOML files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Pbc => "pbc",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Family {
    /// The family's name in TOML files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Supersingular(s) if s.kind() == SupersingularKind::A => "a",
            Self::Supersingular(_) => "a1",
            Self::Sextic(s) => s.kind().name(),
            Self::QuadraticTwist(s) => s.kind().name(),
            Self::DegreeOne(_) => "e",
            Self::Binary(s) => s.genus().name(),
            Self::Ternary(_) => "ss3",
        }
    }

    /// q, the number of elements of the field that the curve is defined over: its characteristic, but 2^m for families `ss2` and `hss2`, and 3^m
    /// for `ss3`.
    pub fn field(&self) -> &BigUint {
        match self {
            Self::Supersingular(s) => s.q(),
            Self::Sextic(s) => s.p(),
            Self::QuadraticTwist(s) => s.q(),
            Self::DegreeOne(s) => s.q(),
            Self::Binary(s) => s.q(),
            Self::Ternary(s) => s.q(),
        }
    }

    /// The number of bits of the largest element of the field: the bits of q, except m for q = 2^m.
    pub fn field_bits(&self) -> u64 {
        (self.field() - 1u8).bits()
    }

    /// The order of the pairing groups: a prime except for type A1.
    pub fn order(&self) -> &BigUint {
        match self {
            Self::Supersingular(s) => s.order(),
            Self::Sextic(s) => s.r(),
            Self::QuadraticTwist(s) => s.r(),
            Self::DegreeOne(s) => s.r(),
            Self::Binary(s) => s.r(),
            Self::Ternary(s) => s.r(),
        }
    }

    /// The degree k for which pairing values lie in F_{q^k}.
    pub fn embedding_degree(&self) -> u32 {
        match self {
            Self::Supersingular(_) => 2,
            Self::Sextic(s) => s.k(),
            Self::QuadraticTwist(s) => s.k(),
            Self::DegreeOne(s) => s.k(),
            Self::Binary(s) => s.k(),
            Self::Ternary(s) => s.k(),
        }
    }

    /// The prime factors of the order, if they are public.
    pub(crate) fn factors(&self) -> Option<&[BigUint]> {
        match self {
            Self::Supersingular(s) => s.factors(),
            _ => Some(std::slice::from_ref(self.order())),
        }
    }

    /// Checks the range and the curve equation of an affine point over the field that the curve is defined over.
    pub(crate) fn check_point(&self, x: &BigUint, y: &BigUint, at: impl Fn() -> Location) -> Result<(), Error> {
        let equation = match self {
            Self::Supersingular(s) => s.equation(),
            Self::Sextic(s) => s.equation().ok_or_else(|| Error::NeedsKey { at: at(), key: "parameters.b" })?,
            Self::QuadraticTwist(s) => s.equation(),
            Self::DegreeOne(s) => s.equation(),
            Self::Binary(_) | Self::Ternary(_) => {
                return Err(Error::WrongFamily { family: self.name(), property: "generator that can be chosen" });
            }
        };
        equation.check(x, y, |_| at())
    }

    /// Performs the costly half of validation.
    pub(crate) fn verify(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        match self {
            Self::Supersingular(s) => s.verify(origin, &Keys::new(words, s.kind())),
            Self::Sextic(s) => s.verify(origin, &sextic::Keys::new(words)),
            Self::QuadraticTwist(s) => s.verify(origin, words),
            Self::DegreeOne(s) => s.verify(origin, words),
            Self::Binary(s) => s.verify(origin, words),
            Self::Ternary(s) => s.verify(origin, words),
        }
    }

    /// Completes the family with the parameters that its descriptions may leave out. It must have been verified.
    pub(crate) fn complete(self, origin: &Origin, words: KeyNames) -> Result<Self, Error> {
        match self {
            Self::Sextic(s) => Ok(Self::Sextic(s.complete(origin, &sextic::Keys::new(words))?)),
            other => Ok(other),
        }
    }
}
