//! Secrets in and out of files. A secret comes from a file that only its owner can read, or from a descriptor that somebody else has
//! opened; never from the command line or the environment, which other processes can see. What is read is wiped when it is
//! dropped, and no message has any of it.

use crate::descriptor::duplicate;
use crate::error::CommandError;
use bilinear_params::private;
use clap::Arg;
use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Hexadecimal digits in a row that are not repeated: half of those of a secret key, some of which may be missing.
const DIGITS: usize = 32;
/// Bytes that a key, or what it is made of, has at most.
const MOST: usize = 4096;

/// Where a secret comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A file of mode 0600 or 0400.
    File(PathBuf),
    /// An open descriptor, from where it is.
    Descriptor(u32),
}

impl Source {
    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Descriptor(number) => format!("descriptor {number}"),
        }
    }

    /// Whether it is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        matches!(self, Self::Descriptor(0))
    }

    /// The bytes of a key, or of what it is made of.
    ///
    /// # Errors
    /// If it cannot be read, has more than 4096 bytes, or is a file that others may read.
    pub(crate) fn read(&self) -> Result<Zeroizing<Vec<u8>>, CommandError> {
        self.read_at_most(MOST)
    }

    /// Its bytes.
    ///
    /// # Errors
    /// If it cannot be read, has more bytes, or is a file that others may read.
    pub(crate) fn read_at_most(&self, most: usize) -> Result<Zeroizing<Vec<u8>>, CommandError> {
        let name = self.name();
        let file = match self {
            Self::Descriptor(number) => duplicate(*number).map_err(CommandError::io(&name, "open"))?,
            Self::File(path) => private::open(path).map_err(|error| match is_key(&name) {
                true => {
                    CommandError::Usage("what is given as a file is a key: write it to a file of mode 0600".to_owned())
                }
                false => CommandError::private(&name)(error),
            })?,
        };
        private::read(file, most).map_err(CommandError::private(&name))
    }
}

/// The number of a descriptor on the command line. What is no number is not repeated: it may be a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DescriptorNumber;

impl TypedValueParser for DescriptorNumber {
    type Value = u32;

    fn parse_ref(&self, command: &clap::Command, option: Option<&Arg>, value: &OsStr) -> Result<u32, clap::Error> {
        value.to_str().and_then(|text| text.parse().ok()).ok_or_else(|| {
            let option = option.map(ToString::to_string).unwrap_or_default();
            let message = format!("{option}: the number of an open descriptor is expected\n");
            clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }
}

/// An error of the command line that repeats no key: somebody may have written one where no argument is expected, or another.
pub(crate) fn without_keys(mut error: clap::Error) -> clap::Error {
    let is_key = |value: &ContextValue| matches!(value, ContextValue::String(word) if is_key(word));
    let kinds = error.context().filter(|(_, value)| is_key(value)).map(|(kind, _)| kind);
    for kind in kinds.collect::<Vec<ContextKind>>() {
        error.insert(kind, ContextValue::String("a key".to_owned()));
    }
    error
}

/// A message that repeats no key, wherever in it one stands: as the name of a file, or as a line of one.
pub(crate) fn without_keys_in(message: &str) -> String {
    let mut rest = message;
    let mut told = String::new();
    while let Some(begin) = rest.find(|c: char| c.is_ascii_hexdigit()) {
        let len = rest[begin..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len() - begin);
        let (before, digits) = rest[..begin + len].split_at(begin);
        told += before;
        match digits.len() {
            ..DIGITS => told += digits,
            count => told += &format!("({count} hexadecimal digits)"),
        }
        rest = &rest[begin + len..];
    }
    told + rest
}

/// Whether a word that somebody has written in place of a file's name or of another argument has a key in it; it is not repeated.
fn is_key(word: &str) -> bool {
    word.split(|c: char| !c.is_ascii_hexdigit()).any(|digits| digits.len() >= DIGITS)
}

/// Writes a secret to a new file that only this user can read. One that exists is left as it is, and what cannot be written whole is
/// removed again.
///
/// # Errors
/// If the file exists, or cannot be written.
pub(crate) fn create(path: &Path, secret: &[u8]) -> Result<(), CommandError> {
    private::create(path, secret).map_err(CommandError::private(path.display()))
}
