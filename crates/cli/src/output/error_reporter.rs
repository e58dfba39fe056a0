//! Errors of rows on standard error, for outputs without a column for them. The first errors are printed in
//! full, and the others are counted.

use super::Record;
use crate::console;
use crate::counted::counted;

/// The number of errors that are printed in full.
const MAX: u64 = 10;

/// Prints the first errors, and counts all.
#[derive(Debug, Default)]
pub(super) struct ErrorReporter(u64);

impl ErrorReporter {
    /// Prints the error of a record, if it has one and the limit is not reached.
    pub(super) fn report(&mut self, record: &Record) {
        if let Err(failure) = &record.outcome {
            self.0 += 1;
            if self.0 <= MAX {
                console::note(format_args!("{} ({})", failure.message, failure.code));
            }
        }
    }

    /// Prints the number of errors that were not printed.
    pub(super) fn end(&self) {
        if self.0 > MAX {
            let more = counted(self.0 - MAX, "more error");
            console::note(format_args!("and {more}; --result answers has them all"));
        }
    }
}
