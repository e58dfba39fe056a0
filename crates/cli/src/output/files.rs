//! The names of an output file and its companions. All of them are in one directory, so that a rename is
//! atomic.

use super::mode;
use crate::descriptor::duplicate;
use crate::input::open::is_special;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::iter::successors;
use std::path::{Path, PathBuf};

/// The most symbolic links that are followed, as on Linux.
const MAX_LINKS: usize = 40;

/// The files of one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Files {
    /// The path that the user asked for, with symbolic links resolved.
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
    /// Returns `out` with the names of its companions.
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

    /// Returns all paths of the output.
    pub(crate) fn all(&self) -> [&Path; 5] {
        [&self.out, &self.part, &self.resume, &self.resume_new, &self.assembly]
    }
}

/// Returns true if output is written at once, and no file is made: to a device, a pipe, or an open descriptor
/// of any kind.
pub(crate) fn is_stream(out: &Path) -> bool {
    is_special(out) || descriptor(out).is_some()
}

/// Opens a device or a pipe. A descriptor is duplicated, and written from its current position.
pub(super) fn open_stream(out: &Path) -> io::Result<File> {
    descriptor(out).map_or_else(|| OpenOptions::new().write(true).open(out), duplicate)
}

/// Returns the number of the descriptor that a path names: /dev/stdout, /dev/fd/3, or a link to one of these.
fn descriptor(out: &Path) -> Option<u32> {
    let all = fs::canonicalize("/dev/fd").ok()?;
    let is_one =
        |path: &PathBuf| path.parent().is_some_and(|folder| fs::canonicalize(folder).is_ok_and(|it| it == all));
    links(out).find(is_one)?.file_name()?.to_str()?.parse().ok()
}

/// Resolves the symbolic links of a path. The final target need not exist.
fn resolved(out: &Path) -> PathBuf {
    let mut path = out.to_owned();
    for next in links(out) {
        if let Ok(known) = fs::canonicalize(&next) {
            return known;
        }
        path = next;
    }
    path
}

/// Iterates over a path and, as long as it is a symbolic link, over the link's targets.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    // a relative target is relative to the directory of its link
    let next = |path: &PathBuf| Some(path.parent().unwrap_or(Path::new("")).join(fs::read_link(path).ok()?));
    successors(Some(path.to_owned()), next).take(MAX_LINKS)
}

/// Creates a new file, replacing one that an earlier run may have left. It follows no link.
pub(crate) fn fresh(path: &Path, private: bool) -> io::Result<File> {
    remove(path)?;
    mode::new_file(private).open(path)
}

/// Returns true if `path` names the open file itself, not a link to it.
pub(super) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let opened = file.metadata()?;
        match path.symlink_metadata() {
            Ok(named) => Ok((named.dev(), named.ino()) == (opened.dev(), opened.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
    #[cfg(not(unix))]
    Ok(path.symlink_metadata()?.is_file() && file.metadata()?.is_file())
}

/// Removes a file, if it exists.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A part file can be renamed by another run that completes it, or be replaced by a link.
    #[cfg(unix)]
    #[test]
    fn a_name_is_that_of_an_open_file_until_something_else_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        let file = fresh(&path, false).unwrap();
        assert!(is_at(&file, &path).unwrap());
        fs::rename(&path, &other).unwrap();
        assert!(!is_at(&file, &path).unwrap() && is_at(&file, &other).unwrap());
        std::os::unix::fs::symlink(&other, &path).unwrap();
        assert!(!is_at(&file, &path).unwrap());
        drop(fresh(&path, false).unwrap());
        assert!(!is_at(&file, &path).unwrap() && is_at(&file, &other).unwrap());
    }
}
