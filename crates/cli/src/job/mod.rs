//! The bulk job. Three threads read, compute and write a table, connected by short queues. So memory does not
//! grow with the table, and reading and writing overlap with computing.

pub(crate) mod checkpoint;
mod closed;
pub(crate) mod columns;
pub(crate) mod expected;
pub(crate) mod fixed;
mod group;
pub(crate) mod groups;
pub(crate) mod gt;
pub(crate) mod pace;
pub(crate) mod pairing;
pub(crate) mod points;
mod progress;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod summary;
pub(crate) mod tally;
pub(crate) mod verify;
pub(crate) mod work;

use crate::error::CommandError;
use crate::fault::Failure;
use crate::input::guard::panic_message;
use crate::input::{Chunk, Source};
use crate::output::Record;
use crate::output::destination::{Destination, RESUME};
use bilinear_engine::ThreadsError;
use pace::Pace;
use progress::Progress;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tally::Tally;
use work::{Done, Work};

/// The number of chunks that may wait between two threads.
const QUEUE: usize = 1;

/// How often the progress display is refreshed while no chunk is done.
const TICK: Duration = Duration::from_millis(250);

/// How to continue after the row that stopped a strict job, since a strict job would stop there again.
const RESUME_LENIENTLY: &str = "the same command with --resume and without --strict goes on from there";

/// How to continue if the output does not have the expected number of groups. The records themselves are
/// complete.
const RESUME_OTHERWISE: &str = "the same command with --resume and another --expect-groups goes on from there";

/// Everything that a job needs to run.
pub(crate) struct Plan {
    /// The input's name.
    pub(crate) file: String,
    /// The table to read.
    pub(crate) source: Box<dyn Source>,
    /// The destination of the records.
    pub(crate) destination: Destination,
    /// The number of rows of chunks.
    pub(crate) pace: Pace,
    /// The number of rows that an earlier run has processed.
    pub(crate) before: u64,
    /// True if the first record without a value stops the job.
    pub(crate) strict: bool,
    /// True if no progress is displayed.
    pub(crate) quiet: bool,
}

/// The result of a job.
pub(crate) struct Report {
    /// The counts of the job's records.
    pub(crate) tally: Tally,
    /// The failure that stopped a strict job, whose output is then incomplete.
    pub(crate) stopped: Option<Failure>,
}

/// The progress of a job: the position in the source, and the number of rows read. These rows may belong to
/// groups that are not complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reached {
    position: u64,
    rows: u64,
}

/// A part of the output, on its way to the writer.
struct Part {
    done: Done,
    reached: Reached,
}

/// The reason why the computing thread stopped.
enum Ended {
    /// The end of the table was reached.
    Complete(Tally),
    /// A strict job met a record without a value.
    Strict(Tally, Failure),
    /// The reader or the writer has stopped; its own result tells the reason.
    Alone,
}

/// Runs a job to its end. The output is put in place only if `is_complete` accepts the final tally.
///
/// # Errors
/// Returns an error if the input cannot be read, if the output cannot be written, or if `is_complete` rejects
/// the tally.
pub(crate) fn run(
    plan: Plan,
    work: &mut dyn Work,
    is_complete: &dyn Fn(&Tally) -> Result<(), CommandError>,
) -> Result<Report, CommandError> {
    let Plan { file, source, destination, pace, before, strict, quiet } = plan;
    let progress = Progress::new(source.extent(), before, quiet);
    let pace = Arc::new(pace);
    let is_stream = destination.is_stream();
    let (chunks, incoming) = sync_channel(QUEUE);
    let (outgoing, parts) = sync_channel(QUEUE);
    let (hand_over, handed) = sync_channel(1);
    let reading = {
        let pace = pace.clone();
        move || read(source, &pace, &chunks)
    };
    let writing = move || {
        let destination =
            handed.recv().unwrap_or_else(|_| unreachable!("it is handed over once both threads are there"));
        write(destination, &parts, progress)
    };
    // the reader is not joined when a job ends early: it may be blocked on a pipe
    let (reader, writer) = match start(reading).and_then(|reader| Ok((reader, start(writing)?))) {
        Ok(threads) => threads,
        Err(error) => {
            destination.abandon(RESUME);
            return Err(error);
        }
    };
    let _ = hand_over.send(destination);
    let mut timed = Timed { work, pace, before };
    let computed = compute(&incoming, &mut timed, strict, is_stream, &outgoing);
    drop((incoming, outgoing));
    // if the computation stopped because of the writer, the writer's error is the cause
    let destination = join(writer, "the output")??;
    match computed {
        Ok(Ended::Complete(tally)) => {
            if let Err(error) = is_complete(&tally) {
                // an end that cannot be written comes second
                let _ = destination.stop(RESUME_OTHERWISE);
                return Err(error);
            }
            destination.complete()?;
            Ok(Report { tally, stopped: None })
        }
        Ok(Ended::Strict(tally, failure)) => {
            destination.stop(RESUME_LENIENTLY)?;
            Ok(Report { tally, stopped: Some(failure) })
        }
        Ok(Ended::Alone) => {
            destination.abandon(RESUME);
            join(reader, &file)?;
            Err(CommandError::Crashed { file, reason: "reading stopped before the end".to_owned() })
        }
        Err(error) => {
            destination.abandon(RESUME);
            Err(error)
        }
    }
}

