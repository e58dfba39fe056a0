//! Checks on a batch's lengths before the decoder uses them. The decoder allocates as much memory as a
//! compressed buffer claims to hold, and a process that allocates more memory than there is ends without
//! reporting an error.
//!
//! In a compressed batch each buffer holds the length of its content as a 64-bit integer, then the compressed
//! bytes. The length -1 marks content that is stored uncompressed. The length of the content is limited by the
//! codec's greatest expansion:
//!
//! - LZ4: each byte adds at most 255 bytes to a literal's or match's length (LZ4 block format, "Sequences").
//! - Zstandard: a block holds at most 128 KiB, and takes at least 4 bytes (RFC 8878, 3.1.1.2: header and one
//!   repeated byte).
//!
//! This check rejects most damaged files. Files that are made to expand to far more than their own size are
//! rejected by [`LIMIT`](crate::input::memory::LIMIT).

use super::message::natural;
use crate::input::bad;
use crate::input::memory::{reserve, within_limit};
use arrow_ipc::{CompressionType, RecordBatch};
use std::io;

/// The number of bytes of the length that precedes a buffer's content.
const PREFIX: usize = 8;

/// The length that marks content as not compressed.
const STORED: i64 = -1;

/// The number of bytes that a row takes in a column besides its value: columns are decoded to views.
const VIEW: u64 = 16;

/// Checks that the buffers of a batch lie within its body, that compressed buffers can hold the lengths that
/// they claim, and that there is memory for the content. Returns the number of bytes that the batch takes
/// beyond its body if `columns` of its columns are decoded.
///
/// # Errors
/// Returns an error if one of these checks fails.
pub(super) fn check(batch: RecordBatch<'_>, body: &[u8], columns: usize) -> io::Result<u64> {
    let rows = natural(batch.length(), "the number of rows")?;
    let mut total = rows.saturating_mul(VIEW).saturating_mul(columns.max(1) as u64);
    let codec = batch.compression().map(|compression| Codec::of(compression.codec())).transpose()?;
    for (index, buffer) in batch.buffers().into_iter().flatten().enumerate() {
        let outside = || bad(format!("buffer {index} lies outside the message"));
        let [offset, length] = [buffer.offset(), buffer.length()].map(usize::try_from);
        let (Ok(offset), Ok(length)) = (offset, length) else { return Err(outside()) };
        let bytes = body.get(offset..).and_then(|rest| rest.get(..length)).ok_or_else(outside)?;
        if let (Some(codec), false) = (&codec, bytes.is_empty()) {
            total = total.saturating_add(codec.content(index, bytes)?);
        }
    }
    within_limit(total)?;
    reserve(total)?;
    Ok(total)
}

/// A codec of compressed buffers.
struct Codec {
    name: &'static str,
    /// The most bytes that one compressed byte can stand for.
    expansion: u64,
}

impl Codec {
    fn of(kind: CompressionType) -> io::Result<Self> {
        match kind {
            CompressionType::LZ4_FRAME => Ok(Self { name: "LZ4", expansion: 255 }),
            CompressionType::ZSTD => Ok(Self { name: "Zstandard", expansion: (128 << 10) / 4 }),
            other => Err(bad(format!("a codec {} where {} should be", other.0, super::CODECS))),
        }
    }

    /// Returns the length of a buffer after decompression, or 0 if it is stored uncompressed.
    fn content(&self, index: usize, buffer: &[u8]) -> io::Result<u64> {
        let Some((prefix, packed)) = buffer.split_first_chunk::<PREFIX>() else {
            let length = buffer.len();
            return Err(bad(format!("buffer {index} is compressed, and a length of {length} is too short for that")));
        };
        let claimed = match i64::from_le_bytes(*prefix) {
            STORED => return Ok(0),
            length => natural(length, format_args!("the length of the content of buffer {index}"))?,
        };
        let (packed, codec) = (packed.len(), self.name);
        if claimed > (packed as u64).saturating_mul(self.expansion) {
            let reason = format!("is said to hold {claimed} bytes, more than {packed} bytes of {codec} can");
            return Err(bad(format!("buffer {index} {reason}")));
        }
        Ok(claimed)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_content_of_a_compressed_buffer() {
        let content = |codec: &Codec, claimed: i64, packed: usize| {
            let mut buffer = claimed.to_le_bytes().to_vec();
            buffer.resize(PREFIX + packed, 7);
            codec.content(3, &buffer).map_err(|error| error.to_string())
        };
        for (kind, most) in [(CompressionType::LZ4_FRAME, 255), (CompressionType::ZSTD, 32768)] {
            let codec = Codec::of(kind).unwrap();
            assert_eq!(content(&codec, STORED, 9), Ok(0));
            assert_eq!(content(&codec, 0, 0), Ok(0));
            assert_eq!(content(&codec, 10 * most, 10), Ok(10 * most as u64));
            let refused =
                format!("buffer 3 is said to hold {} bytes, more than 10 bytes of {} can", 10 * most + 1, codec.name);
            assert_eq!(content(&codec, 10 * most + 1, 10), Err(refused));
            assert!(content(&codec, i64::MAX, 10).is_err());
            let refused = "the length of the content of buffer 3 is -2";
            assert_eq!(content(&codec, -2, 10), Err(refused.to_owned()));
            let short = codec.content(3, &[0; 7]).unwrap_err().to_string();
            assert_eq!(short, "buffer 3 is compressed, and a length of 7 is too short for that");
        }
        assert!(Codec::of(CompressionType(2)).is_err());
    }
}
