//! Errors of rows on standard error, for outputs that have no place for them: the first ones in full, the others as a number.

use super::Record;
use crate::console;

/// Errors that are told in full.
const MOST: u64 = 10;

/// How many errors there were.
#[derive(Debug, Default)]
pub(super) struct Told(u64);

impl Told {
    /// Tells the error of a record, if it has one.
    pub(super) fn tell(&mut self, record: &Record) {
        if let Err(failure) = &record.outcome {
            self.0 += 1;
            if self.0 <= MOST {
                console::note(format_args!("{} ({})", failure.message, failure.code));
            }
        }
    }

    /// Tells how many were not told.
    pub(super) fn end(&self) {
        if self.0 > MOST {
            console::note(format_args!("and {} more errors; --result answers has them all", self.0 - MOST));
        }
    }
}
