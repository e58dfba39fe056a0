//! The processing of a table's chunks by a job.

use super::tally::Tally;
use crate::fault::Fault;
use crate::input::{Cells, Chunk};
use crate::output::{Key, Record, Value};

/// The output for a chunk.
#[derive(Debug)]
pub(crate) struct Done {
    /// The records that are complete, in order.
    pub(crate) records: Vec<Record>,
    /// The counts after these records: a run can be resumed from here.
    pub(crate) tally: Tally,
}

/// A kind of job, which makes records from chunks. The records do not depend on how the rows are split into
/// chunks.
pub(crate) trait Work {
    /// Processes the next chunk. Rows before the one at which the job continues are only registered.
    fn process(&mut self, chunk: &Chunk) -> Done;

    /// Returns the remaining output at the end of the table.
    fn finish(&mut self) -> Done;
}

/// A row that could be read: its number in the table, and its cells.
pub(crate) type Good<'c> = (u64, &'c Cells);

/// A computation on each row on its own; the job is [`Rows`](super::rows::Rows).
pub(crate) trait EachRow {
    /// Returns the keys of a row's records, each with the number of operations that its value costs.
    fn records(&self, row: u64) -> Vec<(Key, u64)> {
        vec![(Key::Row(row), 1)]
    }

    /// Computes the outcomes of the given rows, in order, with one outcome for each record of a row.
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>>;
}
