//! Checks on the pages of a Parquet file before the reader gets them. The reader allocates as much memory as a
//! page claims to hold, and with some codecs a page can expand to more. So each page's header is checked first,
//! and those codecs are run once without keeping their output.

use super::header::Header;
use crate::input::{bad, memory};
use bytes::Bytes;
use parquet::basic::{Compression, Type};
use parquet::errors::Result;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::ColumnDescriptor;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A file whose pages are checked as they are read.
pub(super) struct Pages {
    file: File,
    /// The column chunks, in the order of their positions.
    columns: Vec<ColumnChunk>,
    /// The number of rows that are decoded at a time.
    rows: u64,
    state: Arc<Mutex<State>>,
}

/// A column chunk: the part of a column in one row group.
#[derive(Clone)]
struct ColumnChunk {
    place: Range<u64>,
    codec: Compression,
    /// The number of bytes that each value takes in memory besides its own bytes; 0 if a batch has as many
    /// values as rows.
    each: u64,
}

#[derive(Default)]
struct State {
    /// The headers that have been read, by the positions where their pages begin.
    headers: HashMap<u64, (Header, Compression)>,
    /// The number of bytes of the pages since the last batch.
    taken: u64,
}

/// The count of bytes that the current batch has taken.
pub(super) struct Taken(Arc<Mutex<State>>);

impl Taken {
    /// Resets the count for the next batch.
    pub(super) fn reset(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).taken = 0;
    }
}

impl Pages {
    /// Creates the pages of a file with the footer `about`, of which `rows` rows are decoded at a time.
    ///
    /// # Errors
    /// Returns an error if columns overlap.
    pub(super) fn new(file: File, about: &ParquetMetaData, rows: usize) -> Result<Self> {
        let columns = about.row_groups().iter().flat_map(|group| group.columns());
        let place = |(start, length): (u64, u64)| start..start.saturating_add(length);
        let columns = columns.map(|column| ColumnChunk {
            place: place(column.byte_range()),
            codec: column.compression(),
            each: repeated(column.column_descr()),
        });
        Self::with_columns(file, columns.filter(|column| !column.place.is_empty()).collect(), rows)
    }

    fn with_columns(file: File, mut columns: Vec<ColumnChunk>, rows: usize) -> Result<Self> {
        columns.sort_by_key(|column| column.place.start);
        match columns.windows(2).find(|pair| pair[0].place.end > pair[1].place.start) {
            Some(pair) => Err(bad(format!("two columns share byte {}", pair[1].place.start)).into()),
            None => Ok(Self { file, columns, rows: rows as u64, state: Arc::default() }),
        }
    }

    /// Returns the column chunk that contains the byte at position `at`.
    fn column(&self, at: u64) -> Option<&ColumnChunk> {
        let behind = self.columns.partition_point(|column| column.place.start <= at);
        self.columns.get(behind.checked_sub(1)?).filter(|column| column.place.contains(&at))
    }

    /// Returns the count of bytes of the current batch.
    pub(super) fn taken(&self) -> Taken {
        Taken(self.state.clone())
    }

    /// Registers a page, given its header, and counts its memory.
    fn announce(&self, at: u64, header: Header, column: &ColumnChunk) -> io::Result<()> {
        let negative = |length| bad(format!("the header of a page at byte {at} claims {length} bytes or values"));
        let length = |length: i64| u64::try_from(length).map_err(|_| negative(length));
        let (unpacked, values) = (length(header.unpacked.into())?, length(header.values.into())?);
        length(header.packed.into())?;
        length(header.levels)?;
        // each value may repeat almost the whole page
        let bytes = if header.repeats { unpacked.saturating_mul(self.rows) } else { unpacked };
        let bytes = bytes.saturating_add(values.saturating_mul(column.each));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.taken = state.taken.saturating_add(bytes);
        memory::within_limit(state.taken)?;
        memory::reserve(bytes)?;
        state.headers.insert(at + header.length, (header, column.codec));
        Ok(())
    }

