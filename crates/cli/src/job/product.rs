//! One product while its rows come in.

use super::context::Context;
use crate::fault::{Fault, code};
use crate::input::GroupKey;
use crate::output::Value;
use bilinear_engine::Miller;
use std::ops::Range;

/// A run of adjacent rows of one group.
#[derive(Debug)]
pub(crate) struct Product {
    /// Its name.
    pub(crate) group: GroupKey,
    /// Its first input row.
    pub(crate) first: u64,
    /// Its rows so far.
    pub(crate) rows: u64,
    /// Why it has no value: the fault of the first row that has one.
    pub(crate) fault: Option<Fault>,
    /// The pairs of the current chunk, as indices into the chunk's list of pairs.
    pub(crate) pending: Range<usize>,
    /// Its rows before `pending`.
    pub(crate) before: u64,
    /// The product of the earlier chunks' pairs, before the final exponentiation.
    pub(crate) miller: Option<Miller>,
    /// The value to compare with, and the row that it stands in.
    pub(crate) expect: Option<(u64, Vec<u8>)>,
}

impl Product {
    /// A product that begins at input row `first`.
    pub(crate) fn new(group: GroupKey, first: u64, fault: Option<Fault>) -> Self {
        Self { group, first, rows: 0, fault, pending: 0..0, before: 0, miller: None, expect: None }
    }

    /// Notes a fault. The engine finds its faults after those behind them in the same chunk have been noted, so the
    /// row decides which one counts.
    pub(crate) fn fail(&mut self, fault: Fault) {
        if self.fault.as_ref().is_none_or(|known| fault.row < known.row) {
            self.fault = Some(fault);
        }
    }

    /// Notes the expected value that row `row` gives; all that a group gives must be equal.
    pub(crate) fn expect(&mut self, row: u64, value: &[u8], context: &Context) {
        let clash = match &self.expect {
            None => {
                self.expect = Some((row, value.to_vec()));
                None
            }
            Some((_, earlier)) if earlier == value => None,
            Some((other, _)) => Some(format!("the expected value differs from that in row {other} of the same group")),
        };
        if let Some(reason) = clash {
            let field = context.expect.as_deref().map(Into::into);
            self.fail(Fault { code: code::MISMATCH, row, line: None, field, reason });
        }
    }

    /// What can be said once the last row has been seen, before the value is computed.
    pub(crate) fn close(&mut self, context: &Context) {
        let last = self.first + self.rows - 1;
        if let Some(fixed) = &context.fixed
            && self.rows < fixed.points.len() as u64
        {
            let count = fixed.points.len();
            let reason = format!("the group ends after {} rows, but there are {count} fixed points", self.rows);
            self.fail(Fault { code: code::FIXED_COUNT, row: last, line: None, field: None, reason });
        }
        if let (Some(name), None) = (&context.expect, &self.expect) {
            let reason = "no row of the group has an expected value".to_owned();
            let field = Some(name.as_str().into());
            self.fail(Fault { code: code::MISSING, row: last, line: None, field, reason });
        }
    }

    /// The outcome, given the value that a product without a fault has.
    pub(crate) fn outcome(&self, value: Option<Value>, context: &Context) -> Result<Value, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let value = value.unwrap_or_else(|| unreachable!("a product without a fault has a value"));
        if let Some((row, expected)) = &self.expect {
            context.compare(*row, expected, &value)?;
        }
        Ok(value)
    }
}
