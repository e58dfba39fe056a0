//! Writing JSON Lines. A row is `{"row": N, "gt": HEX}`, a row of a search with several tokens `{"row": N,
//! "token": T, …}`, a group `{"group": G, "rows": N, "gt": HEX}`. For signatures and points `gt` is replaced by
//! `signature`, `p` or `q`, for checks by `"ok": true` or `false`, and for searches by `"match"` and
//! `"opened"`. A record without a value has `error` and `message`.

use super::{Key, Question, Record, Sink, Value};
use crate::hex;
use crate::input::GroupKey;
use std::io::{self, Write};

/// A sink that writes records as lines.
#[derive(Debug)]
pub(super) struct JsonSink<W> {
    writer: W,
    question: Question,
    text: Vec<u8>,
}

impl<W: Write> JsonSink<W> {
    pub(super) fn new(writer: W, question: Question) -> Self {
        Self { writer, question, text: Vec::new() }
    }
}

impl<W: Write + Send> Sink for JsonSink<W> {
    fn write(&mut self, records: &[Record]) -> io::Result<()> {
        self.text.clear();
        for record in records {
            line(record, self.question, &mut self.text)?;
        }
        self.writer.write_all(&self.text)?;
        self.writer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Appends the line of a record to `text`.
pub(super) fn line(record: &Record, question: Question, text: &mut Vec<u8>) -> io::Result<()> {
    match &record.key {
        Key::Row(row) => write!(text, "{{\"row\":{row}")?,
        Key::Token { row, token } => {
            write!(text, "{{\"row\":{row},\"token\":")?;
            string(token, text)?;
        }
        Key::Table(rows) => write!(text, "{{\"rows\":{rows}")?,
        Key::Group { group, rows } => {
            text.extend_from_slice(b"{\"group\":");
            match group {
                None => text.extend_from_slice(b"null"),
                Some(GroupKey::Integer(value)) => write!(text, "{value}")?,
                Some(GroupKey::Text(name)) => string(name, text)?,
            }
            if let Some(rows) = rows {
                write!(text, ",\"rows\":{rows}")?;
            }
        }
    }
    match &record.outcome {
        Ok(Value::Ok(ok)) => write!(text, ",\"ok\":{ok}")?,
        Ok(Value::Match(None)) => text.extend_from_slice(b",\"match\":false"),
        Ok(Value::Match(Some(message))) => {
            text.extend_from_slice(b",\"match\":true,\"opened\":\"");
            hex::encode_into(message, text);
            text.push(b'"');
        }
        Ok(Value::Bytes(bytes)) => {
            write!(text, ",\"{}\":\"", question.column())?;
            match question {
                Question::Point(_) if bytes.is_empty() => text.extend_from_slice(b"inf"),
                _ => hex::encode_into(bytes, text),
            }
            text.push(b'"');
        }
        Err(failure) => {
            text.extend_from_slice(b",\"error\":");
            string(&failure.code, text)?;
            text.extend_from_slice(b",\"message\":");
            string(&failure.message, text)?;
        }
    }
    text.extend_from_slice(b"}\n");
    Ok(())
}

fn string(value: &str, text: &mut Vec<u8>) -> io::Result<()> {
    serde_json::to_writer(text, value).map_err(io::Error::from)
}
