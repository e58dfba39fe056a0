//! The names of new files of keys and parameters, which overwrite nothing.

use super::places::is_stdout;
use crate::error::CommandError;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// Checks the names of two new files, which must differ.
///
/// # Errors
/// Returns an error if the names are equal, or if [`check`] rejects one of them.
pub(crate) fn check_both(first: &Path, second: &Path) -> Result<(), CommandError> {
    check(first)?;
    check(second)?;
    let place = |path: &Path| (folder(path).canonicalize().ok(), path.file_name().map(OsStr::to_owned));
    if place(first) == place(second) {
        let reason = "the public and the secret file need different names";
        return Err(CommandError::Usage(format!("{}: {reason}", first.display())));
    }
    Ok(())
}

/// Checks the name of a new file. Its folder must exist, but not the file, and it must not be `-`, which would be a file
/// of that name rather than standard output.
///
/// # Errors
/// Returns an error if the name is rejected.
pub(crate) fn check(path: &Path) -> Result<(), CommandError> {
    if is_stdout(path) {
        let reason = "this goes to a new file, not to standard output: give the file a name";
        return Err(CommandError::Usage(format!("{}: {reason}", path.display())));
    }
    match path.symlink_metadata() {
        Ok(_) => {
            let exists = io::Error::new(io::ErrorKind::AlreadyExists, "the file exists, and is not overwritten");
            Err(CommandError::io(path.display(), "create")(exists))
        }
        Err(_) if folder(path).is_dir() => Ok(()),
        Err(error) => Err(CommandError::io(path.display(), "create")(error)),
    }
}

/// Returns the folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
