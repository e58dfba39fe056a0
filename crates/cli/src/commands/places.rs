//! Where a table comes from, and where the answers go.

use super::reads::{Reads, refuse_replacing};
use crate::error::CommandError;
use crate::input::Format;
use crate::input::open::{Input, unknown_format};
use std::path::{Path, PathBuf};

/// The table and the answers.
#[derive(Debug, clap::Args)]
pub(crate) struct Places {
    /// The table; `-` is standard input
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// Where the answers go; `-` is standard output. A file appears only when it is complete
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// The format of both tables, where their names do not tell it (`-` is JSON Lines)
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
    /// The table.
    pub(crate) fn input(&self) -> Input {
        Input::new(&self.input)
    }

    /// Whether the answers go to standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        is_stdout(&self.out)
    }

    /// The formats of the table and of the answers.
    ///
    /// # Errors
    /// If nothing tells one.
    pub(crate) fn formats(&self) -> Result<(Format, Format), CommandError> {
        Ok((
            self.input().format(self.in_format.or(self.format))?,
            out_format(&self.out, self.out_format.or(self.format))?,
        ))
    }

    /// Refuses answers that would replace the table, or another file that the job reads.
    ///
    /// # Errors
    /// If they would.
    pub(crate) fn refuse_replacing(&self, reads: &[Reads<'_>]) -> Result<(), CommandError> {
        if self.is_stdout() {
            return Ok(());
        }
        let input = self.input();
        let table = input.regular().map(|path| ("--in", path));
        refuse_replacing(&self.out, reads.iter().copied().chain(table))
    }
}

/// Whether this says standard output.
pub(crate) fn is_stdout(out: &Path) -> bool {
    out.as_os_str() == "-"
}

/// The format of what goes to `out`: the one asked for, else the one that the name tells.
///
/// # Errors
/// If neither says.
pub(crate) fn out_format(out: &Path, asked: Option<Format>) -> Result<Format, CommandError> {
    match asked {
        Some(format) => Ok(format),
        None if is_stdout(out) => Ok(Format::Jsonl),
        None => Format::of(out).ok_or_else(|| unknown_format(out, "--out-format")),
    }
}
