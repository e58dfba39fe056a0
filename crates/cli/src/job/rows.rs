//! Jobs whose rows do not depend on each other: one record a row.

use super::context::{Done, Work};
use super::tally::Tally;
use crate::fault::Fault;
use crate::input::{Cells, Chunk};
use crate::output::{Key, Record, Value};

/// What a job makes of rows.
pub(crate) trait Answer {
    /// An answer for each of these rows of a chunk, given with their numbers.
    fn answer(&self, chunk: &Chunk, rows: &[(u64, &Cells)]) -> Vec<Result<Value, Fault>>;

    /// The input's name.
    fn file(&self) -> &str;
}

/// The job that answers for each row.
pub(crate) struct Rows<A> {
    job: A,
    tally: Tally,
}

impl<A: Answer> Rows<A> {
    /// A job that goes on after the rows of `tally`.
    pub(crate) fn new(job: A, tally: Tally) -> Self {
        Self { job, tally }
    }
}

impl<A: Answer> Work for Rows<A> {
    fn process(&mut self, chunk: &Chunk) -> Done {
        let rows = || (chunk.first..).zip(&chunk.rows).skip_while(|(row, _)| *row < self.tally.rows);
        let good: Vec<(u64, &Cells)> =
            rows().filter_map(|(number, row)| Some((number, row.cells.as_ref().ok()?))).collect();
        let mut answers = self.job.answer(chunk, &good).into_iter();
        let mut records = Vec::with_capacity(rows().count());
        for (number, row) in rows() {
            let outcome = match &row.cells {
                Err(fault) => Err(fault.clone()),
                // one answer for each good row
                Ok(_) => match answers.next() {
                    Some(answer) => answer,
                    None => break,
                },
            };
            let outcome = outcome.map_err(|fault| fault.failure(self.job.file()));
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
