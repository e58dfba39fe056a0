//! A value that a thread of its own makes, while others go on without it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// A value, once it is asked for. Copies share it.
pub(crate) struct Later<T>(Arc<Shared<T>>);

impl<T> Clone for Later<T> {
    fn clone(&self) -> Self {
        Later(self.0.clone())
    }
}

struct Shared<T> {
    /// `None` inside where there is no such value.
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
    /// What a function makes, which gives `None` where it cannot.
    pub(crate) fn new(make: impl Fn() -> Option<T> + Send + Sync + 'static) -> Self {
        Later(Arc::new(Shared { made: OnceLock::new(), started: AtomicBool::new(false), make: Box::new(make) }))
    }

    /// The value, if it is there.
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.made.get()?.as_ref()
    }

    /// Has it made by a thread, if that has not begun; it stays away where the operating system gives none.
    pub(crate) fn start(&self) {
        if self.0.started.swap(true, Ordering::Relaxed) {
            return;
        }
        let shared = self.0.clone();
        // what cannot be begun now is not tried again: all goes on as before
        let _ = thread::Builder::new().name("bilinear-later".to_owned()).spawn(move || {
            shared.wait();
        });
    }

    /// The value; whoever asks first makes it, others wait.
    pub(crate) fn wait(&self) -> Option<&T> {
        self.0.wait()
    }
}
