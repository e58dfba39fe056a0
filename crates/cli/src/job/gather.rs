//! Jobs with one record for each run of adjacent rows of a group, or one for the whole table. A group may span
//! chunks.

use super::closed::Closed;
use super::tally::Tally;
use super::work::{Done, Work};
use crate::fault::Fault;
use crate::input::{Cells, Chunk, GroupKey, Row};
use crate::output::{Key, Record, Value};

/// The computation of one answer for each group.
pub(crate) trait Gather {
    /// The state of a group whose rows so far have been added.
    type State;

    /// Returns the state before a group's first row.
    fn begin(&self) -> Self::State;

    /// Adds the next rows of the group, given with their numbers.
    ///
    /// # Errors
    /// Returns the fault of a row that invalidates the group.
    fn add(&self, state: &mut Self::State, chunk: &Chunk, rows: &[(u64, &Cells)]) -> Result<(), Fault>;

    /// Returns the group's answer, after the row `last`.
    ///
    /// # Errors
    /// Returns a fault if the group is incomplete.
    fn end(&self, state: Self::State, last: u64) -> Result<Value, Fault>;
}

/// A job with one record for each group.
pub(crate) struct Gathered<G: Gather> {
    job: G,
    /// The name of the column of groups; `None` if the whole table is one group.
    column: Option<String>,
    /// The input's name.
    file: String,
    /// The row at which the job continues: the first row of a group.
    start: u64,
    tally: Tally,
    closed: Closed,
    open: Option<Open<G::State>>,
    /// The fault for the next group, if the row before it had an unreadable group and might belong to it.
    doubt: Option<Fault>,
}

/// The group that is still open: the group of the last row.
struct Open<S> {
    group: Option<GroupKey>,
    first: u64,
    rows: u64,
    last: u64,
    /// The line of the last row, where the input has lines.
    line: Option<u64>,
    state: Result<S, Fault>,
}

impl<G: Gather> Gathered<G> {
    /// Creates a job that continues after the rows of `tally`. Without a column of groups the whole table is one
    /// group.
    pub(crate) fn new(job: G, file: String, column: Option<String>, tally: Tally) -> Self {
        Self { job, file, column, start: tally.rows, tally, closed: Closed::default(), open: None, doubt: None }
    }

    /// Adds adjacent rows of one group.
    fn take(&mut self, chunk: &Chunk, first: u64, rows: &[Row]) {
        let group = rows[0].group.as_ref();
        let mut open = self.open.take().unwrap_or_else(|| self.begin(group, first, rows[0].line));
        open.rows += rows.len() as u64;
        open.last = first + rows.len() as u64 - 1;
        open.line = rows[rows.len() - 1].line;
        if open.first < self.start {
            // the group's record was written before the interruption
            self.open = Some(open);
            return;
        }
        open.state = open.state.and_then(|mut state| {
            let good = (first..).zip(rows).map_while(|(number, row)| Some((number, row.cells.as_ref().ok()?)));
            let added = self.job.add(&mut state, chunk, &good.collect::<Vec<_>>());
            added.map_err(|fault| chunk.placed(fault))?;
            rows.iter().find_map(|row| row.cells.as_ref().err()).map_or(Ok(state), |fault| Err(fault.clone()))
        });
        self.open = Some(open);
    }

    fn begin(&mut self, group: Option<&GroupKey>, first: u64, line: Option<u64>) -> Open<G::State> {
        let again = group.is_some_and(|group| self.closed.contains(group));
        let split = || Fault::split(first, line).of(self.column.as_deref());
        let fault = self.doubt.take().or_else(|| again.then(split));
        let state = fault.map_or_else(|| Ok(self.job.begin()), Err);
        Open { group: group.cloned(), first, rows: 0, last: first, line, state }
    }

    /// Handles a row whose group is unreadable: it has a record of its own, and the groups next to it are
    /// invalid.
    fn orphan(&mut self, fault: &Fault, records: &mut Vec<Record>) {
        let reason = format!("{}; the row is next to this group and may belong to it", fault.reason);
        let doubtful = Fault { reason, ..fault.clone() };
        if let Some(open) = &mut self.open {
            open.state = Err(open.state.as_ref().err().cloned().unwrap_or_else(|| doubtful.clone()));
        }
        self.close(records);
        self.doubt = Some(doubtful);
        if fault.row >= self.start {
            let outcome = Err(fault.failure(&self.file));
            self.push(Record { key: Key::Group { group: None, rows: None }, outcome }, 0, records);
        }
    }

