//! Reading and writing secrets. A secret comes from a file that only its owner can read, or from a descriptor
//! that another process has opened; never from the command line or the environment, which other processes can
//! see. Secrets are zeroized when they are dropped, and no message quotes any part of one.

use crate::descriptor::duplicate;
use crate::error::CommandError;
use bilinear_params::private;
use clap::Arg;
use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The length of a run of hexadecimal digits that messages do not repeat: half the digits of a secret key,
/// since some may be missing.
const DIGITS: usize = 32;
/// The most bytes of a key, or of the material that a key is made of.
const MAX: usize = 4096;

/// The origin of a secret.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A file with mode 0600 or 0400.
    File(PathBuf),
    /// An open descriptor, read from its current position.
    Descriptor(u32),
}

impl Source {
    /// Returns the name of the source as messages give it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Descriptor(number) => format!("descriptor {number}"),
        }
    }

    /// Returns true if the source is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        matches!(self, Self::Descriptor(0))
    }

    /// Reads a key, or the material that a key is made of.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read, has more than 4096 bytes, or is a file that others may
    /// read.
    pub(crate) fn read(&self) -> Result<Zeroizing<Vec<u8>>, CommandError> {
        self.read_at_most(MAX)
    }

    /// Reads at most `most` bytes.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read, has more than `most` bytes, or is a file that others may
    /// read.
    pub(crate) fn read_at_most(&self, most: usize) -> Result<Zeroizing<Vec<u8>>, CommandError> {
        let name = self.name();
        let file = match self {
            Self::Descriptor(number) => duplicate(*number).map_err(CommandError::io(&name, "open"))?,
            Self::File(path) => private::open(path).map_err(|error| match is_key(&name) {
                true => CommandError::Usage(
                    "the file name given is itself a key: write it to a file of mode 0600".to_owned(),
                ),
                false => CommandError::private(&name)(error),
            })?,
        };
        private::read(file, most).map_err(CommandError::private(&name))
    }
}

/// The parser of a descriptor's number on the command line. Its message does not repeat a text that is not a
/// number, since that may be a key.
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

/// Returns a command-line error with every key removed: a user may have written a key in place of an argument,
/// or where no argument is expected.
pub(crate) fn without_keys(mut error: clap::Error) -> clap::Error {
    let redacted = |(kind, value): (ContextKind, &ContextValue)| match value {
        ContextValue::String(word) => Some((kind, without_keys_in(word))),
        _ => None,
    };
    for (kind, word) in error.context().filter_map(redacted).collect::<Vec<_>>() {
        error.insert(kind, ContextValue::String(word));
    }
    error
}

/// Returns a message with every key in it replaced, for instance a key given as a file's name or a quoted line
/// of a file. Names of files that are no keys are kept.
pub(crate) fn without_keys_in(message: &str) -> String {
    let redacted = |word| match is_file(word) {
        true => word.to_owned(),
        false => replaced(word, |digits| format!("({} hexadecimal digits)", digits.len())),
    };
    message.split_inclusive(char::is_whitespace).map(redacted).collect()
}

/// Returns a text with every long run of hexadecimal digits cut to its first digits. The digits are public.
pub(crate) fn shortened(text: &str) -> String {
    replaced(text, |digits| format!("{}…", &digits[..DIGITS / 2]))
}

/// Replaces every run of at least 32 hexadecimal digits.
fn replaced(text: &str, with: impl Fn(&str) -> String) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(begin) = rest.find(|c: char| c.is_ascii_hexdigit()) {
        let len = rest[begin..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len() - begin);
        let (before, digits) = rest[..begin + len].split_at(begin);
        out += before;
        out += &if digits.len() < DIGITS { digits.to_owned() } else { with(digits) };
        rest = &rest[begin + len..];
    }
    out + rest
}

/// Returns true if a word contains a key, which a user may have written in place of a file's name or another
/// argument. Such a word is not repeated in messages.
fn is_key(word: &str) -> bool {
    without_keys_in(word) != word
}

/// Returns true if a word of a message is the name of a file: the file exists, or its name has an extension, as
/// no key has. The name may be a hash of the file's content.
fn is_file(word: &str) -> bool {
    let word = word.trim_start_matches(['"', '\'', '(']).trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_short = |ending: &str| !ending.is_empty() && ending.len() < DIGITS;
    let path = Path::new(word);
    path.extension().and_then(OsStr::to_str).is_some_and(is_short) || path.exists()
}

/// Writes a secret to a new file that only this user can read. An existing file is left unchanged, and a file
/// that cannot be written completely is removed.
///
/// # Errors
/// Returns an error if the file exists, or if it cannot be written.
pub(crate) fn create(path: &Path, secret: &[u8]) -> Result<(), CommandError> {
    private::create(path, secret).map_err(CommandError::private(path.display()))
}
