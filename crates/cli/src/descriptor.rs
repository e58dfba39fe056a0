//! Descriptors that somebody else has opened and hands over by their numbers.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

/// A file over a copy of an open descriptor, whatever it leads to, a socket for instance: it reads or writes on from where the
/// descriptor is.
///
/// # Errors
/// If there is no such descriptor, or the system has none.
pub(crate) fn duplicate(number: u32) -> io::Result<File> {
    #[cfg(unix)]
    {
        // is it open?
        std::fs::symlink_metadata(format!("/dev/fd/{number}"))?;
        let number = std::os::fd::RawFd::try_from(number).map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        // SAFETY: the descriptor is open, and nothing closes one that the process began with
        let open = unsafe { std::os::fd::BorrowedFd::borrow_raw(number) };
        Ok(File::from(open.try_clone_to_owned()?))
    }
    #[cfg(not(unix))]
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("there is no descriptor {number} here")))
}
