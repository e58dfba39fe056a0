//! The part file of an output: a regular file that only this run writes.

use super::files::{Files, is_at, remove};
use super::mode::{self, PRIVATE};
use crate::console;
use crate::error::CommandError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

/// Opens or creates the part file of an output and locks it. Also returns true if the file existed. A private
/// file gets a mode with which only its user can read it, whatever its mode was before.
///
/// # Errors
/// Returns an error if the path is not a regular file (a symbolic link, for instance), if another run is
/// writing the file, if it cannot be opened, or if a companion's name is too long.
pub(super) fn open(files: &Files, private: bool) -> Result<(File, bool), CommandError> {
    let path = &*files.part;
    let io = |action| CommandError::io(path.display(), action);
    // the longest name is used last, so its length is checked now
    if let Err(error) = files.assembly.symlink_metadata()
        && error.kind() == ErrorKind::InvalidFilename
    {
        return Err(CommandError::io(files.assembly.display(), "create")(error));
    }
    loop {
        // creates a new file without following links, or opens an existing one
        let (file, was_there) = match mode::new_file(private).read(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => match existing(path)? {
                Some(file) => (file, true),
                None => continue,
            },
            created => (created.map_err(io("create"))?, false),
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(CommandError::Usage(format!("{}: another run is writing this output", path.display())));
            }
            // the file system has no locks, so other runs cannot be detected
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        // another run may have completed its output before releasing the lock, or a link may have been put
        // here: try again
        if is_at(&file, path).map_err(io("open"))? {
            if private {
                mode::set(&file, PRIVATE).map_err(io("create"))?;
            }
            return Ok((file, was_there));
        }
    }
}

/// Empties a part file, with a note if an earlier run has left records in it. The checkpoint is removed first.
///
/// # Errors
/// Returns an error if the system refuses.
pub(super) fn start_over(part: &File, files: &Files) -> Result<(), CommandError> {
    let name = files.part.display();
    if part.metadata().map_err(CommandError::io(&name, "read"))?.len() > 0 {
        console::note(format_args!("note: starting over; what an earlier run left in {name} is discarded"));
    }
    remove(&files.resume).map_err(CommandError::io(files.resume.display(), "remove"))?;
    part.set_len(0).map_err(CommandError::io(name, "write"))
}

/// Opens the regular file at `path`; returns `None` if it has disappeared.
fn existing(path: &Path) -> Result<Option<File>, CommandError> {
    let io = |action| CommandError::io(path.display(), action);
    let found = path.symlink_metadata().and_then(|about| match about.is_file() {
        true => OpenOptions::new().read(true).write(true).open(path).map(Some),
        false => Ok(None),
    });
    match found {
        Ok(Some(file)) => Ok(Some(file)),
        Ok(None) => {
            let reason = "it is not a regular file; remove it, or give another --out";
            Err(CommandError::Usage(format!("{}: records are written here, and {reason}", path.display())))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io("open")(error)),
    }
}
