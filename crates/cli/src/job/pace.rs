//! The size of chunks. A chunk has the rows of one second, so that a checkpoint is never older than that, and
//! progress shows at once. The first chunks are small, and measure how long rows take.

use bilinear_engine::System;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The computing time that a chunk should take.
pub(crate) const AIM: Duration = Duration::from_secs(1);

/// The most rows of a chunk. A chunk ends earlier if its points take too much memory.
const MAX: usize = 1 << 20;

/// The largest growth from one chunk to the next, since a single measurement is not reliable.
const GROWTH: usize = 4;

/// The most rows of a chunk while the time of rows is unknown: enough to make the checkpoint of each chunk
/// cheap.
const UNKNOWN: usize = 64;

/// The size of the next chunk. The computing thread sets it, and the reader uses it.
pub(crate) struct Pace {
    rows: AtomicUsize,
    is_given: bool,
    /// True once the time that rows take has been measured.
    is_known: AtomicBool,
}

impl Pace {
    /// Creates a pace with chunks of a fixed number of rows.
    pub(crate) fn given(rows: NonZeroUsize) -> Self {
        Self { is_given: true, ..Self::from(rows.get()) }
    }

    /// Creates a pace whose first chunk has the given number of rows, and whose later chunks follow the
    /// measured time.
    pub(crate) fn from(rows: usize) -> Self {
        Self { rows: AtomicUsize::new(rows.clamp(1, MAX)), is_given: false, is_known: AtomicBool::new(false) }
    }

    /// Creates a measured pace whose first chunk occupies all lanes of all threads.
    pub(crate) fn of(system: &System, threads: NonZeroUsize) -> Self {
        Self::from(system.lanes() * threads.get())
    }

    /// Returns the number of rows of the next chunk.
    pub(crate) fn rows(&self) -> usize {
        self.rows.load(Ordering::Relaxed)
    }

    /// Records the time that a chunk of `rows` rows took, of which `readable` were readable. Unreadable rows
    /// cost almost nothing. If at least half of the rows are unreadable, the time tells nothing; while no chunk
    /// has been measured, chunks then grow up to a small limit, since each of them costs a checkpoint.
    pub(crate) fn took(&self, rows: usize, readable: usize, time: Duration) {
        if self.is_given {
            return;
        }
        if 2 * readable > rows {
            self.rows.store(sized(readable, time).min(GROWTH * rows), Ordering::Relaxed);
            self.is_known.store(true, Ordering::Relaxed);
        } else if !self.is_known.load(Ordering::Relaxed) {
            self.rows.fetch_max(UNKNOWN.min(GROWTH * rows), Ordering::Relaxed);
        }
    }
}

/// Returns the number of rows that take as long as a chunk should, given that `rows` rows took `time`.
fn sized(rows: usize, time: Duration) -> usize {
    let size = rows as f64 * AIM.as_secs_f64() / time.as_secs_f64().max(1e-9);
    // the cast saturates: too large a number becomes the type's maximum
    (size as usize).clamp(1, MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn a_chunk_takes_a_second() {
        let pace = Pace::from(100);
        let next = |rows, readable, time| {
            pace.took(rows, readable, time);
            pace.rows()
        };
        assert_eq!(next(100, 100, 500 * MILLISECOND), 200);
        assert_eq!(next(200, 200, 4000 * MILLISECOND), 50);
        assert_eq!(next(50, 40, 1000 * MILLISECOND), 40, "by the rows that cost something");
        assert_eq!(next(40, 40, MILLISECOND), 160, "four times as many at most");
        assert_eq!(next(160, 80, MILLISECOND), 160, "half of the rows are unreadable");
        assert_eq!(next(160, 160, 1_000_000 * MILLISECOND), 1);
        assert_eq!(next(MAX, MAX, Duration::ZERO), MAX);
    }

    #[test]
    fn a_table_of_unreadable_rows_has_few_checkpoints() {
        let pace = Pace::from(1);
        let next = |readable, time| {
            pace.took(pace.rows(), readable, time);
            pace.rows()
        };
        assert_eq!([0; 5].map(|readable| next(readable, MILLISECOND)), [4, 16, 64, 64, 64]);
        assert_eq!(next(64, 32_000 * MILLISECOND), 2, "then it is known what a row takes");
        assert_eq!(next(0, MILLISECOND), 2);
    }

    #[test]
    fn a_given_chunk_size_is_kept() {
        let pace = Pace::given(NonZeroUsize::new(7).unwrap());
        pace.took(7, 7, MILLISECOND);
        pace.took(7, 0, MILLISECOND);
        assert_eq!(pace.rows(), 7);
    }
}
