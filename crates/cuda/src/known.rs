//! Values that are made once for each number. While a value is made, only callers that need the same value wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The values by number; `None` until a value is made.
pub(crate) struct Known<T>(Mutex<HashMap<usize, Arc<Mutex<Option<T>>>>>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known(Mutex::default())
    }
}

/// Locks a mutex, even a poisoned one: nothing panics while it has changed a value in part.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Clone> Known<T> {
    /// Returns the value of a number, which `make` makes if it has not been made.
    ///
    /// # Errors
    /// Returns the error of `make`; then the value is made when it is next needed.
    pub(crate) fn get<E>(&self, number: usize, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let own = locked(&self.0).entry(number).or_default().clone();
        let mut own = locked(&own);
        match &*own {
            Some(known) => Ok(known.clone()),
            None => Ok(own.insert(make()?).clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn computing_one_value_blocks_no_other() {
        let known = &Known::default();
        let (send, receive) = channel();
        thread::scope(|scope| {
            let told = move || receive.recv_timeout(Duration::from_secs(20)).map_err(|_| "nobody");
            let slow = scope.spawn(move || known.get(1, told));
            while locked(&known.0).is_empty() {
                thread::yield_now();
            }
            // the value of the other number is still being made
            assert_eq!(known.get(2, || Ok::<_, &str>(20)), Ok(20));
            send.send(10).unwrap_or_else(|_| unreachable!("it waits"));
            assert_eq!(slow.join().ok(), Some(Ok(10)));
        });
        assert_eq!([1, 2].map(|number| known.get(number, || Err("it is known"))), [Ok(10), Ok(20)]);
        assert_eq!(known.get(3, || Err("it fails")), Err("it fails"));
        assert_eq!(known.get(3, || Ok::<_, &str>(30)), Ok(30));
    }
}
