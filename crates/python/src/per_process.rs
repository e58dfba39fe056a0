//! What belongs to one process, such as threads: a process that was forked has none of them, and makes its own.

#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::mem::forget;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// A value that each process makes once.
pub(crate) struct PerProcess<T> {
    /// What the last process that asked has: a box that is this object's.
    held: AtomicPtr<Held<T>>,
    values: PhantomData<Held<T>>,
}

/// The value of a process.
struct Held<T> {
    process: u32,
    value: Mutex<Option<T>>,
}

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        PerProcess { held: AtomicPtr::new(null_mut()), values: PhantomData }
    }
}

impl<T: Clone> PerProcess<T> {
    /// The value of this process. Who makes it holds a lock: what takes long is made, and asked for, while other threads of Python run. A fork may
    /// happen meanwhile, and leaves nobody who would give the lock back; so the lock is of the process too.
    pub(crate) fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut value = self.held().value.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = &*value {
            return Ok(value.clone());
        }
        let made = make()?;
        *value = Some(made.clone());
        Ok(made)
    }

    /// What this process has.
    fn held(&self) -> &Held<T> {
        let process = std::process::id();
        let mut found = self.held.load(Ordering::Acquire);
        loop {
            // SAFETY: it is null or a box that was put here, which nobody frees before this object is dropped.
            if let Some(held) = unsafe { found.as_ref() }
                && held.process == process
            {
                return held;
            }
            let made = Box::into_raw(Box::new(Held { process, value: Mutex::new(None) }));
            // what was here is the parent's, and stays where it is: its threads cannot be waited for
            match self.held.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => found = made,
                Err(other) => {
                    // SAFETY: the box of above, which nobody else has seen.
                    drop(unsafe { Box::from_raw(made) });
                    found = other;
                }
            }
        }
    }
}

impl<T> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let held = *self.held.get_mut();
        if held.is_null() {
            return;
        }
        // SAFETY: a box that was put here, and nobody has a reference to it any more.
        let held = unsafe { Box::from_raw(held) };
        if held.process != std::process::id() {
            forget(held);
        }
    }
}
