//! Reading JSON Lines: one object a line, such as `{"p": HEX, "q": HEX}`, with the group if the job needs it.
//! Empty lines are skipped and do not count as rows. A line that cannot be read is a fault of its own row only.

use super::line::{self, Value, Values};
use super::lines::{Line, Lines, MAX_LINE};
use super::{Cells, Chunk, Column, Extent, Fields, GroupKey, GroupType, Kind, MAX_COLUMNS, Need, Row, Source};
use crate::error::{CommandError, NOT_TEXT};
use crate::fault::{Fault, code};
use std::io::BufRead;

/// A table in JSON Lines.
#[derive(Debug)]
pub(crate) struct JsonLines<R> {
    lines: Lines<R>,
    fields: Fields,
    file: String,
    size: Option<u64>,
    row: u64,
}

impl<R: BufRead + Send> JsonLines<R> {
    /// Creates the table in `reader`. `file` is the table's name in messages, and `size` its length in bytes if
    /// that is known.
    pub(crate) fn new(reader: R, fields: Fields, file: String, size: Option<u64>) -> Self {
        Self { lines: Lines::new(reader), fields, file, size, row: 0 }
    }

    /// Reads the row in the current line.
    fn row(&self, kind: Line, chunk: &mut Chunk) -> Row {
        let line = Some(self.lines.number());
        let fault = |code, field: Option<&str>, reason: String| Fault::new(code, self.row, field, reason).at(line);
        if kind == Line::TooLong {
            let reason = format!("the line has more than {MAX_LINE} bytes");
            return Row { line, group: None, cells: Err(fault(code::JSON, None, reason)) };
        }
        match line::read(self.lines.line(), &self.fields) {
            Err(error) => Row { line, group: None, cells: Err(fault(code::JSON, None, json_reason(&error))) },
            Ok(values) => self.cells(values, chunk, fault),
        }
    }

    fn cells(
        &self,
        values: Values<'_>,
        chunk: &mut Chunk,
        fault: impl Fn(&'static str, Option<&str>, String) -> Fault,
    ) -> Row {
        let line = Some(self.lines.number());
        let missing = |name: &str| fault(code::MISSING, Some(name), "the object has no such key".into());
        let null = |name: &str| fault(code::NULL, Some(name), "the value is null".into());
        let mut values = values.into_iter();
        let given: Vec<Value<'_>> = values.by_ref().take(MAX_COLUMNS).collect();
        let group = match (&self.fields.group, values.next().unwrap_or(Value::Absent)) {
            (None, _) => Ok(None),
            (Some(name), Value::Text(text)) => {
                GroupKey::named(&text).map(Some).map_err(|error| fault(code::VALUE, Some(name), error.to_string()))
            }
            (Some(_), Value::Integer(value)) => Ok(Some(GroupKey::Integer(value))),
            (Some(name), Value::Absent) => Err(missing(name)),
            (Some(name), Value::Null) => Err(null(name)),
            (Some(name), Value::Other) => {
                Err(fault(code::JSON, Some(name), "the value is neither a string nor an integer of 64 bits".into()))
            }
        };
        let group = match group {
            Ok(group) => group,
            Err(fault) => return Row { line, group: None, cells: Err(fault) },
        };
        let mut cell = |column: &Column, value: Value<'_>| {
            let name = Some(&*column.name);
            let mut read = |text: &str| {
                let cell = chunk.push_text(text, column.kind);
                cell.map(Some).map_err(|error| fault(error.code(), name, error.to_string()))
            };
            match value {
                Value::Null if column.need != Need::Row => Ok(None),
                Value::Absent if matches!(column.need, Need::Column | Need::Nothing) => Ok(None),
                Value::Absent => Err(missing(&column.name)),
                Value::Null => Err(null(&column.name)),
                Value::Text(text) => read(&text),
                Value::Integer(value) if column.kind == Kind::Integer => read(&value.to_string()),
                Value::Integer(_) | Value::Other => {
                    let integer = if column.kind == Kind::Integer { " or an integer of 64 bits" } else { "" };
                    Err(fault(code::JSON, name, format!("the value is not a string{integer}")))
                }
            }
        };
        let mut cells = Cells::default();
        for ((place, column), value) in cells.iter_mut().zip(&self.fields.columns).zip(given) {
            match cell(column, value) {
                Ok(found) => *place = found,
                Err(fault) => return Row { line, group, cells: Err(fault) },
            }
        }
        Row { line, group, cells: Ok(cells) }
    }
}

/// Returns the parser's reason without the line number, which is always 1.
pub(crate) fn json_reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let reason = match text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason) {
        "invalid unicode code point" => NOT_TEXT,
        reason => reason,
    };
    format!("{reason} (column {})", error.column())
}

