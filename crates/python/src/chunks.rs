//! A batch in chunks of about a quarter of a second, between which signals are handled (Ctrl-C) and progress is told.

use bilinear_engine::Batch;
use pyo3::prelude::*;
use std::ops::Range;
use std::time::{Duration, Instant};

/// How long a chunk should take.
const CHUNK: Duration = Duration::from_millis(250);
/// Rows beyond which a chunk does not grow, however fast they are.
const MOST: usize = 1 << 16;

/// Rows that a chunk is a multiple of: the lanes of every thread.
pub(crate) fn quantum(batch: &Batch) -> usize {
    batch.system().lanes() * batch.thread_count()
}

/// Does work on runs of `count` rows, multiples of `quantum` but for the last. `progress` is called with the number of rows that
/// were done since it was called last.
pub(crate) fn in_chunks(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    count: usize,
    quantum: usize,
    mut work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    let (mut done, mut size) = (0, quantum);
    while done < count {
        let chunk = done..count.min(done + size);
        let (begun, rows) = (Instant::now(), chunk.len());
        work(chunk)?;
        done += rows;
        size = next_size(rows, begun.elapsed(), quantum);
        if let Some(progress) = progress {
            progress.call1((rows,))?;
        }
        py.check_signals()?;
    }
    Ok(())
}

/// Rows that take about as long as a chunk should, when so many took so long.
fn next_size(rows: usize, took: Duration, quantum: usize) -> usize {
    let fit = rows as f64 * CHUNK.as_secs_f64() / took.as_secs_f64().max(1e-6);
    let quanta = (fit / quantum as f64).round() as usize;
    quanta.clamp(1, (MOST / quantum).max(1)) * quantum
}
