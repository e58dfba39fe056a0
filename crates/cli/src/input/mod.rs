//! Tables of points, values and scalars, read in chunks of bounded size.
//!
//! A source knows its outer format only: it finds the fields of each row and undoes hexadecimal and decimal. Whether
//! the bytes are a point is for the engine.

pub(crate) mod arrow;
mod columnar;
mod format;
pub(crate) mod group;
pub(crate) mod guard;
mod integer;
pub(crate) mod jsonl;
mod line;
pub(crate) mod lines;
pub(crate) mod memory;
pub(crate) mod one_type;
pub(crate) mod open;
pub(crate) mod parquet;
pub(crate) mod signature;
pub(crate) mod values;
pub(crate) mod whole;

pub(crate) use format::Format;
pub(crate) use group::{GroupKey, GroupType};
pub(crate) use integer::{Integer, IntegerError};

use crate::error::CommandError;
use crate::fault::{Fault, code};
use crate::hex::{self, HexError};
use bilinear_schemes::predicate::language::MOST_ATTRIBUTES;

/// Bytes of field values, names of groups and rows after which a chunk ends early, so that memory stays bounded whatever the rows hold.
pub(crate) const CHUNK_BYTES: usize = 16 << 20;

/// What a row counts beside its values and the name of its group.
pub(crate) const ROW_BYTES: usize = 128;

/// Columns that a job reads at most, beside that of the groups: the attributes of a table that is encrypted, and its messages.
pub(crate) const MOST_COLUMNS: usize = MOST_ATTRIBUTES + 1;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Points: `inf` and the empty value are O.
    Point,
    /// Bytes.
    Bytes,
    /// Texts, which stand for the bytes of their UTF-8; or bytes.
    Text,
    /// Integers, as [`Integer::of_cell`] reads them.
    Integer,
}

/// Where a value may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nowhere.
    Row,
    /// In a row of a table that has the column.
    Column,
    /// Where the column or key is there, but null.
    Value,
    /// Anywhere.
    Nothing,
}

/// A column to read, by the user's name for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its name.
    pub(crate) name: String,
    /// What its values are.
    pub(crate) kind: Kind,
    /// Where they may be missing.
    pub(crate) need: Need,
}

impl Column {
    /// A column of which every row must have a value.
    pub(crate) fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), kind, need: Need::Row }
    }
}

/// Which columns to read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    /// Those of the values, [`MOST_COLUMNS`] at most.
    pub(crate) columns: Vec<Column>,
    /// That of the group that a row belongs to.
    pub(crate) group: Option<String>,
}

/// A field's value within the bytes of its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// The point at infinity.
    Infinity,
    /// `bytes[start..end]`.
    Bytes { start: usize, end: usize },
}

/// The fields of one row, in the order of [`Fields::columns`]; `None` where there is no such column, or the row may lack it and does.
pub(crate) type Cells = [Option<Cell>; MOST_COLUMNS];

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The line of the file, from 1, where the input has lines.
    pub(crate) line: Option<u64>,
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
    /// What the rows count beside these.
    pub(crate) beside: usize,
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

    /// A fault of one of the rows, with the line of that.
    pub(crate) fn placed(&self, fault: Fault) -> Fault {
        let index = fault.row.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        let row = index.and_then(|index| self.rows.get(index));
        fault.at(row.and_then(|row| row.line))
    }

    /// Whether the chunk holds as much as one may.
    fn is_full(&self, rows: usize) -> bool {
        self.rows.len() >= rows || self.bytes.len() + self.beside >= CHUNK_BYTES
    }

    /// Adds a row.
    fn push_row(&mut self, row: Row) {
        let name = if let Some(GroupKey::Text(name)) = &row.group { name.len() } else { 0 };
        self.beside += ROW_BYTES + name;
        self.rows.push(row);
    }

    /// Adds the bytes of a field.
    fn push_bytes(&mut self, value: &[u8]) -> Cell {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(value);
        Cell::Bytes { start, end: self.bytes.len() }
    }

    /// Adds an integer given as big-endian bytes.
    fn push_integer(&mut self, bytes: &[u8]) -> Result<Cell, Unreadable> {
        Ok(self.push_bytes(&Integer::of_bytes(bytes)?.to_cell()))
    }

    /// Adds a field given as text: hexadecimal, for points the word `inf`, or an integer.
    fn push_text(&mut self, text: &str, kind: Kind) -> Result<Cell, Unreadable> {
        match kind {
            Kind::Point if text == "inf" => return Ok(Cell::Infinity),
            Kind::Integer => return Ok(self.push_bytes(&text.parse::<Integer>()?.to_cell())),
            Kind::Text => return Ok(self.push_bytes(text.as_bytes())),
            Kind::Point | Kind::Bytes => {}
        }
        let start = self.bytes.len();
        hex::decode_into(text, &mut self.bytes)?;
        Ok(Cell::Bytes { start, end: self.bytes.len() })
    }
}

/// Why a text is no value of its column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Unreadable {
    /// It is not hexadecimal.
    #[error(transparent)]
    Hex(#[from] HexError),
    /// It is not an integer.
    #[error(transparent)]
    Integer(#[from] IntegerError),
}

impl Unreadable {
    /// A stable word.
    fn code(&self) -> &'static str {
        match self {
            Self::Hex(_) => code::HEX,
            Self::Integer(_) => code::INTEGER,
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
