//! Encrypted tables: a row becomes a ciphertext, and a token tells of which ciphertexts its predicate holds.
//!
//! Both take whole chunks at a time, in lanes and threads. A row that does not fit costs itself alone.

use super::work::{EachRow, Good, in_place};
use crate::fault::{Fault, code};
use crate::input::lines::MAX_LINE;
use crate::input::{Cells, Chunk, Column, Integer, Kind, Need};
use crate::output;
use bilinear_engine::BigUint;
use bilinear_schemes::predicate::language::{Attribute, Schema, Value};
use bilinear_schemes::predicate::{DecodeError, Encryptor, Reason, Scalar, Search};

/// Bytes of a line beside the digits of its ciphertext, at most.
const AROUND: usize = 64;

/// The columns of a schema: its attributes in order, by their names. A null is a missing value.
pub(crate) fn columns(schema: &Schema) -> Vec<Column> {
    let column = |attribute: &Attribute| {
        let kind = if attribute.is_integer() { Kind::Integer } else { Kind::Text };
        Column { name: attribute.name().to_owned(), kind, need: Need::Value }
    };
    schema.attributes().iter().map(column).collect()
}

/// Encryption of rows: the columns of the schema, then that of the messages, if there is one.
pub(crate) struct Encryption {
    /// The order of the groups.
    pub(crate) order: BigUint,
    /// What rows are encrypted with.
    pub(crate) encryptor: Encryptor,
    /// What rows hold.
    pub(crate) schema: Schema,
}

impl Encryption {
    /// The vector of a row, and its message.
    fn plain<'c>(&self, chunk: &'c Chunk, (row, cells): &Good<'c>) -> Result<(Vec<Scalar>, &'c [u8]), Fault> {
        let attributes = self.schema.attributes();
        let fault = |field: Option<&str>, reason: String| {
            let field = field.map(Into::into);
            Fault { code: code::VALUE, row: *row, line: None, field, reason }
        };
        let value = |(i, attribute): (usize, &Attribute)| {
            let Some(cell) = bytes(chunk, cells, i) else { return Ok(Value::Null) };
            let wrong = |reason: &str| fault(Some(attribute.name()), reason.to_owned());
            if attribute.is_integer() {
                integer(cell).map(Value::Integer).ok_or_else(|| wrong("an integer of more than 64 bits"))
            } else {
                str::from_utf8(cell).map(Value::text).map_err(|_| wrong("not UTF-8 text"))
            }
        };
        let values = attributes.iter().enumerate().map(value).collect::<Result<Vec<_>, Fault>>()?;
        let vector = self.schema.vector(&self.order, &values);
        let vector = vector.map_err(|error| fault(None, error.to_string()))?;
        Ok((vector, bytes(chunk, cells, attributes.len()).unwrap_or_default()))
    }
}

impl EachRow for Encryption {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<output::Value, Fault>> {
        let plain = rows.iter().map(|row| self.plain(chunk, row)).collect();
        let encrypted = in_place(plain, |plain: Vec<(Vec<Scalar>, &[u8])>| {
            let rows: Vec<(&[Scalar], &[u8])> = plain.iter().map(|(vector, message)| (&vector[..], *message)).collect();
            match self.encryptor.encrypt(&rows) {
                Ok(rows) => rows.into_iter().map(Ok).collect(),
                // the rows fit the schema, and the schema the key: this says that there is no randomness
                Err(error) => vec![Err(error.to_string()); rows.len()],
            }
        });
        let numbered = rows.iter().zip(encrypted);
        let short = numbered.map(|((row, _), encrypted)| {
            let refused = |reason| Fault { code: code::VALUE, row: *row, line: None, field: None, reason };
            let encrypted = encrypted?.map_err(refused)?;
            if 2 * encrypted.len() + AROUND > MAX_LINE {
                let reason =
                    format!("{} bytes encrypted: a line has {MAX_LINE}, with two digits a byte", encrypted.len());
                return Err(refused(reason));
            }
            Ok(output::Value::Bytes(encrypted.into()))
        });
        short.collect()
    }
}

/// The search for rows of which a token's predicate holds, in the first column.
pub(crate) struct Scan {
    /// The token, prepared.
    pub(crate) search: Search,
    /// The column's name.
    pub(crate) column: String,
}

impl EachRow for Scan {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<output::Value, Fault>> {
        let encrypted: Vec<&[u8]> = rows.iter().map(|(_, cells)| bytes(chunk, cells, 0).unwrap_or_default()).collect();
        let found = rows.iter().zip(self.search.open(&encrypted)).map(|((row, _), opened)| {
            let opened = opened.map_err(|error| {
                let field = Some(self.column.as_str().into());
                Fault { code: code_of(&error), row: *row, line: None, field, reason: error.to_string() }
            })?;
            Ok(output::Value::Match(opened.map(|message| message.as_slice().into())))
        });
        found.collect()
    }
}

/// The code of what is wrong with an encrypted row.
fn code_of(error: &DecodeError) -> &'static str {
    match error.reason {
        Reason::Key | Reason::Curve | Reason::Scheme(_) => code::KEY,
        Reason::Point(error) => error.code(),
        _ => code::CIPHERTEXT,
    }
}

fn bytes<'c>(chunk: &'c Chunk, cells: &Cells, column: usize) -> Option<&'c [u8]> {
    chunk.get((*cells.get(column)?)?)
}

/// The integer of a cell, if it has at most 64 bits.
fn integer(cell: &[u8]) -> Option<i64> {
    let integer = Integer::of_cell(cell);
    let magnitude = i128::from(u64::try_from(integer.magnitude()).ok()?);
    i64::try_from(if integer.is_negative() { -magnitude } else { magnitude }).ok()
}
