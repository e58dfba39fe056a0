//! The counts of a job's records so far.

use crate::output::{Key, Record, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts over the records made so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// The number of input rows that the records stand for.
    pub(crate) rows: u64,
    /// The number of records.
    pub(crate) records: u64,
    /// The number of groups that have ended. It is not stored, since a resumed run reads the groups again.
    #[serde(skip)]
    pub(crate) groups: u64,
    /// The number of records with a value.
    pub(crate) values: u64,
    /// The number of answers that are false, or that find nothing.
    pub(crate) wrong: u64,
    /// The number of rows that each token has found, if there are several tokens.
    pub(crate) found: BTreeMap<String, u64>,
    /// The number of operations, such as pairings, behind the values.
    pub(crate) operations: u64,
    /// The number of records without a value, by error code.
    pub(crate) errors: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a record; `operations` is the cost of its value, if it has one.
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

    /// Returns the number of records without a value.
    pub(crate) fn failed(&self) -> u64 {
        self.errors.values().sum()
    }
    /// Lists the numbers of records without a value, by error code.
    pub(crate) fn listed(&self) -> String {
        if self.errors.is_empty() {
            return "none".to_owned();
        }
        let counts: Vec<String> = self.errors.iter().map(|(code, count)| format!("{code} {count}")).collect();
        format!("{} ({})", self.failed(), counts.join(", "))
    }
}
