//! The places of a table and its answers.

use super::reads::{Reads, input, refuse_replacing};
use crate::console;
use crate::error::CommandError;
use crate::input::Format;
use crate::input::open::{Input, unknown_format};
use crate::job::checkpoint::Task;
use crate::job::tally::Tally;
use crate::output::Shape;
use crate::output::destination::{Destination, RESUME, Resumable};
use crate::output::files::{Files, is_stream, remove};
use crate::output::kept::{Kept, State};
use crate::signals;
use std::path::{Path, PathBuf};

/// The files of the table and of the answers, and their formats.
#[derive(Debug, clap::Args)]
pub(crate) struct Places {
    /// The table to read; `-` is standard input
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// Write the answers to this file; `-` is standard output.
    ///
    /// The file appears only when it is complete.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// The format of the input and the output (default: that of their names; `-` is JSON Lines).
    ///
    /// This option overrides the names.
    #[arg(long, value_name = "FORMAT", ignore_case = true)]
    format: Option<Format>,
    /// The format of the input
    #[arg(long, value_name = "FORMAT", ignore_case = true, conflicts_with = "format")]
    in_format: Option<Format>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", ignore_case = true, conflicts_with = "format")]
    out_format: Option<Format>,
}

impl Places {
    /// Returns the input of the table.
    pub(crate) fn input(&self) -> Input {
        Input::new(&self.input)
    }

    /// Returns true if the answers go to standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        is_stdout(&self.out)
    }

    /// Returns true if the answers go to a file that is created.
    pub(crate) fn is_to_file(&self) -> bool {
        !self.is_stdout() && !is_stream(&self.out)
    }

    /// Opens the destination of the answers. If the job resumes an earlier run, the tally of that run is
    /// returned with it. From here on, an interruption prints a note about the state of the file.
    ///
    /// # Errors
    /// Returns an error where [`Destination::stdout`] and [`Destination::file`] do.
    pub(crate) fn destination(
        &self,
        format: Format,
        shape: Shape,
        task: Option<Task>,
        resume: bool,
    ) -> Result<(Destination, Tally), CommandError> {
        if self.is_stdout() {
            return Ok((Destination::stdout(format, shape)?, Tally::default()));
        }
        let kept = Kept::default();
        if self.is_to_file() {
            interruptible(&self.out, kept.clone())?;
        }
        Destination::file(&self.out, format, shape, Resumable { task, resume, kept })
    }

    /// Returns the formats of the table and of the answers.
    ///
    /// # Errors
    /// Returns an error if a format is neither given nor determined by a name.
    pub(crate) fn formats(&self) -> Result<(Format, Format), CommandError> {
        Ok((
            self.input().format(self.in_format.or(self.format))?,
            out_format(&self.out, self.out_format.or(self.format))?,
        ))
    }

    /// Rejects an output that would replace the table, or another file that the job reads.
    ///
    /// # Errors
    /// Returns an error where [`refuse_replacing`] does.
    pub(crate) fn refuse_replacing(&self, reads: &[Reads<'_>]) -> Result<(), CommandError> {
        refuse_replacing(&self.out, reads.iter().copied().chain([input("--in", &self.input)]))
    }
}

/// Returns true if the argument stands for standard output.
pub(crate) fn is_stdout(out: &Path) -> bool {
    out.as_os_str() == "-"
}

/// Returns the format of output to `out`: the requested one, or else the one that the name determines.
///
/// # Errors
/// Returns an error if neither determines the format.
pub(crate) fn out_format(out: &Path, asked: Option<Format>) -> Result<Format, CommandError> {
    match asked {
        Some(format) => Ok(format),
        None if is_stdout(out) => Ok(Format::Jsonl),
        None => Format::of(out).ok_or_else(|| unknown_format(out, "--out-format")),
    }
}

/// Prints a note about the state of a file when the process is asked to terminate. If there is a checkpoint,
/// that of the last chunk is on the disk; if there is none, the files of this run are removed.
pub(crate) fn interruptible(out: &Path, kept: Kept) -> Result<(), CommandError> {
    let (files, out) = (Files::of(out), out.display().to_string());
    let handler = move || {
        // the lock is held until the process ends, so that the note stays true
        let state = kept.lock();
        let rest = match *state {
            // the process is about to end anyway
            State::Complete => return,
            State::Records => RESUME,
            State::Nothing => {
                let _ = [&files.assembly, &files.resume, &files.resume_new, &files.part].map(|rest| remove(rest));
                "nothing is kept"
            }
            State::Untouched => "it has not been touched",
        };
        console::note(format_args!("interrupted: {out} is not complete; {rest}"));
        std::process::exit(130);
    };
    signals::on_end(handler).map_err(CommandError::io("signals", "handle"))
}
