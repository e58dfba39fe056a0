//! Reading a single message, which is framed in the same way in files and in streams: a marker, the length of
//! the metadata, the metadata (a flatbuffer), and a body. The metadata holds the body's length.
//! <https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format>

use crate::input::bad;
use crate::input::memory::no_memory;
use arrow_buffer::Buffer;
use arrow_ipc::{Message as Root, root_as_message};
use std::fmt::Display;
use std::io::{self, Read};

/// The marker before the length of the metadata. Files from before version 0.15 lack it.
const MARKER: [u8; 4] = [0xff; 4];

/// The first step of allocation for bytes that have not been read yet. More is allocated only as bytes arrive.
const STEP: usize = 64 << 20;

/// A source of messages, in the order in which they are decoded.
pub(super) trait Messages: Send {
    /// Returns the next message, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if the message is incomplete.
    fn next_message(&mut self) -> io::Result<Option<Message>>;
}

/// A message in memory.
pub(super) struct Message {
    metadata: Vec<u8>,
    /// The number of bytes before the message's body.
    pub(super) head: u64,
    /// The body, in which the message's buffers lie.
    pub(super) body: Buffer,
}

impl Message {
    /// Reads the message at the current position, of at most `room` bytes. Returns `None` at a marked end, and
    /// at the end of the input if `is_bare`: a stream without the framing of a file may end without a mark.
    ///
    /// # Errors
    /// Returns an error if the message is cut off or larger than `room`, or if its metadata is not that of a
    /// message.
    pub(super) fn read(input: &mut impl Read, room: u64, is_bare: bool) -> io::Result<Option<Self>> {
        let word = "the length of a message";
        let mut length = read(input, 4, room, word)?;
        let mut head = 4;
        if length.is_empty() && is_bare {
            return Ok(None);
        }
        if length == MARKER {
            length = read(input, 4, room - head, word)?;
            head += 4;
        }
        let Ok(length) = length.as_slice().try_into().map(i32::from_le_bytes) else {
            return Err(cut_off(word, 4, length.len()));
        };
        if length == 0 {
            return Ok(None);
        }
        let what = "the metadata of a message";
        let metadata =
            read_exactly(input, natural(length.into(), format_args!("the length of {what}"))?, room - head, what)?;
        head += metadata.len() as u64;
        let mut message = Self { metadata, head, body: Buffer::default() };
        let what = "the body of a message";
        let length = natural(message.root()?.bodyLength(), format_args!("the length of {what}"))?;
        message.body = read_exactly(input, length, room - head, what)?.into();
        Ok(Some(message))
    }

    /// Parses the metadata.
    ///
    /// # Errors
    /// Returns an error if the metadata is inconsistent.
    pub(super) fn root(&self) -> io::Result<Root<'_>> {
        root_as_message(&self.metadata).map_err(|error| bad(format!("bad message: {error}")))
    }
}

/// Converts a number.
///
/// # Errors
/// Returns an error if the number is negative.
pub(super) fn natural(value: i64, what: impl Display) -> io::Result<u64> {
    u64::try_from(value).map_err(|_| bad(format!("{what} is {value}")))
}

/// Makes the error for an input that ends too early.
fn cut_off(what: &str, wanted: u64, found: usize) -> io::Error {
    bad(format!("{what} is cut off: {found} of {wanted} bytes are there"))
}

/// Reads exactly `wanted` bytes.
///
/// # Errors
/// Returns an error if the input ends before, or if `wanted` exceeds the `room` of `what`.
pub(super) fn read_exactly(input: &mut impl Read, wanted: u64, room: u64, what: &str) -> io::Result<Vec<u8>> {
    let bytes = read(input, wanted, room, what)?;
    if bytes.len() as u64 == wanted { Ok(bytes) } else { Err(cut_off(what, wanted, bytes.len())) }
}

/// Reads `wanted` bytes, or fewer at the end of the input. Memory grows with the bytes that arrive, doubling
/// from [`STEP`].
fn read(input: &mut impl Read, wanted: u64, room: u64, what: &str) -> io::Result<Vec<u8>> {
    if wanted > room {
        return Err(bad(format!("{what}, of {wanted} bytes, lies outside the block")));
    }
    let mut bytes = Vec::new();
    loop {
        let step = (wanted - bytes.len() as u64).min(bytes.len().max(STEP) as u64);
        let reserved = bytes.try_reserve_exact(usize::try_from(step).unwrap_or(usize::MAX));
        reserved.map_err(|_| no_memory(bytes.len() as u64 + step))?;
        let found = input.take(step).read_to_end(&mut bytes)? as u64;
        if found < step || bytes.len() as u64 == wanted {
            return Ok(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn words(bytes: &[u8], room: u64) -> String {
        Message::read(&mut &*bytes, room, true).map(|message| message.is_some()).unwrap_err().to_string()
    }

    #[test]
    fn claimed_lengths_are_not_trusted() {
        let mut head = MARKER.to_vec();
        let read = |bytes: &[u8], is_bare| Message::read(&mut &*bytes, 9, is_bare);
        assert!(read(&[], true).unwrap().is_none(), "the end of a stream");
        assert!(read(&[], false).is_err(), "a file that is cut between two messages");
        assert!(read(&[0; 4], false).unwrap().is_none(), "a marked end");
        assert_eq!(words(&head[..2], 9), "the length of a message is cut off: 2 of 4 bytes are there");
        assert_eq!(words(&head, 9), "the length of a message is cut off: 0 of 4 bytes are there");
        assert_eq!(words(&head, 6), "the length of a message, of 4 bytes, lies outside the block");
        head.extend((-8_i32).to_le_bytes());
        assert_eq!(words(&head, 9), "the length of the metadata of a message is -8");
        head.splice(4.., i32::MAX.to_le_bytes());
        let largest = "the metadata of a message";
        assert_eq!(words(&head, 99), format!("{largest}, of 2147483647 bytes, lies outside the block"));
        assert_eq!(words(&head, u64::MAX), format!("{largest} is cut off: 0 of 2147483647 bytes are there"));
        head.splice(4.., 8_i32.to_le_bytes());
        head.extend([0x55; 8]);
        assert!(words(&head, 99).starts_with("bad message: "));
    }

    #[test]
    fn messages_longer_than_one_step_are_read() {
        let wanted = 3 * STEP as u64 + 5;
        let whole = read(&mut io::repeat(7), wanted, wanted, "a body").unwrap();
        assert!(whole.len() as u64 == wanted && whole.iter().all(|byte| *byte == 7));
        let short = read(&mut io::repeat(7).take(STEP as u64 + 1), wanted, wanted, "a body").unwrap();
        assert_eq!(short.len(), STEP + 1);
        assert!(short.capacity() <= 2 * STEP);
    }
}
