//! How many rows make a chunk: as many as take a second, so that a checkpoint is never older than that and progress shows at once.
//! The first chunks are small and tell how long rows take.

use bilinear_engine::System;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// What a chunk takes.
pub(crate) const AIM: Duration = Duration::from_secs(1);

/// The most rows of a chunk, which ends earlier where its points take too much memory.
const MOST: usize = 1 << 20;

/// The most times that a chunk has the rows of the one that was measured: one chunk does not tell all.
const GROWTH: usize = 4;

/// The most rows of a chunk before it is known what one takes: as many as make the checkpoint of a chunk cheap.
const UNKNOWN: usize = 64;

/// The size of the next chunk, which the reader asks for and the computation sets.
pub(crate) struct Pace {
    rows: AtomicUsize,
    is_given: bool,
    /// Whether a chunk has shown how long rows take.
    is_known: AtomicBool,
}

impl Pace {
    /// Chunks of so many rows.
    pub(crate) fn given(rows: NonZeroUsize) -> Self {
        Self { is_given: true, ..Self::from(rows.get()) }
    }

    /// Chunks that take as long as they should, once so many rows have shown how long they take.
    pub(crate) fn from(rows: usize) -> Self {
        Self { rows: AtomicUsize::new(rows.clamp(1, MOST)), is_given: false, is_known: AtomicBool::new(false) }
    }

    /// The same, from as many rows as leave no thread and no lane without work.
    pub(crate) fn of(system: &System, threads: NonZeroUsize) -> Self {
        Self::from(system.lanes() * threads.get())
    }

    /// Rows of the next chunk.
    pub(crate) fn rows(&self) -> usize {
        self.rows.load(Ordering::Relaxed)
    }

    /// Notes how long a chunk took, of whose `rows` so many were `readable`. Rows that are not cost nothing: where they are the most,
    /// nothing is learnt, and chunks grow to some rows, since each costs a checkpoint.
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

/// How many rows take as long as a chunk should, where so many took `time`.
fn sized(rows: usize, time: Duration) -> usize {
    let size = rows as f64 * AIM.as_secs_f64() / time.as_secs_f64().max(1e-9);
    // a number that is too large for the type is the type's largest
    (size as usize).clamp(1, MOST)
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
        assert_eq!(next(MOST, MOST, Duration::ZERO), MOST);
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
    fn a_given_size_stays() {
        let pace = Pace::given(NonZeroUsize::new(7).unwrap());
        pace.took(7, 7, MILLISECOND);
        pace.took(7, 0, MILLISECOND);
        assert_eq!(pace.rows(), 7);
    }
}
