//! What can be wrong with a table in Arrow IPC.

use crate::input::memory::MemoryError;
use arrow_schema::ArrowError;
use std::io;

/// One variant per cause; who reports it names the file.
#[derive(Debug, thiserror::Error)]
pub(super) enum IpcError {
    /// The operating system does not give the bytes.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The content of a message, which its decoder refuses.
    #[error(transparent)]
    Decoder(#[from] ArrowError),
    /// The trouble is in one of several messages.
    #[error("{message}: {reason}")]
    In {
        /// Which one.
        message: String,
        /// Its trouble.
        reason: Box<IpcError>,
    },
    /// The file or stream ends too early.
    #[error("{what} is cut off: {wanted} bytes, of which {found} are there")]
    CutOff {
        /// The part that it ends in.
        what: &'static str,
        /// The part's length.
        wanted: u64,
        /// How much of it there is.
        found: u64,
    },
    /// A length or position that points out of what holds the part.
    #[error("{what} lies outside the {whole}")]
    Outside {
        /// The part.
        what: String,
        /// What should hold it.
        whole: &'static str,
    },
    /// A message that does not lie as the footer says.
    #[error("the metadata of a message ends at {found}, at {said} by the footer")]
    Head {
        /// The end, from the message's beginning, by the footer.
        said: u64,
        /// The end by the message.
        found: u64,
    },
    /// A length below zero.
    #[error("{what} is {value}")]
    Negative {
        /// The length of what.
        what: String,
        /// Its value.
        value: i64,
    },
    /// A flatbuffer that contradicts itself.
    #[error("bad {what}: {reason}")]
    Metadata {
        /// What it describes.
        what: &'static str,
        /// The verifier's reason.
        reason: String,
    },
    /// A part that each table has.
    #[error("there is no {0}")]
    Missing(&'static str),
    /// A message of the wrong kind.
    #[error("a {found} where {wanted} should be")]
    Kind {
        /// The kind that it says it is.
        found: String,
        /// What can stand there.
        wanted: &'static str,
    },
    /// Written on a machine of the other byte order.
    #[error("its numbers are big-endian, which is not supported")]
    BigEndian,
    /// A compressed buffer without the length that stands before its data.
    #[error("buffer {index} is compressed, and {length} bytes are too few for that")]
    NoPrefix {
        /// Its place in the batch.
        index: usize,
        /// Its length.
        length: usize,
    },
    /// A compressed buffer that is said to hold more than any of its length can.
    #[error("buffer {index} is said to hold {claimed} bytes, more than {packed} bytes of {codec} can")]
    Claim {
        /// Its place in the batch.
        index: usize,
        /// What it is said to hold.
        claimed: u64,
        /// The length of its compressed data.
        packed: usize,
        /// How it is compressed.
        codec: &'static str,
    },
    /// More memory than there may be, or is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}
