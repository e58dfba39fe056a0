//! Reading back the JSON Lines that this command has written, to assemble a columnar file from them.

use super::{Key, Record, Value};
use crate::fault::Failure;
use crate::hex;
use crate::input::GroupKey;
use serde::{Deserialize, Deserializer};
use std::io::{self, BufRead};

#[derive(Deserialize)]
struct Line {
    row: Option<u64>,
    token: Option<String>,
    /// The group: the outer `None` if the key is absent, the inner `None` if the value is null.
    #[serde(default, deserialize_with = "named")]
    group: Option<Option<GroupKey>>,
    rows: Option<u64>,
    #[serde(alias = "gt", alias = "p", alias = "q", alias = "signature", alias = "ciphertext")]
    value: Option<String>,
    ok: Option<bool>,
    r#match: Option<bool>,
    opened: Option<String>,
    error: Option<String>,
    message: Option<String>,
}

/// Deserializes a key that is present, even if its value is null.
fn named<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<GroupKey>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Returns the records of a journal.
pub(super) fn records(journal: impl BufRead) -> impl Iterator<Item = io::Result<Record>> {
    journal.lines().map(|line| record(&line?))
}

fn record(line: &str) -> io::Result<Record> {
    let damaged = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
    let line: Line = serde_json::from_str(line)?;
    let key = match (line.row, line.group, line.rows) {
        (Some(row), ..) => match line.token {
            Some(token) => Key::Token { row, token: token.into() },
            None => Key::Row(row),
        },
        (None, None, Some(rows)) => Key::Table(rows),
        (None, Some(group), rows) => Key::Group { group, rows },
        (None, None, None) => return Err(damaged("a record has neither a row nor a group".to_owned())),
    };
    let bytes = |text: &str| hex::decode(text).map(Vec::into_boxed_slice).map_err(|error| damaged(error.to_string()));
    if let (Some(is_match), None) = (line.r#match, &line.error) {
        let opened = line.opened.as_deref().map(bytes).transpose()?;
        if is_match != opened.is_some() {
            return Err(damaged("a match without its message".to_owned()));
        }
        return Ok(Record { key, outcome: Ok(Value::Match(opened)) });
    }
    let outcome = match (line.value.as_deref(), line.ok, line.error) {
        (Some("inf"), None, None) => Ok(Value::Bytes([].into())),
        (Some(text), None, None) => Ok(Value::Bytes(bytes(text)?)),
        (None, Some(ok), None) => Ok(Value::Ok(ok)),
        (None, None, Some(code)) => Err(Failure { code: code.into(), message: line.message.unwrap_or_default() }),
        _ => return Err(damaged("a record has neither a value nor an error".to_owned())),
    };
    Ok(Record { key, outcome })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Question, json};
    use super::*;
    use bilinear_engine::Side;

    #[test]
    fn what_is_written_is_read_back() {
        let failure = || Failure { code: "hex".into(), message: "a \"b\"\n\u{1}é".into() };
        let group = |group, rows| Key::Group { group, rows };
        let all = [
            Record { key: Key::Row(u64::MAX), outcome: Ok(Value::Bytes([0, 255].into())) },
            Record { key: Key::Row(0), outcome: Err(failure()) },
            Record { key: group(Some(GroupKey::Text("\\\"x".into())), Some(3)), outcome: Ok(Value::Bytes([].into())) },
            Record { key: group(Some(GroupKey::Integer(-5)), None), outcome: Err(failure()) },
            Record {
                key: group(Some(GroupKey::Integer(u64::MAX.into())), Some(1)),
                outcome: Ok(Value::Bytes([1].into())),
            },
            Record { key: group(None, None), outcome: Err(failure()) },
            Record { key: group(None, Some(6)), outcome: Ok(Value::Ok(true)) },
            Record { key: Key::Table(0), outcome: Ok(Value::Bytes([].into())) },
            Record { key: Key::Table(7), outcome: Err(failure()) },
            Record { key: Key::Row(1), outcome: Ok(Value::Ok(true)) },
            Record { key: Key::Row(2), outcome: Ok(Value::Match(None)) },
            Record { key: Key::Row(3), outcome: Ok(Value::Match(Some([].into()))) },
            Record { key: Key::Row(4), outcome: Ok(Value::Match(Some([7, 0].into()))) },
            Record { key: Key::Token { row: 5, token: "\"a\"".into() }, outcome: Ok(Value::Match(None)) },
            Record { key: Key::Token { row: 5, token: "b".into() }, outcome: Err(failure()) },
            Record { key: group(Some(GroupKey::Integer(0)), Some(2)), outcome: Ok(Value::Ok(false)) },
        ];
        for question in [
            Question::GT,
            Question::SIGNATURE,
            Question::CIPHERTEXT,
            Question::Point(Side::P),
            Question::Point(Side::Q),
        ] {
            let mut text = Vec::new();
            all.iter().for_each(|record| json::line(record, question, &mut text).unwrap());
            let read: Vec<_> = records(text.as_slice()).collect::<Result<_, _>>().unwrap();
            assert_eq!(read, all);
        }
    }
}
