//! Arrow tables with wrong lengths, compressed or not: each is refused, whatever the lengths.

use crate::support::*;
use arrow_array::types::Int32Type;
use arrow_array::*;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{Buffer, CompressionType, MessageHeader, root_as_message};
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

const CODECS: [Option<CompressionType>; 3] = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];

/// The number of rows, which is not the length of any buffer.
const ROWS: usize = 57;

/// A table in one framing and compression.
struct Table {
    name: &'static str,
    codec: Option<CompressionType>,
    bytes: Vec<u8>,
}

/// The positions of a message's parts in the bytes of its table.
struct Message {
    metadata: Range<usize>,
    body: Range<usize>,
    buffers: Vec<Buffer>,
    rows: i64,
}

impl Table {
    fn new(name: &'static str, codec: Option<CompressionType>, batch: &RecordBatch) -> Self {
        let options = IpcWriteOptions::default().try_with_compression(codec).unwrap();
        let schema = batch.schema();
        let bytes = if name.ends_with("arrow") {
            let mut writer = FileWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
            writer.write(batch).unwrap();
            writer.into_inner().unwrap()
        } else {
            let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
            writer.write(batch).unwrap();
            writer.into_inner().unwrap()
        };
        Self { name, codec, bytes }
    }

    /// Finds the first message of a kind.
    fn message(&self, kind: MessageHeader) -> Message {
        // a file is a stream after a magic word and zeros
        let mut begin = self.bytes.iter().position(|byte| *byte == 0xff).unwrap();
        loop {
            let length = i32::from_le_bytes(self.bytes[begin + 4..begin + 8].try_into().unwrap());
            let metadata = begin + 8..begin + 8 + length as usize;
            let message = root_as_message(&self.bytes[metadata.clone()]).unwrap();
            let body = metadata.end..metadata.end + message.bodyLength() as usize;
            begin = body.end;
            if message.header_type() != kind {
                continue;
            }
            let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
            let batch = message.header_as_record_batch().or(dictionary).unwrap();
            let buffers = batch.buffers().unwrap().iter().copied().collect();
            return Message { metadata: metadata.clone(), body, buffers, rows: batch.length() };
        }
    }

    fn batch(&self) -> Message {
        self.message(MessageHeader::RecordBatch)
    }

    /// Returns the table with the bytes at a position replaced.
    fn with(&self, position: usize, bytes: impl AsRef<[u8]>) -> Self {
        let mut changed = self.bytes.clone();
        changed[position..position + bytes.as_ref().len()].copy_from_slice(bytes.as_ref());
        Self { bytes: changed, ..*self }
    }

