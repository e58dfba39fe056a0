//! The column that values are compared with.

use crate::fault::{Fault, code};
use crate::hex;
use crate::input::{Cells, Chunk};
use crate::output::Value;

/// Where the expected values are.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    /// The number of the column.
    pub(crate) column: usize,
    /// Its name.
    pub(crate) name: String,
}

impl Expected {
    /// The value that a row gives, if it gives one.
    pub(crate) fn of<'c>(&self, chunk: &'c Chunk, cells: &Cells) -> Option<&'c [u8]> {
        cells[self.column].map(|cell| chunk.get(cell).unwrap_or_default())
    }

    /// A fault of the expected value of row `row`.
    pub(crate) fn fault(&self, code: &'static str, row: u64, reason: String) -> Fault {
        Fault { code, row, line: None, field: Some(self.name.as_str().into()), reason }
    }

    /// The fault of a value that is not the one expected in row `row`, if it is not.
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

/// The first and last bytes of a value, with its length where they are not all.
fn short(value: &[u8]) -> String {
    match value {
        [a, b, c, d, .., w, x, y, z] if value.len() > 12 => {
            let (head, tail) = (hex::encode(&[*a, *b, *c, *d]), hex::encode(&[*w, *x, *y, *z]));
            format!("{head}...{tail} ({} bytes)", value.len())
        }
        _ => hex::encode(value),
    }
}
