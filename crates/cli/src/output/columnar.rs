//! Writing Parquet and Arrow. Records are gathered into batches that end after a fixed number of rows or bytes.
//! A file's metadata is fixed too, so that equal records give equal bytes.

use super::{Framing, Key, Keys, Question, Record, Shape, Sink, Value};
use crate::input::parquet::without_views;
use crate::input::{Format, GroupKey, GroupType};
use arrow_array::builder::{BinaryBuilder, BooleanBuilder, Int64Builder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::ArrowError;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::arrow::{
    ArrowSchemaConverter, ArrowWriter, add_encoded_arrow_schema_to_metadata, parquet_to_arrow_schema,
};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;

/// The number of rows of a record batch.
pub(super) const BATCH_ROWS: usize = 8192;

/// The number of bytes of texts and values after which a batch ends early: columns use 32-bit offsets.
const BATCH_BYTES: usize = 16 << 20;

/// The number of rows of a Parquet row group, which the writer holds in memory.
const GROUP_ROWS: usize = 2 * BATCH_ROWS;

/// The number of bytes after which a row group ends early.
const GROUP_BYTES: usize = 2 * BATCH_BYTES;

/// A writer of record batches in some format.
pub(super) trait Batches: Send {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;
    fn finish(&mut self) -> io::Result<()>;
}

/// A sink that gathers records into record batches.
pub(super) struct ColumnarSink {
    batches: Box<dyn Batches>,
    columns: Columns,
    /// The number of bytes after which a batch ends.
    most: usize,
}

impl ColumnarSink {
    /// Creates a sink for records with the given columns.
    pub(super) fn new(batches: Box<dyn Batches>, columns: Columns) -> Self {
        Self { batches, columns, most: BATCH_BYTES }
    }
}

impl Sink for ColumnarSink {
    fn write(&mut self, records: &[Record]) -> io::Result<()> {
        for record in records {
            self.columns.push(record)?;
            if self.columns.rows == BATCH_ROWS || self.columns.bytes >= self.most {
                self.batches.write(&self.columns.take().map_err(from_arrow)?)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.columns.rows > 0 {
            self.batches.write(&self.columns.take().map_err(from_arrow)?)?;
        }
        self.batches.finish()
    }
}

/// Creates a writer of record batches in a format. The columns named in `random` have values that look random.
///
/// # Errors
/// Returns an error if the format's header cannot be written, if the format cannot hold these columns, or if it
/// is JSON Lines, which has no columns.
pub(super) fn batches<W: Write + Send + 'static>(
    writer: W,
    (format, framing): (Format, Framing),
    schema: SchemaRef,
    random: &[&str],
) -> io::Result<Box<dyn Batches>> {
    Ok(match (format, framing) {
        (Format::Parquet, _) => Box::new(parquet_batches(writer, schema, random)?),
        (Format::Arrow, Framing::File) => Box::new(FileWriter::try_new(writer, &schema).map_err(from_arrow)?),
        (Format::Arrow, Framing::Stream) => Box::new(StreamWriter::try_new(writer, &schema).map_err(from_arrow)?),
        (Format::Jsonl, _) => return Err(io::Error::new(ErrorKind::InvalidInput, "JSON Lines has no columns")),
    })
}

/// Creates a writer of a Parquet file without compression. The columns named in `random` have neither
/// dictionaries nor statistics.
fn parquet_batches<W: Write + Send>(
    writer: W,
    schema: SchemaRef,
    random: &[&str],
) -> io::Result<impl Batches + use<W>> {
    let properties = WriterProperties::builder()
        .set_created_by(concat!("bilinear ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_max_row_group_bytes(Some(GROUP_BYTES))
        // without coercion a date in milliseconds would become a plain integer
        .set_coerce_types(schema.fields().iter().any(|field| *field.data_type() == DataType::Date64))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    let properties = random.iter().map(|name| ColumnPath::from(*name)).fold(properties, |properties, column| {
        let properties = properties.set_column_dictionary_enabled(column.clone(), false);
        properties.set_column_statistics_enabled(column, EnabledStatistics::None)
    });
    let mut properties = properties.build();
    if let Some(embedded) = embedded_schema(&schema).map_err(from_parquet)? {
        add_encoded_arrow_schema_to_metadata(&embedded, &mut properties);
    }
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    ArrowWriter::try_new_with_options(writer, schema, options).map_err(from_parquet)
}

/// Returns the Arrow schema to store in a Parquet file, if it says more than Parquet's own types. It does not
/// record that texts and bytes were read as views.
fn embedded_schema(schema: &Schema) -> Result<Option<Schema>, ParquetError> {
    let plain = without_views(schema);
    let own = parquet_to_arrow_schema(&ArrowSchemaConverter::new().convert(&plain)?, None)?;
    let is_more = own.fields() != plain.fields() || plain.fields().iter().any(|field| !field.metadata().is_empty());
    Ok(is_more.then_some(plain))
}

impl<W: Write + Send> Batches for ArrowWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.write(batch).map_err(from_parquet)
    }
    fn finish(&mut self) -> io::Result<()> {
        self.finish().map_err(from_parquet)?;
        self.inner_mut().flush()
    }
}

impl<W: Write + Send> Batches for FileWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.write(batch).map_err(from_arrow)
    }
    fn finish(&mut self) -> io::Result<()> {
        self.finish().map_err(from_arrow)?;
        self.get_mut().flush()
    }
}

