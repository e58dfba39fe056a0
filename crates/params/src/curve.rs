//! A named curve: the parameters of its family, their source, and their security.

use num_bigint::BigUint;

use crate::origin::{KeyNames, Origin};
use crate::security::{self, Security};
use crate::supersingular::Keys;
use crate::{Description, Error, Family, Layout, fingerprint, shipped};

/// A curve description that has passed every check of its family (see the crate's head for what that means).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) family: Family,
    pub(crate) layout: Layout,
    pub(crate) source: String,
    pub(crate) note: String,
}

impl Curve {
    /// Creates a curve without aliases and note.
    pub(crate) fn new(name: String, family: Family, layout: Layout, source: String) -> Self {
        Self { name, aliases: Vec::new(), family, layout, source, note: String::new() }
    }

    /// Returns the shipped curve with this name or alias (`a-512`, `a1-1024`, `BLS12-381`, ...); case does not matter.
    ///
    /// # Errors
    /// Returns [`Error::UnknownCurve`], which has the nearest names and lists all, if no shipped curve has this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        shipped::named(name)
    }

    /// The names of the shipped curves, without aliases. Those [for research only](Curve::is_for_research) are
    /// listed by [`Curve::research_names`] instead.
    pub fn names() -> impl Iterator<Item = &'static str> {
        shipped::SHIPPED.iter().map(|(name, _)| *name)
    }

    /// The names of the shipped curves whose discrete logarithms are broken.
    pub fn research_names() -> impl Iterator<Item = &'static str> {
        shipped::RESEARCH.iter().map(|(name, _)| *name)
    }

    /// Loads the curve of a TOML or PBC file; [`Description::load`] also returns the factors that the file gives.
    ///
    /// # Errors
    /// Returns the errors of [`Description::load`].
    pub fn load(path: impl AsRef<std::path::Path>) -> Result<Self, Error> {
        Description::load(path).map(|description| description.curve)
    }

    /// The curve's name: lower-case letters, digits, `.`, `_`, `-`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Further names of a shipped curve.
    pub fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// The family with its parameters.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The order in which the coefficients of extension-field elements are written: PBC's for curves of PBC's types
    /// d, e, f, g and i.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The source of the parameters; may be empty.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The remarks of the description's author on the security of the curve; may be empty. [`Curve::security`] is
    /// computed and depends on the note only in whether it begins with TEST ONLY.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The estimated security of the sizes; see [`security`] for the method.
    pub fn security(&self) -> Security {
        security::of(self)
    }

    /// Returns true if the description publishes the factors of a composite order: such a curve is for tests.
    pub fn is_test_only(&self) -> bool {
        matches!(&self.family, Family::Supersingular(s) if s.published())
    }

    /// Returns true if discrete logarithms in the field of the pairing values are broken whatever its size. This is
    /// so in small characteristic, where they take quasi-polynomial time (Barbulescu, Gaudry, Joux, Thome,
    /// Eurocrypt 2014). Nothing computes with such a curve unless it is told that this is for research.
    pub fn is_for_research(&self) -> bool {
        matches!(self.family, Family::Binary(_) | Family::Ternary(_))
    }

    /// The SHA-256 of the family and its defining integers, as 64 hexadecimal digits. Name, texts, layout and
    /// generators do not enter, so the fingerprint identifies the groups and not the file.
    pub fn fingerprint(&self) -> String {
        fingerprint::of(&self.family)
    }

    /// Sets a generator (affine x, y) of the group over the field of the curve and [verifies](Curve::verify) the curve.
    ///
    /// # Errors
    /// Returns [`Error::GeneratorRange`], [`Error::GeneratorOffCurve`] or [`Error::WrongOrder`] for a bad
    /// generator, [`Error::NeedsKey`] if b is not known, [`Error::WrongFamily`] over F_2^m and F_3^m, where the
    /// generator follows from the curve, and the errors of [`Curve::verify`].
    pub fn with_generator(mut self, x: BigUint, y: BigUint) -> Result<Self, Error> {
        let origin = Origin::argument();
        match &mut self.family {
            Family::Supersingular(s) => {
                let keys = Keys::new(KeyNames::Toml, s.kind());
                s.set_generator(x, y, &origin, &keys)?;
            }
            Family::Sextic(s) => s.set_g1(x, y, &origin)?,
            Family::QuadraticTwist(s) => s.set_g1(x, y, &origin)?,
            Family::DegreeOne(s) => s.set_g1(x, y, &origin)?,
            Family::Binary(_) | Family::Ternary(_) => {
                return Err(self.no("generator that can be chosen"));
            }
        }
        self.verify()?;
        Ok(self)
    }

    /// Sets a generator of G2 and [verifies](Curve::verify) the curve. The affine x and y are given by their
    /// coefficients over the prime field, as many as the field of the twist has (one for embedding degree 1).
    ///
    /// # Errors
    /// Returns [`Error::CoefficientCount`], [`Error::GeneratorRange`], [`Error::GeneratorOffCurve`] or
    /// [`Error::WrongOrder`] for a bad generator, [`Error::NeedsKey`] if b, twist or tower is not known,
    /// [`Error::WrongFamily`] for supersingular curves, which have one group, and the errors of [`Curve::verify`].
    pub fn with_g2(mut self, x: Vec<BigUint>, y: Vec<BigUint>) -> Result<Self, Error> {
        let origin = Origin::argument();
        match &mut self.family {
            Family::Supersingular(_) | Family::Binary(_) | Family::Ternary(_) => {
                return Err(self.no("second group"));
            }
            Family::Sextic(s) => s.set_g2(x, y, &origin)?,
            Family::QuadraticTwist(s) => s.set_g2(x, y, &origin)?,
            Family::DegreeOne(s) => {
                let at = |of_y| origin.at(if of_y { "g2.y" } else { "g2.x" });
                let one = |value: Vec<BigUint>, of_y| {
                    <[BigUint; 1]>::try_from(value).map_err(|value| Error::CoefficientCount {
                        at: at(of_y),
                        expected: 1,
                        found: value.len(),
                    })
                };
                let ([x], [y]) = (one(x, false)?, one(y, true)?);
                s.set_g2(x, y, &origin)?;
            }
        }
        self.verify()?;
        Ok(self)
    }

    fn no(&self, property: &'static str) -> Error {
        Error::WrongFamily { family: self.family.name(), property }
    }

    /// Performs the checks that loading applies to users' files and skips for shipped curves: the field
    /// characteristic, a prime order and public factors are primes, non-residues are non-residues, polynomials are
    /// irreducible, the curve has the stated order, and generators have the order of their group.
    ///
    /// # Errors
    /// Returns [`Error::FieldComposite`], [`Error::OrderComposite`], [`Error::FactorComposite`],
    /// [`Error::NotANonResidue`], [`Error::Reducible`] or [`Error::WrongOrder`] for the first check that fails.
    pub fn verify(&self) -> Result<(), Error> {
        let origin = Origin::argument();
        self.family.verify(&origin, KeyNames::Toml)?;
        // on curves with a sextic twist, completing checks the orders
        self.family.clone().complete(&origin, KeyNames::Toml).map(drop)
    }
}

/// Returns true for names of curves: 1 to 64 characters out of a-z, 0-9, `.`, `_`, `-`.
pub fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
}
