//! Errors in the set-up and in the ranges of a batch.

use crate::backend::{PairingKind, PointError, RowError, Side};
use std::ops::Range;

/// The most threads of a batch: each takes memory and time to start, even if there is no work for it.
pub const MAX_THREADS: usize = 1024;

/// The reason why threads could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// More threads than a batch may have.
    #[error("{0} threads: a batch takes at most {MAX_THREADS}")]
    TooMany(usize),
    /// The operating system refuses to start the threads.
    #[error("cannot start {threads} threads: {reason}")]
    Refused {
        /// The number of threads asked for.
        threads: usize,
        /// The message of the operating system.
        reason: String,
    },
}

/// The reason why second arguments outside G2 cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutsideG2Error {
    /// The pairing of this curve is defined on G2 alone.
    #[error(
        "the {pairing} pairing of {curve} accepts second arguments in G2 only; the tate pairing has no such restriction"
    )]
    Pairing {
        /// The name of the curve.
        curve: String,
        /// The pairing in use.
        pairing: PairingKind,
    },
    /// Both arguments belong to one group.
    #[error("both arguments of {curve} are in one group, whose points are checked in full")]
    OneGroup {
        /// The name of the curve.
        curve: String,
    },
}

/// Checks that the range of a product lies within the `count` points of a side.
///
/// # Errors
/// Returns an error if the range does not lie within them.
pub(super) fn within(range: &Range<usize>, count: usize, side: Side) -> Result<(), RowError> {
    let Range { start, end } = *range;
    if start <= end && end <= count {
        return Ok(());
    }
    Err(RowError { row: start, side, reason: PointError::Range { start, end, count } })
}
