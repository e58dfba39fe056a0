//! Jobs with one record for each group of adjacent rows, or one for the whole table.
//!
//! A group may span chunks; the partial results of its runs are joined. An interrupted job continues from the
//! first row of the group that was open. The rows before that are read again, since they tell which groups have
//! ended.

use super::closed::Closed;
use super::expected::Expected;
use super::group::OpenGroup;
use super::tally::Tally;
use super::work::{Done, Good, Work};
use crate::fault::Fault;
use crate::input::{Cells, Chunk, GroupKey, Row};
use crate::output::{Key, Record, Value};
use std::ops::Range;

/// The computation on the rows of a group.
pub(crate) trait Fold {
    /// The partial result of some of a group's rows.
    type Part;

    /// Returns the fault of a row, if there is one, given its number in its group, from 0.
    fn admit(&self, _chunk: &Chunk, _row: Good<'_>, _number: u64) -> Result<(), Fault> {
        Ok(())
    }

    /// Returns the partial result of each run, joined to that of the rows before it. An empty run without rows
    /// before it gives the neutral element.
    fn parts(&self, chunk: &Chunk, rows: &[Good<'_>], runs: Vec<Run<Self::Part>>) -> Vec<Result<Self::Part, Fault>>;

    /// Returns the fault of a group, if there is one, that has ended after `rows` rows; its last input row is
    /// `last`.
    fn complete(&self, _rows: u64, _last: u64) -> Result<(), Fault> {
        Ok(())
    }

    /// Computes the values of groups from the partial results of all their rows.
    fn finish(&self, parts: Vec<Self::Part>) -> Vec<Result<Value, Fault>>;
}

/// A run of adjacent rows of one group.
pub(crate) struct Run<P> {
    /// The run's rows, as indices into the list that is passed with the run.
    pub(crate) rows: Range<usize>,
    /// The number of the group's rows before this run.
    pub(crate) before: u64,
    /// The partial result of these rows, if there are any.
    pub(crate) earlier: Option<P>,
}

impl<P> Run<P> {
    /// Joins the partial result of the run to that of the rows before it.
    pub(crate) fn joined(self, part: P, join: impl FnOnce(&P, &P) -> P) -> P {
        match self.earlier {
            None => part,
            Some(earlier) => join(&earlier, &part),
        }
    }
}

/// A job that computes one value of each group.
pub(crate) struct Groups<F: Fold> {
    fold: F,
    /// The input's name.
    file: String,
    expected: Option<Expected>,
    tally: Tally,
    /// The input row at which the job continues.
    start: u64,
    /// The name of the column of groups; `None` if the whole table is one group.
    column: Option<String>,
    /// True if the record is that of a table, which has one even without rows.
    of_table: bool,
    closed: Closed,
    /// The group of the last row, which is still open.
    open: Option<OpenGroup<F::Part>>,
    /// The fault for the next group, if the row before it had an unreadable group and might belong to it.
    doubt: Option<Fault>,
}

/// A part of the output of a chunk, in the order of rows.
enum Item<P> {
    Group(OpenGroup<P>),
    /// A row whose group is unreadable.
    Orphan(Fault),
}

impl<F: Fold> Groups<F> {
    /// Creates a job that continues after the rows of `tally`. Without a column of groups the whole table is one
    /// group, and if the record is that `of_table`, a table without rows has one, too.
    pub(crate) fn new(
        fold: F,
        file: String,
        (column, of_table): (Option<String>, bool),
        expected: Option<Expected>,
        tally: Tally,
    ) -> Self {
        let start = tally.rows;
        let open = (of_table && tally.records == 0).then(|| OpenGroup::new(None, 0, None));
        Self { fold, file, expected, tally, start, column, of_table, closed: Closed::default(), open, doubt: None }
    }

    /// Sorts the chunk's rows into groups. Groups that end, and rows without a readable group, are appended to
    /// `items`.
    fn walk<'c>(&mut self, chunk: &'c Chunk, good: &mut Vec<Good<'c>>, items: &mut Vec<Item<F::Part>>) {
        if let Some(open) = &mut self.open {
            (open.before, open.pending) = (open.rows, 0..0);
        }
        for (number, row) in (chunk.first..).zip(&chunk.rows) {
            if self.column.is_some() && row.group.is_none() {
                self.orphan(row, items);
                continue;
            }
            if self.open.as_ref().is_none_or(|open| open.name != row.group) {
                self.close(items);
                self.begin(row.group.as_ref(), (number, row.line), good.len());
            }
            self.add(chunk, number, row, good);
        }
    }

    fn begin(&mut self, group: Option<&GroupKey>, (number, line): (u64, Option<u64>), pending: usize) {
        let mut fault = self.doubt.take();
        if group.is_some_and(|group| self.closed.contains(group)) {
            fault.get_or_insert(Fault::split(number, line).of(self.column.as_deref()));
        }
        let group = OpenGroup::new(group.cloned(), number, fault);
        self.open = Some(OpenGroup { pending: pending..pending, ..group });
    }

    fn add<'c>(&mut self, chunk: &'c Chunk, number: u64, row: &'c Row, good: &mut Vec<Good<'c>>) {
        let Some(open) = &mut self.open else { return };
        open.rows += 1;
        open.line = row.line;
        if number < self.start || open.fault.is_some() {
            return;
        }
        let cells: &'c Cells = match &row.cells {
            Err(fault) => return open.fail(fault.clone()),
            Ok(cells) => cells,
        };
        match self.fold.admit(chunk, (number, cells), open.rows - 1) {
            Err(fault) => open.fail(fault.at(row.line).of(self.column.as_deref())),
            Ok(()) => {
                good.push((number, cells));
                open.pending.end += 1;
            }
        }
        if let Some(expected) = &self.expected
            && let Some(value) = expected.of(chunk, cells)
        {
            open.expect((number, row.line), value, expected);
        }
    }

    fn orphan(&mut self, row: &Row, items: &mut Vec<Item<F::Part>>) {
        let Err(fault) = &row.cells else { return };
        let doubtful = Fault {
            reason: format!("{}; the row is next to this group and may belong to it", fault.reason),
            ..fault.clone()
        };
        if let Some(open) = &mut self.open {
            open.fail(doubtful.clone());
        }
        self.close(items);
        self.doubt = Some(doubtful);
        if fault.row >= self.start {
            items.push(Item::Orphan(fault.clone()));
        }
    }

    fn close(&mut self, items: &mut Vec<Item<F::Part>>) {
        let Some(group) = self.open.take() else { return };
        if let Some(name) = &group.name {
            self.closed.insert(name);
        }
        if group.first >= self.start {
            items.push(Item::Group(group));
        }
    }

    /// Computes the partial results of the groups up to the pending rows.
    fn compute(&mut self, chunk: &Chunk, good: &[Good<'_>], items: &mut [Item<F::Part>]) {
        let closed = items.iter_mut().filter_map(|item| match item {
            Item::Group(group) => Some(group),
            Item::Orphan(_) => None,
        });
        let mut groups: Vec<_> = closed.chain(&mut self.open).filter(|group| !group.pending.is_empty()).collect();
        let run = |group: &mut &mut OpenGroup<F::Part>| Run {
            rows: group.pending.clone(),
            before: group.before,
            earlier: group.part.take(),
        };
        let runs = groups.iter_mut().map(run).collect();
        for (group, part) in groups.into_iter().zip(self.fold.parts(chunk, good, runs)) {
            match part {
                Err(fault) => group.fail(chunk.placed(fault)),
                Ok(part) => group.part = Some(part),
            }
        }
    }

    /// Makes the records of the groups that have ended.
    fn records(&mut self, mut items: Vec<Item<F::Part>>) -> Vec<Record> {
        let mut finished = Vec::new();
        for item in &mut items {
            let Item::Group(group) = item else { continue };
            group.fault = group.fault.take().or_else(|| self.incomplete(group));
            if group.fault.is_none() {
                // a group without rows has the partial result of an empty run
                finished.extend(group.part.take().or_else(|| self.none()));
            }
        }
        let mut values = self.fold.finish(finished).into_iter();
        let mut records = Vec::with_capacity(items.len());
        for item in items {
            let (key, outcome, rows) = match item {
                Item::Orphan(fault) => (Key::Group { group: None, rows: None }, Err(fault), 0),
                Item::Group(group) => {
                    let value = if group.fault.is_none() { values.next() } else { None };
                    let outcome = group.outcome(value, self.expected.as_ref());
                    let rows = group.rows;
                    let key = if self.of_table {
                        Key::Table(rows)
                    } else {
                        Key::Group { group: group.name, rows: outcome.is_ok().then_some(rows) }
                    };
                    (key, outcome, rows)
                }
            };
            let outcome = outcome.map_err(|fault| fault.failure(&self.file));
            let record = Record { key, outcome };
            self.tally.add(&record, rows);
            records.push(record);
        }
        records
    }

    /// Returns the fault of a group that lacks something at its end. It counts only if no row is faulty.
    fn incomplete(&self, group: &OpenGroup<F::Part>) -> Option<Fault> {
        let lacks = self.fold.complete(group.rows, group.last()).err();
        let lacks = lacks.or_else(|| group.without_expected(self.expected.as_ref()));
        lacks.map(|fault| fault.at(group.line).of(self.column.as_deref()))
    }

    /// Returns the partial result of an empty run.
    fn none(&self) -> Option<F::Part> {
        self.fold.parts(&Chunk::default(), &[], vec![Run { rows: 0..0, before: 0, earlier: None }]).pop()?.ok()
    }

    fn done(&mut self, items: Vec<Item<F::Part>>, end: u64) -> Done {
        let records = self.records(items);
        let whole = self.open.as_ref().map_or(end, |open| open.first);
        self.tally.rows = self.tally.rows.max(whole);
        self.tally.groups = self.closed.len();
        Done { records, tally: self.tally.clone() }
    }
}

