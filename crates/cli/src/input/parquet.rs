//! Tables in Parquet: read page by page, and only the wanted columns.

use super::columnar::{Columnar, Columns};
use super::{Extent, Fields};
use crate::error::CommandError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;

/// Opens a table; `rows` is the size of the batches.
pub(super) fn open(input: File, fields: Fields, file: String, rows: usize) -> Result<Columnar, CommandError> {
    const FORMAT: &str = "Parquet";
    let damaged = |error: &dyn std::fmt::Display| CommandError::Damaged {
        file: file.clone(),
        format: FORMAT,
        reason: error.to_string(),
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(input).map_err(|error| damaged(&error))?;
    let columns = Columns::find(builder.schema(), &fields, &file, FORMAT)?;
    let total = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    let mask = ProjectionMask::roots(builder.parquet_schema(), columns.indices.iter().copied());
    let reader = builder.with_projection(mask).with_batch_size(rows).build().map_err(|error| damaged(&error))?;
    Ok(Columnar::new(Box::new(reader), &columns, fields, (file, FORMAT), Extent::Rows(total)))
}
