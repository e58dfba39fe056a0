//! Opening the input that the user names.

use super::jsonl::JsonLines;
use super::{Extent, Fields, Format, Source, arrow, parquet, signature};
use crate::error::CommandError;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The number of rows per chunk when the rows of a table are counted.
const COUNTED: usize = 1024;

/// The input of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input, given as `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Input {
    /// Creates the input from the user's argument.
    pub(crate) fn new(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// Returns the path, if the input is a file that can be read more than once: neither a pipe nor a device.
    pub(crate) fn regular(&self) -> Option<&Path> {
        match self {
            Self::File(path) if !is_special(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the input's name for messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Returns the requested format, or else the format that the file's name determines.
    ///
    /// # Errors
    /// Returns an error if neither determines the format, or if the file does not exist.
    pub(crate) fn format(&self, asked: Option<Format>) -> Result<Format, CommandError> {
        match (asked, self) {
            (Some(format), _) => Ok(format),
            (None, Self::Stdin) => Ok(Format::Jsonl),
            (None, Self::File(path)) => match (Format::of(path), path.metadata()) {
                (Some(format), _) => Ok(format),
                // a file that does not exist is reported first, since its name may be wrong
                (None, Err(error)) => Err(CommandError::io(path.display(), "open")(error)),
                (None, Ok(_)) => Err(unknown_format(path, "--in-format")),
            },
        }
    }

    /// Counts the rows of the table: from its footer, or by reading it through.
    ///
    /// # Errors
    /// Returns an error where [`Input::open`] does, or if the table cannot be read to its end.
    pub(crate) fn count(&self, format: Format) -> Result<u64, CommandError> {
        let mut source = self.open(format, Fields::default())?;
        if let Extent::Rows(rows) = source.extent() {
            return Ok(rows);
        }
        let mut rows = 0;
        while let Some(chunk) = source.next_chunk(COUNTED)? {
            rows += chunk.rows.len() as u64;
        }
        Ok(rows)
    }

    /// Opens the table.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not of this format, or lacks a column.
    pub(crate) fn open(&self, format: Format, fields: Fields) -> Result<Box<dyn Source>, CommandError> {
        let name = self.name();
        let file = match self {
            Self::File(path) => {
                let file = File::open(path).map_err(CommandError::io(&name, "open"))?;
                let about = file.metadata().map_err(CommandError::io(&name, "open"))?;
                if about.is_dir() {
                    return Err(CommandError::io(&name, "open")(io::ErrorKind::IsADirectory.into()));
                }
                Some((file, about))
            }
            Self::Stdin => None,
        };
        Ok(match (format, file) {
            (Format::Jsonl, None) => Box::new(lines(BufReader::new(io::stdin()), fields, name, None)?),
            (Format::Jsonl, Some((file, about))) => {
                let size = about.is_file().then_some(about.len());
                Box::new(lines(BufReader::with_capacity(1 << 16, file), fields, name, size)?)
            }
            (Format::Arrow, None) => Box::new(arrow::stream(io::stdin(), fields, name)?),
            (Format::Arrow, Some((file, about))) if !about.is_file() => Box::new(arrow::stream(file, fields, name)?),
            (Format::Arrow, Some((file, _))) => Box::new(arrow::open(file, fields, name)?),
            (Format::Parquet, Some((file, about))) if about.is_file() => Box::new(parquet::open(file, fields, name)?),
            (Format::Parquet, _) => {
                return Err(CommandError::Usage(format!(
                    "{name}: {FROM_ITS_END}; use Arrow or JSON Lines for streams"
                )));
            }
        })
    }
}

/// Returns true if a path leads to a pipe or a device, rather than to a file, to a directory or to nothing.
pub(crate) fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// The reason why Parquet cannot be read from a pipe.
pub(super) const FROM_ITS_END: &str =
    "Parquet is read from its end: by its path (--in FILE), not from standard input or a pipe";

/// Makes the error for a file whose name does not determine a format.
pub(crate) fn unknown_format(path: &Path, option: &str) -> CommandError {
    let known = Format::ENDINGS.map(|(ending, _)| format!(".{ending}")).join(", ");
    CommandError::Usage(format!("{}: the name does not tell the format ({known}): add {option}", path.display()))
}

/// Opens JSON Lines, unless the first bytes are those of another format.
fn lines<R: BufRead + Send>(
    mut reader: R,
    fields: Fields,
    file: String,
    size: Option<u64>,
) -> Result<JsonLines<R>, CommandError> {
    signature::check(&mut reader, &file, size.is_some())?;
    Ok(JsonLines::new(reader, fields, file, size))
}
