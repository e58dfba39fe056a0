//! What one file describes: a curve and, where the file gives them, the factors of its order.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use zeroize::{Zeroize, Zeroizing};

use crate::integer::MAX_FILE_BYTES;
use crate::origin::Words;
use crate::{Curve, Error, Factors, Layout, pbc, toml_reader};

/// A curve with the factors of its order, if they are known.
#[derive(Clone, Debug)]
pub struct Description {
    /// The public part.
    pub curve: Curve,
    /// The prime factors of the order: always for a prime order, for a composite one only when the file holds them
    /// (TOML test curves; PBC files with lines n0, n1, ...) or they have just been generated.
    pub factors: Option<Factors>,
}

impl Description {
    /// Reads a curve description in TOML and checks it in full, primality included. What a description with a sextic
    /// twist leaves out is found (the head of `sextic/complete.rs` in this crate says how; b for p of up to 1024 bits), and what it
    /// gives is shown to lead to groups of order r. `file` is for messages.
    ///
    /// # Errors
    /// Any of the syntax and mathematics variants of [`Error`]; the first one found.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, Error> {
        let (mut curve, origin) = toml_reader::read(text, file)?;
        curve.family().verify(&origin, Words::Toml)?;
        curve.family = curve.family.complete(&origin, Words::Toml)?;
        Ok(Self { factors: Factors::public(&curve), curve })
    }

    /// The [fingerprint](Curve::fingerprint) and [layout](Curve::layout) that a complete description in TOML leads to if it is sound, which takes no
    /// costly check: they tell whether the description is that of the curve that is expected.
    ///
    /// # Errors
    /// Those of [`Description::from_toml`] that are found without arithmetic on the curve.
    pub fn fingerprint_and_layout(text: &str, file: &str) -> Result<(String, Layout), Error> {
        let (curve, _) = toml_reader::read(text, file)?;
        Ok((curve.fingerprint(), curve.layout()))
    }

    /// Reads a PBC `.param` text of type a, a1, d, e, f, g or i and checks it in full. The curve is named after the file;
    /// it has no generators, but for type f those that [`Description::from_toml`] finds. Lines n0, n1, ... of type a1 are
    /// the factors of n, and stay secret; files that PBC wrote may be of any mode. Values of types d, e, f and g are to be written in PBC's order
    /// ([`Curve::layout`]).
    ///
    /// # Errors
    /// As [`Description::from_toml`].
    pub fn from_pbc(text: &str, file: &str) -> Result<Self, Error> {
        pbc::describe(text, file)
    }

    /// Reads a description in TOML or a PBC `.param` text, whichever it is: the first line with content tells.
    ///
    /// # Errors
    /// As [`Description::from_toml`] and [`Description::from_pbc`].
    pub fn from_text(text: &str, file: &str) -> Result<Self, Error> {
        if pbc::looks_like(text) { Self::from_pbc(text, file) } else { Self::from_toml(text, file) }
    }

    /// Reads a file of at most [`MAX_FILE_BYTES`], in TOML or of PBC.
    ///
    /// # Errors
    /// As [`Description::from_text`]; [`Error::Io`], [`Error::FileTooLarge`], [`Error::NotUtf8`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let text = read_text(path, &file)?;
        Self::from_text(&text, &file)
    }
}

/// The text of a file; zeroised when dropped, as it may hold factors.
fn read_text(path: &Path, file: &str) -> Result<Zeroizing<String>, Error> {
    let io = |source| Error::Io { file: file.to_owned(), source };
    let handle = File::open(path).map_err(io)?;
    // room for the whole file, so that growing leaves no copies of it behind
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
