//! The contents of one file: a curve and, if the file gives them, the factors of its order.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use zeroize::{Zeroize, Zeroizing};

use crate::integer::MAX_FILE_BYTES;
use crate::origin::KeyNames;
use crate::{Curve, Error, Factors, Layout, pbc, toml_reader};

/// A curve with the factors of its order, if they are known.
#[derive(Clone, Debug)]
pub struct Description {
    /// The curve, which is the public part.
    pub curve: Curve,
    /// The prime factors of the order. They are always present for a prime order, and for a composite one only if
    /// the file holds them (TOML test curves; PBC files with lines n0, n1, ...) or they have just been generated.
    pub factors: Option<Factors>,
}

impl Description {
    /// Reads a curve description in TOML and checks it in full, primality included. Parameters that a description
    /// with a sextic twist leaves out are found (the head of `sextic/complete.rs` in this crate says how; b only
    /// for p of up to [`MAX_COMPLETED_BITS`](crate::MAX_COMPLETED_BITS)), and those that it gives are shown to lead to groups of order r. `file` is for
    /// messages.
    ///
    /// # Errors
    /// Returns the first error found, any of the syntax and mathematics variants of [`Error`].
    pub fn from_toml(text: &str, file: &str) -> Result<Self, Error> {
        let (mut curve, origin) = toml_reader::read(text, file)?;
        curve.family().verify(&origin, KeyNames::Toml)?;
        curve.family = curve.family.complete(&origin, KeyNames::Toml)?;
        Ok(Self { factors: Factors::public(&curve), curve })
    }

    /// Returns the [fingerprint](Curve::fingerprint) and the [layout](Curve::layout) that a complete description in TOML
    /// leads to if it is sound. This takes no costly check and tells whether the description is that of an expected curve.
    ///
    /// # Errors
    /// Returns those errors of [`Description::from_toml`] that are found without arithmetic on the curve.
    pub fn fingerprint_and_layout(text: &str, file: &str) -> Result<(String, Layout), Error> {
        let (curve, _) = toml_reader::read(text, file)?;
        Ok((curve.fingerprint(), curve.layout()))
    }

    /// Reads a PBC `.param` text of type a, a1, d, e, f, g or i and checks it in full. The curve is named after the
    /// file. It has no generators, except those that [`Description::from_toml`] finds for type f. Lines n0, n1, ...
    /// of type a1 are the factors of n and stay secret; a file that PBC wrote may have any mode. Values of types d,
    /// e, f, g and i are written in PBC's order ([`Curve::layout`]).
    ///
    /// # Errors
    /// Returns the errors of [`Description::from_toml`].
    pub fn from_pbc(text: &str, file: &str) -> Result<Self, Error> {
        pbc::describe(text, file)
    }

    /// Reads a description in TOML or a PBC `.param` text; the first line with content tells which of the two it is.
    ///
    /// # Errors
    /// Returns the errors of [`Description::from_toml`] and [`Description::from_pbc`].
    pub fn from_text(text: &str, file: &str) -> Result<Self, Error> {
        if pbc::looks_like(text) { Self::from_pbc(text, file) } else { Self::from_toml(text, file) }
    }

    /// Reads a file of at most [`MAX_FILE_BYTES`] in either format, TOML or PBC's.
    ///
    /// # Errors
    /// Returns the errors of [`Description::from_text`], and [`Error::Io`], [`Error::FileTooLarge`] or
    /// [`Error::NotUtf8`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let text = read_text(path, &file)?;
        Self::from_text(&text, &file)
    }
}

/// Reads the text of a file. The text is zeroised when dropped, as it may hold factors.
fn read_text(path: &Path, file: &str) -> Result<Zeroizing<String>, Error> {
    let io = |source| Error::Io { file: file.to_owned(), source };
    let handle = File::open(path).map_err(io)?;
    // capacity for the whole file, so that growing leaves no copies of it behind
    let expected = handle.metadata().map_or(0, |metadata| metadata.len()).min(MAX_FILE_BYTES as u64 + 1);
    let mut bytes = Zeroizing::new(Vec::with_capacity(expected as usize + 1));
    handle.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(Error::FileTooLarge { file: file.to_owned(), limit: MAX_FILE_BYTES });
    }
    String::from_utf8(std::mem::take(&mut *bytes)).map(Zeroizing::new).map_err(|error| {
        error.into_bytes().zeroize();
        Error::NotUtf8 { file: file.to_owned() }
    })
}
