//! Guards for third-party readers and writers, which panic on some tables: a panic becomes an ordinary error.

use crate::error::CommandError;
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// True while a panic on this thread is expected and will be reported as an error.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a reader of the file `file`. After a panic the reader's state is unknown, and it must not be used
/// again.
///
/// # Errors
/// Returns the reader's own error, or an error that the file is damaged if the reader panics.
pub(super) fn guard<T>(
    file: &str,
    format: &'static str,
    read: impl FnOnce() -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    caught(read).unwrap_or_else(|reason| Err(CommandError::Damaged { file: file.to_owned(), format, reason }))
}

/// Runs `work` and catches its panic. After a panic the state of everything that `work` changed is unknown.
///
/// # Errors
/// Returns the message of the panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    silence();
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.map_err(|panic| panic_message(&*panic).to_owned())
}

/// Returns the message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason is known")
}

/// Installs a panic hook that keeps expected panics off standard error.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                usual(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_panic_is_an_error_that_names_the_file() {
        let read = || -> Result<(), CommandError> { panic!("out of {}", "range") };
        let message = guard("t.arrow", "Arrow", read).unwrap_err().to_string();
        assert_eq!(message, "t.arrow: not a readable Arrow file: out of range");
        assert_eq!(guard("t.arrow", "Arrow", || Ok(7)).unwrap(), 7);
    }
}
