//! Files of secrets, which only their owner can read. The bytes read are wiped when they are dropped, and no
//! message has any of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// An error of reading or creating a file of a secret. The message does not name the file.
#[derive(Debug, thiserror::Error)]
pub enum PrivateError {
    /// The operating system refused an action.
    #[error("cannot {action}: {source}")]
    Io {
        /// The action that failed.
        action: &'static str,
        /// The operating system's reason.
        source: io::Error,
    },
    /// Others may read the file, or it is neither a file nor a pipe.
    #[error("{0}")]
    Refused(String),
    /// The file has more bytes than the limit, which is given.
    #[error("more than {0} bytes, the limit for a file of secrets")]
    TooLong(usize),
}

impl PrivateError {
    fn io(action: &'static str) -> impl Fn(io::Error) -> PrivateError {
        move |source| PrivateError::Io { action, source }
    }
}

/// Opens a file of a secret. On Unix it must have mode 0600 or 0400 and belong to this user or to root; a pipe may
/// hold a secret, too.
///
/// # Errors
/// Returns [`PrivateError::Io`] or [`PrivateError::Refused`].
pub fn open(path: &Path) -> Result<File, PrivateError> {
    let file = File::open(path).map_err(PrivateError::io("open"))?;
    // checks the opened file, since the name may lead to another one by now
    check(&file)?;
    Ok(file)
}

/// Reads a secret of at most `most` bytes. The buffer is allocated once: moving it while it grows would leave
/// copies behind.
///
/// # Errors
/// Returns [`PrivateError::Io`] or [`PrivateError::TooLong`].
pub fn read(mut file: impl Read, most: usize) -> Result<Zeroizing<Vec<u8>>, PrivateError> {
    let (mut secret, mut length) = (Zeroizing::new(vec![0; most + 1]), 0);
    while length < secret.len() {
        match file.read(&mut secret[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(PrivateError::io("read")(error)),
        }
    }
    if length > most {
        return Err(PrivateError::TooLong(most));
    }
    secret.truncate(length);
    Ok(secret)
}

/// Writes a secret to a new file that only this user can read. An existing file is left as it is, and a file that
/// cannot be written whole is removed again.
///
/// # Errors
/// Returns [`PrivateError::Io`] if the file exists or cannot be written.
pub fn create(path: &Path, secret: &[u8]) -> Result<(), PrivateError> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    create_with(path, secret, &mut options)
}

/// Writes public bytes to a new file of the usual mode. An existing file is left as it is, and a file that cannot
/// be written whole is removed again.
///
/// # Errors
/// Returns [`PrivateError::Io`] if the file exists or cannot be written.
pub fn create_public(path: &Path, bytes: &[u8]) -> Result<(), PrivateError> {
    create_with(path, bytes, &mut OpenOptions::new())
}

fn create_with(path: &Path, bytes: &[u8], options: &mut OpenOptions) -> Result<(), PrivateError> {
    let mut file = options.write(true).create_new(true).open(path).map_err(PrivateError::io("create"))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| sync_directory(path));
    written.map_err(|error| {
        let _ = fs::remove_file(path);
        PrivateError::io("write")(error)
    })
}

/// Syncs the directory of a file, so that creating, renaming or removing the file lasts. Does nothing on systems
/// other than Unix, where there is no way to do so.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// Rejects a file that others than this user may read.
#[cfg(unix)]
fn check(file: &File) -> Result<(), PrivateError> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let refused = |reason: String| Err(PrivateError::Refused(reason));
    let about = file.metadata().map_err(PrivateError::io("open"))?;
    if !about.is_file() && !about.file_type().is_fifo() {
        return refused("neither a file nor a pipe".to_owned());
    }
    let mode = about.mode() & 0o7777;
    if mode != 0o600 && mode != 0o400 {
        return refused(format!("its mode is {mode:04o}: a secret must be in a file of mode 0600 (chmod 600)"));
    }
    // root can read files of root in any case; a file of another user is refused even if this user is root
    match user() {
        Some(user) if about.uid() != user && about.uid() != 0 => {
            refused(format!("it belongs to user {}, who can read it, but the current user is {user}", about.uid()))
        }
        _ => Ok(()),
    }
}

/// Accepts every file, since file permissions are known on Unix only.
#[cfg(not(unix))]
fn check(_: &File) -> Result<(), PrivateError> {
    Ok(())
}

/// Returns the user whose rights this process has, if Linux tells.
#[cfg(unix)]
fn user() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").map(|about| about.uid()).ok()
}
