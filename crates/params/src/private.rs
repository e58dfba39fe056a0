//! Files of secrets: only their owner can read them. What is read is wiped when it is dropped, and no message has any of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// Why there is no secret, or no file for it. The message does not name the file.
#[derive(Debug, thiserror::Error)]
pub enum PrivateError {
    /// The operating system refuses.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// Its reason.
        source: io::Error,
    },
    /// Others may read the file, or it is none.
    #[error("{0}")]
    Refused(String),
    /// More bytes than there may be.
    #[error("more than {0} bytes: no secret is that long")]
    TooLong(usize),
}

impl PrivateError {
    fn io(action: &'static str) -> impl Fn(io::Error) -> PrivateError {
        move |source| PrivateError::Io { action, source }
    }
}

/// Opens a file of a secret: of mode 0600 or 0400, and of this user or of root. A pipe is one, too.
///
/// # Errors
/// [`PrivateError::Io`], [`PrivateError::Refused`].
pub fn open(path: &Path) -> Result<File, PrivateError> {
    let file = File::open(path).map_err(PrivateError::io("open"))?;
    // of what was opened, whatever the name may lead to by now
    check(&file)?;
    Ok(file)
}

/// At most so many bytes of a secret. The buffer is not moved while it grows, which would leave copies behind.
///
/// # Errors
/// [`PrivateError::Io`], [`PrivateError::TooLong`].
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

/// Writes a secret to a new file that only this user can read. One that exists is left as it is, and what cannot be written whole is
/// removed again.
///
/// # Errors
/// [`PrivateError::Io`].
pub fn create(path: &Path, secret: &[u8]) -> Result<(), PrivateError> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    create_with(path, secret, &mut options)
}

/// Writes what is no secret in the same way, to a new file of the usual mode.
///
/// # Errors
/// [`PrivateError::Io`].
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

/// Makes the name of a file last: that it was made, renamed or removed. Only on Unix; elsewhere there is no way to.
///
/// # Errors
/// If the system refuses.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// Refuses a file that others than this user may read.
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
    // what is root's, root can read in any case; what is another user's is refused to root as well
    match user() {
        Some(user) if about.uid() != user && about.uid() != 0 => {
            refused(format!("it belongs to user {}, who can read it, and this is user {user}", about.uid()))
        }
        _ => Ok(()),
    }
}

/// Elsewhere nothing is known of the rights to a file.
#[cfg(not(unix))]
fn check(_: &File) -> Result<(), PrivateError> {
    Ok(())
}

/// The user whose rights this process has, where Linux tells.
#[cfg(unix)]
fn user() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").map(|about| about.uid()).ok()
}
