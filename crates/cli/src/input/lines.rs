//! Reading lines of bounded length.

use std::io::{self, BufRead};

/// The most bytes of a line; a row of the largest curve needs some ten thousand bytes.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// The result of reading a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The end of the input.
    End,
    /// The line is in the buffer, without its line end.
    Whole,
    /// The line has more than [`MAX_LINE`] bytes and was skipped.
    TooLong,
}

/// A reader of lines, which counts them.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader of the lines of `reader`.
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, line: Vec::new(), number: 0, bytes: 0 }
    }

    /// Returns the number of the current line, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the current line without its end (a line feed, with or without a carriage return before it).
    pub(crate) fn line(&self) -> &[u8] {
        self.line.strip_suffix(b"\r").unwrap_or(&self.line)
    }

    /// Reads the next line.
    pub(crate) fn advance(&mut self) -> io::Result<Line> {
        self.line.clear();
        let (mut any, mut too_long) = (false, false);
        loop {
            let buffer = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                result => result?,
            };
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            too_long |= self.line.len() + part.len() > MAX_LINE;
            if !too_long {
                self.line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.bytes += used as u64;
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        self.number += u64::from(any);
        Ok(match (any, too_long) {
            (false, _) => Line::End,
            (true, false) => Line::Whole,
            (true, true) => Line::TooLong,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_of_every_kind_across_buffers() {
        let long = "x".repeat(MAX_LINE + 1);
        let most = "y".repeat(MAX_LINE);
        let text = format!("ab\r\n\n{long}\n{most}\nlast");
        let mut lines = Lines::new(BufReader::with_capacity(7, text.as_bytes()));
        let mut seen = Vec::new();
        loop {
            match lines.advance().unwrap() {
                Line::End => break,
                kind => seen.push((kind, lines.number(), lines.line().len())),
            }
        }
        let wanted = [
            (Line::Whole, 1, 2),
            (Line::Whole, 2, 0),
            (Line::TooLong, 3, 0),
            (Line::Whole, 4, MAX_LINE),
            (Line::Whole, 5, 4),
        ];
        assert_eq!(
            seen.iter().map(|(k, n, l)| (*k, *n, if *k == Line::TooLong { 0 } else { *l })).collect::<Vec<_>>(),
            wanted
        );
        assert_eq!(lines.bytes(), text.len() as u64);
    }
}
