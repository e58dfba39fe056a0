//! Independent pairings: one value a row.

use super::context::{Context, Done, Work, point};
use super::tally::Tally;
use crate::fault::Fault;
use crate::input::{Cells, Chunk};
use crate::output::{Key, Record};
use bilinear_engine::{Gt, RowError};

/// The job `gt = e(p, q)` for each row.
pub(crate) struct Pairs {
    context: Context,
    tally: Tally,
}

impl Pairs {
    /// A job that goes on after the rows of `tally`.
    pub(crate) fn new(context: Context, tally: Tally) -> Self {
        Self { context, tally }
    }

    fn values(&self, chunk: &Chunk, rows: &[&Cells]) -> Vec<Result<Gt, RowError>> {
        match self.context.fixed.as_deref() {
            Some([p, ..]) => {
                let qs: Vec<_> = rows.iter().map(|cells| point(chunk, cells.q)).collect();
                self.context.batch.pair_with(p, &qs)
            }
            _ => {
                let pairs: Vec<_> = rows.iter().map(|cells| (point(chunk, cells.p), point(chunk, cells.q))).collect();
                self.context.batch.pair(&pairs)
            }
        }
    }

    /// The value of a row, compared with the expected one where there is one.
    fn outcome(&self, chunk: &Chunk, row: u64, cells: &Cells, value: Result<Gt, RowError>) -> Result<Gt, Fault> {
        let gt = value.map_err(|error| self.context.fault(row, &error))?;
        if let Some(expect) = cells.expect {
            self.context.compare(row, chunk.get(expect).unwrap_or_default(), gt.bytes())?;
        }
        Ok(gt)
    }
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
            let outcome = outcome.map(|gt| gt.bytes().into()).map_err(|fault| fault.failure(&self.context.file));
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
