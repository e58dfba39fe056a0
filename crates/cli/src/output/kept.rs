//! What an unfinished output holds that a later run can go on from, which a signal may ask at any moment.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What there is to go on from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    /// This run has not touched the output's files yet; an earlier one may have.
    #[default]
    Untouched,
    /// Nothing.
    Nothing,
    /// The records of a checkpoint.
    Records,
    /// All of them: the output is complete.
    Complete,
}

impl State {
    /// The state of a part file of which so many bytes count.
    pub(crate) fn of(bytes: u64) -> Self {
        if bytes > 0 { Self::Records } else { Self::Nothing }
    }
}

/// The state, as the writer and the handler of signals share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(Arc<Mutex<State>>);

impl Kept {
    /// The state. While it is held no checkpoint is written: what is said of it stays true to the end of the process.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
