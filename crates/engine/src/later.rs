//! A value that a background thread computes, while other threads go on without it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// A value that is computed on demand. Clones share it.
pub(crate) struct Later<T>(Arc<Shared<T>>);

impl<T> Clone for Later<T> {
    fn clone(&self) -> Self {
        Later(self.0.clone())
    }
}

struct Shared<T> {
    /// The value, once the function has run; `None` inside if the function produced none.
    made: OnceLock<Option<T>>,
    started: AtomicBool,
    make: Box<dyn Fn() -> Option<T> + Send + Sync>,
}

impl<T> Shared<T> {
    fn wait(&self) -> Option<&T> {
        self.made.get_or_init(&self.make).as_ref()
    }
}

impl<T: Send + Sync + 'static> Later<T> {
    /// Creates a value that `make` computes later; `make` returns `None` if it cannot.
    pub(crate) fn new(make: impl Fn() -> Option<T> + Send + Sync + 'static) -> Self {
        Later(Arc::new(Shared { made: OnceLock::new(), started: AtomicBool::new(false), make: Box::new(make) }))
    }

    /// The value, if it has been computed.
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.made.get()?.as_ref()
    }

    /// Starts a thread that computes the value, unless one was started before. If the operating system refuses the
    /// thread, the value stays absent.
    pub(crate) fn start(&self) {
        if self.0.started.swap(true, Ordering::Relaxed) {
            return;
        }
        let shared = self.0.clone();
        // a thread that cannot start is not tried again: everything goes on without the value
        let _ = thread::Builder::new().name("bilinear-later".to_owned()).spawn(move || {
            shared.wait();
        });
    }

    /// Returns the value: the first caller computes it, other callers wait.
    pub(crate) fn wait(&self) -> Option<&T> {
        self.0.wait()
    }
}