    fn close(&mut self, records: &mut Vec<Record>) {
        let Some(Open { group, first, rows, last, line, state }) = self.open.take() else { return };
        if let Some(group) = &group {
            self.closed.insert(group);
        }
        if first < self.start {
            return;
        }
        let outcome = state.and_then(|state| self.job.end(state, last).map_err(|fault| fault.at(line)));
        let outcome = outcome.map_err(|fault| fault.failure(&self.file));
        let key = Key::Group { group, rows: outcome.is_ok().then_some(rows) };
        self.push(Record { key, outcome }, rows, records);
    }

    fn push(&mut self, record: Record, rows: u64, records: &mut Vec<Record>) {
        self.tally.add(&record, rows);
        records.push(record);
    }

    /// Returns the records up to row `end`, excluding the open group, whose record is not complete.
    fn done(&mut self, records: Vec<Record>, end: u64) -> Done {
        let whole = self.open.as_ref().map_or(end, |open| open.first);
        self.tally.rows = self.tally.rows.max(whole);
        self.tally.groups = self.closed.len();
        Done { records, tally: self.tally.clone() }
    }
}

impl<G: Gather> Work for Gathered<G> {
    fn process(&mut self, chunk: &Chunk) -> Done {
        let (mut records, mut first, grouped) = (Vec::new(), chunk.first, self.column.is_some());
        for rows in chunk.rows.chunk_by(|a, b| !grouped || (a.group.is_some() && a.group == b.group)) {
            let group = rows[0].group.as_ref();
            match &rows[0].cells {
                Err(fault) if grouped && group.is_none() => self.orphan(fault, &mut records),
                _ => {
                    if self.open.as_ref().is_some_and(|open| open.group.as_ref() != group) {
                        self.close(&mut records);
                    }
                    self.take(chunk, first, rows);
                }
            }
            first += rows.len() as u64;
        }
        self.done(records, first)
    }

    fn finish(&mut self) -> Done {
        let end = self.open.as_ref().map_or(self.tally.rows, |open| open.last + 1);
        let mut records = Vec::new();
        self.close(&mut records);
        self.done(records, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::code;

    /// A test job that answers whether a group has an even number of rows.
    struct Even;

    impl Gather for Even {
        type State = usize;

        fn begin(&self) -> usize {
            0
        }

        fn add(&self, rows: &mut usize, _: &Chunk, more: &[(u64, &Cells)]) -> Result<(), Fault> {
            *rows += more.len();
            Ok(())
        }

        fn end(&self, rows: usize, _: u64) -> Result<Value, Fault> {
            Ok(Value::Ok(rows.is_multiple_of(2)))
        }
    }

    /// Builds a table from a text, in which each letter is a row of the group of that name. `!` is a row that
    /// cannot be read, and `A` is a row of group `a` with a bad field.
    fn table(text: &str) -> Vec<Row> {
        let fault = |row| Fault { code: code::JSON, row, line: None, field: None, reason: "not JSON".to_owned() };
        let group = |c: char| (c != '!').then(|| GroupKey::Text(c.to_lowercase().collect::<String>().into()));
        let row = |(row, c): (u64, char)| {
            let cells = if c.is_lowercase() { Ok(Cells::default()) } else { Err(fault(row)) };
            Row { line: None, group: group(c), cells }
        };
        (0..).zip(text.chars()).map(row).collect()
    }

    /// Runs the job over chunks of `size` rows, and returns the complete records and the tally after each chunk
    /// and at the end.
    fn states(rows: &[Row], size: usize, before: Tally) -> Vec<(Vec<Record>, Tally)> {
        let mut job = Gathered::new(Even, "t".to_owned(), Some("g".to_owned()), before);
        let mut records = Vec::new();
        let mut state = |done: Done| {
            records.extend(done.records);
            (records.clone(), done.tally)
        };
        let chunks = rows.chunks(size).enumerate().map(|(i, rows)| Chunk {
            first: (i * size) as u64,
            rows: rows.to_vec(),
            ..Chunk::default()
        });
        let mut all: Vec<_> = chunks.map(|chunk| state(job.process(&chunk))).collect();
        all.push(state(job.finish()));
        all
    }

    #[test]
    fn a_job_goes_on_from_the_end_of_any_chunk() {
        for text in ["aabbbcd", "a!bb!!cca", "!a", "aab!b!", "abcABca", "!", "", "aaAa!Bb"] {
            let rows = table(text);
            let whole = states(&rows, rows.len().max(1), Tally::default()).pop().unwrap_or_default();
            for (first, second) in [(1, 1), (1, 3), (2, 1), (3, 2)] {
                for (mut records, tally) in states(&rows, first, Tally::default()) {
                    let rest = states(&rows, second, tally.clone()).pop().unwrap_or_default();
                    records.extend(rest.0);
                    assert_eq!(
                        (records, rest.1),
                        whole,
                        "{text}, chunks of {first}, then {second} from row {}",
                        tally.rows
                    );
                }
            }
        }
    }
}
