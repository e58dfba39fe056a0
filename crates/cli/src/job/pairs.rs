//! Independent pairings: one value a row.

use super::context::{Context, Done, Work};
use super::tally::Tally;
use crate::fault::Fault;
use crate::input::{Cells, Chunk};
use crate::output::{Key, Question, Record, Value};
use bilinear_engine::{FixedRows, RowError, Side};

/// The job `gt = e(p, q)`, or whether that is 1, for each row.
pub(crate) struct Pairs {
    context: Context,
    tally: Tally,
}

impl Pairs {
    /// A job that goes on after the rows of `tally`.
    pub(crate) fn new(context: Context, tally: Tally) -> Self {
        Self { context, tally }
    }

    fn values(&self, chunk: &Chunk, rows: &[&Cells]) -> Vec<Result<Value, RowError>> {
        let Context { batch, question, fixed, .. } = &self.context;
        let (p, q) =
            (|cells: &&Cells| self.context.point(chunk, cells.p), |cells: &&Cells| self.context.point(chunk, cells.q));
        let moving =
            |side| rows.iter().map(|cells| if side == Side::P { p(cells) } else { q(cells) }).collect::<Vec<_>>();
        let pairs = || rows.iter().map(|cells| (p(cells), q(cells))).collect::<Vec<_>>();
        let single = 0..rows.len();
        match (fixed, question) {
            (None, Question::Gt) => answers(batch.pair(&pairs()), |gt| self.context.value(&gt)),
            (None, Question::IsOne) => {
                let groups: Vec<_> = single.map(|i| i..i + 1).collect();
                answers(batch.check(&pairs(), &groups), Value::Ok)
            }
            (Some(fixed), Question::Gt) => {
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
        if let Some(expect) = cells.expect {
            self.context.compare(row, chunk.get(expect).unwrap_or_default(), &value)?;
        }
        Ok(value)
    }
}

/// The engine's results as they are written.
fn answers<T>(results: Vec<Result<T, RowError>>, value: impl Fn(T) -> Value) -> Vec<Result<Value, RowError>> {
    results.into_iter().map(|result| result.map(&value)).collect()
}

impl Work for Pairs {
    fn process(&mut self, chunk: &Chunk) -> Done {
        let rows = || (chunk.first..).zip(&chunk.rows).skip_while(|(row, _)| *row < self.tally.rows);
        let good: Vec<&Cells> = rows().filter_map(|(_, row)| row.cells.as_ref().ok()).collect();
        let mut values = good.iter().zip(self.values(chunk, &good));
        let mut records = Vec::with_capacity(rows().count());
        for (number, row) in rows() {
            let outcome = match &row.cells {
                Err(fault) => Err(fault.clone()),
                // one value for each good row
                Ok(_) => match values.next() {
                    Some((cells, value)) => self.outcome(chunk, number, cells, value),
                    None => break,
                },
            };
            let outcome = outcome.map_err(|fault| fault.failure(&self.context.file));
            records.push(Record { key: Key::Row(number), outcome });
        }
        records.iter().for_each(|record| self.tally.add(record, 1));
        self.tally.rows = self.tally.rows.max(chunk.first + chunk.rows.len() as u64);
        Done { records, tally: self.tally.clone() }
    }

    fn finish(&mut self) -> Done {
        Done { records: Vec::new(), tally: self.tally.clone() }
    }
}
