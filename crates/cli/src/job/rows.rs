//! Jobs on single rows, with one or more records for each row.

use super::expected::Expected;
use super::tally::Tally;
use super::work::{Done, EachRow, Good, Work};
use crate::input::Chunk;
use crate::output::Record;

/// A job that computes an outcome for each row.
pub(crate) struct Rows {
    each: Box<dyn EachRow>,
    /// The input's name.
    file: String,
    expected: Option<Expected>,
    tally: Tally,
}

impl Rows {
    /// Creates a job that continues after the rows of `tally`.
    pub(crate) fn new(each: Box<dyn EachRow>, file: String, expected: Option<Expected>, tally: Tally) -> Self {
        Self { each, file, expected, tally }
    }
}

impl Work for Rows {
    fn process(&mut self, chunk: &Chunk) -> Done {
        let before = self.tally.rows;
        let rows = || (chunk.first..).zip(&chunk.rows).skip_while(|(row, _)| *row < before);
        let good: Vec<Good<'_>> =
            rows().filter_map(|(number, row)| row.cells.as_ref().ok().map(|cells| (number, cells))).collect();
        let mut outcomes = self.each.outcomes(chunk, &good).into_iter();
        let mut records = Vec::with_capacity(rows().count());
        for ((number, row), (key, operations)) in
            rows().flat_map(|row| self.each.records(row.0).into_iter().map(move |record| (row, record)))
        {
            let outcome = match &row.cells {
                Err(fault) => Err(fault.clone()),
                // a good row has an outcome for each of its records
                Ok(cells) => match outcomes.next() {
                    Some(outcome) => outcome.and_then(|value| {
                        let expected = self.expected.as_ref().and_then(|e| Some((e, e.of(chunk, cells)?)));
                        expected.map_or(Ok(()), |(e, expected)| e.compare(number, expected, &value)).map(|()| value)
                    }),
                    None => break,
                },
            };
            let outcome = outcome.map_err(|fault| fault.at(row.line).failure(&self.file));
            let record = Record { key, outcome };
            self.tally.add(&record, operations);
            records.push(record);
        }
        self.tally.rows = self.tally.rows.max(chunk.first + chunk.rows.len() as u64);
        Done { records, tally: self.tally.clone() }
    }

    fn finish(&mut self) -> Done {
        Done { records: Vec::new(), tally: self.tally.clone() }
    }
}