    /// Returns the table with a 64-bit value in a message's metadata replaced, wherever the old value is.
    #[track_caller]
    fn with_value(&self, message: &Message, old: &[i64], new: &[i64]) -> Self {
        let bytes = |values: &[i64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
        let (old, new) = (bytes(old), bytes(new));
        let metadata = &self.bytes[message.metadata.clone()];
        let mut places = (0..=metadata.len() - old.len()).filter(|at| metadata[*at..].starts_with(&old));
        let place = places.next().unwrap();
        assert!(places.next().is_none(), "the value is there twice");
        self.with(message.metadata.start + place, new)
    }

    /// Runs the command on the table, and also on standard input if it is a stream: each run must refuse it
    /// with these words.
    #[track_caller]
    fn is_refused(&self, words: &str) {
        let folder = Folder::new();
        folder.write(self.name, &self.bytes);
        let run = folder.pair(&format!("--in {} --product-by id --out v.jsonl", self.name)).ends(2);
        run.says(&format!("error: {}: not a readable Arrow file: ", self.name)).says(words);
        if self.name == "t.ipc" {
            let mut command = folder.command(&format!("pair --params {TOY} --in-format arrow --product-by id"));
            let output = command.stdin(File::open(folder.path(self.name)).unwrap()).output().unwrap();
            let run = Run::of(&output).ends(2);
            run.says("error: standard input: not a readable Arrow file: ").says(words);
        }
    }
}

/// Returns rows that compress well: the same two points and few groups.
fn well_packed() -> RecordBatch {
    let points: ArrayRef =
        Arc::new(BinaryArray::from_iter_values((0..ROWS).map(|_| point(1).bytes().unwrap().to_vec())));
    let texts = (0..ROWS).map(|row| format!("a rather long name for a group, of which there are few: {}", row / 32));
    let groups: DictionaryArray<Int32Type> = texts.collect::<Vec<_>>().iter().map(|text| Some(text.as_str())).collect();
    RecordBatch::try_from_iter([("p", points.clone()), ("q", points), ("id", Arc::new(groups))]).unwrap()
}

fn tables() -> impl Iterator<Item = Table> {
    let batch = well_packed();
    let each = move |name| CODECS.map(|codec| Table::new(name, codec, &batch));
    ["t.arrow", "t.ipc"].into_iter().flat_map(each)
}

/// Finds a compressed buffer: its index in the batch, and its position in the table.
fn packed(table: &Table, message: &Message) -> Option<(usize, usize)> {
    table.codec?;
    message.buffers.iter().enumerate().find_map(|(index, buffer)| {
        let position = message.body.start + buffer.offset() as usize;
        let prefix = table.bytes.get(position..position + 8).filter(|_| buffer.length() > 8)?;
        (i64::from_le_bytes(prefix.try_into().unwrap()) > 0).then_some((index, position))
    })
}

#[test]
fn undamaged_tables_are_read() {
    let folder = Folder::new();
    for table in tables() {
        folder.write(table.name, &table.bytes);
        assert_eq!(folder.pair(&format!("--in {}", table.name)).ends(0).records().len(), ROWS);
        assert_eq!(folder.pair(&format!("--in {} --product-by id", table.name)).ends(0).records().len(), 2);
    }
}

#[test]
fn the_length_of_a_compressed_buffers_content() {
    let mut count = 0;
    for table in tables() {
        for (name, kind) in
            [("record batch", MessageHeader::RecordBatch), ("dictionary", MessageHeader::DictionaryBatch)]
        {
            let message = table.message(kind);
            let Some((index, position)) = packed(&table, &message) else { continue };
            let inside = format!("{name} 0: ");
            // one flipped bit in the high bytes, as damage causes it, and the largest 64-bit integer
            for claimed in [1 << 36, 1 << 40, 1 << 60, i64::MAX] {
                let words = format!("{inside}buffer {index} is said to hold {claimed} bytes, more than ");
                table.with(position, claimed.to_le_bytes()).is_refused(&words);
            }
            for claimed in [-2, i64::MIN] {
                let words = format!("{inside}the length of the content of buffer {index} is {claimed}");
                table.with(position, claimed.to_le_bytes()).is_refused(&words);
            }
            // plausible but wrong lengths
            let length = i64::from_le_bytes(table.bytes[position..position + 8].try_into().unwrap());
            for claimed in [length - 1, length + 1, length + 256] {
                table.with(position, claimed.to_le_bytes()).is_refused(&inside);
            }
            // damage in the compressed bytes themselves
            table.with(position + 8, [0xff; 4]).is_refused(&inside);
            count += 1;
        }
    }
    assert_eq!(count, 2 * 2 * 2, "both codecs in both framings, batch and dictionary");
}

#[test]
fn the_place_of_a_buffer() {
    for table in tables() {
        let message = table.batch();
        let body = message.body.len() as i64;
        let (index, buffer) = message.buffers.iter().enumerate().rfind(|(_, buffer)| buffer.length() > 8).unwrap();
        let (offset, length) = (buffer.offset(), buffer.length());
        let words = format!("record batch 0: buffer {index} lies outside the message");
        for place in [[offset, body], [offset, -1], [body + 8, length], [-8, length], [i64::MAX, length], [8, i64::MAX]]
        {
            table.with_value(&message, &[offset, length], &place).is_refused(&words);
        }
        if table.codec.is_some() {
            let words =
                format!("record batch 0: buffer {index} is compressed, and a length of 5 is too short for that");
            table.with_value(&message, &[offset, length], &[offset, 5]).is_refused(&words);
        }
    }
}

#[test]
fn the_length_of_a_message() {
    for table in tables() {
        let message = table.batch();
        let is_file = table.name == "t.arrow";
        let body = message.body.len() as i64;
        for length in [body + (1 << 20), 1 << 40, i64::MAX] {
            let words = if is_file {
                format!("the body of a message, of {length} bytes, lies outside the block")
            } else {
                format!(" of {length} bytes are there")
            };
            table.with_value(&message, &[body], &[length]).is_refused(&words);
        }
        let words = "the length of the body of a message is -1";
        table.with_value(&message, &[body], &[-1]).is_refused(words);
        let (position, end) = (message.metadata.start - 4, if is_file { "outside the block" } else { "is cut off" });
        table.with(position, i32::MAX.to_le_bytes()).is_refused(end);
        table.with(position, (-8_i32).to_le_bytes()).is_refused("the length of the metadata of a message is -8");
        // the table ends within the body; a file then lacks its footer
        let short = Table { bytes: table.bytes[..message.body.start + 9].to_vec(), ..table };
        short.is_refused(if is_file { "" } else { "the body of a message is cut off" });
    }
}

#[test]
fn the_number_of_rows() {
    for table in tables() {
        let message = table.batch();
        // the number of rows of the table is a single field of eight bytes; those of the columns are followed
        // by their null counts
        let metadata = &table.bytes[message.metadata.clone()];
        let rows = message.rows.to_le_bytes();
        let mut places = (0..metadata.len() - 16)
            .filter(|at| metadata[*at..].starts_with(&rows) && metadata[at + 8..at + 16] != [0; 8]);
        let place = message.metadata.start + places.next_back().unwrap();
        table.with(place, (-1_i64).to_le_bytes()).is_refused("record batch 0: the number of rows is -1");
        let words = "bytes in memory, and the limit is 4294967296: write the table in smaller batches";
        table.with(place, (1_i64 << 50).to_le_bytes()).is_refused(words);
    }
}

/// Lengths that the codec could produce may still be too large.
#[test]
fn a_batch_that_would_not_fit_in_memory() {
    let mut state = 1_u32;
    let noise = |_| {
        state = state.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
        (state >> 24) as u8
    };
    let value: Vec<u8> = (0..200_000).map(noise).collect();
    let points: ArrayRef = Arc::new(BinaryArray::from_iter_values([value]));
    let groups: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let batch = RecordBatch::try_from_iter([("p", points.clone()), ("q", points), ("id", groups)]).unwrap();
    for name in ["t.arrow", "t.ipc"] {
        let table = Table::new(name, Some(CompressionType::ZSTD), &batch);
        let message = table.batch();
        let buffer = message.buffers.iter().find(|buffer| buffer.length() > 100_000).unwrap();
        let position = message.body.start + buffer.offset() as usize;
        assert_eq!(table.bytes[position..position + 8], [0xff; 8], "stored as it is");
        let words = "record batch 0: it takes 5000000";
        table.with(position, 5_000_000_000_i64.to_le_bytes()).is_refused(words);
    }
}

/// The data that compresses best stays within the bounds: each value is read, and is refused only as a point.
#[test]
fn zeros_are_read() {
    let folder = Folder::new();
    let points: ArrayRef = Arc::new(LargeBinaryArray::from_iter_values([vec![0; 40 << 20]]));
    let batch = RecordBatch::try_from_iter([("p", points.clone()), ("q", points)]).unwrap();
    for codec in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let table = Table::new("t.arrow", Some(codec), &batch);
        folder.write(table.name, &table.bytes);
        assert_eq!(code(&folder.pair("--in t.arrow").ends(1).records()[0]), "length");
    }
}
