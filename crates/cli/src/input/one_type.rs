//! Tables for which the answers are columnar: all groups are texts, or all are integers, as the first one is.

use super::{Chunk, Extent, GroupKey, GroupType, Source};
use crate::error::CommandError;
use crate::fault::{Fault, code};

/// A table in which a row with a group of the other type is a fault.
pub(crate) struct OneType {
    source: Box<dyn Source>,
    /// The name of the column of groups.
    column: String,
    /// Whether the first group is a text; `None` before the first group.
    is_text: Option<bool>,
}

impl OneType {
    /// Creates the table from a source.
    pub(crate) fn new(source: Box<dyn Source>, column: &str) -> Self {
        Self { source, column: column.to_owned(), is_text: None }
    }
}

impl Source for OneType {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Chunk>, CommandError> {
        let Some(mut chunk) = self.source.next_chunk(rows)? else { return Ok(None) };
        for (number, row) in (chunk.first..).zip(&mut chunk.rows) {
            let Some(group) = &row.group else { continue };
            let is_text = matches!(group, GroupKey::Text(_));
            if is_text == *self.is_text.get_or_insert(is_text) {
                continue;
            }
            let (found, others) = if is_text { ("a text", "integers") } else { ("an integer", "texts") };
            let reason = format!(
                "{found}, but earlier groups are {others}: in a Parquet or Arrow column all groups must have one type"
            );
            let fault = Fault::new(code::JSON, number, Some(&self.column), reason).at(row.line);
            (row.group, row.cells) = (None, Err(fault));
        }
        Ok(Some(chunk))
    }

    fn extent(&self) -> Extent {
        self.source.extent()
    }

    fn group_type(&self) -> GroupType {
        self.source.group_type()
    }
}
