//! The answers of a search as bits. The output has a row for each row of the table and a column of booleans for
//! each token, with a null where a row has an error. Parquet and Arrow store a boolean in one bit.

use super::columnar::{BATCH_ROWS, Batches, from_arrow};
use super::error_reporter::ErrorReporter;
use super::{Record, Sink, Value};
use arrow_array::builder::BooleanBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::io;
use std::sync::Arc;

/// Returns the schema with a column for each token.
pub(super) fn schema(tokens: &[Arc<str>]) -> SchemaRef {
    let column = |name: &Arc<str>| Field::new(&**name, DataType::Boolean, true);
    Arc::new(Schema::new(tokens.iter().map(column).collect::<Vec<_>>()))
}

/// A sink that takes the records of each row, one for each token, in order.
pub(super) struct Bitmap {
    batches: Box<dyn Batches>,
    schema: SchemaRef,
    columns: Vec<BooleanBuilder>,
    /// The number of records in the current batch.
    records: usize,
    errors: ErrorReporter,
}

impl Bitmap {
    /// Creates a bitmap with the columns of `schema`.
    pub(super) fn new(batches: Box<dyn Batches>, schema: SchemaRef) -> Self {
        let columns = schema.fields().iter().map(|_| BooleanBuilder::new()).collect();
        Self { batches, schema, columns, records: 0, errors: ErrorReporter::default() }
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
            self.errors.report(record);
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
        self.errors.end();
        self.batches.finish()
    }

    fn stop(&mut self) -> io::Result<()> {
        // the remaining tokens of an incomplete row have no answer, so their columns are null
        let answered = self.records % self.columns.len();
        if answered > 0 {
            self.columns[answered..].iter_mut().for_each(BooleanBuilder::append_null);
        }
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::output::Key;
    use arrow_array::cast::AsArray;
    use std::sync::mpsc::{Sender, channel};

    struct Sent(Sender<RecordBatch>);

    impl Batches for Sent {
        fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
            self.0.send(batch.clone()).map_err(io::Error::other)
        }
        fn finish(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A strict job stops within a row if one answer differs from that of another engine.
    #[test]
    fn a_map_may_end_within_a_row() {
        let tokens: [Arc<str>; 2] = ["a".into(), "b".into()];
        let (sender, batches) = channel();
        let mut map = Bitmap::new(Box::new(Sent(sender)), schema(&tokens));
        let record = |i: u64| {
            let key = Key::Token { row: i / 2, token: tokens[i as usize % 2].clone() };
            Record { key, outcome: Ok(Value::Match(None)) }
        };
        map.write(&(0..3).map(record).collect::<Vec<_>>()).unwrap();
        map.stop().unwrap();
        let batch = batches.recv().unwrap();
        let column = |name: &str| batch[name].as_boolean().iter().collect::<Vec<_>>();
        assert_eq!([column("a"), column("b")], [[Some(false), Some(false)], [Some(false), None]]);
    }
}
