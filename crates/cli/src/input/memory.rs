//! How much memory a table may take at a time, asked for before a decoder believes a file: a process that asks for more than there
//! is ends without an error to report.

use std::hint::black_box;

/// The most bytes that a batch of rows may take beyond those that it has in the file, whether its columns are wanted or not; and
/// so may all dictionaries of an Arrow table together.
pub(crate) const LIMIT: u64 = 4 << 30;

/// Why a batch is not decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum MemoryError {
    /// More than this program holds at a time.
    #[error("it takes {bytes} bytes in memory, and the limit is {limit}: write the table in smaller batches")]
    TooLarge {
        /// What it takes.
        bytes: u64,
        /// What it may.
        limit: u64,
    },
    /// More than the machine has.
    #[error("it takes {bytes} bytes, and there is not enough memory")]
    NoMemory {
        /// What it takes.
        bytes: u64,
    },
}

/// Makes sure that so many bytes are not too many.
///
/// # Errors
/// If they are.
pub(super) fn within_limit(bytes: u64) -> Result<(), MemoryError> {
    if bytes > LIMIT { Err(MemoryError::TooLarge { bytes, limit: LIMIT }) } else { Ok(()) }
}

/// Asks for so many bytes and gives them back untouched: an error where the decoder would end the process.
///
/// # Errors
/// If there are not so many.
pub(super) fn reserve(bytes: u64) -> Result<(), MemoryError> {
    let mut probe = Vec::<u8>::new();
    let reserved = probe.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
    black_box(&mut probe);
    reserved.map_err(|_| MemoryError::NoMemory { bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_asked_for_first() {
        assert!(within_limit(LIMIT).is_ok() && within_limit(LIMIT + 1).is_err());
        assert!(reserve(0).is_ok() && reserve(1 << 20).is_ok());
        assert!(matches!(reserve(1 << 60), Err(MemoryError::NoMemory { bytes }) if bytes == 1 << 60));
    }
}
