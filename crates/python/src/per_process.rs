//! What belongs to one process, such as threads: a process that was forked has none of them, and makes its own.

use std::sync::{Mutex, PoisonError};

/// A value that each process makes once.
pub(crate) struct PerProcess<T>(Mutex<Option<(u32, T)>>);

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        PerProcess(Mutex::new(None))
    }
}

impl<T: Clone> PerProcess<T> {
    /// The value of this process. Who makes it holds a lock: what takes long is made, and asked for, while other threads of Python run.
    pub(crate) fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some((owner, value)) = &*held
            && *owner == process
        {
            return Ok(value.clone());
        }
        let made = make()?;
        // what the fork left of the threads cannot be waited for
        std::mem::forget(held.replace((process, made.clone())));
        Ok(made)
    }
}
