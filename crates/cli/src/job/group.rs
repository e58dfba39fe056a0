//! One group while its rows come in.

use super::expected::Expected;
use crate::fault::{Fault, code};
use crate::input::GroupKey;
use crate::output::Value;
use std::ops::Range;

/// A run of adjacent rows of one group.
#[derive(Debug)]
pub(super) struct OpenGroup<P> {
    /// Its name; `None` where it is the whole table.
    pub(super) name: Option<GroupKey>,
    /// Its first input row.
    pub(super) first: u64,
    /// Its rows so far.
    pub(super) rows: u64,
    /// The line of the last of them, where the input has lines.
    pub(super) line: Option<u64>,
    /// Why it has no value: the fault of the first row that has one.
    pub(super) fault: Option<Fault>,
    /// The rows of the current chunk, as indices into the chunk's list of those that count.
    pub(super) pending: Range<usize>,
    /// Its rows before `pending`.
    pub(super) before: u64,
    /// What the earlier chunks' rows have given.
    pub(super) part: Option<P>,
    /// What to compare with.
    pub(super) expected: Option<Given>,
}

/// An expected value, and where it stands.
#[derive(Debug)]
pub(super) struct Given {
    row: u64,
    line: Option<u64>,
    value: Vec<u8>,
}

impl<P> OpenGroup<P> {
    /// A group that begins at input row `first`.
    pub(super) fn new(name: Option<GroupKey>, first: u64, fault: Option<Fault>) -> Self {
        Self { name, first, rows: 0, line: None, fault, pending: 0..0, before: 0, part: None, expected: None }
    }

    /// Notes a fault. Some faults are found after those behind them in the same chunk have been noted, so the row decides which one
    /// counts.
    pub(super) fn fail(&mut self, fault: Fault) {
        if self.fault.as_ref().is_none_or(|known| fault.row < known.row) {
            self.fault = Some(fault);
        }
    }

    /// Notes the expected value that a row, which stands in this line, gives; all that a group gives must be equal.
    pub(super) fn expect(&mut self, (row, line): (u64, Option<u64>), value: &[u8], column: &Expected) {
        match &self.expected {
            None => self.expected = Some(Given { row, line, value: value.to_vec() }),
            Some(earlier) if earlier.value == value => {}
            Some(Given { row: other, .. }) => {
                let reason = format!("the expected value differs from that in row {other} of the same group");
                self.fail(column.fault(code::MISMATCH, row, reason).at(line));
            }
        }
    }

    /// Notes what is missing once the last row has been seen.
    pub(super) fn complete(&mut self, column: Option<&Expected>) {
        if let (Some(column), None) = (column, &self.expected) {
            let reason = "no row of the group has an expected value".to_owned();
            self.fail(column.fault(code::MISSING, self.last(), reason).at(self.line));
        }
    }

    /// Its last input row so far.
    pub(super) fn last(&self) -> u64 {
        (self.first + self.rows).saturating_sub(1)
    }

    /// The outcome, given the value that a group without a fault has.
    pub(super) fn outcome(&self, value: Option<Value>, column: Option<&Expected>) -> Result<Value, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let value = value.unwrap_or_else(|| unreachable!("a group without a fault has a value"));
        if let (Some(column), Some(given)) = (column, &self.expected) {
            column.compare(given.row, &given.value, &value).map_err(|fault| fault.at(given.line))?;
        }
        Ok(value)
    }
}
