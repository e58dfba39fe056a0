//! Pairings of rows, and products of the pairings of groups of rows with one final exponentiation each. Instead
//! of the values a job can report whether they are 1.

use super::columns::Columns;
use super::fixed::Fixed;
use super::groups::{Fold, Run};
use super::work::{EachRow, Good};
use crate::fault::{Fault, code};
use crate::input::{Cells, Chunk};
use crate::output::{Question, Value};
use bilinear_engine::{
    Batch, Encoding, Group, Gt, GtEncoding, MillerValue, PointRef, PreparedRows, RowError, Side, System, Validate,
};

/// The column numbers of the first points, of the second points, and of the expected values.
pub(crate) const COLUMNS: [usize; 3] = [0, 1, 2];

/// A pairing job: the batch, the options, and the names of columns for messages.
pub(crate) struct Pairing {
    /// The batch that computes the pairings.
    pub(crate) batch: Batch,
    /// The question that the job answers: values, or whether they are 1.
    pub(crate) question: Question,
    /// The fixed arguments, which are the same for the whole job.
    pub(crate) fixed: Option<Fixed>,
    /// The encoding of points; None is the generic encoding.
    pub(crate) encoding: Option<Encoding>,
    /// The encoding of values, which the curve supports.
    pub(crate) gt_encoding: GtEncoding,
    /// The columns of the arguments and of the expected values.
    pub(crate) columns: Columns,
}

impl Pairing {
    /// Converts the engine's error about one of the given rows into a fault.
    fn row_fault(&self, rows: &[Good<'_>], error: &RowError) -> Fault {
        let row = rows.get(error.row).map_or(0, |(row, _)| *row);
        self.columns.fault(row, column(error.side), error.code(), error.reason)
    }

    /// Returns an argument in the form that the engine takes. A fixed argument that the row lacks is not used.
    fn point<'c>(&self, chunk: &'c Chunk, cells: &Cells, side: Side) -> PointRef<'c> {
        encoded(self.batch.system(), side.group(), self.encoding, chunk.value(cells, column(side)))
    }

    fn pairs<'c>(&self, chunk: &'c Chunk, rows: &[Good<'_>]) -> Vec<(PointRef<'c>, PointRef<'c>)> {
        rows.iter().map(|(_, cells)| [Side::P, Side::Q].map(|side| self.point(chunk, cells, side)).into()).collect()
    }

    /// Returns the arguments on the side that is not fixed.
    fn moving<'c>(&self, fixed: &Fixed, chunk: &'c Chunk, rows: &[Good<'_>]) -> Vec<PointRef<'c>> {
        rows.iter().map(|(_, cells)| self.point(chunk, cells, fixed.side.other())).collect()
    }

    /// Returns a fault if the row has a point on the fixed side that differs from the fixed point with this
    /// index.
    fn fixed_point(&self, chunk: &Chunk, (row, cells): Good<'_>, number: usize) -> Result<(), Fault> {
        let Some(fixed) = &self.fixed else { return Ok(()) };
        let (Some(_), Some(known)) = (cells[column(fixed.side)], fixed.values.get(number)) else { return Ok(()) };
        let given = self.point(chunk, cells, fixed.side);
        let fault = |code, reason| Err(self.columns.fault(row, column(fixed.side), code, reason));
        match self.batch.system().decode(fixed.side.group(), given, Validate::OnCurve) {
            Ok(point) if point.bytes() == known.bytes() => Ok(()),
            Ok(_) => fault(code::FIXED_POINT, format!("the point differs from that of --fixed-{}", fixed.side)),
            Err(error) => fault(error.code(), error.to_string()),
        }
    }

    /// Encodes an element of the target group for the output.
    fn value(&self, gt: &Gt) -> Value {
        let bytes = self.batch.system().encode_gt_as(self.gt_encoding, gt);
        Value::Bytes(bytes.unwrap_or_else(|e| unreachable!("checked before the job: {e}")).into())
    }

    fn answers(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, RowError>> {
        let batch = &self.batch;
        let is_one = |results: Vec<Result<bool, RowError>>| results.into_iter().map(|r| r.map(Value::Ok)).collect();
        let single = 0..rows.len();
        match (&self.fixed, self.question) {
            (None, Question::IsOk) => {
                let groups: Vec<_> = single.map(|i| i..i + 1).collect();
                is_one(batch.check(&self.pairs(chunk, rows), &groups))
            }
            (Some(fixed), Question::IsOk) => {
                let groups: Vec<_> = single.map(|i| PreparedRows { rows: i..i + 1, first_prepared: 0 }).collect();
                is_one(batch.check_prepared(&fixed.points, &self.moving(fixed, chunk, rows), &groups))
            }
            (fixed, _) => {
                let values = match fixed {
                    None => batch.pair(&self.pairs(chunk, rows)),
                    Some(fixed) => batch.pair_prepared(&fixed.points[0], &self.moving(fixed, chunk, rows)),
                };
                values.into_iter().map(|value| value.map(|gt| self.value(&gt))).collect()
            }
        }
    }
}

/// Returns the number of the column of an argument.
fn column(side: Side) -> usize {
    COLUMNS[usize::from(side == Side::Q)]
}

/// Returns a point in the form that the engine takes. No bytes stand for the point at infinity in every
/// encoding. Without an encoding the generic one is used.
pub(crate) fn encoded<'a>(
    system: &System,
    group: Group,
    encoding: Option<Encoding>,
    bytes: Option<&'a [u8]>,
) -> PointRef<'a> {
    bytes.map_or(PointRef::Infinity, |bytes| system.point_ref(group, encoding, bytes))
}

