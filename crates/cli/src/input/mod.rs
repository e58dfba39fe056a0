//! Tables of points, values and scalars, read in chunks of bounded size.
//!
//! A source knows only its outer format: it finds the fields of each row and decodes hexadecimal and decimal.
//! The engine decides whether the bytes are a point.

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
use bilinear_schemes::predicate::language::MAX_ATTRIBUTES;
use std::fmt::Display;
use std::io::{self, ErrorKind};

/// The size at which a chunk ends early: the bytes of field values, names of groups and rows. It bounds memory,
/// whatever the rows hold.
pub(crate) const CHUNK_BYTES: usize = 16 << 20;

/// The number of bytes that a row counts for, besides its values and the name of its group.
pub(crate) const ROW_BYTES: usize = 128;

/// The most columns that a job reads besides the column of groups: the attributes of a table to encrypt, and its
/// messages.
pub(crate) const MAX_COLUMNS: usize = MAX_ATTRIBUTES + 1;

/// The kind of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Points, of which `inf` and the empty value are the point at infinity.
    Point,
    /// Bytes.
    Bytes,
    /// Texts, which are read as their UTF-8 bytes; or bytes.
    Text,
    /// Integers, encoded as [`Integer::of_cell`] reads them.
    Integer,
}

/// Where a value of a column may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nowhere: every row needs a value.
    Row,
    /// In any row, by an absent key or a null; a columnar table must have the column.
    Column,
    /// In a row whose column or key is present but null.
    Value,
    /// Anywhere: the table may lack the column.
    Nothing,
}

/// A column to read, by the user's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// The column's name.
    pub(crate) name: String,
    /// The kind of the column's values.
    pub(crate) kind: Kind,
    /// Where values may be missing.
    pub(crate) need: Need,
}

impl Column {
    /// Creates a column in which every row must have a value.
    pub(crate) fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), kind, need: Need::Row }
    }
}

/// The columns to read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    /// The columns of values, at most [`MAX_COLUMNS`].
    pub(crate) columns: Vec<Column>,
    /// The column of the group that a row belongs to.
    pub(crate) group: Option<String>,
}

/// A field's value within the bytes of its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// The point at infinity.
    Infinity,
    /// The bytes `bytes[start..end]` of the chunk.
    Bytes { start: usize, end: usize },
}

/// The fields of a row, in the order of [`Fields::columns`]; `None` if there is no such column, or if the row
/// lacks an optional value.
pub(crate) type Cells = [Option<Cell>; MAX_COLUMNS];

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The line of the file, from 1, where the input has lines.
    pub(crate) line: Option<u64>,
    /// The group that the row belongs to; `None` in a job without groups, or if the group is unreadable.
    pub(crate) group: Option<GroupKey>,
    /// The row's fields, or the fault because of which they cannot be read.
    pub(crate) cells: Result<Cells, Fault>,
}

/// A number of consecutive rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    /// The index of the first row in the table.
    pub(crate) first: u64,
    /// The rows, at least one.
    pub(crate) rows: Vec<Row>,
    /// The bytes of all fields of the rows.
    pub(crate) bytes: Vec<u8>,
    /// The number of bytes that the rows count for, besides the bytes of their fields.
    pub(crate) beside: usize,
    /// The position of the source at the chunk's end, in units of [`Extent`].
    pub(crate) position: u64,
}

impl Chunk {
    /// Returns the bytes of a field, or None for the point at infinity.
    pub(crate) fn get(&self, cell: Cell) -> Option<&[u8]> {
        match cell {
            Cell::Infinity => None,
            Cell::Bytes { start, end } => Some(&self.bytes[start..end]),
        }
    }

    /// Returns the bytes of a row's field in a column, or None if there are none.
    pub(crate) fn value(&self, cells: &Cells, column: usize) -> Option<&[u8]> {
        cells[column].and_then(|cell| self.get(cell))
    }

    /// Returns the bytes of rows' fields in a column. A missing field is empty.
    pub(crate) fn column(&self, rows: &[(u64, &Cells)], column: usize) -> Vec<&[u8]> {
        rows.iter().map(|(_, cells)| self.value(cells, column).unwrap_or_default()).collect()
    }

    /// Returns the line of one of the rows, where the input has lines.
    pub(crate) fn line(&self, row: u64) -> Option<u64> {
        self.rows.get(usize::try_from(row.checked_sub(self.first)?).ok()?)?.line
    }

    /// Returns a fault of one of the rows, with the row's line added.
    pub(crate) fn placed(&self, fault: Fault) -> Fault {
        let line = self.line(fault.row);
        fault.at(line)
    }

    /// Returns true if the chunk has reached `rows` rows or the limit of its size.
    fn is_full(&self, rows: usize) -> bool {
        self.rows.len() >= rows || self.bytes.len() + self.beside >= CHUNK_BYTES
    }

    /// Appends a row.
    fn push_row(&mut self, row: Row) {
        let name = if let Some(GroupKey::Text(name)) = &row.group { name.len() } else { 0 };
        self.beside += ROW_BYTES + name;
        self.rows.push(row);
    }

    /// Appends the bytes of a field.
    fn push_bytes(&mut self, value: &[u8]) -> Cell {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(value);
        Cell::Bytes { start, end: self.bytes.len() }
    }

    /// Appends an integer given as big-endian bytes.
    fn push_integer(&mut self, bytes: &[u8]) -> Result<Cell, Unreadable> {
        Ok(self.push_bytes(&Integer::of_bytes(bytes)?.to_cell()))
    }

    /// Appends a field given as text: hexadecimal, the word `inf` for points, an integer, or a text as it is.
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

/// The error of a text that is not a value of its column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Unreadable {
    /// The text is not hexadecimal.
    #[error(transparent)]
    Hex(#[from] HexError),
    /// The text is not an integer.
    #[error(transparent)]
    Integer(#[from] IntegerError),
}

impl Unreadable {
    /// Returns the stable error code.
    fn code(&self) -> &'static str {
        match self {
            Self::Hex(_) => code::HEX,
            Self::Integer(_) => code::INTEGER,
        }
    }
}

/// Makes the error for a columnar file that is damaged.
fn bad(reason: impl Display) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason.to_string())
}

/// The size of a source, for the progress display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The number of rows.
    Rows(u64),
    /// The number of bytes of a file whose rows are not counted.
    Bytes(u64),
    /// A stream of unknown size.
    Unknown,
}

/// A table that is read once, from beginning to end.
pub(crate) trait Source: Send {
    /// Returns the next chunk of at most `rows` rows, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further. Faults of single rows are part of the chunk.
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Chunk>, CommandError>;

    /// Returns the source's size.
    fn extent(&self) -> Extent;

    /// Returns the type of the group column.
    fn group_type(&self) -> GroupType;
}
