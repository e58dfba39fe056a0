//! The memory that a table may take at a time. It is requested before a decoder trusts a file, since a process
//! that asks for more memory than there is ends without reporting an error.

use std::hint::black_box;

/// The most bytes that a batch of rows may take beyond its bytes in the file, with all its columns, wanted or
/// not. The same limit holds for all dictionaries of an Arrow table together.
pub(crate) const LIMIT: u64 = 4 << 30;

/// The reason why a batch is not decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum MemoryError {
    /// The batch takes more memory than this program allows at a time.
    #[error("it takes {bytes} bytes in memory, and the limit is {limit}: write the table in smaller batches")]
    TooLarge {
        /// The number of bytes that the batch takes.
        bytes: u64,
        /// The number of bytes that it may take.
        limit: u64,
    },
    /// The batch takes more memory than the machine has.
    #[error("it takes {bytes} bytes, and there is not enough memory")]
    NoMemory {
        /// The number of bytes that the batch takes.
        bytes: u64,
    },
}

/// Checks a number of bytes against [`LIMIT`].
///
/// # Errors
/// Returns an error if `bytes` exceeds the limit.
pub(super) fn within_limit(bytes: u64) -> Result<(), MemoryError> {
    if bytes > LIMIT { Err(MemoryError::TooLarge { bytes, limit: LIMIT }) } else { Ok(()) }
}

/// Allocates `bytes` bytes and frees them at once, untouched. So a lack of memory is an error here, where the
/// decoder would end the process.
///
/// # Errors
/// Returns an error if the allocation fails.
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
    fn memory_is_checked_before_it_is_used() {
        assert!(within_limit(LIMIT).is_ok() && within_limit(LIMIT + 1).is_err());
        assert!(reserve(0).is_ok() && reserve(1 << 20).is_ok());
        assert!(matches!(reserve(1 << 60), Err(MemoryError::NoMemory { bytes }) if bytes == 1 << 60));
    }
}
