//! The column of expected values, with which the computed values are compared.

use crate::fault::{Fault, code};
use crate::hex;
use crate::input::{Cells, Chunk};
use crate::output::Value;

/// The location of the expected values in the input.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    /// The index of the column.
    pub(crate) column: usize,
    /// The column's name.
    pub(crate) name: String,
}

impl Expected {
    /// Returns the expected value of a row, or None if the row does not have one.
    pub(crate) fn of<'c>(&self, chunk: &'c Chunk, cells: &Cells) -> Option<&'c [u8]> {
        cells[self.column].map(|cell| chunk.get(cell).unwrap_or_default())
    }

    /// Creates a fault about the expected value of row `row`.
    pub(crate) fn fault(&self, code: &'static str, row: u64, reason: String) -> Fault {
        Fault::new(code, row, Some(&self.name), reason)
    }

    /// Returns a fault if the value differs from the value expected in row `row`.
    pub(crate) fn compare(&self, row: u64, expected: &[u8], value: &Value) -> Result<(), Fault> {
        let got = match value {
            Value::Bytes(bytes) if **bytes == *expected => return Ok(()),
            Value::Bytes(bytes) => short(bytes),
            Value::Ok(ok) => ok.to_string(),
            Value::Match(message) => message.is_some().to_string(),
        };
        Err(self.fault(code::MISMATCH, row, format!("expected {}, got {got}", short(expected))))
    }
}

/// Formats a value in hexadecimal: a long value as its first and last bytes with its length.
fn short(value: &[u8]) -> String {
    match value {
        [] => "no bytes".to_owned(),
        [a, b, c, d, .., w, x, y, z] if value.len() > 12 => {
            let (head, tail) = (hex::encode(&[*a, *b, *c, *d]), hex::encode(&[*w, *x, *y, *z]));
            format!("{head}...{tail} ({} bytes)", value.len())
        }
        _ => hex::encode(value),
    }
}
