//! The error of a command that could not run (exit status 2).

use bilinear_params::private::PrivateError;
use bilinear_schemes::predicate::KeyFileError;
use std::error::Error;
use std::io;

/// An error with one variant per cause. Its message names the file or the argument, and the reason.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// The curve parameters are wrong.
    #[error(transparent)]
    Params(#[from] bilinear_params::Error),
    /// The file of a key or token is wrong.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// Arguments contradict each other or are out of range.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be opened, created, read, written or renamed.
    #[error("{file}: cannot {action}: {source}")]
    Io {
        /// The file, or the name of the stream.
        file: String,
        /// The action that failed.
        action: &'static str,
        /// The operating system's error.
        source: io::Error,
    },
    /// An input file is damaged, or is of another format than expected.
    #[error("{file}: not a readable {format} file: {reason}")]
    Damaged {
        /// The file.
        file: String,
        /// The expected format.
        format: &'static str,
        /// The reader's reason.
        reason: String,
    },
    /// The reader or writer of a format failed unexpectedly.
    #[error("{file}: unexpected failure: {reason}")]
    Crashed {
        /// The file.
        file: String,
        /// The reason that the reader or writer gave.
        reason: String,
    },
    /// A column does not exist in the file.
    #[error("{file}: there is no column {column:?}; the columns are {known}")]
    MissingColumn {
        /// The file.
        file: String,
        /// The requested column.
        column: String,
        /// The columns that the file has.
        known: String,
    },
    /// A column has a type that cannot hold the requested values.
    #[error("{file}: column {column:?} has type {found}: it must be {wanted}")]
    ColumnType {
        /// The file.
        file: String,
        /// The column.
        column: String,
        /// The column's type.
        found: String,
        /// The types that are accepted.
        wanted: &'static str,
    },
    /// A line in a file of fixed points or messages is invalid.
    #[error("{file}: line {line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The reason why the line is invalid.
        reason: String,
    },
    /// The engine cannot compute with the curve, or the batch cannot be set up.
    #[error("{0}")]
    Engine(String),
    /// An interrupted job cannot be resumed.
    #[error("{file}: cannot resume: {reason}")]
    Resume {
        /// The checkpoint or part file.
        file: String,
        /// The reason, such as an option that has changed.
        reason: String,
    },
}

/// The message for bytes that are not UTF-8 text.
pub(crate) const NOT_TEXT: &str = "not UTF-8 text";

impl CommandError {
    /// Returns a closure that wraps an operating system error, for use with `map_err`.
    pub(crate) fn io(file: impl ToString, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_string();
        move |source| match source.kind() {
            // replaces the standard library's message for a line that is not UTF-8
            io::ErrorKind::InvalidData if action == "read" => {
                Self::Io { file, action, source: io::Error::new(source.kind(), NOT_TEXT) }
            }
            _ => Self::Io { file, action, source },
        }
    }

    /// Makes the error of an operating system that gives no random bytes.
    pub(crate) fn randomness(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::io("the system's randomness", "read")(io::Error::other(error))
    }

    /// Returns a closure that wraps the error of reading or writing a secret file, for use with `map_err`.
    pub(crate) fn private(file: impl ToString) -> impl FnOnce(PrivateError) -> Self {
        let file = file.to_string();
        move |error| match error {
            PrivateError::Io { action, source } => Self::Io { file, action, source },
            refused => Self::Usage(format!("{file}: {refused}")),
        }
    }

    /// Returns true if the reader of standard output has gone away, which ends a command quietly.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
