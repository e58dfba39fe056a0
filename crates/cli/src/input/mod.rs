//! Tables of points, read in chunks of bounded size.
//!
//! A source knows its outer format only: it finds the fields of each row and undoes hexadecimal. Whether the bytes are
//! a point is for the engine.

mod arrow;
mod columnar;
mod format;
mod group;
pub(crate) mod guard;
mod jsonl;
mod line;
pub(crate) mod lines;
mod memory;
pub(crate) mod open;
mod parquet;
mod signature;
mod values;

pub(crate) use format::Format;
pub(crate) use group::{GroupKey, GroupType};

use crate::error::CommandError;
use crate::fault::Fault;
use bilinear_engine::Side;

/// Bytes of field values after which a chunk ends early, so that memory stays bounded whatever the rows hold.
const CHUNK_BYTES: usize = 16 << 20;

/// Which fields to read, by the user's names for them.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// The first point.
    pub(crate) p: String,
    /// The second point.
    pub(crate) q: String,
    /// Which of them is fixed for the whole job: then rows may lack it.
    pub(crate) fixed: Option<Side>,
    /// The product that a row belongs to.
    pub(crate) group: Option<String>,
    /// The value to compare with.
    pub(crate) expect: Option<String>,
}

impl Fields {
    /// Whether an argument is fixed for the whole job.
    pub(crate) fn is_fixed(&self, side: Side) -> bool {
        self.fixed == Some(side)
    }

    /// The column of an argument; `None` where it is fixed and the table, which `has` tells, lacks it.
    fn column(&self, side: Side, has: impl FnOnce(&str) -> bool) -> Option<&str> {
        let name = if side == Side::P { &self.p } else { &self.q };
        (!self.is_fixed(side) || has(name)).then_some(name)
    }

    /// Whether a row may lack the value to compare with: in a product one of its rows is enough.
    pub(crate) fn expect_is_optional(&self) -> bool {
        self.group.is_some()
    }
}

/// A field's value within the bytes of its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// The point at infinity.
    Infinity,
    /// `bytes[start..end]`.
    Bytes { start: usize, end: usize },
}

/// The fields of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    /// The first point; `None` where it is fixed for the whole job and the row has none.
    pub(crate) p: Option<Cell>,
    /// The second point; likewise.
    pub(crate) q: Option<Cell>,
    /// The value to compare with.
    pub(crate) expect: Option<Cell>,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The product that it belongs to; `None` in a job without products, or where it is unreadable.
    pub(crate) group: Option<GroupKey>,
    /// Its fields, or why they cannot be had.
    pub(crate) cells: Result<Cells, Fault>,
}

/// Consecutive rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    /// Index of the first row in the table.
    pub(crate) first: u64,
    /// The rows; never none.
    pub(crate) rows: Vec<Row>,
    /// The bytes of all their fields.
    pub(crate) bytes: Vec<u8>,
    /// How far the source has come at the chunk's end, in units of [`Extent`].
    pub(crate) position: u64,
}

impl Chunk {
    /// The bytes of a field, none for infinity.
    pub(crate) fn get(&self, cell: Cell) -> Option<&[u8]> {
        match cell {
            Cell::Infinity => None,
            Cell::Bytes { start, end } => Some(&self.bytes[start..end]),
        }
    }

    /// Whether the chunk holds as much as one may.
    fn is_full(&self, rows: usize) -> bool {
        self.rows.len() >= rows || self.bytes.len() >= CHUNK_BYTES
    }

    /// Adds the bytes of a field.
    fn push_bytes(&mut self, value: &[u8]) -> Cell {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(value);
        Cell::Bytes { start, end: self.bytes.len() }
    }

    /// Adds a field given as text: hexadecimal, or for points the word `inf`.
    fn push_text(&mut self, text: &str, is_point: bool) -> Result<Cell, crate::hex::HexError> {
        if is_point && text == "inf" {
            return Ok(Cell::Infinity);
        }
        let start = self.bytes.len();
        crate::hex::decode_into(text, &mut self.bytes)?;
        Ok(Cell::Bytes { start, end: self.bytes.len() })
    }
}

/// The size of a source, for the progress display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// So many rows.
    Rows(u64),
    /// So many bytes of a file whose rows are not counted.
    Bytes(u64),
    /// A stream.
    Unknown,
}

/// A table that is read from front to back.
pub(crate) trait Source: Send {
    /// The next chunk of at most `rows` rows; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read on; faults of single rows are part of the chunk.
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Chunk>, CommandError>;

    /// Its size.
    fn extent(&self) -> Extent;

    /// What its group column holds.
    fn group_type(&self) -> GroupType;
}
