//! Small text files and streams, line by line or as a whole.

use crate::error::{CommandError, NOT_TEXT};
use crate::input::lines::{Line, Lines, MAX_LINE};
use crate::input::signature::{MARK, MARKED};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Calls `each` with the number (from 1) and the text of every line of a file; `-` is standard input.
///
/// # Errors
/// Returns an error if the file cannot be read, if a line is not UTF-8 or is too long, if there is a byte-order
/// mark, or if `each` fails.
pub(crate) fn of_file(
    path: &Path,
    each: impl FnMut(u64, &str) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    if path.as_os_str() == "-" {
        return of_reader(io::stdin().lock(), "standard input", each);
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(CommandError::io(&name, "open"))?;
    of_reader(BufReader::new(file), &name, each)
}

/// Returns the text of a file, which has at most `most` bytes: the limit for `what` it is.
///
/// # Errors
/// Returns an error if the file cannot be read, is not UTF-8, or is too long.
pub(crate) fn whole(path: &Path, most: u64, what: &str) -> Result<String, CommandError> {
    let name = path.display().to_string();
    let mut text = String::new();
    let file = File::open(path).map_err(CommandError::io(&name, "open"))?;
    file.take(most + 1).read_to_string(&mut text).map_err(CommandError::io(&name, "read"))?;
    if text.len() as u64 > most {
        return Err(CommandError::Usage(format!("{name}: more than {most} bytes, the limit for {what}")));
    }
    Ok(text)
}

fn of_reader(
    reader: impl BufRead,
    file: &str,
    mut each: impl FnMut(u64, &str) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut lines = Lines::new(reader);
    loop {
        let kind = lines.advance().map_err(CommandError::io(file, "read"))?;
        let fault = |reason| CommandError::Line { file: file.to_owned(), line: lines.number(), reason };
        match kind {
            Line::End => return Ok(()),
            Line::TooLong => return Err(fault(format!("more than {MAX_LINE} bytes"))),
            Line::Whole if lines.number() == 1 && lines.line().starts_with(MARK) => {
                return Err(fault(MARKED.to_owned()));
            }
            Line::Whole => {
                let text = std::str::from_utf8(lines.line()).map_err(|_| fault(NOT_TEXT.to_owned()))?;
                each(lines.number(), text)?;
            }
        }
    }
}
