//! A named curve: family parameters, where they come from, and what they are worth.

use num_bigint::BigUint;
use sha2::{Digest, Sha256};

use crate::origin::Origin;
use crate::security::{self, Security};
use crate::supersingular::Keys;
use crate::{Description, Error, Family, Kind, shipped};

/// A curve description that has passed every check of its family (see the crate's head for what that means).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) family: Family,
    pub(crate) source: String,
    pub(crate) note: String,
}

impl Curve {
    /// A shipped curve by name or alias (`a-512`, `a1-1024`, ...).
    ///
    /// # Errors
    /// [`Error::UnknownCurve`], which lists the names.
    pub fn named(name: &str) -> Result<Self, Error> {
        shipped::named(name)
    }

    /// The names of the shipped curves, aliases not included.
    pub fn names() -> impl Iterator<Item = &'static str> {
        shipped::SHIPPED.iter().map(|(name, _)| *name)
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

    /// Where the parameters come from; may be empty.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What the author of the description says about its security; may be empty. [`Curve::security`] is computed.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The estimated security of the sizes; see [`security`] for the method.
    pub fn security(&self) -> Security {
        security::of(self)
    }

    /// True where the factors of a composite order are published in the description: such a curve is for tests.
    pub fn is_test_only(&self) -> bool {
        let Family::Supersingular(s) = &self.family;
        s.published()
    }

    /// SHA-256 over family and defining integers, as 64 hexadecimal digits. Name, texts and generator do not enter,
    /// so it identifies the groups and not the file.
    pub fn fingerprint(&self) -> String {
        let Family::Supersingular(s) = &self.family;
        let mut hash = Sha256::new();
        hash.update(match s.kind() {
            Kind::A => b"bilinear curve v1: a\0".as_slice(),
            Kind::A1 => b"bilinear curve v1: a1\0".as_slice(),
        });
        for value in [s.q(), s.order()] {
            let bytes = value.to_bytes_be();
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The same curve with this generator (affine x, y). Range and curve equation are checked; that its order is the
    /// curve's is for the caller, who has the arithmetic.
    ///
    /// # Errors
    /// [`Error::GeneratorRange`], [`Error::GeneratorOffCurve`].
    pub fn with_generator(mut self, x: BigUint, y: BigUint) -> Result<Self, Error> {
        let Family::Supersingular(s) = &mut self.family;
        let keys = Keys::toml(s.kind());
        s.set_generator(x, y, &Origin::argument(), &keys)?;
        Ok(self)
    }

    /// Checks what loading checks for users' files and skips for shipped ones: that q, a prime order and public
    /// factors are primes. Some 25 ms at 2060 bits.
    ///
    /// # Errors
    /// [`Error::FieldComposite`], [`Error::OrderComposite`], [`Error::FactorComposite`].
    pub fn verify(&self) -> Result<(), Error> {
        let Family::Supersingular(s) = &self.family;
        s.verify(&Origin::argument(), &Keys::toml(s.kind()))
    }
}

/// True for 1 to 64 characters out of a-z, 0-9, `.`, `_`, `-`.
pub(crate) fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
}
