//! Jobs that answer for adjacent rows of one group, or for the whole table: one record a group, which may span chunks.

use super::closed::Closed;
use super::tally::Tally;
use super::work::{Done, Work};
use crate::fault::{Fault, code};
use crate::input::{Cells, Chunk, GroupKey, Row};
use crate::output::{Key, Record, Value};

/// What a job makes of a group.
pub(crate) trait Gather {
    /// What is kept of the rows so far.
    type State;

    /// Before the first row.
    fn begin(&self) -> Self::State;

    /// Takes the next rows of the group, given with their numbers.
    ///
    /// # Errors
    /// The fault of one that spoils the group.
    fn add(&self, state: &mut Self::State, chunk: &Chunk, rows: &[(u64, &Cells)]) -> Result<(), Fault>;

    /// The answer, after the row `last`.
    ///
    /// # Errors
    /// What is missing.
    fn end(&self, state: Self::State, last: u64) -> Result<Value, Fault>;

    /// The input's name.
    fn file(&self) -> &str;
}

/// The job that answers for each group.
pub(crate) struct Gathered<G: Gather> {
    job: G,
    /// Whether rows have groups; if not, the table is one.
    grouped: bool,
    tally: Tally,
    closed: Closed,
    open: Option<Open<G::State>>,
    /// A row whose group is unreadable makes its neighbours doubtful: this is for the next group.
    doubt: Option<Fault>,
}

/// The group that the last row belongs to.
struct Open<S> {
    group: Option<GroupKey>,
    rows: u64,
    last: u64,
    /// The line of the last row, where the input has lines.
    line: Option<u64>,
    state: Result<S, Fault>,
}

impl<G: Gather> Gathered<G> {
    /// The job; `grouped` if the table has groups.
    pub(crate) fn new(job: G, grouped: bool) -> Self {
        Self { job, grouped, tally: Tally::default(), closed: Closed::default(), open: None, doubt: None }
    }

    /// Takes adjacent rows of one group.
    fn take(&mut self, chunk: &Chunk, first: u64, rows: &[Row]) {
        let group = rows[0].group.as_ref();
        let mut open = self.open.take().unwrap_or_else(|| self.begin(group, first, rows[0].line));
        open.rows += rows.len() as u64;
        open.last = first + rows.len() as u64 - 1;
        open.line = rows[rows.len() - 1].line;
        open.state = open.state.and_then(|mut state| {
            let good = (first..).zip(rows).map_while(|(number, row)| Some((number, row.cells.as_ref().ok()?)));
            let added = self.job.add(&mut state, chunk, &good.collect::<Vec<_>>());
            added.map_err(|fault| chunk.placed(fault))?;
            rows.iter().find_map(|row| row.cells.as_ref().err()).map_or(Ok(state), |fault| Err(fault.clone()))
        });
        self.open = Some(open);
    }

    fn begin(&mut self, group: Option<&GroupKey>, first: u64, line: Option<u64>) -> Open<G::State> {
        let split = || Fault {
            code: code::GROUP_SPLIT,
            row: first,
            line,
            field: None,
            reason: "rows of this group stood further up: the rows of a group must be adjacent".to_owned(),
        };
        let again = group.is_some_and(|group| self.closed.contains(group));
        let fault = self.doubt.take().or_else(|| again.then(split));
        let state = fault.map_or_else(|| Ok(self.job.begin()), Err);
        Open { group: group.cloned(), rows: 0, last: first, line, state }
    }

    /// A row whose group is unreadable is a record of its own, and spoils the groups next to it.
    fn orphan(&mut self, fault: &Fault, records: &mut Vec<Record>) {
        let reason = format!("{}; it stands next to this group and may belong to it", fault.reason);
        let doubtful = Fault { reason, ..fault.clone() };
        if let Some(open) = &mut self.open {
            open.state = Err(open.state.as_ref().err().cloned().unwrap_or_else(|| doubtful.clone()));
        }
        self.close(records);
        self.doubt = Some(doubtful);
        let outcome = Err(fault.failure(self.job.file()));
        self.push(Record { key: Key::Group { group: None, rows: None }, outcome }, records);
    }

    fn close(&mut self, records: &mut Vec<Record>) {
        let Some(Open { group, rows, last, line, state }) = self.open.take() else { return };
        if let Some(group) = &group {
            self.closed.insert(group);
        }
        let outcome = state.and_then(|state| self.job.end(state, last).map_err(|fault| fault.at(line)));
        let outcome = outcome.map_err(|fault| fault.failure(self.job.file()));
        let rows = outcome.is_ok().then_some(rows);
        self.push(Record { key: Key::Group { group, rows }, outcome }, records);
    }

    fn push(&mut self, record: Record, records: &mut Vec<Record>) {
        self.tally.add(&record, 1);
        records.push(record);
    }
}

impl<G: Gather> Work for Gathered<G> {
    fn process(&mut self, chunk: &Chunk) -> Done {
        let (mut records, mut first, grouped) = (Vec::new(), chunk.first, self.grouped);
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
        self.tally.rows = first;
        Done { records, tally: self.tally.clone() }
    }

    fn finish(&mut self) -> Done {
        let mut records = Vec::new();
        self.close(&mut records);
        Done { records, tally: self.tally.clone() }
    }
}
