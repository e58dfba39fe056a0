//! The rows of a table that a search finds, with all columns of the table. Each token adds a column with the
//! messages that it opens, which is null where the token does not find the row. The table is the searched one,
//! or another one with the same rows in the same order.

use super::columnar::{self, Batches, from_arrow};
use super::error_reporter::ErrorReporter;
use super::{Framing, Record, Sink, Value};
use crate::error::CommandError;
use crate::input::Format;
use crate::input::guard::caught;
use crate::input::whole::Whole;
use crate::job::checkpoint::fingerprint;
use arrow_array::builder::BinaryBuilder;
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, new_null_array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The number of bytes of messages after which a part of a batch is written.
const MAX_OPENED: usize = 16 << 20;

/// The table from which rows are kept.
#[derive(Debug)]
pub(crate) struct Filter {
    path: PathBuf,
    format: Format,
    sha256: String,
    /// The name of the column of ciphertexts.
    ciphertext: String,
    /// The names of the columns of messages.
    opened: Vec<String>,
}

impl Filter {
    /// Creates a filter of a table. With one token the column of messages is `opened`, with several tokens
    /// there is a column `opened_NAME` for each.
    ///
    /// # Errors
    /// Returns an error if the table cannot be read, has no columns, or has a column of one of these names, or
    /// if its rows cannot be written in the format `out`.
    pub(crate) fn new(
        path: PathBuf,
        format: Format,
        ciphertext: String,
        tokens: &[Arc<str>],
        out: (Format, Framing),
    ) -> Result<Self, CommandError> {
        let opened = match tokens {
            [_] => vec!["opened".to_owned()],
            _ => tokens.iter().map(|token| format!("opened_{token}")).collect(),
        };
        let table = Whole::open(&path, format)?;
        if let Some(name) = opened.iter().find(|name| table.schema().index_of(name).is_ok()) {
            let reason = "the column of the found messages would have the same name";
            return Err(CommandError::Usage(format!("{}: there is a column {name:?}: {reason}", path.display())));
        }
        let (_, sha256) = fingerprint(&path)?;
        let filter = Self { path, format, sha256, ciphertext, opened };
        filter.try_out(table, out)?;
        Ok(filter)
    }

    /// Writes every second row of the table to a null sink. So a table that cannot be read or written is
    /// reported before the search.
    fn try_out(&self, mut table: Whole, out: (Format, Framing)) -> Result<(), CommandError> {
        let refuse = |reason: &dyn Display| {
            self.refuse(&format!("rows of this table cannot be written in {}: {reason}", out.0.name()))
        };
        let written = || -> Result<(), CommandError> {
            let io = |error: io::Error| refuse(&error);
            let (schema, random) = self.columns(&table);
            let mut batches = columnar::batches(io::sink(), out, schema.clone(), &random).map_err(io)?;
            while let Some(batch) = table.next_batch()? {
                let keep: BooleanArray = (0..batch.num_rows()).map(|row| Some(row % 2 == 0)).collect();
                let kept = filter_record_batch(&batch, &keep).map_err(|error| refuse(&error))?;
                let opened = self.opened.iter().map(|_| new_null_array(&DataType::Binary, kept.num_rows()));
                let columns = kept.columns().iter().cloned().chain(opened).collect();
                let batch = RecordBatch::try_new(schema.clone(), columns).map_err(|error| refuse(&error))?;
                batches.write(&batch).map_err(io)?;
            }
            batches.finish().map_err(io)
        };
        caught(written).unwrap_or_else(|reason| Err(refuse(&reason)))
    }

    /// Returns the schema of the rows that are kept, and the names of the columns that look random.
    fn columns(&self, table: &Whole) -> (SchemaRef, Vec<&str>) {
        let message = |name: &String| Arc::new(Field::new(name, DataType::Binary, true));
        let fields = table.schema().fields().iter().cloned().chain(self.opened.iter().map(message));
        let random = self.opened.iter().chain([&self.ciphertext]).map(String::as_str).collect();
        (Arc::new(Schema::new(fields.collect::<Vec<_>>())), random)
    }

    /// Returns the SHA-256 of the table's file.
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Opens the table, which must not have changed.
    fn open(&self) -> Result<Whole, CommandError> {
        let (_, sha256) = fingerprint(&self.path)?;
        if sha256 != self.sha256 {
            return Err(self.refuse("it has changed since the search began"));
        }
        Whole::open(&self.path, self.format)
    }

