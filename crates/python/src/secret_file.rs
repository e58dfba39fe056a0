//! Files of secret keys, which nobody else may read.

use crate::error::Fault;
use bilinear_engine::params::private;
use std::fmt::Display;
use std::path::Path;
use zeroize::Zeroizing;

/// Bytes of a file, at most.
const MOST: usize = 1 << 16;

/// Writes a new file.
///
/// # Errors
/// If there is one of this name, or it cannot be written.
pub(crate) fn save(path: &Path, key: &[u8]) -> Result<(), Fault> {
    private::create(path, key).map_err(|error| named(path, error))
}

/// Its bytes.
///
/// # Errors
/// If others may read it, it is too long, or cannot be read.
pub(crate) fn load(path: &Path) -> Result<Zeroizing<Vec<u8>>, Fault> {
    private::open(path).and_then(|file| private::read(file, MOST)).map_err(|error| named(path, error))
}

fn named(path: &Path, error: impl Display) -> Fault {
    Fault::new("file", format!("{}: {error}", path.display()))
}
