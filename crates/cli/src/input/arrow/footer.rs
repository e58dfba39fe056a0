//! The file framing: a footer at the end holds the schema and the position of each message.

use super::message::{Message, Messages, read_exactly};
use super::stream::schema;
use crate::input::bad;
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Block, root_as_footer};
use arrow_schema::SchemaRef;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::vec::IntoIter;

/// The length of the end of the file: the footer's length and the magic word.
const TAIL: u64 = 10;

/// The messages that a footer lists: first the dictionaries, then the record batches.
pub(super) struct Blocks {
    file: BufReader<File>,
    places: IntoIter<Place>,
}

/// The position of a message as the footer states it.
#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    /// The number of bytes before the message's body.
    head: u64,
    /// The number of bytes of the whole message.
    length: u64,
}

impl Place {
    /// Returns the position that a block states, or `None` unless the message lies before `end`.
    fn of(block: &Block, end: u64) -> Option<Self> {
        let offset = u64::try_from(block.offset()).ok()?;
        let head = u64::try_from(block.metaDataLength()).ok()?;
        let length = head.checked_add(u64::try_from(block.bodyLength()).ok()?)?;
        (offset.checked_add(length)? <= end).then_some(Self { offset, head, length })
    }
}

/// Reads the footer, and checks that the footer and its blocks lie within the file.
///
/// # Errors
/// Returns an error if the footer or a block lies outside the file, or if the footer cannot be read.
pub(super) fn open(mut file: File) -> io::Result<(SchemaRef, Blocks)> {
    let outside = |what: &str| bad(format!("{what} lies outside the file"));
    let size = file.metadata()?.len();
    let mut tail = [0; TAIL as usize];
    let end = size.checked_sub(TAIL).ok_or_else(|| outside("the footer"))?;
    file.seek(SeekFrom::Start(end))?;
    file.read_exact(&mut tail)?;
    let length = read_footer_length(tail).map_err(bad)?;
    let end = end.checked_sub(length as u64).ok_or_else(|| outside("the footer"))?;
    file.seek(SeekFrom::Start(end))?;
    let footer = read_exactly(&mut file, length as u64, size - end, "the footer")?;
    let footer = root_as_footer(&footer).map_err(|error| bad(format!("bad footer: {error}")))?;
    let schema = schema(footer.schema().ok_or_else(|| bad("there is no schema"))?)?;
    let batches = footer.recordBatches().ok_or_else(|| bad("there is no list of record batches"))?;
    let blocks = footer.dictionaries().into_iter().flatten().chain(batches);
    let places: Option<Vec<_>> = blocks.map(|block| Place::of(block, end)).collect();
    let places = places.ok_or_else(|| outside("a block"))?.into_iter();
    Ok((schema, Blocks { file: BufReader::new(file), places }))
}

impl Messages for Blocks {
    fn next_message(&mut self) -> io::Result<Option<Message>> {
        let Some(place) = self.places.next() else { return Ok(None) };
        self.file.seek(SeekFrom::Start(place.offset))?;
        match Message::read(&mut self.file, place.length, false)? {
            Some(message) if message.head == place.head => Ok(Some(message)),
            Some(Message { head, .. }) => {
                let said = place.head;
                Err(bad(format!("the metadata of a message ends at {head}, at {said} by the footer")))
            }
            None => Err(bad("there is no message in a block")),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use arrow_array::{ArrayRef, Int64Array, RecordBatch};
    use arrow_ipc::writer::FileWriter;
    use std::io::Write;
    use std::sync::Arc;

    fn open_bytes(bytes: &[u8]) -> Result<Blocks, String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        open(file).map(|(_, blocks)| blocks).map_err(|error| error.to_string())
    }

    #[test]
    fn blocks_must_lie_within_the_file() {
        let column: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
        let batch = RecordBatch::try_from_iter([("a", column)]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        let whole = writer.into_inner().unwrap();
        let mut blocks = open_bytes(&whole).unwrap();
        assert!(blocks.next_message().unwrap().is_some());
        assert!(blocks.next_message().unwrap().is_none());
        let words = |length: usize| open_bytes(&whole[..length]).err().unwrap();
        assert!(words(5).contains("the footer lies outside the file"));
        assert!(words(whole.len() - 1).contains("correct footer"));
        // the block's offset and lengths are at unknown positions in the footer
        let length = i32::from_le_bytes(whole[whole.len() - 10..][..4].try_into().unwrap()) as usize;
        let changed = (whole.len() - 10 - length..whole.len() - 10).filter(|position| {
            let mut bytes = whole.clone();
            bytes[*position] ^= 0x70;
            open_bytes(&bytes).is_err_and(|reason| reason.contains("a block lies outside the file"))
        });
        assert!(changed.count() >= 7 + 3 + 7, "the high bytes of offset and lengths");
    }

    #[test]
    fn a_block_must_hold_a_message() {
        let column: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
        let batch = RecordBatch::try_from_iter([("a", column)]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        let whole = writer.into_inner().unwrap();
        let offset = open_bytes(&whole).unwrap().places.next().unwrap().offset as usize;
        let words = |change: &dyn Fn(&mut [u8])| {
            let mut bytes = whole.clone();
            change(&mut bytes[offset..]);
            open_bytes(&bytes).unwrap().next_message().err().unwrap().to_string()
        };
        assert_eq!(words(&|bytes| bytes[4..8].fill(0)), "there is no message in a block");
        assert!(words(&|bytes| bytes[4] -= 8).ends_with("by the footer"));
        let reason = words(&|bytes| bytes[6] = 1);
        assert!(reason.ends_with("lies outside the block"), "{reason}");
    }
}
