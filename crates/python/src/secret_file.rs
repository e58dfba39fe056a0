//! Files of secret keys, which no other user may read.

use crate::error::Fault;
use bilinear_engine::params::private;
use std::fmt::Display;
use std::path::Path;
use zeroize::Zeroizing;

/// The maximum size of a file, in bytes.
const MAX: usize = 1 << 16;

/// Writes a secret key to a new file.
///
/// # Errors
/// Returns an error if the file exists already, or cannot be written.
pub(crate) fn save(path: &Path, key: &[u8]) -> Result<(), Fault> {
    private::create(path, key).map_err(|error| named(path, error))
}

/// Reads the bytes of a file.
///
/// # Errors
/// Returns an error if other users may read the file, or if it is too long or cannot be read.
pub(crate) fn load(path: &Path) -> Result<Zeroizing<Vec<u8>>, Fault> {
    private::open(path).and_then(|file| private::read(file, MAX)).map_err(|error| named(path, error))
}

fn named(path: &Path, error: impl Display) -> Fault {
    Fault::new("file", format!("{}: {error}", path.display()))
}
