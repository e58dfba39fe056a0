//! The state of an unfinished output, which a signal handler may read at any moment.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The records that an unfinished output holds for a later run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    /// This run has not touched the output's files yet. An earlier run may have left some.
    #[default]
    Untouched,
    /// The output holds no records.
    Nothing,
    /// The output holds the records of a checkpoint.
    Records,
    /// The output is complete.
    Complete,
}

impl State {
    /// Returns the state of a part file with `bytes` valid bytes.
    pub(crate) fn of(bytes: u64) -> Self {
        if bytes > 0 { Self::Records } else { Self::Nothing }
    }
}

/// The state, shared between the writer and the signal handler.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(Arc<Mutex<State>>);

impl Kept {
    /// Locks the state. No checkpoint is written while the lock is held, so that a message about the state
    /// stays true until the process ends.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
