//! Secrets in and out of files. A secret comes from a file that only its owner can read, or from a descriptor that somebody else has
//! opened; never from the command line or the environment, which other processes can see. What is read is wiped when it is
//! dropped, and no message has any of it.

use crate::error::CommandError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Bytes that a key, or what it is made of, has at most.
const MOST: usize = 4096;

/// Where a secret comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A file of mode 0600 or 0400.
    File(PathBuf),
    /// An open descriptor.
    Descriptor(u32),
}

impl Source {
    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Descriptor(number) => format!("descriptor {number}"),
        }
    }

    /// Whether it is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        matches!(self, Self::Descriptor(0))
    }

    /// The bytes of a key, or of what it is made of.
    ///
    /// # Errors
    /// If it cannot be read, has more than 4096 bytes, or is a file that others may read.
    pub(crate) fn read(&self) -> Result<Zeroizing<Vec<u8>>, CommandError> {
        self.read_at_most(MOST)
    }

    /// Its bytes.
    ///
    /// # Errors
    /// If it cannot be read, has more bytes, or is a file that others may read.
    pub(crate) fn read_at_most(&self, most: usize) -> Result<Zeroizing<Vec<u8>>, CommandError> {
        let name = self.name();
        let file = match self {
            Self::Descriptor(number) => {
                let path = format!("/dev/fd/{number}");
                File::open(path).map_err(CommandError::io(&name, "open"))?
            }
            Self::File(path) => {
                let file = File::open(path).map_err(|error| match is_key(&name) {
                    true => CommandError::Usage(
                        "what is given as a file is a key: write it to a file of mode 0600".to_owned(),
                    ),
                    false => CommandError::io(&name, "open")(error),
                })?;
                // of what was opened, whatever the name may lead to by now
                private(&file, &name)?;
                file
            }
        };
        let secret = read(file, most).map_err(CommandError::io(&name, "read"))?;
        if secret.len() > most {
            return Err(CommandError::Usage(format!("{name}: more than {most} bytes: no secret is that long")));
        }
        Ok(secret)
    }
}

/// Whether somebody has written a key in place of a file's name; such a name is not repeated.
fn is_key(name: &str) -> bool {
    let digits = name.strip_prefix("0x").unwrap_or(name);
    digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// At most one byte more than there may be. The buffer is not moved while it grows, which would leave copies behind.
fn read(mut file: impl Read, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let (mut secret, mut length) = (Zeroizing::new(vec![0; most + 1]), 0);
    while length < secret.len() {
        match file.read(&mut secret[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    secret.truncate(length);
    Ok(secret)
}

/// Refuses a file that others than this user may read.
#[cfg(unix)]
fn private(file: &File, name: &str) -> Result<(), CommandError> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let refused = |reason: String| Err(CommandError::Usage(format!("{name}: {reason}")));
    let about = file.metadata().map_err(CommandError::io(name, "open"))?;
    if !about.is_file() && !about.file_type().is_fifo() {
        return refused("neither a file nor a pipe".to_owned());
    }
    let mode = about.mode() & 0o7777;
    if mode != 0o600 && mode != 0o400 {
        return refused(format!("its mode is {mode:04o}: a secret must be in a file of mode 0600 (chmod 600)"));
    }
    // root can read every file as it is
    match user() {
        Some(user) if about.uid() != user && about.uid() != 0 => {
            refused(format!("it belongs to user {}, who can read it, and this is user {user}", about.uid()))
        }
        _ => Ok(()),
    }
}

/// Elsewhere nothing is known of the rights to a file.
#[cfg(not(unix))]
fn private(_: &File, _: &str) -> Result<(), CommandError> {
    Ok(())
}

/// The user whose rights this process has, where Linux tells.
#[cfg(unix)]
fn user() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").map(|about| about.uid()).ok()
}

/// Writes a secret to a new file that only this user can read. One that exists is left as it is, and what cannot be written whole is
/// removed again.
///
/// # Errors
/// If the file exists, or cannot be written.
pub(crate) fn create(path: &Path, secret: &[u8]) -> Result<(), CommandError> {
    let name = path.display().to_string();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(CommandError::io(&name, "create"))?;
    let written = file.write_all(secret).and_then(|()| file.sync_all());
    written.map_err(|error| {
        let _ = fs::remove_file(path);
        CommandError::io(&name, "write")(error)
    })
}
