//! Where the outcomes of a batch go: values into an array of the caller, codes into another one.

use crate::code::Code;
use crate::fault::Fault;
use crate::memory::Place;

/// Stands in the place of a value that there is not: no encoding has such bytes.
const NO_VALUE: u8 = 0xff;

/// The arrays of the caller. They are written when everything else is done.
pub(crate) struct Output {
    values: Place,
    /// A byte for each outcome.
    status: Option<Place>,
}

impl Output {
    pub(crate) fn new(values: Place, status: Option<Place>) -> Output {
        Output { values, status }
    }

    /// Makes sure that so many values of one size are what the array holds.
    pub(crate) fn holds(&self, what: &str, count: usize, size: usize) -> Result<(), Fault> {
        let (given, wanted) = (self.values.len(), count.checked_mul(size));
        if wanted == Some(given) {
            return Ok(());
        }
        let message = format!("{what}: {given} bytes are not {count} values of {size}");
        Err(Fault::new(Code::BilinearLength, message))
    }

    /// Whether there is room for values at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.len() == 0
    }

    /// Writes outcomes: values of one size, codes. If some are bad, that is the fault of the call.
    pub(crate) fn write<V: AsRef<[u8]>>(self, size: usize, outcomes: &[Result<V, Fault>]) -> Result<(), Fault> {
        self.fill(outcomes, &vec![NO_VALUE; size])
    }

    /// Writes whether something holds, a byte each; of what is bad it does not.
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
