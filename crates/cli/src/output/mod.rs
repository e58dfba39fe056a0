//! Tables of values: what one record is, and the three formats that it is written in.

mod bitmap;
mod columnar;
pub(crate) mod destination;
pub(crate) mod files;
pub(crate) mod found;
mod journal;
mod json;
pub(crate) mod kept;
mod mode;
pub(crate) mod new_file;
mod part;
pub(crate) mod points;
mod told;

use crate::fault::Failure;
use crate::input::{Format, GroupKey, GroupType};
use bilinear_engine::Side;
use found::Filter;
use std::io::{self, Write};
use std::sync::Arc;

/// What a record is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// An input row, from 0.
    Row(u64),
    /// An input row, and the name of the token that it was searched with.
    Token {
        /// The row.
        row: u64,
        /// The token.
        token: Arc<str>,
    },
    /// A group of rows.
    Group {
        /// Its name; `None` for rows whose group is unreadable.
        group: Option<GroupKey>,
        /// How many rows it has; not told with a failure.
        rows: Option<u64>,
    },
    /// The whole table, and how many rows it has.
    Table(u64),
}

/// One row of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// What it is about.
    pub(crate) key: Key,
    /// The value, or why there is none.
    pub(crate) outcome: Result<Value, Failure>,
}

/// What has come of a row or a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// The bytes of a point, none for O, of an element of the target group or of a signature.
    Bytes(Box<[u8]>),
    /// An answer: `ok`.
    Ok(bool),
    /// Whether a predicate holds: the message of a row of which it does.
    Match(Option<Box<[u8]>>),
}

/// What an output has, and how.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// What a record is about.
    pub(crate) keys: Keys,
    /// What is asked about it.
    pub(crate) question: Question,
    /// What becomes of the records.
    pub(crate) form: Form,
}

impl Shape {
    /// Whether it is for its user alone: the findings of a search, and messages that were secret.
    fn is_private(&self) -> bool {
        self.question == Question::Match
    }
}

/// What becomes of records.
#[derive(Clone, Debug, Default)]
pub(crate) enum Form {
    /// A row each: the columns of the key, that of the value, `error`, `message`.
    #[default]
    Answers,
    /// A row for each row of the table, with a truth value for each of these tokens.
    Bitmap(Arc<[Arc<str>]>),
    /// The rows of a table that some token finds.
    Found(Arc<Filter>),
}

/// The columns that say what a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// `row`.
    Rows,
    /// `row`, `token`.
    Tokens,
    /// `group`, `rows`.
    Groups(GroupType),
    /// `rows`.
    Table,
}

/// What a job answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// What the value is: a column of bytes of this name.
    Value(&'static str),
    /// What the point is: the column `p` for one of G1, `q` for one of G2.
    Point(Side),
    /// Whether it is so: the column `ok`.
    IsOk,
    /// Whether a predicate holds, and the message where it does: the columns `match` and `opened`.
    Match,
}

impl Question {
    /// An element of the target group.
    pub(crate) const GT: Self = Self::Value("gt");
    /// A signature.
    pub(crate) const SIGNATURE: Self = Self::Value("signature");
    /// An encrypted row.
    pub(crate) const CIPHERTEXT: Self = Self::Value("ciphertext");

    /// The column of the answers.
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

/// Takes records in order. What it writes depends on the records only, not on how they are split over calls.
pub(crate) trait Sink: Send {
    /// Writes records.
    ///
    /// # Errors
    /// If the file or stream cannot take them.
    fn write(&mut self, records: &[Record]) -> io::Result<()>;

    /// Writes what is still held back, and the format's end.
    ///
    /// # Errors
    /// As [`Sink::write`].
    fn finish(&mut self) -> io::Result<()>;

    /// The same where records are missing.
    ///
    /// # Errors
    /// As [`Sink::write`].
    fn stop(&mut self) -> io::Result<()> {
        self.finish()
    }
}

/// How an Arrow output is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// For random access, with a footer.
    File,
    /// For pipes.
    Stream,
}

/// A sink of the format on top of `writer`.
///
/// # Errors
/// If the format's head cannot be written.
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