impl EachRow for Pairing {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let outcome = |(row, answer): (&Good<'_>, Result<Value, RowError>)| {
            self.fixed_point(chunk, *row, 0)?;
            answer.map_err(|error| self.row_fault(rows, &error))
        };
        rows.iter().zip(self.answers(chunk, rows)).map(outcome).collect()
    }
}

impl Fold for Pairing {
    type Part = MillerValue;

    fn admit(&self, chunk: &Chunk, row: Good<'_>, number: u64) -> Result<(), Fault> {
        match &self.fixed {
            Some(fixed) if number >= fixed.points.len() as u64 => {
                let reason = format!("the group has more rows than there are fixed points ({})", fixed.points.len());
                Err(Fault::new(code::FIXED_COUNT, row.0, None, reason))
            }
            _ => self.fixed_point(chunk, row, number as usize),
        }
    }

    fn parts(&self, chunk: &Chunk, rows: &[Good<'_>], runs: Vec<Run<MillerValue>>) -> Vec<Result<MillerValue, Fault>> {
        let values = match &self.fixed {
            None => {
                let groups: Vec<_> = runs.iter().map(|run| run.rows.clone()).collect();
                self.batch.miller(&self.pairs(chunk, rows), &groups)
            }
            Some(fixed) => {
                // a group with more rows than fixed points has failed before, so the cast cannot truncate
                let group = |run: &Run<_>| PreparedRows { rows: run.rows.clone(), first_prepared: run.before as usize };
                let groups: Vec<_> = runs.iter().map(group).collect();
                self.batch.miller_prepared(&fixed.points, &self.moving(fixed, chunk, rows), &groups)
            }
        };
        let join = |a: &MillerValue, b: &MillerValue| self.batch.system().miller_mul(a, b);
        let part = |(run, value): (Run<_>, Result<_, RowError>)| {
            Ok(run.joined(value.map_err(|error| self.row_fault(rows, &error))?, join))
        };
        runs.into_iter().zip(values).map(part).collect()
    }

    fn complete(&self, rows: u64, last: u64) -> Result<(), Fault> {
        match &self.fixed {
            Some(fixed) if rows < fixed.points.len() as u64 => {
                let count = fixed.points.len();
                let reason = format!("the group has fewer rows ({rows}) than there are fixed points ({count})");
                Err(Fault::new(code::FIXED_COUNT, last, None, reason))
            }
            _ => Ok(()),
        }
    }

    fn finish(&self, products: Vec<MillerValue>) -> Vec<Result<Value, Fault>> {
        match self.question {
            Question::IsOk => {
                let answers = self.batch.final_exponentiation_is_one(&products).into_iter();
                answers.map(|is_one| Ok(Value::Ok(is_one))).collect()
            }
            Question::Value(_) | Question::Point(_) | Question::Match => {
                self.batch.final_exponentiation(&products).iter().map(|gt| Ok(self.value(gt))).collect()
            }
        }
    }
}
