//! A named curve: family parameters, where they come from, and what they are worth.

use num_bigint::BigUint;

use crate::origin::{Origin, Words};
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
    /// A shipped curve by name or alias (`a-512`, `a1-1024`, `BLS12-381`, ...); case does not matter.
    ///
    /// # Errors
    /// [`Error::UnknownCurve`], which has the names that come nearest, and lists all.
    pub fn named(name: &str) -> Result<Self, Error> {
        shipped::named(name)
    }

    /// The names of the shipped curves, aliases not included; those [for research only](Curve::is_for_research) are apart, in
    /// [`Curve::research_names`].
    pub fn names() -> impl Iterator<Item = &'static str> {
        shipped::SHIPPED.iter().map(|(name, _)| *name)
    }

    /// The names of the shipped curves whose discrete logarithms are broken.
    pub fn research_names() -> impl Iterator<Item = &'static str> {
        shipped::RESEARCH.iter().map(|(name, _)| *name)
    }

    /// Whether the groups are those of the shipped curve of this name.
    pub fn is_shipped(&self) -> bool {
        Curve::named(&self.name).is_ok_and(|shipped| shipped.fingerprint() == self.fingerprint())
    }

    /// The curve of a TOML or PBC file; [`Description::load`] also returns the factors that the file gives.
    ///
    /// # Errors
    /// As [`Description::load`].
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

    /// The order in which values of extension fields are written: PBC's for curves of PBC's types d, e, f, g and i.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Where the parameters come from; may be empty.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What the author of the description says about its security; may be empty. [`Curve::security`] is computed, and of this reads only
    /// whether it begins with TEST ONLY.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The estimated security of the sizes; see [`security`] for the method.
    pub fn security(&self) -> Security {
        security::of(self)
    }

    /// True where the factors of a composite order are published in the description: such a curve is for tests.
    pub fn is_test_only(&self) -> bool {
        matches!(&self.family, Family::Supersingular(s) if s.published())
    }

    /// True where discrete logarithms in the field of the pairing's values are broken whatever its size: in small characteristic, where
    /// they take quasi-polynomial time (Barbulescu, Gaudry, Joux, Thome, Eurocrypt 2014). Nothing computes with such a curve unless it
    /// is told that this is for research.
    pub fn is_for_research(&self) -> bool {
        matches!(self.family, Family::Binary(_) | Family::Genus2(_) | Family::Ternary(_))
    }

    /// SHA-256 over family and defining integers, as 64 hexadecimal digits. Name, texts, layout and generators do not
    /// enter, so it identifies the groups and not the file.
    pub fn fingerprint(&self) -> String {
        fingerprint::of(&self.family)
    }

    /// The same curve with this generator (affine x, y) of the group over the field of the curve, [verified](Curve::verify).
    ///
    /// # Errors
    /// [`Error::GeneratorRange`], [`Error::GeneratorOffCurve`], [`Error::WrongOrder`]; [`Error::NeedsKey`] where b is not known;
    /// [`Error::WrongFamily`] over F_2^m and F_3^m, where the generator follows from the curve; those of [`Curve::verify`].
    pub fn with_generator(mut self, x: BigUint, y: BigUint) -> Result<Self, Error> {
        let origin = Origin::argument();
        match &mut self.family {
            Family::Supersingular(s) => {
                let keys = Keys::toml(s.kind());
                s.set_generator(x, y, &origin, &keys)?;
            }
            Family::Sextic(s) => s.set_g1(x, y, &origin)?,
            Family::QuadraticTwist(s) => s.set_g1(x, y, &origin)?,
            Family::DegreeOne(s) => s.set_g1(x, y, &origin)?,
            Family::Binary(_) | Family::Genus2(_) | Family::Ternary(_) => return Err(self.no("generator of their own")),
        }
        self.verify()?;
        Ok(self)
    }

    /// The same curve with this generator of G2: affine x and y by their coefficients over the prime field, as many as
    /// the field of the twist has (one for embedding degree 1), [verified](Curve::verify).
    ///
    /// # Errors
    /// [`Error::CoefficientCount`], [`Error::GeneratorRange`], [`Error::GeneratorOffCurve`], [`Error::WrongOrder`];
    /// [`Error::NeedsKey`] where b, twist or tower is not known; [`Error::WrongFamily`] for supersingular curves, which
    /// have one group; those of [`Curve::verify`].
    pub fn with_g2(mut self, x: Vec<BigUint>, y: Vec<BigUint>) -> Result<Self, Error> {
        let origin = Origin::argument();
        match &mut self.family {
            Family::Supersingular(_) | Family::Binary(_) | Family::Genus2(_) | Family::Ternary(_) => {
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

    /// Checks what loading checks for users' files and skips for shipped ones: that the field characteristic, a prime
    /// order and public factors are primes, that non-residues are non-residues and polynomials irreducible, that the curve has the
    /// order that is said, and generators that of their group.
    ///
    /// # Errors
    /// [`Error::FieldComposite`], [`Error::OrderComposite`], [`Error::FactorComposite`], [`Error::NotANonResidue`],
    /// [`Error::Reducible`], [`Error::WrongOrder`].
    pub fn verify(&self) -> Result<(), Error> {
        self.family.verify(&Origin::argument(), Words::Toml)
    }
}

/// True for 1 to 64 characters out of a-z, 0-9, `.`, `_`, `-`.
pub(crate) fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
}
