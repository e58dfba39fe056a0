//! The rows of a table that a search finds: all of their columns, and for each token one with the messages that it opens, null where
//! it does not find the row. The table is the one that was searched or another one with the same rows in the same order.

use super::columnar::{self, Batches, from_arrow};
use super::told::Told;
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

/// Bytes of messages after which a part of a batch is written.
const MOST_OPENED: usize = 16 << 20;

/// The table whose rows are kept.
#[derive(Debug)]
pub(crate) struct Filter {
    path: PathBuf,
    format: Format,
    sha256: String,
    /// The column of the ciphertexts.
    ciphertext: String,
    /// The columns of the messages.
    opened: Vec<String>,
}

impl Filter {
    /// Keeps rows of a table. With one token the column of the messages is `opened`, with several `opened_` and the name of each.
    ///
    /// # Errors
    /// If the table cannot be read, has no columns, or has one of the name of one of these, or if its rows cannot be written `out`.
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
            let reason = "the messages that are found would have this name";
            return Err(CommandError::Usage(format!("{}: there is a column {name:?}: {reason}", path.display())));
        }
        let (_, sha256) = fingerprint(&path)?;
        let filter = Self { path, format, sha256, ciphertext, opened };
        filter.try_out(table, out)?;
        Ok(filter)
    }

    /// Writes rows of the table to nowhere, as if every second one were found: what cannot be read or written is told before the search.
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

    /// The columns of the rows that are kept, and the names of those that look random.
    fn columns(&self, table: &Whole) -> (SchemaRef, Vec<&str>) {
        let message = |name: &String| Arc::new(Field::new(name, DataType::Binary, true));
        let fields = table.schema().fields().iter().cloned().chain(self.opened.iter().map(message));
        let random = self.opened.iter().chain([&self.ciphertext]).map(String::as_str).collect();
        (Arc::new(Schema::new(fields.collect::<Vec<_>>())), random)
    }

    /// The hash of the table's file.
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Opens the table, which must be as it was.
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

/// Takes the records of each row, one for each token, in order.
pub(super) struct Found {
    filter: Arc<Filter>,
    table: Whole,
    batches: Box<dyn Batches>,
    schema: SchemaRef,
    /// The rows of the table that have not been decided, but for those of later batches.
    current: Option<RecordBatch>,
    /// Which of the first of them are kept.
    keep: Vec<bool>,
    /// The messages of those.
    opened: Vec<BinaryBuilder>,
    opened_bytes: usize,
    /// The messages of the row at hand, by token.
    row: Vec<Option<Box<[u8]>>>,
    told: Told,
}

impl Found {
    /// The rows of a filter's table, for a writer that takes these columns; those named beside them look random.
    ///
    /// # Errors
    /// If the table cannot be read, has changed, or the format cannot hold its columns.
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
            told: Told::default(),
        })
    }

    /// Decides the next row.
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
        if self.opened_bytes > MOST_OPENED { self.flush() } else { Ok(()) }
    }

    /// Writes what is kept of the rows that have been decided.
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
            self.told.tell(record);
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
        // in an empty table no batch has been asked for
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
        self.told.end();
        self.batches.finish()
    }
}