impl<W: Write + Send> Batches for StreamWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.write(batch).map_err(from_arrow)
    }
    fn finish(&mut self) -> io::Result<()> {
        self.finish().map_err(from_arrow)?;
        self.get_mut().flush()
    }
}

/// Returns the operating system's error inside an Arrow error, or else wraps the Arrow error.
pub(super) fn from_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, source) => source,
        other => io::Error::other(other),
    }
}

/// Returns the operating system's error inside a Parquet error, or else wraps the Parquet error.
fn from_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

enum KeyColumns {
    /// The column `row`, or `rows` for the whole table.
    Number(UInt64Builder),
    Tokens(UInt64Builder, StringBuilder),
    Text(StringBuilder, UInt64Builder),
    Signed(Int64Builder, UInt64Builder),
    Unsigned(UInt64Builder, UInt64Builder),
}

enum ValueColumn {
    Bytes(BinaryBuilder),
    Ok(BooleanBuilder),
    Match(BooleanBuilder, BinaryBuilder),
}

/// The columns of the batch that is being gathered.
pub(super) struct Columns {
    schema: SchemaRef,
    keys: KeyColumns,
    value: ValueColumn,
    error: StringBuilder,
    message: StringBuilder,
    rows: usize,
    /// The number of bytes of the texts and values gathered so far.
    bytes: usize,
}

impl Columns {
    pub(super) fn new(shape: &Shape) -> Self {
        let counts = UInt64Builder::new;
        let (keys, group) = match shape.keys {
            Keys::Rows | Keys::Table => (KeyColumns::Number(counts()), None),
            Keys::Tokens => (KeyColumns::Tokens(counts(), StringBuilder::new()), None),
            Keys::Groups(GroupType::Text) => (KeyColumns::Text(StringBuilder::new(), counts()), Some(DataType::Utf8)),
            Keys::Groups(GroupType::Signed) => {
                (KeyColumns::Signed(Int64Builder::new(), counts()), Some(DataType::Int64))
            }
            Keys::Groups(GroupType::Unsigned) => {
                (KeyColumns::Unsigned(UInt64Builder::new(), counts()), Some(DataType::UInt64))
            }
        };
        let mut fields = match group {
            None => {
                let name = if shape.keys == Keys::Table { "rows" } else { "row" };
                vec![Field::new(name, DataType::UInt64, false)]
            }
            Some(kind) => vec![Field::new("group", kind, true), Field::new("rows", DataType::UInt64, true)],
        };
        if shape.keys == Keys::Tokens {
            fields.push(Field::new("token", DataType::Utf8, false));
        }
        let (value, kind) = match shape.question {
            Question::Value(_) | Question::Point(_) => (ValueColumn::Bytes(BinaryBuilder::new()), DataType::Binary),
            Question::IsOk => (ValueColumn::Ok(BooleanBuilder::new()), DataType::Boolean),
            Question::Match => (ValueColumn::Match(BooleanBuilder::new(), BinaryBuilder::new()), DataType::Boolean),
        };
        fields.push(Field::new(shape.question.column(), kind, true));
        if shape.question == Question::Match {
            fields.push(Field::new("opened", DataType::Binary, true));
        }
        fields.push(Field::new("error", DataType::Utf8, true));
        fields.push(Field::new("message", DataType::Utf8, true));
        Self {
            schema: Arc::new(Schema::new(fields)),
            keys,
            value,
            error: StringBuilder::new(),
            message: StringBuilder::new(),
            rows: 0,
            bytes: 0,
        }
    }

