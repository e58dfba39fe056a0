//! Tables of points, read in chunks of bounded size.
//!
//! A source knows its outer format only: it finds the fields of each row and undoes hexadecimal. Whether the bytes are
//! a point is for the engine.

pub(crate) mod arrow;
mod columnar;
mod format;
mod group;
pub(crate) mod guard;
mod jsonl;
mod line;
pub(crate) mod lines;
pub(crate) mod memory;
pub(crate) mod open;
pub(crate) mod parquet;
mod signature;
pub(crate) mod values;

pub(crate) use format::Format;
pub(crate) use group::{GroupKey, GroupType};

use crate::error::CommandError;
use crate::fault::Fault;
use bilinear_engine::Side;

/// Bytes of field values after which a chunk ends early, so that memory stays bounded whatever the rows hold.
pub(crate) const CHUNK_BYTES: usize = 16 << 20;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A point: bytes or hexadecimal text, or infinity.
    Point,
    /// Bytes, or hexadecimal text.
    Bytes,
    /// A text, which stands for the bytes of its UTF-8; or bytes.
    Text,
}

/// Where a value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// In every row.
    Rows,
    /// The column must be there, but any of its rows may be empty.
    Column,
    /// Not even the column need be there.
    Nothing,
}

/// A column that is read.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// The user's name for it.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) kind: Kind,
    /// Where.
    pub(crate) need: Need,
}

/// Which columns to read; 31 at most.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// Those of values, in the order of [`Cells`].
    pub(crate) columns: Vec<Column>,
    /// The group that a row belongs to.
    pub(crate) group: Option<String>,
}

impl Fields {
    /// Pairs of points, one of which may be fixed for the whole job (then rows may lack it), and the value to compare with, which in
    /// a product one of the rows may have.
    pub(crate) fn pairs([p, q]: [&str; 2], fixed: Option<Side>, group: Option<&str>, expect: Option<&str>) -> Self {
        let point = |side, name: &str| {
            let need = if fixed == Some(side) { Need::Nothing } else { Need::Rows };
            Column { name: name.to_owned(), kind: Kind::Point, need }
        };
        let need = if group.is_some() { Need::Column } else { Need::Rows };
        let expect = expect.map(|name| Column { name: name.to_owned(), kind: Kind::Bytes, need });
        let columns = [point(Side::P, p), point(Side::Q, q)].into_iter().chain(expect).collect();
        Self { columns, group: group.map(str::to_owned) }
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

/// The values of one row, one for each column that is read; `None` where it may lack the value and does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cells(pub(crate) Vec<Option<Cell>>);

impl Cells {
    /// In a table of pairs, the first point.
    pub(crate) fn p(&self) -> Option<Cell> {
        self.at(0)
    }

    /// The second point.
    pub(crate) fn q(&self) -> Option<Cell> {
        self.at(1)
    }

    /// The value to compare with.
    pub(crate) fn expect(&self) -> Option<Cell> {
        self.at(2)
    }

    /// The value of a column.
    pub(crate) fn at(&self, column: usize) -> Option<Cell> {
        self.0.get(column).copied().flatten()
    }
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

    /// Adds a field given as text.
    fn push_text(&mut self, text: &str, kind: Kind) -> Result<Cell, crate::hex::HexError> {
        match kind {
            Kind::Point if text == "inf" => Ok(Cell::Infinity),
            Kind::Text => Ok(self.push_bytes(text.as_bytes())),
            Kind::Point | Kind::Bytes => {
                let start = self.bytes.len();
                crate::hex::decode_into(text, &mut self.bytes)?;
                Ok(Cell::Bytes { start, end: self.bytes.len() })
            }
        }
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
