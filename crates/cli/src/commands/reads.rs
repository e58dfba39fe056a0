//! Checks that no output replaces a file that its job reads.

use super::places::is_stdout;
use crate::error::CommandError;
use crate::output::files::Files;
use std::path::{Path, PathBuf};

/// A file that a job reads, and the option that names it.
pub(crate) type Reads<'a> = (&'static str, &'a Path);

/// Describes the file that an option names. `-` is standard input, which may be a file too.
pub(crate) fn input<'a>(option: &'static str, path: &'a Path) -> Reads<'a> {
    if path.as_os_str() == "-" { ("standard input", Path::new("/dev/stdin")) } else { (option, path) }
}

/// Rejects an output that would replace a file that is read, or append to it: standard output may be a file too.
/// The companion files of an output count as well, which exist while the output is being made.
///
/// # Errors
/// Returns an error if the output would replace such a file or append to it.
pub(crate) fn refuse_replacing<'a>(out: &Path, reads: impl IntoIterator<Item = Reads<'a>>) -> Result<(), CommandError> {
    let (written, harm): (Vec<PathBuf>, _) = match is_stdout(out) {
        true => (regular(Path::new("/dev/stdout")).into_iter().collect(), "standard output would change it"),
        false => (Files::of(out).all().into_iter().filter_map(regular).collect(), "--out would replace it"),
    };
    for (option, path) in reads {
        if regular(path).is_some_and(|path| written.contains(&path)) {
            return Err(CommandError::Usage(format!("{}: it is read ({option}), and {harm}", path.display())));
        }
    }
    Ok(())
}

/// Returns the canonical path of a regular file, with links resolved, or `None` if the file does not exist.
fn regular(path: &Path) -> Option<PathBuf> {
    if path.is_file() { path.canonicalize().ok() } else { None }
}
