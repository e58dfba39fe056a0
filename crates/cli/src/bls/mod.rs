//! BLS signatures: the arguments that choose a suite and a secret key, and the jobs over tables.

pub(crate) mod columns;
mod groups;
mod rows;
pub(crate) mod table;

use crate::error::CommandError;
use crate::secret::{DescriptorNumber, Source};
use bilinear_engine::{Engine, Options};
use bilinear_schemes::bls::{Bls, Scheme, SecretKey, Variant};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The name of a variant.
#[derive(Clone, Copy, Debug)]
struct VariantName(Variant);

impl ValueEnum for VariantName {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Variant::MinPk), Self(Variant::MinSig)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self.0 {
            Variant::MinPk => ("min-pk", "Public keys of 48 bytes in G1, signatures of 96 bytes in G2"),
            Variant::MinSig => ("min-sig", "Public keys of 96 bytes in G2, signatures of 48 bytes in G1"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// The choice of a variant.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct VariantChoice {
    /// The variant: which group has the public keys, and which the signatures
    #[arg(long, value_name = "VARIANT", ignore_case = true)]
    variant: VariantName,
}

impl VariantChoice {
    /// Creates the variant with a scheme and an engine. Without an engine it uses the best one of this
    /// processor.
    ///
    /// # Errors
    /// Returns an error if the engine cannot compute with the curve.
    pub(crate) fn with(self, scheme: Scheme, engine: Option<Engine>) -> Result<Bls, CommandError> {
        let options = Options { engine, ..Options::default() };
        Bls::with(self.variant.0, scheme, options).map_err(|error| CommandError::Engine(error.to_string()))
    }
}

/// The name of a scheme.
#[derive(Clone, Copy, Debug)]
struct SchemeName(Scheme);

impl ValueEnum for SchemeName {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Scheme::Basic), Self(Scheme::MessageAugmentation), Self(Scheme::ProofOfPossession)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self.0 {
            Scheme::Basic => ("basic", "All messages of an aggregate must differ"),
            Scheme::MessageAugmentation => ("aug", "The signer's public key is prepended to each message"),
            Scheme::ProofOfPossession => ("pop", "Every public key comes with a proof of possession"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// The choice of a variant and a scheme.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct SuiteChoice {
    #[command(flatten)]
    variant: VariantChoice,
    /// The scheme: how rogue-key attacks are prevented
    #[arg(long, value_name = "SCHEME", ignore_case = true)]
    scheme: SchemeName,
}

impl SuiteChoice {
    /// Creates the suite; see [`VariantChoice::with`].
    ///
    /// # Errors
    /// Returns an error where [`VariantChoice::with`] does.
    pub(crate) fn with(self, engine: Option<Engine>) -> Result<Bls, CommandError> {
        self.variant.with(self.scheme.0, engine)
    }
}

/// The source of a secret key.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct KeyChoice {
    /// The file of the secret key (mode 0600).
    ///
    /// It holds 64 hexadecimal digits, as `bilinear key generate` writes them.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Read the secret key from open descriptor N instead (0 is standard input)
    #[arg(long, value_name = "N", value_parser = DescriptorNumber)]
    key_fd: Option<u32>,
}

impl KeyChoice {
    /// Returns the option that names the key, and the path of the file that is read. For a descriptor the path
    /// is that of the descriptor, since a shell may have opened a file on it.
    pub(crate) fn reads(&self) -> Option<(&'static str, Cow<'_, Path>)> {
        let file = self.key.as_deref().map(|path| ("--key", path.into()));
        file.or(self.key_fd.map(|number| ("--key-fd", PathBuf::from(format!("/dev/fd/{number}")).into())))
    }

    /// Returns the source of the key.
    pub(crate) fn source(&self) -> Result<Source, CommandError> {
        let missing = || CommandError::Usage("choose a secret key by --key or --key-fd".to_owned());
        source(self.key.as_ref(), self.key_fd).ok_or_else(missing)
    }

    /// Loads the key.
    ///
    /// # Errors
    /// Returns an error if the key cannot be read, if others may read it, or if it is not a valid key.
    pub(crate) fn load(&self) -> Result<SecretKey, CommandError> {
        let source = self.source()?;
        let bytes = source.read()?;
        let text = bytes.trim_ascii();
        // an 0x prefix is recognised by the length, since the digits are not inspected
        let text = if text.len() == 66 { text.strip_prefix(b"0x").unwrap_or(text) } else { text };
        SecretKey::from_hex(text).map_err(|error| CommandError::Usage(format!("{}: {error}", source.name())))
    }
}

/// The key material of a new secret key.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(crate) struct Material {
    /// Make the key from this file of key material (mode 0600).
    ///
    /// The material is 32 to 4096 bytes that nobody can guess. The bytes are used as they are.
    #[arg(long, value_name = "FILE")]
    material: Option<PathBuf>,
    /// Make the key from material read from open descriptor N (0 is standard input)
    #[arg(long, value_name = "N", value_parser = DescriptorNumber)]
    material_fd: Option<u32>,
}

impl Material {
    /// Returns the source of the material, or `None` if a fresh key is wanted.
    pub(crate) fn source(&self) -> Option<Source> {
        source(self.material.as_ref(), self.material_fd)
    }
}

fn source(file: Option<&PathBuf>, descriptor: Option<u32>) -> Option<Source> {
    file.cloned().map(Source::File).or(descriptor.map(Source::Descriptor))
}
