//! The names of an output file and its companions, all in one directory so that renaming is one step.

use crate::error::CommandError;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Symbolic links that are followed one after the other, as Linux does.
const MOST_LINKS: usize = 40;

/// The files of one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Files {
    /// What the user asked for, symbolic links resolved.
    pub(crate) out: PathBuf,
    /// The records so far, in JSON Lines.
    pub(crate) part: PathBuf,
    /// The checkpoint.
    pub(crate) resume: PathBuf,
    /// The checkpoint while it is being written.
    pub(crate) resume_new: PathBuf,
    /// A columnar file while it is being assembled.
    pub(crate) assembly: PathBuf,
}

impl Files {
    /// The companions of `out`.
    pub(crate) fn of(out: &Path) -> Self {
        let out = resolved(out);
        let with = |suffix: &str| {
            let mut name = OsString::from(out.as_os_str());
            name.push(suffix);
            PathBuf::from(name)
        };
        Self {
            part: with(".part"),
            resume: with(".resume"),
            resume_new: with(".resume.part"),
            assembly: with(".assembly.part"),
            out,
        }
    }

    /// All of them.
    pub(crate) fn all(&self) -> [&Path; 5] {
        [&self.out, &self.part, &self.resume, &self.resume_new, &self.assembly]
    }

    /// Makes renames in the output's directory last.
    pub(crate) fn sync_directory(&self) -> io::Result<()> {
        let directory = self.out.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
    }
}

/// Where a path leads; what a symbolic link points to need not be there yet.
fn resolved(out: &Path) -> PathBuf {
    let mut path = out.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(known) = fs::canonicalize(&path) {
            return known;
        }
        let Ok(target) = fs::read_link(&path) else { break };
        // a relative target is meant from the directory of its link
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// Removes a file that may not be there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Keeps other runs from writing the output of this part file.
///
/// # Errors
/// If another run is writing it.
pub(crate) fn lock(part: &File, name: &impl Display) -> Result<(), CommandError> {
    match part.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(CommandError::Usage(format!("{name}: another run is writing this output")))
        }
        // a file system without locks: nothing is known about other runs
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}
