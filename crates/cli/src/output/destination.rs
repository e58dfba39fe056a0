//! The destination of records: a stream, or a file that appears under its name only when it is complete.
//!
//! Records for a file are first appended to `<out>.part` as JSON Lines, whatever the format. After each chunk
//! the part file is flushed to the disk, and `<out>.resume` records the length of its valid part and the hash.
//! At the end the part file is renamed, or a columnar file is assembled from it. So a run that is interrupted
//! anywhere can be resumed, and ends with the same bytes.
//!
//! A file that is replaced keeps its mode. If there was no file before, the results of a search can be read by
//! their user alone.

use super::files::{Files, fresh, is_stream, open_stream, remove};
use super::kept::{Kept, State};
use super::mode::PRIVATE;
use super::{Framing, Record, Shape, Sink, journal, json, mode, part, sink};
use crate::console;
use crate::error::CommandError;
use crate::input::Format;
use crate::job::checkpoint::{self, Checkpoint, Task};
use crate::job::tally::Tally;
use bilinear_params::private::sync_directory;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// How to continue an unfinished output.
pub(crate) const RESUME: &str = "the same command with --resume goes on from there";

/// The number of records that are read back at a time when a columnar file is assembled.
const ASSEMBLY_RECORDS: usize = 1024;

/// The destination of a job's records.
pub(crate) enum Destination {
    /// Standard output, another open descriptor, a pipe or a device.
    Stream {
        /// The stream's name in messages.
        name: String,
        /// The sink of the output's format.
        sink: Box<dyn Sink>,
    },
    /// A file.
    File(Box<FileOutput>),
}

/// An output file while it is being written.
pub(crate) struct FileOutput {
    files: Files,
    /// The mode of the complete file; `None` leaves the mode to the system.
    mode: Option<u32>,
    part: File,
    bytes: u64,
    /// The hash of the first `bytes` bytes of the part file.
    hash: Sha256,
    /// The counts of the records in the part file.
    tally: Tally,
    job: Resumable,
    format: Format,
    shape: Shape,
    text: Vec<u8>,
}

/// The state that an interrupted run leaves to the next one.
#[derive(Default)]
pub(crate) struct Resumable {
    /// The task of the job; `None` if the run cannot be resumed.
    pub(crate) task: Option<Task>,
    /// True if this run continues an interrupted one, if there is one.
    pub(crate) resume: bool,
    /// The state of the unfinished output, shared with the handler of signals.
    pub(crate) kept: Kept,
}

impl Destination {
    /// Creates a destination that writes to standard output.
    ///
    /// # Errors
    /// Returns an error if the format's header cannot be written.
    pub(crate) fn stdout(format: Format, shape: Shape) -> Result<Self, CommandError> {
        Self::stream("standard output".to_owned(), io::stdout(), format, shape)
    }

