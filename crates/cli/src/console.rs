//! The only module that writes to the standard streams.
//!
//! If the reader of standard output goes away (`bilinear curves | head`), the command ends quietly, with an
//! exit status of its own. Any other failure of standard output is reported, since the result would be
//! incomplete.

use crate::error::CommandError;
use crate::secret;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};

/// Writes a text to standard output.
///
/// # Errors
/// Returns an error if standard output does not accept the text: the disk behind a redirection is full, or the
/// reader has gone away.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref()).and_then(|()| out.flush()).map_err(CommandError::io("standard output", "write"))
}

/// Formats a value as indented JSON with a final newline.
///
/// # Errors
/// Returns an error if the value cannot be serialised.
pub(crate) fn json(value: &impl Serialize) -> Result<String, CommandError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| CommandError::Usage(error.to_string()))?;
    Ok(text + "\n")
}

/// Writes a message and a newline to standard error. A failure is ignored: if standard error is closed, there
/// is no way to report it.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// Writes `error: ` and the message to standard error, with anything that may be a key removed from the
/// message.
pub(crate) fn error(message: impl Display) {
    note(format_args!("error: {}", secret::without_keys_in(&message.to_string())));
}
