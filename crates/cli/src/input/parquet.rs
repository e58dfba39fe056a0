//! Tables in Parquet: read page by page, and only the wanted columns.

use super::columnar::{Columnar, Columns, damaged};
use super::guard::guard;
use super::{Extent, Fields};
use crate::error::CommandError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;

const FORMAT: &str = "Parquet";

/// Rows that are decoded at a time.
const BATCH: usize = 4096;

/// Opens a table.
pub(super) fn open(input: File, fields: Fields, file: String) -> Result<Columnar, CommandError> {
    let name = file.clone();
    guard(&name, FORMAT, || {
        let damaged = |error| damaged(&name, FORMAT, &error);
        let builder = ParquetRecordBatchReaderBuilder::try_new(input).map_err(damaged)?;
        let columns = Columns::find(builder.schema(), &fields, &file, FORMAT)?;
        let total = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns.indices.iter().copied());
        let reader = builder.with_projection(mask).with_batch_size(BATCH).build().map_err(damaged)?;
        let reader = reader.map(|batch| batch.map_err(Into::into));
        Ok(Columnar::new(Box::new(reader), &columns, fields, (file, FORMAT), Extent::Rows(total)))
    })
}
