//! Tables of answers: the records, and the three formats in which they are written.

mod bitmap;
mod columnar;
pub(crate) mod destination;
mod error_reporter;
pub(crate) mod files;
pub(crate) mod found;
mod journal;
mod json;
pub(crate) mod kept;
mod mode;
pub(crate) mod new_file;
mod part;
pub(crate) mod points;

use crate::fault::Failure;
use crate::input::{Format, GroupKey, GroupType};
use bilinear_engine::Side;
use found::Filter;
use std::io::{self, Write};
use std::sync::Arc;

/// The subject of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// An input row, from 0.
    Row(u64),
    /// An input row, and the name of the token that it was searched with.
    Token {
        /// The input row, from 0.
        row: u64,
        /// The token's name.
        token: Arc<str>,
    },
    /// A group of rows.
    Group {
        /// The group's name; `None` for a row whose group is unreadable.
        group: Option<GroupKey>,
        /// The number of the group's rows; `None` for a record without a value.
        rows: Option<u64>,
    },
    /// The whole table, with its number of rows.
    Table(u64),
}

/// One row of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The subject of the record.
    pub(crate) key: Key,
    /// The value, or the reason why there is none.
    pub(crate) outcome: Result<Value, Failure>,
}

/// The value of a row or a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// The bytes of a point, of an element of the target group or of a signature. The point at infinity has no
    /// bytes.
    Bytes(Box<[u8]>),
    /// The answer of a check, in the column `ok`.
    Ok(bool),
    /// The answer of a search: the message of a row for which the predicate holds, else None.
    Match(Option<Box<[u8]>>),
}

/// The shape of an output: its columns and rows.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The subjects of the records.
    pub(crate) keys: Keys,
    /// The question that the records answer.
    pub(crate) question: Question,
    /// The form in which the records are output.
    pub(crate) form: Form,
}

impl Shape {
    /// Returns true if only the user may read the output: the results of a search, with messages that were
    /// secret.
    fn is_private(&self) -> bool {
        self.question == Question::Match
    }
}

/// The form in which records are output.
#[derive(Clone, Debug, Default)]
pub(crate) enum Form {
    /// A row for each record, with the columns of the key, the value, `error` and `message`.
    #[default]
    Answers,
    /// A row for each row of the table, with a boolean for each of these tokens.
    Bitmap(Arc<[Arc<str>]>),
    /// The rows of a table that at least one token finds.
    Found(Arc<Filter>),
}

/// The columns that identify the subject of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// The column `row`.
    Rows,
    /// The columns `row` and `token`.
    Tokens,
    /// The columns `group` and `rows`.
    Groups(GroupType),
    /// The column `rows`.
    Table,
}

/// The question that a job answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A value, in a column of bytes with this name.
    Value(&'static str),
    /// A point, in the column `p` for G1, or `q` for G2.
    Point(Side),
    /// Whether a statement is true, in the column `ok`.
    IsOk,
    /// Whether a predicate holds, and the message if it does, in the columns `match` and `opened`.
    Match,
}

impl Question {
    /// The value is an element of the target group.
    pub(crate) const GT: Self = Self::Value("gt");
    /// The value is a signature.
    pub(crate) const SIGNATURE: Self = Self::Value("signature");
    /// The value is an encrypted row.
    pub(crate) const CIPHERTEXT: Self = Self::Value("ciphertext");

    /// Returns the name of the column of answers.
    pub(crate) fn column(self) -> &'static str {
        match self {
            Self::Value(name) => name,
            Self::Point(Side::P) => "p",
            Self::Point(Side::Q) => "q",
            Self::IsOk => "ok",
            Self::Match => "match",
        }
    }
}

/// A writer of records, in order. Its output depends on the records only, not on how they are split over calls.
pub(crate) trait Sink: Send {
    /// Writes records.
    ///
    /// # Errors
    /// Returns an error if the file or stream does not accept them.
    fn write(&mut self, records: &[Record]) -> io::Result<()>;

    /// Writes buffered records, and the format's end.
    ///
    /// # Errors
    /// Returns an error where [`Sink::write`] does.
    fn finish(&mut self) -> io::Result<()>;

    /// Ends the output like [`Sink::finish`], where records are missing.
    ///
    /// # Errors
    /// Returns an error where [`Sink::write`] does.
    fn stop(&mut self) -> io::Result<()> {
        self.finish()
    }
}

/// The framing of an Arrow output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// The file framing, for random access, with a footer.
    File,
    /// The stream framing, for pipes.
    Stream,
}

/// Creates a sink of the given format over `writer`.
///
/// # Errors
/// Returns an error if the format's header cannot be written.
pub(crate) fn sink<W: Write + Send + 'static>(
    writer: W,
    format: Format,
    shape: Shape,
    framing: Framing,
) -> io::Result<Box<dyn Sink>> {
    Ok(match (&shape.form, format) {
        (Form::Answers, Format::Jsonl) => Box::new(json::JsonSink::new(writer, shape.question)),
        (Form::Answers, _) => {
            let columns = columnar::Columns::new(&shape);
            let random = [shape.question.column()];
            let batches = columnar::batches(writer, (format, framing), columns.schema(), &random)?;
            Box::new(columnar::ColumnarSink::new(batches, columns))
        }
        (Form::Bitmap(tokens), _) => {
            let schema = bitmap::schema(tokens);
            let batches = columnar::batches(writer, (format, framing), schema.clone(), &[])?;
            Box::new(bitmap::Bitmap::new(batches, schema))
        }
        (Form::Found(filter), _) => {
            let found = found::Found::new(filter, |schema, random| {
                columnar::batches(writer, (format, framing), schema, random)
            })?;
            Box::new(found)
        }
    })
}
