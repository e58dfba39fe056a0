//! Who may read the files of an output: on Unix their mode, elsewhere nothing is known of it.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// The mode of what is for its user alone.
pub(super) const PRIVATE: u32 = 0o600;

/// How a file is made that must not be there yet, a link of its name included.
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

/// The mode of the file of this name, if there is one.
pub(super) fn of(path: &Path) -> Option<u32> {
    #[cfg(unix)]
    return path.metadata().ok().map(|about| std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o777);
    #[cfg(not(unix))]
    return path.metadata().ok().and(None);
}

/// Gives a file this mode.
pub(super) fn set(file: &File, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    return file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    return Ok(drop((file, mode)));
}
