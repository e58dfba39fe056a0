//! One message as it is framed in files and streams alike: a marker, the length of its metadata, the metadata (a
//! flatbuffer) and a body whose length the metadata tells.
//! <https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format>

use super::error::IpcError;
use crate::input::memory::MemoryError;
use arrow_buffer::Buffer;
use arrow_ipc::{Message as Root, root_as_message};
use std::io::Read;

/// Stands before the length of the metadata; files from before version 0.15 lack it.
const MARKER: [u8; 4] = [0xff; 4];

/// How much is set aside at most for bytes that have not been read yet; more only as they arrive.
const STEP: usize = 64 << 20;

/// Messages in the order in which they are decoded.
pub(super) trait Messages: Send {
    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// If it is not there as a whole.
    fn next_message(&mut self) -> Result<Option<Message>, IpcError>;
}

/// A message in memory.
pub(super) struct Message {
    metadata: Vec<u8>,
    /// The bytes before its body.
    pub(super) head: u64,
    /// What its buffers lie in.
    pub(super) body: Buffer,
}

impl Message {
    /// Reads the message that begins here, which has `room` bytes at most; `None` at the end of a stream, marked or not.
    ///
    /// # Errors
    /// If it is cut off, larger than its room, or its metadata is not a message's.
    pub(super) fn read(input: &mut impl Read, room: u64) -> Result<Option<Self>, IpcError> {
        let word = "the length of a message";
        let mut length = read(input, 4, room, word)?;
        let mut head = 4;
        if length.is_empty() {
            return Ok(None);
        }
        if length == MARKER {
            length = read(input, 4, room - head, word)?;
            head += 4;
        }
        let Ok(length) = length.as_slice().try_into().map(i32::from_le_bytes) else {
            return Err(IpcError::CutOff { what: word, wanted: 4, found: length.len() as u64 });
        };
        if length == 0 {
            return Ok(None);
        }
        let what = "the metadata of a message";
        let metadata = read_exactly(input, natural(length.into(), what)?, room - head, what)?;
        head += metadata.len() as u64;
        let mut message = Self { metadata, head, body: Buffer::default() };
        let what = "the body of a message";
        let length = natural(message.root()?.bodyLength(), what)?;
        message.body = read_exactly(input, length, room - head, what)?.into();
        Ok(Some(message))
    }

    /// The metadata.
    ///
    /// # Errors
    /// If it contradicts itself.
    pub(super) fn root(&self) -> Result<Root<'_>, IpcError> {
        let bad = |error: &dyn ToString| IpcError::Metadata { what: "message", reason: error.to_string() };
        root_as_message(&self.metadata).map_err(|error| bad(&error))
    }
}

/// A length that is not below zero.
fn natural(length: i64, what: &str) -> Result<u64, IpcError> {
    let negative = |_| IpcError::Negative { what: format!("the length of {what}"), value: length };
    u64::try_from(length).map_err(negative)
}

/// Reads so many bytes, no fewer.
///
/// # Errors
/// If they are cut off, or are more than the `room` that `what` has.
pub(super) fn read_exactly(
    input: &mut impl Read,
    wanted: u64,
    room: u64,
    what: &'static str,
) -> Result<Vec<u8>, IpcError> {
    let bytes = read(input, wanted, room, what)?;
    let found = bytes.len() as u64;
    if found == wanted { Ok(bytes) } else { Err(IpcError::CutOff { what, wanted, found }) }
}

/// Reads so many bytes, fewer at the end of the input. Memory grows with the bytes that arrive, doubling from [`STEP`].
fn read(input: &mut impl Read, wanted: u64, room: u64, what: &'static str) -> Result<Vec<u8>, IpcError> {
    if wanted > room {
        return Err(IpcError::Outside { what: format!("{what}, of {wanted} bytes,"), whole: "block" });
    }
    let mut bytes = Vec::new();
    loop {
        let step = (wanted - bytes.len() as u64).min(bytes.len().max(STEP) as u64);
        let reserved = bytes.try_reserve_exact(usize::try_from(step).unwrap_or(usize::MAX));
        reserved.map_err(|_| MemoryError::NoMemory { bytes: bytes.len() as u64 + step })?;
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
        Message::read(&mut &*bytes, room).map(|message| message.is_some()).unwrap_err().to_string()
    }

    #[test]
    fn lengths_are_not_believed() {
        let mut head = MARKER.to_vec();
        assert!(Message::read(&mut [].as_slice(), 9).unwrap().is_none(), "the end of a stream");
        assert!(Message::read(&mut [0; 4].as_slice(), 9).unwrap().is_none(), "a marked end");
        assert_eq!(words(&head[..2], 9), "the length of a message is cut off: 4 bytes, of which 2 are there");
        assert_eq!(words(&head, 9), "the length of a message is cut off: 4 bytes, of which 0 are there");
        assert_eq!(words(&head, 6), "the length of a message, of 4 bytes, lies outside the block");
        head.extend((-8_i32).to_le_bytes());
        assert_eq!(words(&head, 9), "the length of the metadata of a message is -8");
        head.splice(4.., i32::MAX.to_le_bytes());
        let largest = "the metadata of a message";
        assert_eq!(words(&head, 99), format!("{largest}, of 2147483647 bytes, lies outside the block"));
        assert_eq!(words(&head, u64::MAX), format!("{largest} is cut off: 2147483647 bytes, of which 0 are there"));
        head.splice(4.., 8_i32.to_le_bytes());
        head.extend([0x55; 8]);
        assert!(words(&head, 99).starts_with("bad message: "));
    }

    #[test]
    fn reading_goes_on_beyond_a_step() {
        let wanted = 3 * STEP as u64 + 5;
        let whole = read(&mut std::io::repeat(7), wanted, wanted, "a body").unwrap();
        assert!(whole.len() as u64 == wanted && whole.iter().all(|byte| *byte == 7));
        let short = read(&mut std::io::repeat(7).take(STEP as u64 + 1), wanted, wanted, "a body").unwrap();
        assert_eq!(short.len(), STEP + 1);
        assert!(short.capacity() <= 2 * STEP);
    }
}
