//! The memory that a table may take at a time. It is requested before a decoder trusts a file, since a process
//! that asks for more memory than there is ends without reporting an error.

use super::bad;
use std::hint::black_box;
use std::io;

/// The most bytes that a batch of rows may take beyond its bytes in the file, with all its columns, wanted or
/// not. The same limit holds for all dictionaries of an Arrow table together.
pub(crate) const LIMIT: u64 = 4 << 30;

/// Checks a number of bytes against [`LIMIT`].
///
/// # Errors
/// Returns an error if `bytes` exceeds the limit.
pub(super) fn within_limit(bytes: u64) -> io::Result<()> {
    if bytes <= LIMIT {
        return Ok(());
    }
    let reason =
        format!("it takes {bytes} bytes in memory, and the limit is {LIMIT}: write the table in smaller batches");
    Err(bad(reason))
}

/// Makes the error of a machine that has less memory than a batch takes.
pub(super) fn no_memory(bytes: u64) -> io::Error {
    bad(format!("it takes {bytes} bytes, and there is not enough memory"))
}

/// Allocates `bytes` bytes and frees them at once, untouched. So a lack of memory is an error here, where the
/// decoder would end the process.
///
/// # Errors
/// Returns an error if the allocation fails.
pub(super) fn reserve(bytes: u64) -> io::Result<()> {
    let mut probe = Vec::<u8>::new();
    let reserved = probe.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
    black_box(&mut probe);
    reserved.map_err(|_| no_memory(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_checked_before_it_is_used() {
        assert!(within_limit(LIMIT).is_ok() && within_limit(LIMIT + 1).is_err());
        assert!(reserve(0).is_ok() && reserve(1 << 20).is_ok());
        assert!(
            reserve(1 << 60).is_err_and(|error| error.to_string().contains("takes 1152921504606846976 bytes, and"))
        );
    }
}
