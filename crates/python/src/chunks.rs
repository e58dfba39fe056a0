//! Splits a batch into chunks of about a quarter of a second. Between chunks, signals are handled (Ctrl-C) and progress
//! is reported.

use crate::error::Fault;
use crate::outcomes::Outcome;
use bilinear_engine::Batch;
use pyo3::prelude::*;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The duration that a chunk should take.
const CHUNK: Duration = Duration::from_millis(250);
/// The number of rows beyond which a chunk does not grow, however fast the rows are computed.
const MAX: usize = 1 << 16;

/// Returns a number of rows of which chunks are multiples: the lanes of every thread.
pub(crate) fn lane_quantum(batch: &Batch) -> usize {
    batch.system().lanes() * batch.thread_count()
}

/// Returns a number of rows of which chunks are multiples: one full task for every thread.
pub(crate) fn task_quantum(batch: &Batch) -> usize {
    batch.task() * batch.thread_count()
}

/// Collects an outcome for every row, chunk by chunk ([`in_chunks`]). Errors name their rows.
pub(crate) fn each_row<T>(
    py: Python<'_>,
    (rows, progress): (usize, Option<&Bound<'_, PyAny>>),
    quantum: usize,
    mut work: impl FnMut(Range<usize>) -> PyResult<Vec<Result<T, Fault>>>,
) -> PyResult<Outcome<T>> {
    let mut outcomes = Outcome::new(rows)?;
    in_chunks(py, progress, rows, quantum, |chunk| {
        outcomes.extend(work(chunk)?);
        Ok(())
    })?;
    Ok(outcomes)
}

/// Calls `work` on consecutive chunks of `count` rows. All chunks but the last are multiples of `quantum`. `progress`
/// is called with the number of rows done since its last call.
pub(crate) fn in_chunks(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    count: usize,
    quantum: usize,
    work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    in_runs(py, progress, (count, |_| 1), quantum, work)
}

/// Calls `work` on consecutive chunks of groups of rows. A chunk takes as many groups as fit into its number of rows. A
/// group with more rows is a chunk of its own. `progress` is called with the number of groups done since its last call.
pub(crate) fn in_chunks_of_groups(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    groups: &[Range<usize>],
    quantum: usize,
    work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    in_runs(py, progress, (groups.len(), |i| groups[i].len().max(1)), quantum, work)
}

/// Calls `work` on consecutive chunks of `count` items. `rows(i)` is the number of rows that item i counts as.
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

/// Returns the end of the chunk that begins at `start`. A chunk has at most `size` rows, or a single item. A chunk of
/// more than `quantum` items is cut to a multiple of `quantum`, unless it reaches the last item.
fn run_end(start: usize, (count, rows): (usize, impl Fn(usize) -> usize), size: usize, quantum: usize) -> usize {
    let (mut end, mut sum) = (start, 0);
    while end < count && (end == start || sum + rows(end) <= size) {
        sum += rows(end);
        end += 1;
    }
    let items = end - start;
    if end < count && items > quantum { start + items / quantum * quantum } else { end }
}

/// Returns the number of rows for a chunk of the intended duration, given that `rows` rows took `took`.
fn next_size(rows: usize, took: Duration, quantum: usize) -> usize {
    let fit = rows as f64 * CHUNK.as_secs_f64() / took.as_secs_f64().max(1e-6);
    let quanta = (fit / quantum as f64).round() as usize;
    quanta.clamp(1, (MAX / quantum).max(1)) * quantum
}
