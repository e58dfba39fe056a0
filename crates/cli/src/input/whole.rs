//! Reading all columns of a columnar table unchanged.

use super::columnar::{Batches, damaged};
use super::guard::guard;
use super::{Format, arrow, parquet};
use crate::error::CommandError;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use std::fs::File;
use std::path::Path;

/// A Parquet or Arrow file that is read from beginning to end.
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
    /// Returns an error if the file cannot be read, is not of this format, or is JSON Lines, which has no
    /// columns.
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

    /// Returns the file's columns.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns the next batch of rows, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, CommandError> {
        guard(&self.file, self.format, || {
            let batch = self.batches.next().transpose();
            batch.map_err(|error| damaged(&self.file, self.format, &error))
        })
    }
}