impl<R: BufRead + Send> Source for JsonLines<R> {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Chunk>, CommandError> {
        let mut chunk = Chunk { first: self.row, ..Chunk::default() };
        while !chunk.is_full(rows) {
            let kind = self.lines.advance().map_err(CommandError::io(&self.file, "read"))?;
            if kind == Line::End {
                break;
            }
            if kind == Line::Whole && self.lines.line().iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let row = self.row(kind, &mut chunk);
            chunk.push_row(row);
            self.row += 1;
        }
        chunk.position = self.lines.bytes();
        Ok(if chunk.rows.is_empty() { None } else { Some(chunk) })
    }

    fn extent(&self) -> Extent {
        self.size.map_or(Extent::Unknown, Extent::Bytes)
    }

    fn group_type(&self) -> GroupType {
        GroupType::Text
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::group::MAX_NAME;
    use super::super::{CHUNK_BYTES, Integer, ROW_BYTES};
    use super::*;

    fn read(text: &str, group: bool, expect: bool) -> Chunk {
        let mut columns = vec![Column::new("p", Kind::Point), Column::new("q", Kind::Point)];
        if expect {
            columns.push(Column { need: Need::Column, ..Column::new("expect", Kind::Bytes) });
        }
        read_columns(text, columns, group)
    }

    fn read_columns(text: &str, columns: Vec<Column>, group: bool) -> Chunk {
        let fields = Fields { columns, group: group.then(|| "g".into()) };
        let mut source = JsonLines::new(text.as_bytes(), fields, "t".into(), None);
        let chunk = source.next_chunk(1000).unwrap().unwrap();
        assert!(source.next_chunk(1000).unwrap().is_none());
        chunk
    }

    fn faults(chunk: &Chunk) -> Vec<(&'static str, u64)> {
        chunk.rows.iter().filter_map(|row| row.cells.as_ref().err()).map(|f| (f.code, f.line.unwrap())).collect()
    }

    #[test]
    fn rows_with_every_fault() {
        let chunk = read(
            "{\"p\":\"0102\",\"q\":\"inf\",\"x\":{\"p\":[1]}}\n\n{\"p\":\"\\u0030a\",\"q\":\"0xFF\"}\nnonsense\n[]\n{}\n\
             {\"p\":null,\"q\":\"\"}\n{\"p\":1,\"q\":\"\"}\n{\"p\":\"1\",\"q\":\"\"}\n{\"p\":\"\",\"p\":\"\",\"q\":\"\"}\n\
             {\"p\":\"\",\"q\":\"\"} x\n{\"p\":\"\",\"q\":\"zz\"}",
            false,
            false,
        );
        assert_eq!(chunk.rows.len(), 11);
        let first = chunk.rows[0].cells.as_ref().unwrap();
        assert_eq!(chunk.get(first[0].unwrap()), Some([1, 2].as_slice()));
        assert_eq!(first[1], Some(super::super::Cell::Infinity));
        let second = chunk.rows[1].cells.as_ref().unwrap();
        assert_eq!(
            (chunk.get(second[0].unwrap()), chunk.get(second[1].unwrap())),
            (Some([10].as_slice()), Some([255].as_slice()))
        );
        let codes = [
            ("json", 4),
            ("json", 5),
            ("missing", 6),
            ("null", 7),
            ("json", 8),
            ("hex", 9),
            ("json", 10),
            ("json", 11),
            ("hex", 12),
        ];
        assert_eq!(faults(&chunk), codes);
        let message = chunk.rows[3].cells.as_ref().unwrap_err().to_string();
        assert_eq!(message, "row 3 (line 5): invalid type: an array, expected a JSON object (column 2)");
    }

    #[test]
    fn names_of_keys_are_text_and_other_values_need_not_be() {
        let table = b"{\"x\":\"\xff\",\"p\":\"01\"}\n{\"\xff\":1,\"p\":\"01\"}\n";
        let fields = Fields { columns: vec![Column::new("p", Kind::Point)], group: None };
        let chunk = JsonLines::new(&table[..], fields, "t".into(), None).next_chunk(9).unwrap().unwrap();
        assert!(chunk.rows[0].cells.is_ok());
        let message = chunk.rows[1].cells.as_ref().unwrap_err().to_string();
        assert!(message.starts_with("row 1 (line 2): not UTF-8 text (column "), "{message}");
    }

    #[test]
    fn groups_and_expected_values() {
        let chunk = read(
            "{\"g\":\"1\",\"p\":\"\",\"q\":\"\"}\n{\"g\":1,\"p\":\"\",\"q\":\"\",\"expect\":\"00\"}\n{\"g\":2.5,\"p\":\"\",\"q\":\"\"}\n\
             {\"g\":null}\n{}\n{\"g\":18446744073709551615,\"p\":\"\",\"q\":\"\",\"expect\":null}\n{\"g\":7,\"p\":\"x\"}\n{\"g\":8,\"p\":\"\",\"q\":\"\",\"expect\":\"inf\"}\n",
            true,
            true,
        );
        let groups: Vec<_> = chunk.rows.iter().map(|row| row.group.as_ref().map(|g| format!("{g:?}"))).collect();
        assert_eq!(groups[0].as_deref(), Some("Text(\"1\")"));
        assert_eq!(groups[1].as_deref(), Some("Integer(1)"));
        assert_eq!(groups[5].as_deref(), Some("Integer(18446744073709551615)"));
        assert_eq!(groups[6].as_deref(), Some("Integer(7)"));
        assert_eq!(faults(&chunk), [("json", 3), ("null", 4), ("missing", 5), ("hex", 7), ("hex", 8)]);
        assert_eq!(chunk.rows[0].cells.as_ref().unwrap()[2], None);
        assert!(chunk.rows[1].cells.as_ref().unwrap()[2].is_some());
    }

    #[test]
    fn integers() {
        let chunk = read_columns(
            "{\"k\":\"-12\"}\n{\"k\":18446744073709551615}\n{\"k\":\"0xFf\"}\n{\"k\":1.5}\n{\"k\":\"ff\"}\n{\"k\":\"inf\"}\n{\"k\":-3}\n{\"k\":-0}",
            vec![Column::new("k", Kind::Integer)],
            false,
        );
        let cell = |index: usize| chunk.rows[index].cells.as_ref().ok().and_then(|cells| chunk.get(cells[0]?));
        let integers: Vec<_> = [0, 1, 2, 6, 7].map(|i| Integer::of_cell(cell(i).unwrap()).to_string()).into();
        assert_eq!(integers, ["-12", "18446744073709551615", "255", "-3", "0"]);
        assert_eq!(faults(&chunk), [("json", 4), ("integer", 5), ("integer", 6)]);
    }

    #[test]
    fn deep_nesting_is_a_fault_and_overflows_no_stack() {
        let deep = format!("{{\"p\":{}", "[".repeat(100_000));
        assert_eq!(faults(&read(&deep, false, false)), [("json", 1)]);
    }

    #[test]
    fn names_of_groups_are_of_bounded_length() {
        let line = |name: usize| format!("{{\"g\":\"{}\",\"p\":\"\",\"q\":\"\"}}\n", "x".repeat(name));
        let chunk = read(&(line(MAX_NAME) + &line(MAX_NAME + 1)), true, false);
        assert_eq!(faults(&chunk), [("value", 2)]);
        assert!(chunk.rows[0].group.is_some() && chunk.rows[1].group.is_none());
        let message = chunk.rows[1].cells.as_ref().unwrap_err().to_string();
        assert_eq!(message, "row 1 (line 2), field g: the name of a group has 65537 bytes: at most 65536 are allowed");
    }

    /// A chunk has a bounded size, whatever its rows hold.
    #[test]
    fn names_and_rows_count_in_a_chunk() {
        let rows = |line: &str, count: usize| {
            let fields = Fields { columns: vec![Column::new("p", Kind::Point)], group: Some("g".into()) };
            let text = line.repeat(count);
            JsonLines::new(text.as_bytes(), fields, "t".into(), None).next_chunk(count).unwrap().unwrap().rows.len()
        };
        let name = "x".repeat(MAX_NAME);
        assert_eq!(rows(&format!("{{\"g\":\"{name}\",\"p\":\"\"}}\n"), 300), 256);
        assert_eq!(rows("{\"g\":7,\"p\":\"\"}\n", 140_000), CHUNK_BYTES / ROW_BYTES);
    }

    #[test]
    fn chunk_boundaries_do_not_change_the_rows() {
        let text = "{\"p\":\"01\",\"q\":\"02\"}\n".repeat(10);
        let fields = Fields { columns: vec![Column::new("p", Kind::Point)], group: None };
        let mut source = JsonLines::new(text.as_bytes(), fields, "t".into(), None);
        let mut seen = Vec::new();
        while let Some(chunk) = source.next_chunk(3).unwrap() {
            seen.push((chunk.first, chunk.rows.len()));
        }
        assert_eq!(seen, [(0, 3), (3, 3), (6, 3), (9, 1)]);
    }
}
