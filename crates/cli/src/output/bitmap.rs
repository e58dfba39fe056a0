//! The answers of a search as bits: a row of the output for each row of the table, a column of truth values for each token, null where
//! a row has an error. Parquet and Arrow take a bit for a truth value.

use super::columnar::{BATCH_ROWS, Batches, from_arrow};
use super::told::Told;
use super::{Record, Sink, Value};
use arrow_array::builder::BooleanBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::io;
use std::sync::Arc;

/// The columns for these tokens.
pub(super) fn schema(tokens: &[Arc<str>]) -> SchemaRef {
    let column = |name: &Arc<str>| Field::new(&**name, DataType::Boolean, true);
    Arc::new(Schema::new(tokens.iter().map(column).collect::<Vec<_>>()))
}

/// Takes the records of each row, one for each token, in order.
pub(super) struct Bitmap {
    batches: Box<dyn Batches>,
    schema: SchemaRef,
    columns: Vec<BooleanBuilder>,
    /// Records of this batch.
    records: usize,
    told: Told,
}

impl Bitmap {
    /// A map of these columns.
    pub(super) fn new(batches: Box<dyn Batches>, schema: SchemaRef) -> Self {
        let columns = schema.fields().iter().map(|_| BooleanBuilder::new()).collect();
        Self { batches, schema, columns, records: 0, told: Told::default() }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.records > 0 {
            let columns = self.columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
            self.records = 0;
            self.batches.write(&RecordBatch::try_new(self.schema.clone(), columns).map_err(from_arrow)?)?;
        }
        Ok(())
    }
}

impl Sink for Bitmap {
    fn write(&mut self, records: &[Record]) -> io::Result<()> {
        for record in records {
            self.told.tell(record);
            let place = self.records % self.columns.len();
            self.columns[place].append_option(match &record.outcome {
                Ok(Value::Match(message)) => Some(message.is_some()),
                _ => None,
            });
            self.records += 1;
            if self.records == BATCH_ROWS * self.columns.len() {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        self.told.end();
        self.batches.finish()
    }
}
