//! How many rows make a chunk: as many as take a second, so that a checkpoint is never older than that and progress shows at once.
//! Of pairings the first chunk aims at half a second, by the time that pairings of generators take.

use bilinear_engine::{Batch, Group};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a chunk takes; the first one half of it.
pub(crate) const AIM: Duration = Duration::from_secs(1);

/// The most rows of a chunk, which ends earlier where its points take too much memory.
const MOST: usize = 1 << 20;

/// A measurement takes at least so long.
const MEASURED: Duration = Duration::from_millis(5);

/// The most times that a chunk has the rows of the one that was measured: one chunk does not tell all.
const GROWTH: usize = 4;

/// The size of the next chunk, which the reader asks for and the computation sets.
pub(crate) struct Pace {
    rows: AtomicUsize,
    is_given: bool,
}

impl Pace {
    /// Chunks of so many rows.
    pub(crate) fn given(rows: NonZeroUsize) -> Self {
        Self { rows: AtomicUsize::new(rows.get()), is_given: true }
    }

    /// Chunks that take as long as they should, once so many rows have shown how long they take.
    pub(crate) fn from(rows: usize) -> Self {
        Self { rows: AtomicUsize::new(rows.clamp(1, MOST)), is_given: false }
    }

    /// Chunks that take as long as they should, by what pairings take here.
    pub(crate) fn measured(batch: &Batch) -> Self {
        let system = batch.system();
        let (p, q) = (system.generator(Group::G1), system.generator(Group::G2));
        // no thread and no lane without work
        let least = system.lanes() * batch.thread_count();
        let first = first_chunk(least, |count| {
            let rows = vec![(p.as_ref(), q.as_ref()); count];
            let started = Instant::now();
            batch.pair(&rows);
            started.elapsed()
        });
        Self { rows: AtomicUsize::new(first), is_given: false }
    }

    /// Rows of the next chunk.
    pub(crate) fn rows(&self) -> usize {
        self.rows.load(Ordering::Relaxed)
    }

    /// Notes how long a chunk took, of whose `rows` so many were `readable`. Rows that are not cost nothing: where they are the most,
    /// nothing is learnt.
    pub(crate) fn took(&self, rows: usize, readable: usize, time: Duration) {
        if !self.is_given && 2 * readable > rows {
            let next = sized(readable, time, AIM).min(GROWTH * rows);
            self.rows.store(next, Ordering::Relaxed);
        }
    }
}

/// How many rows take half of a chunk's time, from measurements of `least` rows and more. The first of them also prepares the
/// programs, and tells something only where even so many rows take so long.
fn first_chunk(least: usize, mut time: impl FnMut(usize) -> Duration) -> usize {
    let (mut count, mut enough) = (least, AIM / 2);
    loop {
        let took = time(count);
        if took >= enough || count >= MOST {
            return sized(count, took, AIM / 2);
        }
        count = if enough == MEASURED { 2 * count } else { count };
        enough = MEASURED;
    }
}

/// How many rows take `aim`, where so many took `time`.
fn sized(rows: usize, time: Duration, aim: Duration) -> usize {
    let size = rows as f64 * aim.as_secs_f64() / time.as_secs_f64().max(1e-9);
    // a number that is too large for the type is the type's largest
    (size as usize).clamp(1, MOST)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_engine::System;
    use bilinear_params::Curve;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn a_chunk_takes_a_second() {
        let pace = Pace { rows: AtomicUsize::new(100), is_given: false };
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
    fn a_given_size_stays() {
        let pace = Pace::given(NonZeroUsize::new(7).unwrap());
        pace.took(7, 7, MILLISECOND);
        assert_eq!(pace.rows(), 7);
    }

    /// Rows of a pairing each, after programs that take `preparing`; with the numbers of rows that were measured.
    fn measured(least: usize, preparing: Duration, pairing: Duration) -> (usize, Vec<usize>) {
        let mut counts = vec![];
        let first = first_chunk(least, |count| {
            counts.push(count);
            pairing * count as u32 + if counts.len() == 1 { preparing } else { Duration::ZERO }
        });
        (first, counts)
    }

    #[test]
    fn the_first_chunk_takes_half_a_second_without_what_is_prepared() {
        assert_eq!(measured(16, 20 * MILLISECOND, MILLISECOND), (500, vec![16, 16]));
        assert_eq!(measured(16, 20 * MILLISECOND, MILLISECOND / 10), (5000, vec![16, 16, 32, 64]));
        assert_eq!(measured(1, 40 * MILLISECOND, 1000 * MILLISECOND), (1, vec![1]), "no second of the slowest twice");
        assert_eq!(measured(1, Duration::ZERO, Duration::ZERO).0, MOST);
    }

    #[test]
    fn the_first_chunk_of_a_curve() {
        let batch = Batch::new(System::new(&Curve::named("a-512").unwrap()).unwrap());
        let rows = Pace::measured(&batch).rows();
        assert!((1..MOST).contains(&rows), "{rows}");
    }
}
