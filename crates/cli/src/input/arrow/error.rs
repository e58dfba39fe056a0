//! Errors in tables in the Arrow IPC format.

use crate::input::memory::MemoryError;
use arrow_schema::ArrowError;
use std::io;

/// An error with one variant per cause. The caller adds the file's name.
#[derive(Debug, thiserror::Error)]
pub(super) enum IpcError {
    /// The operating system reports an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The decoder rejects the content of a message.
    #[error(transparent)]
    Decoder(#[from] ArrowError),
    /// The error is in one of several messages.
    #[error("{message}: {reason}")]
    In {
        /// The message in question.
        message: String,
        /// The error in the message.
        reason: Box<IpcError>,
    },
    /// The file or stream ends too early.
    #[error("{what} is cut off: {found} of {wanted} bytes are there")]
    CutOff {
        /// The part that is cut off.
        what: &'static str,
        /// The part's length.
        wanted: u64,
        /// The number of bytes that are there.
        found: u64,
    },
    /// A length or offset places a part outside its container.
    #[error("{what} lies outside the {whole}")]
    Outside {
        /// The part.
        what: String,
        /// The container.
        whole: &'static str,
    },
    /// The layout of a message differs from what the footer states.
    #[error("the metadata of a message ends at {found}, at {said} by the footer")]
    Head {
        /// The end of the metadata as stated by the footer, relative to the message's beginning.
        said: u64,
        /// The end of the metadata according to the message.
        found: u64,
    },
    /// A length is negative.
    #[error("{what} is {value}")]
    Negative {
        /// The name of the length.
        what: String,
        /// The value.
        value: i64,
    },
    /// A flatbuffer is inconsistent.
    #[error("bad {what}: {reason}")]
    Metadata {
        /// The object that the flatbuffer describes.
        what: &'static str,
        /// The verifier's reason.
        reason: String,
    },
    /// A required part is missing.
    #[error("there is no {0}")]
    Missing(&'static str),
    /// A message is of the wrong kind.
    #[error("a {found} where {wanted} should be")]
    Kind {
        /// The kind that the message states.
        found: String,
        /// The kinds that are allowed there.
        wanted: &'static str,
    },
    /// The table was written in the other byte order.
    #[error("its numbers are big-endian, which is not supported")]
    BigEndian,
    /// A compressed buffer is too short for the length that precedes its data.
    #[error("buffer {index} is compressed, and a length of {length} is too short for that")]
    NoPrefix {
        /// The buffer's index in the batch.
        index: usize,
        /// The buffer's length.
        length: usize,
    },
    /// A compressed buffer claims more content than its codec can produce from its length.
    #[error("buffer {index} is said to hold {claimed} bytes, more than {packed} bytes of {codec} can")]
    Claim {
        /// The buffer's index in the batch.
        index: usize,
        /// The claimed length of the content.
        claimed: u64,
        /// The length of its compressed data.
        packed: usize,
        /// The name of the codec.
        codec: &'static str,
    },
    /// The table needs more memory than is allowed or available.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}