    /// Opens a file, or a device, pipe or open descriptor that has a path. Also returns the tally of the
    /// earlier run that this run continues.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created, if another run is writing it, or if the earlier run had
    /// another task.
    pub(crate) fn file(
        path: &Path,
        format: Format,
        shape: Shape,
        job: Resumable,
    ) -> Result<(Self, Tally), CommandError> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Err(CommandError::io(name, "write")(io::ErrorKind::IsADirectory.into()));
        }
        if is_stream(path) {
            let file = open_stream(path).map_err(CommandError::io(&name, "open"))?;
            return Ok((Self::stream(name, file, format, shape)?, Tally::default()));
        }
        let (output, tally) = FileOutput::open(Files::of(path), format, shape, job)?;
        Ok((Self::File(Box::new(output)), tally))
    }

    fn stream(
        name: String,
        writer: impl Write + Send + 'static,
        format: Format,
        shape: Shape,
    ) -> Result<Self, CommandError> {
        let sink = sink(writer, format, shape, Framing::Stream).map_err(CommandError::io(&name, "write"))?;
        Ok(Self::Stream { name, sink })
    }

    /// Writes records. `tally` counts all records so far, including these.
    ///
    /// # Errors
    /// Returns an error if the records cannot be written.
    pub(crate) fn write(&mut self, records: &[Record], tally: &Tally) -> Result<(), CommandError> {
        match self {
            Self::Stream { name, sink } => sink.write(records).map_err(CommandError::io(name, "write")),
            Self::File(output) => output.append(records, tally),
        }
    }

    /// Completes the output. A file appears under its name only now.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or renamed. Its records are then kept if possible.
    pub(crate) fn complete(self) -> Result<(), CommandError> {
        match self {
            Self::Stream { name, mut sink } => sink.finish().map_err(CommandError::io(name, "write")),
            Self::File(mut output) => match output.complete() {
                Ok(()) => Ok(()),
                Err(error) => {
                    output.keep();
                    Err(error)
                }
            },
        }
    }

    /// Ends an output that this run will not complete. Files that allow a resumption are kept, with a note that
    /// says `how`; other files are removed.
    pub(crate) fn abandon(self, how: &str) {
        if let Self::File(output) = self {
            output.abandon(how);
        }
    }

    /// Ends an output whose records are incomplete: a stream gets the format's end, and a file is abandoned as
    /// by [`Destination::abandon`].
    ///
    /// # Errors
    /// Returns an error if the end of a stream cannot be written.
    pub(crate) fn stop(self, how: &str) -> Result<(), CommandError> {
        match self {
            Self::Stream { name, mut sink } => sink.stop().map_err(CommandError::io(name, "write")),
            Self::File(output) => {
                output.abandon(how);
                Ok(())
            }
        }
    }

    /// Returns true if records are output at once, so that nothing is left to complete or resume.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self, Self::Stream { .. })
    }
}

impl FileOutput {
    fn open(files: Files, format: Format, shape: Shape, job: Resumable) -> Result<(Self, Tally), CommandError> {
        let name = files.part.display().to_string();
        let mode = mode::of(&files.out).or(shape.is_private().then_some(PRIVATE));
        let (part, was_there) = part::open(&files, mode.is_some())?;
        sync_directory(&files.part).map_err(CommandError::io(&name, "create"))?;
        let length = part.metadata().map_err(CommandError::io(&name, "read"))?.len();
        let earlier = match &job.task {
            // a part file created just now has no records, and a checkpoint without records is useless
            Some(task) if job.resume && was_there => {
                Checkpoint::load(&files.resume, task)?.filter(|earlier| earlier.bytes > 0)
            }
            _ => None,
        };
        let (bytes, sha256, tally) = match earlier {
            Some(Checkpoint { bytes, sha256, tally, .. }) => (bytes, sha256, tally),
            None => (0, checkpoint::text(&Sha256::new()), Tally::default()),
        };
        if length < bytes {
            let reason = format!("it has {length} bytes, fewer than the {bytes} of the checkpoint");
            return Err(CommandError::Resume { file: name, reason });
        }
        let (_, hash) = checkpoint::hashed((&part).take(bytes)).map_err(CommandError::io(&name, "read"))?;
        if checkpoint::text(&hash) != sha256 {
            let reason = format!(
                "its first {bytes} bytes are not what the checkpoint says: they have changed since, or the disk has damaged \
                 them; without --resume the run starts over"
            );
            return Err(CommandError::Resume { file: name, reason });
        }
        if bytes == 0 {
            part::start_over(&part, &files)?;
        }
        *job.kept.lock() = State::of(bytes);
        let text = Vec::new();
        let mut output = Self { files, mode, part, bytes, hash, tally: tally.clone(), job, format, shape, text };
        output
            .part
            .set_len(bytes)
            .and_then(|()| output.part.seek(SeekFrom::Start(bytes)))
            .map_err(CommandError::io(&name, "write"))?;
        Ok((output, tally))
    }

    fn append(&mut self, records: &[Record], tally: &Tally) -> Result<(), CommandError> {
        self.text.clear();
        let lines = records.iter().try_for_each(|record| json::line(record, self.shape.question, &mut self.text));
        lines
            .and_then(|()| self.part.write_all(&self.text))
            .and_then(|()| self.part.sync_data())
            .map_err(CommandError::io(self.files.part.display(), "write"))?;
        self.bytes += self.text.len() as u64;
        self.hash.update(&self.text);
        self.tally = tally.clone();
        if self.job.task.is_some() {
            let mut kept = self.job.kept.lock();
            self.store()?;
            *kept = State::of(self.bytes);
        }
        Ok(())
    }

