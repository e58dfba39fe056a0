//! The bulk job: a table is read, computed and written by three threads with short queues between them, so memory does
//! not grow with the table and reading and writing overlap with computing.

pub(crate) mod checkpoint;
pub(crate) mod context;
pub(crate) mod fixed;
pub(crate) mod pairs;
mod product;
pub(crate) mod products;
mod progress;
pub(crate) mod summary;
pub(crate) mod tally;

use crate::error::CommandError;
use crate::fault::Failure;
use crate::input::{Chunk, Source};
use crate::output::destination::Destination;
use crate::output::{Record, Shape};
use context::{Done, Work};
use progress::Progress;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use tally::Tally;

/// Chunks that may wait between two threads.
const QUEUE: usize = 1;

/// How a job is run.
pub(crate) struct Plan {
    /// The input's name.
    pub(crate) file: String,
    /// The table.
    pub(crate) source: Box<dyn Source>,
    /// Where the records go.
    pub(crate) destination: Destination,
    /// Rows of a chunk.
    pub(crate) chunk: usize,
    /// Whether the first record without a value ends the job.
    pub(crate) strict: bool,
    /// No progress display.
    pub(crate) quiet: bool,
}

/// How a job ended.
pub(crate) struct Report {
    /// What has been done.
    pub(crate) tally: Tally,
    /// What ended a strict job; the output is not complete then.
    pub(crate) stopped: Option<Failure>,
}

/// What goes to the writer: a part of the work, and how far the source has come.
struct Part {
    done: Done,
    position: u64,
}

/// Runs a job to its end.
///
/// # Errors
/// If the input cannot be read on or the output cannot be written.
pub(crate) fn run(plan: Plan, work: &mut dyn Work) -> Result<Report, CommandError> {
    let Plan { file, source, destination, chunk, strict, quiet } = plan;
    let progress = Progress::new(source.extent(), quiet);
    let (chunks, incoming) = sync_channel(QUEUE);
    let (outgoing, parts) = sync_channel(QUEUE);
    // the reader is left behind when a job ends early: it may be waiting for a pipe
    let reader = thread::spawn(move || read(source, chunk, &chunks));
    let writer = thread::spawn(move || write(destination, &parts, progress));
    let computed = compute(&incoming, work, strict, &outgoing);
    drop((incoming, outgoing));
    let written = join(writer, "writing").and_then(|result| result);
    // a writer's error is the cause where the computation had to stop for it
    let destination = written?;
    match computed? {
        Ended::Complete(tally) => {
            join(reader, "reading")?;
            destination.complete()?;
            Ok(Report { tally, stopped: None })
        }
        Ended::Strict(tally, failure) => Ok(Report { tally, stopped: Some(failure) }),
        Ended::ReaderGone => match join(reader, "reading") {
            Ok(()) => Err(CommandError::Usage(format!("{file}: reading ended without reaching the end"))),
            Err(error) => Err(error),
        },
        Ended::WriterGone => Err(CommandError::Usage("writing ended without an error".to_owned())),
    }
}
