//! The state of one group while its rows are read.

use super::expected::Expected;
use crate::fault::{Fault, code};
use crate::input::GroupKey;
use crate::output::Value;
use std::ops::Range;

/// A run of adjacent rows of one group.
#[derive(Debug)]
pub(super) struct OpenGroup<P> {
    /// The group's name; `None` if the group is the whole table.
    pub(super) name: Option<GroupKey>,
    /// The group's first input row.
    pub(super) first: u64,
    /// The number of rows so far.
    pub(super) rows: u64,
    /// The line of the group's last row so far, where the input has lines.
    pub(super) line: Option<u64>,
    /// The fault of the earliest faulty row, because of which the group has no value.
    pub(super) fault: Option<Fault>,
    /// The group's rows in the current chunk, as indices into the chunk's list of valid rows.
    pub(super) pending: Range<usize>,
    /// The number of the group's rows before `pending`.
    pub(super) before: u64,
    /// The partial result of the rows of earlier chunks.
    pub(super) part: Option<P>,
    /// The expected value, if a row has given one.
    pub(super) expected: Option<Given>,
}

/// An expected value, and the row that gives it.
#[derive(Debug)]
pub(super) struct Given {
    row: u64,
    line: Option<u64>,
    value: Vec<u8>,
}

impl<P> OpenGroup<P> {
    /// Creates a group that begins at input row `first`.
    pub(super) fn new(name: Option<GroupKey>, first: u64, fault: Option<Fault>) -> Self {
        Self { name, first, rows: 0, line: None, fault, pending: 0..0, before: 0, part: None, expected: None }
    }

    /// Records a fault. Faults in a chunk are not found in the order of rows, so the fault with the lowest row
    /// counts.
    pub(super) fn fail(&mut self, fault: Fault) {
        if self.fault.as_ref().is_none_or(|known| fault.row < known.row) {
            self.fault = Some(fault);
        }
    }

    /// Records the expected value that a row gives, with the row's number and line. All expected values of a
    /// group must be equal.
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

    /// Returns the fault of a group that has ended without an expected value.
    pub(super) fn without_expected(&self, column: Option<&Expected>) -> Option<Fault> {
        let (Some(column), None) = (column, &self.expected) else { return None };
        Some(column.fault(code::MISSING, self.last(), "no row of the group has an expected value".to_owned()))
    }

    /// Returns the group's last input row so far.
    pub(super) fn last(&self) -> u64 {
        (self.first + self.rows).saturating_sub(1)
    }

    /// Returns the outcome of the group; `value` is required unless the group has a fault.
    pub(super) fn outcome(
        &self,
        value: Option<Result<Value, Fault>>,
        column: Option<&Expected>,
    ) -> Result<Value, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let value = value.unwrap_or_else(|| unreachable!("a group without a fault has a value"));
        let value = value.map_err(|fault| fault.at(self.line))?;
        if let (Some(column), Some(given)) = (column, &self.expected) {
            column.compare(given.row, &given.value, &value).map_err(|fault| fault.at(given.line))?;
        }
        Ok(value)
    }
}