    /// Checks that a page does not expand to more than its header states.
    fn check(&self, at: u64, page: &[u8]) -> Result<()> {
        let known = self.state.lock().unwrap_or_else(PoisonError::into_inner).headers.remove(&at);
        let (header, codec) = known.ok_or_else(|| bad(format!("no header stands before the page at byte {at}")))?;
        // inconsistent lengths are left for the reader to reject
        let Some(packed) = usize::try_from(header.levels).ok().and_then(|levels| page.get(levels..)) else {
            return Ok(());
        };
        let claimed = i64::from(header.unpacked).saturating_sub(header.levels).max(0) as u64;
        if !header.is_plain && expands_beyond(codec, packed, claimed)? {
            let claimed = format!("the {claimed} bytes that its header claims");
            return Err(bad(format!("a page at byte {at} holds more than {claimed}")).into());
        }
        Ok(())
    }
}

/// Returns the number of bytes that a value takes in memory, not counting the bytes of a value without a fixed
/// size.
pub(super) fn width(column: &ColumnDescriptor) -> u64 {
    match column.physical_type() {
        Type::BOOLEAN => 1,
        Type::INT32 | Type::FLOAT => 4,
        Type::INT64 | Type::DOUBLE => 8,
        Type::INT96 => 12,
        Type::BYTE_ARRAY => 16,
        Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(column.type_length()).unwrap_or(0),
    }
}

/// Like `width`, for a column in which a row may have any number of values: adds two levels, and an offset in
/// each list around the value. Returns 0 for other columns.
fn repeated(column: &ColumnDescriptor) -> u64 {
    match u64::try_from(column.max_rep_level()) {
        Ok(lists @ 1..) => width(column) + 4 + 4 * lists,
        _ => 0,
    }
}

