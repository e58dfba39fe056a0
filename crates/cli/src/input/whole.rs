//! All columns of a table in columns, as they are.

use super::columnar::{Batches, damaged};
use super::guard::guard;
use super::{Format, arrow, parquet};
use crate::error::CommandError;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use std::fs::File;
use std::path::Path;

/// A Parquet or Arrow file that is read from front to back.
pub(crate) struct Whole {
    file: String,
    format: &'static str,
    schema: SchemaRef,
    batches: Batches,
}

impl Whole {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, is not of this format, or has no columns: JSON Lines.
    pub(crate) fn open(path: &Path, format: Format) -> Result<Self, CommandError> {
        let file = path.display().to_string();
        let input = || File::open(path).map_err(CommandError::io(&file, "open"));
        let (schema, batches) = match format {
            Format::Parquet => parquet::whole(input()?, &file)?,
            Format::Arrow => arrow::whole(input()?, &file)?,
            Format::Jsonl => {
                let reason = "a table in JSON Lines has no columns that could be kept: Parquet or Arrow is needed";
                return Err(CommandError::Usage(format!("{file}: {reason}")));
            }
        };
        Ok(Self { file, format: format.name(), schema, batches })
    }

    /// Its columns.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The next batch of rows; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read on.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, CommandError> {
        guard(&self.file, self.format, || {
            let batch = self.batches.next().transpose();
            batch.map_err(|error| damaged(&self.file, self.format, &error))
        })
    }
}
