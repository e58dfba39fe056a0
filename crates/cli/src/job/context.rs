//! What every kind of pairing job works with.

use super::fixed::Fixed;
use super::tally::Tally;
use crate::fault::{Fault, code};
use crate::hex;
use crate::input::{Cell, Cells, Chunk};
use crate::output::{Question, Record, Value};
use bilinear_engine::{Batch, Encoding, Gt, GtEncoding, PointRef, RowError, Side, System, Validate};

/// The curve, the workers, and the names for messages.
pub(crate) struct Context {
    /// The curve.
    pub(crate) system: System,
    /// Who computes.
    pub(crate) batch: Batch,
    /// What is asked.
    pub(crate) question: Question,
    /// The arguments that are the same for the whole job.
    pub(crate) fixed: Option<Fixed>,
    /// The input's name.
    pub(crate) file: String,
    /// How points are written, where not in the generic encoding.
    pub(crate) encoding: Option<Encoding>,
    /// How values are written; the curve has it.
    pub(crate) gt_encoding: GtEncoding,
    /// The name of the first argument's field.
    pub(crate) p: String,
    /// The name of the second argument's field.
    pub(crate) q: String,
    /// The name of the field to compare with, where values are compared.
    pub(crate) expect: Option<String>,
}

impl Context {
    /// The engine's finding about input row `row`.
    pub(crate) fn fault(&self, row: u64, error: &RowError) -> Fault {
        let field = match error.side {
            Side::P => self.p.as_str(),
            Side::Q => self.q.as_str(),
        };
        Fault { code: error.code(), row, line: None, field: Some(field.into()), reason: error.reason.to_string() }
    }

    /// A field as the engine takes it; one that is fixed and that the row lacks is not looked at.
    pub(crate) fn point<'c>(&self, chunk: &'c Chunk, cell: Option<Cell>) -> PointRef<'c> {
        encoded(self.encoding, cell.and_then(|cell| chunk.get(cell)))
    }

    /// The fault of a row that has another point than the fixed one of this number, if it has one.
    pub(crate) fn fixed_point(&self, chunk: &Chunk, row: u64, cells: &Cells, number: usize) -> Result<(), Fault> {
        let Some(fixed) = &self.fixed else { return Ok(()) };
        let (cell, name) = if fixed.side == Side::P { (cells.p(), &self.p) } else { (cells.q(), &self.q) };
        let (Some(cell), Some(known)) = (cell, fixed.values.get(number)) else { return Ok(()) };
        let given = encoded(self.encoding, chunk.get(cell));
        let fault = |code, reason| Err(Fault { code, row, line: None, field: Some((&**name).into()), reason });
        match self.system.decode(fixed.side.group(), given, Validate::Curve) {
            Ok(point) if point.bytes() == known.bytes() => Ok(()),
            Ok(_) => {
                let option = if fixed.side == Side::P { "--fixed-p" } else { "--fixed-q" };
                fault(code::FIXED_POINT, format!("another point than that of {option}"))
            }
            Err(error) => fault(error.code(), error.to_string()),
        }
    }

    /// An element of the target group as it is written.
    pub(crate) fn value(&self, gt: &Gt) -> Value {
        let bytes = self.system.encode_gt_as(self.gt_encoding, gt);
        Value::Bytes(bytes.unwrap_or_else(|e| unreachable!("checked before the job: {e}")).into())
    }

    /// The fault of a value that is not the one expected in row `row`, if it is not.
    pub(crate) fn compare(&self, row: u64, expected: &[u8], value: &Value) -> Result<(), Fault> {
        let got = match value {
            Value::Bytes(gt) if **gt == *expected => return Ok(()),
            Value::Bytes(gt) => short(gt),
            Value::Ok(ok) => ok.to_string(),
        };
        let reason = format!("expected {}, got {got}", short(expected));
        let field = self.expect.as_deref().map(Into::into);
        Err(Fault { code: code::MISMATCH, row, line: None, field, reason })
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

/// A point as the engine takes it; no bytes are O in every encoding, the generic one if there is none.
pub(crate) fn encoded(encoding: Option<Encoding>, bytes: Option<&[u8]>) -> PointRef<'_> {
    match (bytes, encoding) {
        (None, _) => PointRef::Infinity,
        (Some(bytes), None) => PointRef::Bytes(bytes),
        (Some(bytes), Some(encoding)) => PointRef::As(encoding, bytes),
    }
}

/// What has come of a chunk.
#[derive(Debug)]
pub(crate) struct Done {
    /// The records that are complete, in order.
    pub(crate) records: Vec<Record>,
    /// The state after them: a run may be resumed from here.
    pub(crate) tally: Tally,
}

/// A kind of job: makes records of chunks. How the rows are split into chunks has no influence on the records.
pub(crate) trait Work {
    /// Takes the next chunk. Rows before the one that the job goes on from are only noted.
    fn process(&mut self, chunk: &Chunk) -> Done;

    /// What remains at the end of the table.
    fn finish(&mut self) -> Done;
}
