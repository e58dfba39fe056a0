//! Why a command could not run (exit status 2).

use bilinear_params::private::PrivateError;
use bilinear_schemes::predicate::KeyFileError;
use std::io;

/// One variant per cause; the message names the file or the argument, and the reason.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// Curve parameters.
    #[error(transparent)]
    Params(#[from] bilinear_params::Error),
    /// A file of a key or token.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// Arguments that contradict each other or are out of range.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be opened, created, read, written, renamed.
    #[error("{file}: cannot {action}: {source}")]
    Io {
        /// The file, or the name of the stream.
        file: String,
        /// What was tried.
        action: &'static str,
        /// The operating system's reason.
        source: io::Error,
    },
    /// An input file is damaged or of another format.
    #[error("{file}: not a readable {format} file: {reason}")]
    Damaged {
        /// The file.
        file: String,
        /// The format that it should have.
        format: &'static str,
        /// The reader's reason.
        reason: String,
    },
    /// The reader or writer of a format has given up in a way of its own.
    #[error("{file}: unexpected failure: {reason}")]
    Crashed {
        /// The file.
        file: String,
        /// Its last words.
        reason: String,
    },
    /// A column is not there.
    #[error("{file}: there is no column {column:?}; the columns are {known}")]
    MissingColumn {
        /// The file.
        file: String,
        /// The column asked for.
        column: String,
        /// Those that there are.
        known: String,
    },
    /// A column cannot hold what it should.
    #[error("{file}: column {column:?} has type {found}: it must be {wanted}")]
    ColumnType {
        /// The file.
        file: String,
        /// The column.
        column: String,
        /// Its type.
        found: String,
        /// The types that will do.
        wanted: &'static str,
    },
    /// A file of fixed points or messages holds something else.
    #[error("{file}: line {line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// The engine cannot compute with the curve, or the batch cannot be set up.
    #[error("{0}")]
    Engine(String),
    /// An interrupted run cannot be continued.
    #[error("{file}: cannot resume: {reason}")]
    Resume {
        /// The checkpoint or part file.
        file: String,
        /// What has changed.
        reason: String,
    },
}

/// What is said of bytes that are no text.
pub(crate) const NOT_TEXT: &str = "not UTF-8 text";

impl CommandError {
    /// A failure of the operating system.
    pub(crate) fn io(file: impl ToString, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_string();
        move |source| match source.kind() {
            // the words for a line that is none, in place of the standard library's
            io::ErrorKind::InvalidData if action == "read" => {
                Self::Io { file, action, source: io::Error::new(source.kind(), NOT_TEXT) }
            }
            _ => Self::Io { file, action, source },
        }
    }

    /// What keeps a secret from being read or written.
    pub(crate) fn private(file: impl ToString) -> impl FnOnce(PrivateError) -> Self {
        let file = file.to_string();
        move |error| match error {
            PrivateError::Io { action, source } => Self::Io { file, action, source },
            refused => Self::Usage(format!("{file}: {refused}")),
        }
    }

    /// True where the reader of standard output has gone, which ends a command quietly.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
