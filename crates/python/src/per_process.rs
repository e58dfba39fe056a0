//! Values that belong to one process, such as threads. A forked process does not inherit threads, and makes its own.

#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::mem::forget;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// A value that each process makes once.
pub(crate) struct PerProcess<T> {
    /// The value of the process that asked last: a box that this object owns.
    held: AtomicPtr<Held<T>>,
    values: PhantomData<Held<T>>,
}

/// A process and its value.
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
    /// Returns the value of this process, and makes it on first use. The maker holds a lock, since other Python threads
    /// run, and may ask for the value, while a slow one is made. If the process is forked meanwhile, the child has no
    /// thread that would release the lock. The lock therefore belongs to one process too.
    pub(crate) fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut value = self.held().value.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = &*value {
            return Ok(value.clone());
        }
        let made = make()?;
        *value = Some(made.clone());
        Ok(made)
    }

    /// Returns the slot of this process, and creates it on first use.
    fn held(&self) -> &Held<T> {
        let process = std::process::id();
        let mut found = self.held.load(Ordering::Acquire);
        loop {
            // SAFETY: the pointer is null or a box that was stored here, which is not freed before this object is
            // dropped.
            if let Some(held) = unsafe { found.as_ref() }
                && held.process == process
            {
                return held;
            }
            let made = Box::into_raw(Box::new(Held { process, value: Mutex::new(None) }));
            // the previous box belongs to the parent process and is leaked: the parent's threads cannot be waited for
            match self.held.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => found = made,
                Err(other) => {
                    // SAFETY: the box was made above, and nothing else has seen it.
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
        // SAFETY: a box that was stored here, to which no reference exists any more.
        let held = unsafe { Box::from_raw(held) };
        if held.process != std::process::id() {
            forget(held);
        }
    }
}