    pub(super) fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn push(&mut self, record: &Record) -> io::Result<()> {
        match (&mut self.keys, &record.key) {
            (KeyColumns::Number(numbers), Key::Row(number) | Key::Table(number)) => numbers.append_value(*number),
            (KeyColumns::Tokens(rows, tokens), Key::Token { row, token }) => {
                rows.append_value(*row);
                tokens.append_value(token);
            }
            (KeyColumns::Text(groups, counts), Key::Group { group, rows }) => {
                groups.append_option(group.as_ref().map(GroupKey::to_string));
                counts.append_option(*rows);
            }
            (KeyColumns::Signed(groups, counts), Key::Group { group, rows }) => {
                groups.append_option(integer(group.as_ref())?);
                counts.append_option(*rows);
            }
            (KeyColumns::Unsigned(groups, counts), Key::Group { group, rows }) => {
                groups.append_option(integer(group.as_ref())?);
                counts.append_option(*rows);
            }
            _ => return Err(io::Error::new(ErrorKind::InvalidData, "rows and products are mixed")),
        }
        match (&mut self.value, &record.outcome) {
            (ValueColumn::Bytes(column), Ok(Value::Bytes(value))) => column.append_value(value),
            (ValueColumn::Ok(column), Ok(Value::Ok(value))) => column.append_value(*value),
            (ValueColumn::Bytes(column), Err(_)) => column.append_null(),
            (ValueColumn::Ok(column), Err(_)) => column.append_null(),
            (ValueColumn::Match(matches, opened), Ok(Value::Match(message))) => {
                matches.append_value(message.is_some());
                opened.append_option(message.as_deref());
            }
            (ValueColumn::Match(matches, opened), Err(_)) => {
                matches.append_null();
                opened.append_null();
            }
            (_, Ok(_)) => return Err(io::Error::new(ErrorKind::InvalidData, "values and answers are mixed")),
        }
        self.error.append_option(record.outcome.as_ref().err().map(|failure| &failure.code));
        self.message.append_option(record.outcome.as_ref().err().map(|failure| &failure.message));
        self.rows += 1;
        self.bytes += bytes(record);
        Ok(())
    }

    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = match &mut self.keys {
            KeyColumns::Number(numbers) => vec![Arc::new(numbers.finish())],
            KeyColumns::Tokens(rows, tokens) => vec![Arc::new(rows.finish()), Arc::new(tokens.finish())],
            KeyColumns::Text(groups, counts) => vec![Arc::new(groups.finish()), Arc::new(counts.finish())],
            KeyColumns::Signed(groups, counts) => vec![Arc::new(groups.finish()), Arc::new(counts.finish())],
            KeyColumns::Unsigned(groups, counts) => vec![Arc::new(groups.finish()), Arc::new(counts.finish())],
        };
        match &mut self.value {
            ValueColumn::Bytes(column) => columns.push(Arc::new(column.finish())),
            ValueColumn::Ok(column) => columns.push(Arc::new(column.finish())),
            ValueColumn::Match(matches, opened) => {
                columns.push(Arc::new(matches.finish()));
                columns.push(Arc::new(opened.finish()));
            }
        }
        columns.push(Arc::new(self.error.finish()));
        columns.push(Arc::new(self.message.finish()));
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new(self.schema.clone(), columns)
    }
}

/// Returns the number of bytes of a record's texts and values.
fn bytes(record: &Record) -> usize {
    let key = match &record.key {
        Key::Token { token, .. } => token.len(),
        Key::Group { group: Some(GroupKey::Text(name)), .. } => name.len(),
        Key::Row(_) | Key::Table(_) | Key::Group { .. } => 0,
    };
    let outcome = match &record.outcome {
        Ok(Value::Bytes(value) | Value::Match(Some(value))) => value.len(),
        Ok(Value::Ok(_) | Value::Match(None)) => 0,
        Err(failure) => failure.code.len() + failure.message.len(),
    };
    key + outcome
}

/// Converts an integer group key to the column's type.
fn integer<T: TryFrom<i128>>(group: Option<&GroupKey>) -> io::Result<Option<T>> {
    let outside = || io::Error::new(ErrorKind::InvalidData, "a group does not fit its column's type");
    match group {
        None => Ok(None),
        Some(GroupKey::Integer(value)) => T::try_from(*value).map(Some).map_err(|_| outside()),
        Some(GroupKey::Text(_)) => Err(outside()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::fault::Failure;
    use crate::output::Form;
    use std::sync::Mutex;

    /// A writer that records the number of rows of each batch.
    struct Counted(Arc<Mutex<Vec<usize>>>);

    impl Batches for Counted {
        fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
            self.0.lock().unwrap().push(batch.num_rows());
            Ok(())
        }
        fn finish(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Every text and value counts, however the records are split over calls.
    #[test]
    fn a_batch_ends_after_its_limit_of_bytes() {
        let group = |name: &str| Key::Group { group: Some(GroupKey::Text(name.into())), rows: Some(1) };
        let value = |length: usize| Ok(Value::Bytes(vec![7; length].into()));
        let failure = Failure { code: "length".into(), message: "m".repeat(94) };
        let records = [
            Record { key: group(""), outcome: value(99) },
            Record { key: group("a"), outcome: value(0) },
            Record { key: group(&"g".repeat(60)), outcome: value(40) },
            Record { key: group(""), outcome: Err(failure) },
            Record { key: group(""), outcome: value(1000) },
            Record { key: group("b"), outcome: value(1) },
        ];
        for split in [1, 2, 4, records.len()] {
            let shape = Shape { keys: Keys::Groups(GroupType::Text), question: Question::GT, form: Form::Answers };
            let seen = Arc::default();
            let batches = Box::new(Counted(Arc::clone(&seen)));
            let mut sink = ColumnarSink { most: 100, ..ColumnarSink::new(batches, Columns::new(&shape)) };
            records.chunks(split).for_each(|records| sink.write(records).unwrap());
            sink.finish().unwrap();
            assert_eq!(*seen.lock().unwrap(), [2, 1, 1, 1, 1], "{split} at a time");
        }
    }
}
