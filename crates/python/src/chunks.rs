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
    work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    in_runs(py, progress, (count, |_| 1), quantum, work)
}

/// The same of groups of rows, as many as have the rows of a chunk. One that has more is a chunk of its own.
pub(crate) fn in_chunks_of_groups(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    groups: &[Range<usize>],
    quantum: usize,
    work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    in_runs(py, progress, (groups.len(), |i| groups[i].len().max(1)), quantum, work)
}

/// Does work on runs of so many items, of which each counts as a number of rows.
fn in_runs(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    (count, rows): (usize, impl Fn(usize) -> usize),
    quantum: usize,
    mut work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    let (mut done, mut size) = (0, quantum);
    while done < count {
        let chunk = done..run_end(done, (count, &rows), size, quantum);
        let (begun, items) = (Instant::now(), chunk.len());
        let measured = chunk.clone().map(&rows).sum();
        work(chunk)?;
        done += items;
        size = next_size(measured, begun.elapsed(), quantum);
        if let Some(progress) = progress {
            progress.call1((items,))?;
        }
        py.check_signals()?;
    }
    Ok(())
}

/// Where the run from `start` on ends: it has no more than `size` rows, or one item; of more items than a quantum whole quanta.
fn run_end(start: usize, (count, rows): (usize, impl Fn(usize) -> usize), size: usize, quantum: usize) -> usize {
    let (mut end, mut sum) = (start, 0);
    while end < count && (end == start || sum + rows(end) <= size) {
        sum += rows(end);
        end += 1;
    }
    let items = end - start;
    if end < count && items > quantum { start + items / quantum * quantum } else { end }
}

/// Rows that take about as long as a chunk should, when so many took so long.
fn next_size(rows: usize, took: Duration, quantum: usize) -> usize {
    let fit = rows as f64 * CHUNK.as_secs_f64() / took.as_secs_f64().max(1e-6);
    let quanta = (fit / quantum as f64).round() as usize;
    quanta.clamp(1, (MOST / quantum).max(1)) * quantum
}
