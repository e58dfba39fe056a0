//! Where a table comes from, and where the answers go.

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
        self.out.as_os_str() == "-"
    }

    /// The formats of the table and of the answers.
    ///
    /// # Errors
    /// If nothing tells one, or the answers would replace the table.
    pub(crate) fn formats(&self) -> Result<(Format, Format), CommandError> {
        let formats = (self.input().format(self.in_format.or(self.format))?, self.out_format()?);
        if same_file(&self.input, &self.out) {
            return Err(CommandError::Usage(format!("{}: --out would replace the input", self.out.display())));
        }
        Ok(formats)
    }

    fn out_format(&self) -> Result<Format, CommandError> {
        match self.out_format.or(self.format) {
            Some(format) => Ok(format),
            None if self.is_stdout() => Ok(Format::Jsonl),
            None => Format::of(&self.out).ok_or_else(|| unknown_format(&self.out, "--out-format")),
        }
    }
}

/// Whether both paths lead to one file.
fn same_file(a: &Path, b: &Path) -> bool {
    a.is_file() && a.canonicalize().ok() == b.canonicalize().ok()
}
