//! The output of a batch: values go into an array of the caller, codes into another one.

use crate::code::Code;
use crate::fault::Fault;
use crate::memory::Place;

/// The byte that fills the place of a missing value: no encoding has such bytes.
const NO_VALUE: u8 = 0xff;

/// The arrays of the caller. They are written after everything else is done.
pub(crate) struct Output {
    values: Place,
    /// The number of bytes of a value.
    size: usize,
    /// One byte for each outcome, if the caller asks for codes.
    status: Option<Place>,
}

impl Output {
    /// Creates the output for `count` values of `size` bytes, which the array has to hold exactly, and for their codes.
    pub(crate) fn new(
        what: &str,
        values: Place,
        status: Option<Place>,
        (count, size): (usize, usize),
    ) -> Result<Output, Fault> {
        let given = values.len();
        if count.checked_mul(size) != Some(given) {
            let message = format!("{what}: the length is {given}, not {count} * {size}");
            return Err(Fault::new(Code::BilinearErrorLength, message));
        }
        Ok(Output { values, size, status })
    }

    /// Writes outcomes: values and codes. If some outcomes are bad, the call has a fault.
    pub(crate) fn write<V: AsRef<[u8]>>(self, outcomes: &[Result<V, Fault>]) -> Result<(), Fault> {
        let missing = vec![NO_VALUE; self.size];
        self.fill(outcomes, &missing)
    }

    /// Writes truth values, one byte each. A bad outcome is written as false.
    pub(crate) fn write_truths(self, outcomes: &[Result<bool, Fault>]) -> Result<(), Fault> {
        let byte =
            |outcome: &Result<bool, Fault>| outcome.as_ref().map(|holds| [u8::from(*holds)]).map_err(Fault::clone);
        self.fill(&outcomes.iter().map(byte).collect::<Vec<_>>(), &[0])
    }

    fn fill<V: AsRef<[u8]>>(mut self, outcomes: &[Result<V, Fault>], missing: &[u8]) -> Result<(), Fault> {
        for (i, outcome) in outcomes.iter().enumerate() {
            self.values.write(i * missing.len(), outcome.as_ref().map_or(missing, AsRef::as_ref));
            if let Some(status) = &mut self.status {
                let code = outcome.as_ref().err().map_or(Code::BilinearOk, |fault| fault.code);
                status.write(i, &[u8::try_from(code as i32).unwrap_or(u8::MAX)]);
            }
        }
        let mut bad = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
        match bad.next() {
            None => Ok(()),
            Some(first) => Err(first.of_rows(1 + bad.count(), outcomes.len())),
        }
    }
}
