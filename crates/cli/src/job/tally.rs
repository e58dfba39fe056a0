//! What a job has done so far.

use crate::output::{Key, Record, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts over the records that have been made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Input rows that these records stand for.
    pub(crate) rows: u64,
    /// Records: one a row, or one a group.
    pub(crate) records: u64,
    /// Records with a value.
    pub(crate) values: u64,
    /// Answers that are no.
    pub(crate) wrong: u64,
    /// Rows that each token of several has found.
    pub(crate) found: BTreeMap<String, u64>,
    /// Operations that have gone into values: pairings, say.
    pub(crate) operations: u64,
    /// Records without one, by code.
    pub(crate) errors: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a record whose value, if it has one, took `operations`.
    pub(crate) fn add(&mut self, record: &Record, operations: u64) {
        self.records += 1;
        match &record.outcome {
            Ok(value) => {
                self.values += 1;
                self.wrong += u64::from(matches!(value, Value::Ok(false) | Value::Match(None)));
                self.operations += operations;
                if let Key::Token { token, .. } = &record.key {
                    *self.found.entry(token.to_string()).or_default() +=
                        u64::from(matches!(value, Value::Match(Some(_))));
                }
            }
            Err(failure) => *self.errors.entry(failure.code.to_string()).or_default() += 1,
        }
    }

    /// Records without a value.
    pub(crate) fn failed(&self) -> u64 {
        self.errors.values().sum()
    }
    /// The records without a value, by code.
    pub(crate) fn listed(&self) -> String {
        if self.errors.is_empty() {
            return "none".to_owned();
        }
        let counts: Vec<String> = self.errors.iter().map(|(code, count)| format!("{code} {count}")).collect();
        format!("{} ({})", self.failed(), counts.join(", "))
    }
}