impl<F: Fold> Work for Groups<F> {
    fn process(&mut self, chunk: &Chunk) -> Done {
        let (mut good, mut items) = (Vec::new(), Vec::new());
        self.walk(chunk, &mut good, &mut items);
        self.compute(chunk, &good, &mut items);
        self.done(items, chunk.first + chunk.rows.len() as u64)
    }

    fn finish(&mut self) -> Done {
        let end = self.open.as_ref().map_or(self.tally.rows, |open| open.first + open.rows);
        let mut items = Vec::new();
        self.close(&mut items);
        self.done(items, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::code;

    /// A test job that answers whether a group has an even number of rows.
    struct Even;

    impl Fold for Even {
        type Part = usize;

        fn parts(&self, _: &Chunk, _: &[Good<'_>], runs: Vec<Run<usize>>) -> Vec<Result<usize, Fault>> {
            runs.into_iter().map(|run| Ok(run.earlier.unwrap_or(0) + run.rows.len())).collect()
        }

        fn finish(&self, rows: Vec<usize>) -> Vec<Result<Value, Fault>> {
            rows.into_iter().map(|rows| Ok(Value::Ok(rows.is_multiple_of(2)))).collect()
        }
    }

    /// Builds a table from a text, in which each letter is a row of the group of that name. `!` is a row that
    /// cannot be read, and `A` is a row of group `a` with a bad field.
    fn table(text: &str) -> Vec<Row> {
        let fault = |row| Fault::new(code::JSON, row, None, "not JSON");
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
        let mut job = Groups::new(Even, "t".to_owned(), (Some("g".to_owned()), false), None, before);
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
