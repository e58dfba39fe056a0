//! The columns that a job reads, which faults of their values name.

use super::work::Good;
use crate::fault::Fault;
use crate::input::{Chunk, Column};

/// The columns of a job, in the order of the cells of a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns(pub(crate) Vec<Column>);

impl Columns {
    /// Makes the fault of a row in a column.
    pub(crate) fn fault(&self, row: u64, column: usize, code: &'static str, reason: impl ToString) -> Fault {
        Fault::new(code, row, self.0.get(column).map(|column| &*column.name), reason)
    }

    /// Turns the errors of what was read from a column into faults of their rows.
    pub(crate) fn named<T, E: ToString>(
        &self,
        rows: &[Good<'_>],
        column: usize,
        read: Vec<Result<T, E>>,
        code: fn(&E) -> &'static str,
    ) -> Vec<Result<T, Fault>> {
        let fault = |row, error: E| self.fault(row, column, code(&error), error);
        rows.iter().zip(read).map(|((row, _), read)| read.map_err(|error| fault(*row, error))).collect()
    }

    /// Reads the values of rows in a column, all at once.
    pub(crate) fn read<T, E: ToString>(
        &self,
        chunk: &Chunk,
        rows: &[Good<'_>],
        column: usize,
        read: impl FnOnce(&[&[u8]]) -> Vec<Result<T, E>>,
        code: fn(&E) -> &'static str,
    ) -> Vec<Result<T, Fault>> {
        self.named(rows, column, read(&chunk.column(rows, column)), code)
    }
}
