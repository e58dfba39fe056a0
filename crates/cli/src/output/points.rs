//! Tables of points in Parquet and Arrow: a binary column for each argument, in which length 0 is the point at
//! infinity.

use super::Framing;
use super::columnar::{BATCH_ROWS, Batches, batches, from_arrow};
use crate::input::Format;
use arrow_array::builder::BinaryBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::io::{self, Write};
use std::sync::Arc;

/// A table to which rows are appended.
pub(crate) struct PointTable {
    batches: Box<dyn Batches>,
    schema: SchemaRef,
    columns: Vec<BinaryBuilder>,
    rows: usize,
}

impl PointTable {
    /// Creates a file of the format, which has columns, with the given names.
    ///
    /// # Errors
    /// Returns an error if the format's header cannot be written.
    pub(crate) fn new(writer: impl Write + Send + 'static, format: Format, names: &[&str]) -> io::Result<Self> {
        let fields: Vec<Field> = names.iter().map(|name| Field::new(*name, DataType::Binary, false)).collect();
        let columns = fields.iter().map(|_| BinaryBuilder::new()).collect();
        let schema = Arc::new(Schema::new(fields));
        let batches = batches(writer, (format, Framing::File), schema.clone(), names)?;
        Ok(Self { batches, schema, columns, rows: 0 })
    }

    /// Appends a row: the bytes of a point for each column.
    ///
    /// # Errors
    /// Returns an error if the row cannot be written.
    pub(crate) fn push(&mut self, points: &[Vec<u8>]) -> io::Result<()> {
        self.columns.iter_mut().zip(points).for_each(|(column, point)| column.append_value(point));
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.batches.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.rows = 0;
        let columns: Vec<ArrayRef> =
            self.columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(from_arrow)?;
        self.batches.write(&batch)
    }
}
