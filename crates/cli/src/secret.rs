//! Secrets in and out of files. A secret comes from a file that only its owner can read, or from a descriptor that somebody else has
//! opened; never from the command line or the environment, which other processes can see. What is read is wiped when it is
//! dropped, and no message has any of it.

use crate::descriptor::duplicate;
use crate::error::CommandError;
use bilinear_params::private;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

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

/// Whether somebody has written a key in place of a file's name; such a name is not repeated.
fn is_key(name: &str) -> bool {
    let digits = name.strip_prefix("0x").unwrap_or(name);
    digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Writes a secret to a new file that only this user can read. One that exists is left as it is, and what cannot be written whole is
/// removed again.
///
/// # Errors
/// If the file exists, or cannot be written.
pub(crate) fn create(path: &Path, secret: &[u8]) -> Result<(), CommandError> {
    private::create(path, secret).map_err(CommandError::private(path.display()))
}
