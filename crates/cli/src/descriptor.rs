//! File descriptors that another process has opened and passes on by number.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

/// Duplicates an open descriptor and returns a file over the copy. The descriptor may refer to anything, such
/// as a socket; reads and writes continue at its current position.
///
/// # Errors
/// Returns an error if the descriptor is not open, or if the system has no descriptors.
pub(crate) fn duplicate(number: u32) -> io::Result<File> {
    #[cfg(unix)]
    {
        // fails unless the descriptor is open
        std::fs::symlink_metadata(format!("/dev/fd/{number}"))?;
        let number = std::os::fd::RawFd::try_from(number).map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        // SAFETY: the descriptor is open, as checked above, and nothing closes a descriptor that was open when
        // the process began
        let open = unsafe { std::os::fd::BorrowedFd::borrow_raw(number) };
        Ok(File::from(open.try_clone_to_owned()?))
    }
    #[cfg(not(unix))]
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("there is no descriptor {number} here")))
}
