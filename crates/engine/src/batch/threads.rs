//! The threads of a batch.

use super::errors::{MAX_THREADS, ThreadsError};
use bilinear_field::CollectVec;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;

/// A number of threads, which start when they are first needed; clones share them.
#[derive(Clone)]
pub(super) struct Threads {
    count: usize,
    /// The thread pool; `None` if one thread is enough, or if no other thread could be started.
    pool: Arc<OnceLock<Option<ThreadPool>>>,
}

impl Threads {
    /// The calling thread alone.
    pub(super) fn one() -> Self {
        Self::later(1)
    }

    /// One thread for each processor that the process may use.
    pub(super) fn all() -> Self {
        Self::later(available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS))
    }

    fn later(count: usize) -> Self {
        Self { count, pool: Arc::default() }
    }

    /// Creates `count` threads, which start now.
    pub(super) fn of(count: NonZeroUsize) -> Result<Self, ThreadsError> {
        let threads = count.get();
        if threads > MAX_THREADS {
            return Err(ThreadsError::TooMany(threads));
        }
        let pool = start(threads).map_err(|reason| ThreadsError::Refused { threads, reason })?;
        Ok(Self { count: threads, pool: Arc::new(OnceLock::from(pool)) })
    }

    fn pool(&self) -> Option<&ThreadPool> {
        self.pool.get_or_init(|| start(self.count).unwrap_or_default()).as_ref()
    }

    /// The number of threads.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Runs a task for each number below n and returns the results in order. The tasks are shared among the threads.
    /// Compiled once for each type.
    pub(super) fn map<T: Send>(&self, n: usize, task: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
        match if n > 1 { self.pool() } else { None } {
            Some(pool) => {
                let results: Vec<Mutex<Option<T>>> = (0..n).map(|_| Mutex::new(None)).collect_vec();
                each(pool, n, &|i| *results[i].lock().unwrap_or_else(PoisonError::into_inner) = Some(task(i)));
                let results =
                    results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner));
                results.map(|result| result.unwrap_or_else(|| unreachable!("every task has run"))).collect_vec()
            }
            None => (0..n).map(task).collect_vec(),
        }
    }
}

/// Runs a task for each number below n on the threads of a pool; compiled once for all tasks. A panic of a task is
/// propagated.
fn each(pool: &ThreadPool, n: usize, task: &(dyn Fn(usize) + Sync)) {
    pool.install(|| (0..n).into_par_iter().for_each(task));
}

/// Starts the threads of a pool; `None` for a count of one.
fn start(count: usize) -> Result<Option<ThreadPool>, String> {
    if count == 1 {
        return Ok(None);
    }
    let pool = ThreadPoolBuilder::new().num_threads(count).thread_name(|i| format!("bilinear-{i}")).build();
    pool.map(Some).map_err(|error| error.to_string())
}