/// Starts the reading or the writing thread.
fn start<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>, CommandError> {
    thread::Builder::new().spawn(work).map_err(|error| {
        let refused = ThreadsError::Refused { threads: 2, reason: error.to_string() };
        CommandError::Engine(refused.to_string())
    })
}

/// Sends the chunks of a table, then `None`. An error ends the reading, too.
fn read(mut source: Box<dyn Source>, pace: &Pace, chunks: &SyncSender<Result<Option<Chunk>, CommandError>>) {
    loop {
        let chunk = source.next_chunk(pace.rows());
        let is_last = !matches!(chunk, Ok(Some(_)));
        if chunks.send(chunk).is_err() || is_last {
            return;
        }
    }
}

/// Work whose times set the pace of the reader.
struct Timed<'w> {
    work: &'w mut dyn Work,
    pace: Arc<Pace>,
    before: u64,
}

impl Timed<'_> {
    fn process(&mut self, chunk: &Chunk) -> Done {
        let started = Instant::now();
        let done = self.work.process(chunk);
        // rows that an earlier run has processed are only registered, so their time does not count
        if chunk.first >= self.before {
            let readable = chunk.rows.iter().filter(|row| row.cells.is_ok()).count();
            self.pace.took(chunk.rows.len(), readable, started.elapsed());
        }
        done
    }
}

fn compute(
    chunks: &Receiver<Result<Option<Chunk>, CommandError>>,
    timed: &mut Timed<'_>,
    strict: bool,
    is_stream: bool,
    parts: &SyncSender<Part>,
) -> Result<Ended, CommandError> {
    let mut reached = Reached::default();
    for chunk in chunks {
        let chunk = chunk?;
        let mut done = match &chunk {
            Some(chunk) => timed.process(chunk),
            None => timed.work.finish(),
        };
        if let Some(chunk) = &chunk {
            reached = Reached { position: chunk.position, rows: chunk.first + chunk.rows.len() as u64 };
        }
        let tally = done.tally.clone();
        let failure = if strict { first_failure(&done.records) } else { None };
        if let Some((good, failure)) = failure {
            // the part file of a job must end with a whole chunk, so the records of this one are not written
            // there
            if is_stream {
                done.records.truncate(good);
                let _ = parts.send(Part { done, reached });
            }
            return Ok(Ended::Strict(tally, failure));
        }
        if parts.send(Part { done, reached }).is_err() {
            return Ok(Ended::Alone);
        }
        if chunk.is_none() {
            return Ok(Ended::Complete(tally));
        }
    }
    Ok(Ended::Alone)
}

fn first_failure(records: &[Record]) -> Option<(usize, Failure)> {
    records.iter().enumerate().find_map(|(index, record)| Some((index, record.outcome.as_ref().err()?.clone())))
}

fn write(
    mut destination: Destination,
    parts: &Receiver<Part>,
    mut progress: Progress,
) -> Result<Destination, CommandError> {
    loop {
        progress.tick();
        let Part { done, reached } = match parts.recv_timeout(TICK) {
            Ok(part) => part,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if let Err(error) = destination.write(&done.records, &done.tally) {
            progress.clear();
            destination.abandon(RESUME);
            return Err(error);
        }
        progress.show(reached);
    }
    progress.clear();
    Ok(destination)
}

/// Joins a thread and returns its result. A panic of the thread becomes an error.
fn join<T>(thread: JoinHandle<T>, file: &str) -> Result<T, CommandError> {
    thread
        .join()
        .map_err(|panic| CommandError::Crashed { file: file.to_owned(), reason: panic_message(&*panic).to_owned() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::fault::{Fault, code};
    use crate::input::Row;

    /// A test job that writes no record before the end of the table, as a sum over the whole table does.
    struct Whole(Tally);

    impl Work for Whole {
        fn process(&mut self, chunk: &Chunk) -> Done {
            self.0.rows += chunk.rows.len() as u64;
            Done { records: vec![], tally: Tally::default() }
        }

        fn finish(&mut self) -> Done {
            Done { records: vec![], tally: self.0.clone() }
        }
    }

    #[test]
    fn rows_of_an_open_group_count_as_progress() {
        let (chunks, incoming) = sync_channel(4);
        let fault = Fault::new(code::JSON, 0, None, "");
        for (first, rows) in [(0, 3), (3, 5)] {
            let row = Row { line: None, group: None, cells: Err(fault.clone()) };
            let chunk =
                Chunk { first, rows: vec![row; rows], position: 10 * (first + rows as u64), ..Chunk::default() };
            chunks.send(Ok(Some(chunk))).unwrap();
        }
        chunks.send(Ok(None)).unwrap();
        let (outgoing, parts) = sync_channel(4);
        let mut work = Whole(Tally::default());
        let pace = Arc::new(Pace::given(std::num::NonZeroUsize::MIN));
        let mut timed = Timed { work: &mut work, pace, before: 0 };
        let ended = compute(&incoming, &mut timed, false, false, &outgoing).unwrap();
        assert!(matches!(ended, Ended::Complete(Tally { rows: 8, .. })));
        drop(outgoing);
        let reached: Vec<(u64, u64)> = parts.iter().map(|part| (part.reached.position, part.reached.rows)).collect();
        assert_eq!(reached, [(30, 3), (80, 8), (80, 8)]);
    }
}
