//! The one place that writes to the standard streams.
//!
//! A reader that goes away (`bilinear curves | head`) ends the command quietly, with a status of its own. Any other failure of standard
//! output is reported, since the result would be incomplete.

use crate::error::CommandError;
use crate::secret;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};

/// Writes a text to standard output.
///
/// # Errors
/// If standard output cannot take it: a full disk behind a redirection, or a reader that has gone.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// A value as indented JSON and a line end.
///
/// # Errors
/// If it cannot be written so.
pub(crate) fn json(value: &impl Serialize) -> Result<String, CommandError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| CommandError::Usage(error.to_string()))?;
    Ok(text + "\n")
}

/// Writes a message and a line end to standard error; where that is closed there is nobody left to tell.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// Writes `error: ` and the message, without what may be a key in it, to standard error.
pub(crate) fn error(message: impl Display) {
    note(format_args!("error: {}", secret::without_keys_in(&message.to_string())));
}