    fn refuse(&self, reason: &str) -> CommandError {
        CommandError::Usage(format!("{}: {reason}", self.path.display()))
    }
}

/// A sink that takes the records of each row, one for each token, in order.
pub(super) struct Found {
    filter: Arc<Filter>,
    table: Whole,
    batches: Box<dyn Batches>,
    schema: SchemaRef,
    /// The rows of the table's current batch that have not been flushed, decided or not.
    current: Option<RecordBatch>,
    /// The decisions on the first rows of `current`: true for a row that is kept.
    keep: Vec<bool>,
    /// The messages of the kept rows, by token.
    opened: Vec<BinaryBuilder>,
    opened_bytes: usize,
    /// The messages of the row that is being decided, by token.
    row: Vec<Option<Box<[u8]>>>,
    errors: ErrorReporter,
}

impl Found {
    /// Creates a sink of the rows of a filter's table. `writer` takes the schema, and the names of the columns
    /// that look random.
    ///
    /// # Errors
    /// Returns an error if the table cannot be read, has changed, or has columns that the format cannot hold.
    pub(super) fn new(
        filter: &Arc<Filter>,
        writer: impl FnOnce(SchemaRef, &[&str]) -> io::Result<Box<dyn Batches>>,
    ) -> io::Result<Self> {
        let table = filter.open().map_err(io::Error::other)?;
        let (schema, random) = filter.columns(&table);
        Ok(Self {
            batches: writer(schema.clone(), &random)?,
            opened: filter.opened.iter().map(|_| BinaryBuilder::new()).collect(),
            filter: filter.clone(),
            table,
            schema,
            current: None,
            keep: Vec::new(),
            opened_bytes: 0,
            row: Vec::new(),
            errors: ErrorReporter::default(),
        })
    }

    /// Decides whether the next row is kept.
    fn decide(&mut self) -> io::Result<()> {
        let left = |batch: &RecordBatch, keep: &[bool]| batch.num_rows() > keep.len();
        while !self.current.as_ref().is_some_and(|batch| left(batch, &self.keep)) {
            self.flush()?;
            self.current = self.table.next_batch().map_err(io::Error::other)?;
            if self.current.is_none() {
                return Err(io::Error::other(self.filter.refuse("it has fewer rows than the table that was searched")));
            }
        }
        let kept = self.row.iter().any(Option::is_some);
        self.keep.push(kept);
        for (column, message) in self.opened.iter_mut().zip(self.row.drain(..)) {
            if kept {
                self.opened_bytes += message.as_ref().map_or(0, |message| message.len());
                column.append_option(message);
            }
        }
        if self.opened_bytes > MAX_OPENED { self.flush() } else { Ok(()) }
    }

    /// Writes the kept rows among those that have been decided.
    fn flush(&mut self) -> io::Result<()> {
        let Some(batch) = self.current.take() else { return Ok(()) };
        let decided = self.keep.len();
        let keep = BooleanArray::from(std::mem::take(&mut self.keep));
        let kept = filter_record_batch(&batch.slice(0, decided), &keep).map_err(from_arrow)?;
        let mut columns = kept.columns().to_vec();
        columns.extend(self.opened.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        self.opened_bytes = 0;
        self.current = Some(batch.slice(decided, batch.num_rows() - decided));
        if kept.num_rows() == 0 {
            return Ok(());
        }
        self.batches.write(&RecordBatch::try_new(self.schema.clone(), columns).map_err(from_arrow)?)
    }
}

impl Sink for Found {
    fn write(&mut self, records: &[Record]) -> io::Result<()> {
        for record in records {
            self.errors.report(record);
            self.row.push(match &record.outcome {
                Ok(Value::Match(message)) => message.clone(),
                _ => None,
            });
            if self.row.len() == self.opened.len() {
                self.decide()?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        // no batch has been read yet if the searched table was empty
        let mut rest = self.current.take().map_or_else(|| self.table.next_batch(), |batch| Ok(Some(batch)));
        while let Some(batch) = rest.map_err(io::Error::other)? {
            if batch.num_rows() > 0 {
                return Err(io::Error::other(self.filter.refuse("it has more rows than the table that was searched")));
            }
            rest = self.table.next_batch();
        }
        self.stop()
    }

    fn stop(&mut self) -> io::Result<()> {
        self.flush()?;
        self.errors.end();
        self.batches.finish()
    }
}