/// Returns true if compressed bytes expand to more than `claimed` bytes. Codecs whose decoders fill a given
/// buffer cannot do that, and return false.
fn expands_beyond(codec: Compression, packed: &[u8], claimed: u64) -> io::Result<bool> {
    let count = |decoder: &mut dyn Read| io::copy(&mut decoder.take(claimed + 1), &mut io::sink());
    let found = match codec {
        Compression::GZIP(_) => count(&mut flate2::read::MultiGzDecoder::new(packed)),
        Compression::BROTLI(_) => count(&mut brotli::Decompressor::new(packed, 1 << 12)),
        // bytes without Hadoop's framing are decoded as frames of LZ4
        Compression::LZ4 => {
            return Ok(count(&mut lz4_flex::frame::FrameDecoder::new(packed)).is_ok_and(|n| n > claimed));
        }
        _ => return Ok(false),
    };
    found.map(|found| found > claimed)
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for Pages {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        // a reader that has read ahead of a header asks for the page's position again
        let is_page = self.state.lock().unwrap_or_else(PoisonError::into_inner).headers.contains_key(&start);
        if let Some(column) = self.column(start).filter(|_| !is_page) {
            let header = Header::read(self.file.get_read(start)?)?;
            self.announce(start, header, column)?;
        }
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let page = self.file.get_bytes(start, length)?;
        self.check(start, &page)?;
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use parquet::basic::{BrotliLevel, GzipLevel};
    use std::io::Write;

    /// Returns a page after a header that claims `claimed` bytes, and the page's position.
    fn announced(claimed: i64, page: &[u8], encoding: u8) -> (Vec<u8>, u64) {
        let mut bytes = Vec::new();
        let mut field = |head: u8, value: i64| {
            bytes.push(head);
            let mut value = value << 1 ^ value >> 63;
            while value as u64 >= 0x80 {
                bytes.push(value as u8 | 0x80);
                value = (value as u64 >> 7) as i64;
            }
            bytes.push(value as u8);
        };
        field(0x15, 0);
        field(0x15, claimed);
        field(0x15, page.len() as i64);
        bytes.extend([0x2c, 0x15, 2, 0x15, encoding << 1, 0x15, 6, 0x15, 6, 0, 0]);
        let at = bytes.len() as u64;
        bytes.extend_from_slice(page);
        (bytes, at)
    }

    fn pages(bytes: &[u8], codec: Compression) -> Pages {
        with_values(bytes, codec, 0)
    }

    /// Like `pages`, but each value takes `each` bytes more.
    fn with_values(bytes: &[u8], codec: Compression, each: u64) -> Pages {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Pages::with_columns(file, vec![ColumnChunk { place: 0..bytes.len() as u64, codec, each }], 1024).unwrap()
    }

    fn read(claimed: i64, page: &[u8], codec: Compression) -> std::result::Result<usize, String> {
        let (bytes, at) = announced(claimed, page, 0);
        let pages = pages(&bytes, codec);
        let read = pages.get_read(0).and_then(|_| pages.get_bytes(at, page.len()));
        read.map(|page| page.len()).map_err(|error| error.to_string())
    }

    fn packed(content: &[u8], codec: Compression) -> Vec<u8> {
        let mut out = Vec::new();
        match codec {
            Compression::GZIP(_) => {
                let mut writer = flate2::write::GzEncoder::new(&mut out, flate2::Compression::best());
                writer.write_all(content).unwrap();
            }
            Compression::BROTLI(_) => {
                let mut writer = brotli::CompressorWriter::new(&mut out, 4096, 9, 22);
                writer.write_all(content).unwrap();
            }
            _ => {
                let mut writer = lz4_flex::frame::FrameEncoder::new(&mut out);
                writer.write_all(content).unwrap();
                writer.finish().unwrap();
            }
        }
        out
    }

    /// A page of a few bytes that expands to ten million zeros is rejected if its header claims fewer.
    #[test]
    fn a_page_that_holds_more_than_its_header_claims() {
        let zeros = vec![0; 10_000_000];
        for codec in
            [Compression::GZIP(GzipLevel::default()), Compression::BROTLI(BrotliLevel::default()), Compression::LZ4]
        {
            let page = packed(&zeros, codec);
            assert!(page.len() < 50_000);
            assert_eq!(read(10_000_000, &page, codec), Ok(page.len()), "{codec}");
            for claimed in [9_999_999, 1000, 0] {
                let words = read(claimed, &page, codec).unwrap_err();
                assert!(
                    words.contains(&format!("holds more than the {claimed} bytes that its header claims")),
                    "{codec}: {words}"
                );
            }
        }
    }

    #[test]
    fn claimed_sizes_are_counted_before_memory_is_allocated() {
        let most = i64::from(i32::MAX);
        let (one, at) = announced(most, b"page", 0);
        let bytes = one.repeat(4);
        let pages = pages(&bytes, Compression::SNAPPY);
        let next =
            |index: usize| pages.get_read((index * one.len()) as u64).map(drop).map_err(|error| error.to_string());
        assert!(next(0).is_ok() && next(1).is_ok());
        assert!(pages.get_bytes(at, 4).is_ok());
        let words = next(2).unwrap_err();
        assert!(words.contains("it takes 6442450941 bytes in memory, and the limit is 4294967296"), "{words}");
        pages.taken().reset();
        assert!(next(3).is_ok(), "another batch");
    }

    #[test]
    fn repeated_values_count_once_per_row() {
        let takes = |claimed| {
            let (bytes, _) = announced(claimed, b"page", 7);
            pages(&bytes, Compression::SNAPPY).get_read(0).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(takes(4 << 20), Ok(()));
        assert!(takes((4 << 20) + 1).unwrap_err().contains("it takes 4294968320 bytes"));
    }

    /// A page of a few bytes may hold many values that are all the same.
    #[test]
    fn values_of_lists_count_however_small_their_page() {
        let takes = |each| {
            let (bytes, _) = announced(4, b"page", 0);
            with_values(&bytes, Compression::SNAPPY, each).get_read(0).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(takes(1 << 20), Ok(()));
        assert!(takes(4 << 30).unwrap_err().contains("it takes 4294967300 bytes in memory"));
    }

    #[test]
    fn impossible_lengths() {
        assert!(read(-1, b"page", Compression::SNAPPY).unwrap_err().contains("claims -1 bytes or values"));
        let pages = pages(b"page", Compression::SNAPPY);
        assert!(pages.get_bytes(0, 4).unwrap_err().to_string().contains("no header stands before the page at byte 0"));
        let columns = [0..9, 8..10].map(|place| ColumnChunk { place, codec: Compression::LZ4, each: 0 });
        let shared = Pages::with_columns(tempfile::tempfile().unwrap(), columns.to_vec(), 1).err().unwrap();
        assert!(shared.to_string().contains("two columns share byte 8"));
    }
}
