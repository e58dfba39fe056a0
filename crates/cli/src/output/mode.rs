//! The access modes of output files. On systems other than Unix they are unknown.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// The mode of a file that only its user may read.
pub(super) const PRIVATE: u32 = 0o600;

/// Returns the options to create a file. Creation fails if the name exists already, even as a link.
pub(super) fn new_file(private: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, PRIVATE);
    }
    #[cfg(not(unix))]
    let _ = private;
    options
}

/// Returns the mode of the file at `path`, if it exists.
pub(super) fn of(path: &Path) -> Option<u32> {
    #[cfg(unix)]
    return path.metadata().ok().map(|about| std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o777);
    #[cfg(not(unix))]
    return path.metadata().ok().and(None);
}

/// Sets the mode of a file.
pub(super) fn set(file: &File, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    return file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    return Ok(drop((file, mode)));
}
