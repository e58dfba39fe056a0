//! Independent pairings: one value a row.

use super::context::Context;
use super::rows::Answer;
use crate::fault::Fault;
use crate::input::{Cells, Chunk};
use crate::output::{Question, Value};
use bilinear_engine::{FixedRows, RowError, Side};

/// The job `gt = e(p, q)`, or whether that is 1, for each row.
pub(crate) struct Pairs {
    context: Context,
}

impl Pairs {
    /// The job.
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }

    fn values(&self, chunk: &Chunk, rows: &[&Cells]) -> Vec<Result<Value, RowError>> {
        let Context { batch, question, fixed, .. } = &self.context;
        let (p, q) = (
            |cells: &&Cells| self.context.point(chunk, cells.p()),
            |cells: &&Cells| self.context.point(chunk, cells.q()),
        );
        let moving =
            |side| rows.iter().map(|cells| if side == Side::P { p(cells) } else { q(cells) }).collect::<Vec<_>>();
        let pairs = || rows.iter().map(|cells| (p(cells), q(cells))).collect::<Vec<_>>();
        let single = 0..rows.len();
        match (fixed, question) {
            (None, Question::Value(_)) => answers(batch.pair(&pairs()), |gt| self.context.value(&gt)),
            (None, Question::IsOne) => {
                let groups: Vec<_> = single.map(|i| i..i + 1).collect();
                answers(batch.check(&pairs(), &groups), Value::Ok)
            }
            (Some(fixed), Question::Value(_)) => {
                answers(batch.pair_with(&fixed.points[0], &moving(fixed.side.other())), |gt| self.context.value(&gt))
            }
            (Some(fixed), Question::IsOne) => {
                let groups: Vec<_> = single.map(|i| FixedRows { rows: i..i + 1, first_fixed: 0 }).collect();
                answers(batch.check_with(&fixed.points, &moving(fixed.side.other()), &groups), Value::Ok)
            }
        }
    }

    /// The value of a row, compared with the expected one where there is one.
    fn outcome(&self, chunk: &Chunk, row: u64, cells: &Cells, value: Result<Value, RowError>) -> Result<Value, Fault> {
        self.context.fixed_point(chunk, row, cells, 0)?;
        let value = value.map_err(|error| self.context.fault(row, &error))?;
        if let Some(expect) = cells.expect() {
            self.context.compare(row, chunk.get(expect).unwrap_or_default(), &value)?;
        }
        Ok(value)
    }
}

/// The engine's results as they are written.
fn answers<T>(results: Vec<Result<T, RowError>>, value: impl Fn(T) -> Value) -> Vec<Result<Value, RowError>> {
    results.into_iter().map(|result| result.map(&value)).collect()
}

impl Answer for Pairs {
    fn answer(&self, chunk: &Chunk, rows: &[(u64, &Cells)]) -> Vec<Result<Value, Fault>> {
        let cells: Vec<&Cells> = rows.iter().map(|(_, cells)| *cells).collect();
        let outcome = |((row, cells), value): (&(u64, &Cells), _)| self.outcome(chunk, *row, cells, value);
        rows.iter().zip(self.values(chunk, &cells)).map(outcome).collect()
    }

    fn file(&self) -> &str {
        &self.context.file
    }
}
