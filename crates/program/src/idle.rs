//! Memory that runs use one after the other: a run borrows idle memory, or makes some if none is idle. Secrets are
//! wiped when the memory is given back, even after a panic, and so is the stack.

use crate::pool::locked;
use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

/// Memory that no run uses at the moment.
pub(crate) struct Idle<M>(Mutex<Vec<Box<M>>>);

impl<M> Idle<M> {
    pub(crate) fn new() -> Self {
        Idle(Mutex::new(vec![]))
    }

    /// Borrows memory for a run, or makes some if none is idle. `wipe` overwrites the secrets in it when the run ends.
    pub(crate) fn borrow<W: FnMut(&mut M)>(&self, make: impl FnOnce() -> M, wipe: Option<W>) -> Borrowed<'_, M, W> {
        let idle = locked(&self.0).pop();
        Borrowed { idle: self, memory: Some(idle.unwrap_or_else(|| Box::new(make()))), wipe }
    }

    /// Calls `look` with the memory that a run left.
    #[cfg(test)]
    pub(crate) fn left<R>(&self, look: impl FnOnce(&M) -> R) -> R {
        look(&locked(&self.0)[0])
    }
}

/// The memory of one run.
pub(crate) struct Borrowed<'i, M, W: FnMut(&mut M)> {
    idle: &'i Idle<M>,
    /// The borrowed memory; `None` once it has been given back.
    memory: Option<Box<M>>,
    wipe: Option<W>,
}

impl<M, W: FnMut(&mut M)> Deref for Borrowed<'_, M, W> {
    type Target = M;

    fn deref(&self) -> &M {
        self.memory.as_ref().unwrap_or_else(|| unreachable!("it is given back last"))
    }
}

impl<M, W: FnMut(&mut M)> DerefMut for Borrowed<'_, M, W> {
    fn deref_mut(&mut self) -> &mut M {
        self.memory.as_mut().unwrap_or_else(|| unreachable!("it is given back last"))
    }
}

impl<M, W: FnMut(&mut M)> Drop for Borrowed<'_, M, W> {
    fn drop(&mut self) {
        let Some(mut memory) = self.memory.take() else { return };
        if let Some(wipe) = &mut self.wipe {
            wipe(&mut memory);
        }
        if !std::thread::panicking() {
            locked(&self.idle.0).push(memory);
        }
    }
}

/// The number of bytes of the stack that are overwritten.
const STACK: usize = 1 << 18;

/// A guard that overwrites the stack below the frame that holds it, when it is dropped.
pub(crate) struct WipedStack;

impl Drop for WipedStack {
    #[inline(never)]
    fn drop(&mut self) {
        std::hint::black_box(&mut [0u8; STACK]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Idle, locked};
    use std::cell::RefCell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Runs on memory that begins as [7], with or without secrets, and ends or panics. Returns the memory after it
    /// was wiped, or `None` if nothing was wiped.
    fn run(idle: &Idle<Vec<u8>>, is_secret: bool, ends: bool) -> Option<Vec<u8>> {
        let wiped = RefCell::new(None);
        let wipe = |memory: &mut Vec<u8>| {
            memory.fill(0);
            wiped.replace(Some(memory.clone()));
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let memory = idle.borrow(|| vec![7], is_secret.then_some(wipe));
            assert!(ends, "a run that fails with {memory:?}", memory = *memory);
        }));
        assert_eq!(outcome.is_ok(), ends);
        wiped.into_inner()
    }

    /// A run that panics overwrites its secrets as well, and gives no memory back.
    #[test]
    fn runs_with_secrets_overwrite_them() {
        for is_secret in [false, true] {
            for ends in [false, true] {
                let idle = Idle::new();
                assert_eq!(run(&idle, is_secret, ends), is_secret.then(|| vec![0]), "{is_secret}, {ends}");
                let left = locked(&idle.0).clone();
                let left: Vec<Vec<u8>> = left.into_iter().map(|memory| *memory).collect();
                let wanted = if is_secret { vec![0] } else { vec![7] };
                assert_eq!(left, if ends { vec![wanted] } else { vec![] }, "{is_secret}, {ends}");
            }
        }
    }
}