    fn complete(&mut self) -> Result<(), CommandError> {
        let files = &self.files;
        let is_part = self.format == Format::Jsonl;
        let complete = if is_part { &files.part } else { &files.assembly };
        let failed = |action| CommandError::io(complete.display(), action);
        if is_part {
            self.give_mode(&self.part).and_then(|()| self.part.sync_all()).map_err(failed("write"))?;
        } else {
            let assembled = assemble(&mut self.part, files, self.format, self.shape.clone(), self.mode.is_some());
            assembled.and_then(|file| self.give_mode(&file)).map_err(failed("write"))?;
        }
        let removed = |path: &Path| remove(path).map_err(CommandError::io(path.display(), "remove"));
        let checkpoint = || [&files.resume, &files.resume_new].into_iter().try_for_each(|path| removed(path));
        // the companion files belong to this run as long as the locked part file has its name
        let mut kept = self.job.kept.lock();
        if is_part {
            checkpoint()?;
        }
        if let Err(error) = fs::rename(complete, &files.out) {
            if is_part {
                self.store()?;
            }
            return Err(CommandError::io(files.out.display(), "write")(error));
        }
        *kept = State::Complete;
        sync_directory(&files.out).map_err(CommandError::io(files.out.display(), "write"))?;
        if is_part {
            return Ok(());
        }
        checkpoint()?;
        removed(&files.part)
    }

    fn abandon(&self, how: &str) {
        let Files { part, resume, resume_new, assembly, .. } = &self.files;
        let rest: &[&Path] = match *self.job.kept.lock() {
            // the names may belong to another run by now
            State::Complete => &[],
            State::Records => {
                console::note(format_args!("note: {} holds the records so far; {how}", part.display()));
                &[assembly]
            }
            State::Nothing | State::Untouched => &[assembly, resume, resume_new, part],
        };
        tidy(rest);
    }

    /// Ends an output that has all records but could not be completed.
    fn keep(&self) {
        if self.job.task.is_some() || *self.job.kept.lock() == State::Complete {
            return self.abandon(RESUME);
        }
        let Files { part, assembly, .. } = &self.files;
        console::note(format_args!("note: {} holds all records, in JSON Lines", part.display()));
        tidy(&[assembly]);
    }

    /// Writes a checkpoint with the length of the part file's valid part, if the run can be resumed.
    fn store(&self) -> Result<(), CommandError> {
        let Some(task) = &self.job.task else { return Ok(()) };
        Checkpoint::new(task.clone(), (self.bytes, &self.hash), self.tally.clone())
            .store(&self.files.resume, &self.files.resume_new, self.mode.is_some())
            .map_err(CommandError::io(self.files.resume.display(), "write"))
    }

    /// Gives a complete file its intended mode.
    fn give_mode(&self, file: &File) -> io::Result<()> {
        self.mode.map_or(Ok(()), |mode| mode::set(file, mode))
    }
}

/// Removes what a job leaves that has ended early, as far as the system allows. The job's own error is the one to
/// report, so that of a removal is only a note.
fn tidy(rest: &[&Path]) {
    for path in rest {
        if let Err(error) = remove(path) {
            console::note(format_args!("note: {}: cannot remove: {error}", path.display()));
        }
    }
}

/// Assembles a columnar file from the part file.
fn assemble(part: &mut File, files: &Files, format: Format, shape: Shape, private: bool) -> io::Result<File> {
    part.seek(SeekFrom::Start(0))?;
    let file = fresh(&files.assembly, private)?;
    let mut sink = sink(BufWriter::new(file.try_clone()?), format, shape, Framing::File)?;
    let mut records = journal::records(BufReader::with_capacity(1 << 16, part));
    loop {
        let some = records.by_ref().take(ASSEMBLY_RECORDS).collect::<io::Result<Vec<_>>>()?;
        if some.is_empty() {
            break;
        }
        sink.write(&some)?;
    }
    sink.finish()?;
    file.sync_all()?;
    Ok(file)
}
