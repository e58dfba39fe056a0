//! What a job does with the chunks of a table.

use super::tally::Tally;
use crate::fault::Fault;
use crate::input::{Cells, Chunk};
use crate::output::{Key, Record, Value};

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

/// A row that could be read: its number in the table, and its fields.
pub(crate) type Good<'c> = (u64, &'c Cells);

/// What is computed of each row on its own ([`Rows`](super::rows::Rows) is the job).
pub(crate) trait EachRow {
    /// What records of a row are about, each with the operations that go into a value.
    fn records(&self, row: u64) -> Vec<(Key, u64)> {
        vec![(Key::Row(row), 1)]
    }

    /// The outcomes of each of these rows, in order, one for each of its records.
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>>;
}

/// Does the same with all good items at a time, in lanes and threads; the faults stay in their places.
pub(crate) fn in_place<T, U>(
    items: Vec<Result<T, Fault>>,
    work: impl FnOnce(Vec<T>) -> Vec<U>,
) -> Vec<Result<U, Fault>> {
    let mut faults = Vec::with_capacity(items.len());
    let mut good = Vec::with_capacity(items.len());
    for item in items {
        faults.push(match item {
            Ok(item) => {
                good.push(item);
                None
            }
            Err(fault) => Some(fault),
        });
    }
    let mut made = work(good).into_iter();
    let mut next = || made.next().unwrap_or_else(|| unreachable!("one result for every good item"));
    faults.into_iter().map(|fault| fault.map_or_else(|| Ok(next()), Err)).collect()
}
