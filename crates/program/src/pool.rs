//! Threads that take the tasks of a computation as soon as it is there.
//!
//! A pairing takes some hundred microseconds, and waking a sleeping thread takes some ten. So an idle worker watches
//! for work for a while before it sleeps, and meanwhile a task is handed over in less than a microsecond. A caller
//! works on its own computation too, and takes all tasks that no worker has taken. It does not wait for workers that
//! are late, or busy for another caller, and any number of threads may call at a time. It waits only for workers that
//! have taken a task, even if another process keeps them from running.

use std::any::Any;
use std::fmt;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time that a worker watches for work before it sleeps: longer than the serial part of a pairing on all shipped
/// curves but bls48-581.
const WATCH: Duration = Duration::from_millis(5);
/// The number of looks for work before a worker reads the clock.
const LOOKS: u32 = 64;

/// A pool of worker threads, which end when it is dropped.
#[derive(Debug)]
pub struct Pool {
    workers: Vec<(Arc<Worker>, JoinHandle<()>)>,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("taken", &self.taken).finish_non_exhaustive()
    }
}

/// The state that a worker thread shares with its callers.
#[derive(Default)]
struct Worker {
    /// Whether a caller has taken this worker.
    taken: AtomicBool,
    /// Whether there is a task for this worker, or the order to stop.
    called: AtomicBool,
    /// The tasks to work on; `None` tells the worker to stop.
    work: Mutex<Option<Arc<dyn Work>>>,
}

/// A set of tasks that any number of threads take.
trait Work: Send + Sync {
    /// Takes tasks until none is left. A worker is free again before its last task counts as done, so that a caller
    /// that waits for that task can use the worker at once.
    fn help(&self, worker: Option<&Worker>);
}

/// Tasks that compute a function of each number below a bound.
struct Tasks<T, F> {
    task: F,
    results: Vec<Mutex<Option<T>>>,
    next: AtomicUsize,
    done: AtomicUsize,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<T: Send, F: Fn(usize) -> T + Send + Sync> Work for Tasks<T, F> {
    fn help(&self, worker: Option<&Worker>) {
        let mut worker = worker;
        let mut free = || {
            if let Some(worker) = worker.take() {
                worker.taken.store(false, Ordering::Release);
            }
        };
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(place) = self.results.get(i) else { return free() };
            match catch_unwind(AssertUnwindSafe(|| (self.task)(i))) {
                Ok(result) => *locked(place) = Some(result),
                Err(panic) => *locked(&self.panic) = Some(panic),
            }
            if self.next.load(Ordering::Relaxed) >= self.results.len() {
                free();
            }
            self.done.fetch_add(1, Ordering::Release);
        }
    }
}

impl Worker {
    /// Hands work to the worker, or tells it to stop, and wakes it.
    fn call(&self, thread: &JoinHandle<()>, work: Option<Arc<dyn Work>>) {
        *locked(&self.work) = work;
        self.called.store(true, Ordering::Release);
        thread.thread().unpark();
    }

    /// Waits for work and does it, until the worker is told to stop.
    fn serve(&self) {
        loop {
            self.wait();
            let Some(work) = locked(&self.work).take() else { return };
            work.help(Some(self));
        }
    }

    /// Waits until a caller calls this worker: watches for a while, then sleeps.
    fn wait(&self) {
        let begun = Instant::now();
        loop {
            for _ in 0..LOOKS {
                if self.called.load(Ordering::Acquire) {
                    self.called.store(false, Ordering::Relaxed);
                    return;
                }
                spin_loop();
            }
            if begun.elapsed() > WATCH {
                // a call after the last look wakes the thread at once
                thread::park();
            }
        }
    }
}

impl Pool {
    /// Starts `workers` workers beside the calling thread.
    ///
    /// # Errors
    /// Returns the system's message if a thread cannot be started.
    pub fn new(workers: usize) -> Result<Self, String> {
        let mut pool = Pool { workers: Vec::with_capacity(workers) };
        for i in 1..=workers {
            let worker = Arc::new(Worker::default());
            let served = worker.clone();
            let thread = thread::Builder::new().name(format!("bilinear-part-{i}")).spawn(move || served.serve());
            pool.workers.push((worker, thread.map_err(|error| error.to_string())?));
        }
        Ok(pool)
    }

    /// The number of threads beside the caller's.
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Computes a function of 0, 1, … below `count` on all threads that are free, and returns the results in order.
    ///
    /// # Panics
    /// Panics if the function panics.
    pub fn map<T, F>(&self, count: usize, task: F) -> Vec<T>
    where
        T: Send + 'static,
        F: Fn(usize) -> T + Send + Sync + 'static,
    {
        let tasks = Arc::new(Tasks {
            task,
            results: (0..count).map(|_| Mutex::default()).collect(),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            panic: Mutex::default(),
        });
        let free = self.workers.iter().filter(|(worker, _)| !worker.taken.swap(true, Ordering::Acquire));
        for (worker, thread) in free.take(count.saturating_sub(1)) {
            worker.call(thread, Some(tasks.clone()));
        }
        tasks.help(None);
        let mut looks = 0;
        while tasks.done.load(Ordering::Acquire) < count {
            // a worker that is not running may need this processor
            if looks < LOOKS * LOOKS {
                spin_loop()
            } else {
                thread::yield_now()
            }
            looks = looks.saturating_add(1);
        }
        if let Some(panic) = locked(&tasks.panic).take() {
            resume_unwind(panic);
        }
        let result = |place: &Mutex<Option<T>>| locked(place).take();
        tasks.results.iter().map(|place| result(place).unwrap_or_else(|| unreachable!("a task that is done"))).collect()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for (worker, thread) in &self.workers {
            worker.call(thread, None);
        }
        for (_, thread) in self.workers.drain(..) {
            // no task panics outside of `catch_unwind`
            let _ = thread.join();
        }
    }
}

/// Locks a mutex, even a poisoned one: nothing panics while a lock is held.
pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Barrier;

    fn pool(workers: usize) -> Pool {
        Pool::new(workers).unwrap_or_else(|reason| panic!("{workers} threads: {reason}"))
    }

    #[test]
    fn every_task_is_done_once_and_in_its_place() {
        for workers in [0, 1, 3] {
            let pool = pool(workers);
            for count in (0..20).chain([1000]) {
                assert_eq!(pool.map(count, |i| 3 * i), (0..count).map(|i| 3 * i).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn tasks_run_at_the_same_time() {
        let pool = pool(3);
        for _ in 0..100 {
            // four threads meet, or this does not end
            let barrier = Arc::new(Barrier::new(4));
            let threads = pool.map(4, move |_| {
                barrier.wait();
                format!("{:?}", thread::current().id())
            });
            assert_eq!(threads.iter().collect::<BTreeSet<_>>().len(), 4);
        }
    }

    /// A caller that has the result can use the worker again.
    #[test]
    fn a_worker_is_free_when_its_task_is_done() {
        let pool = pool(1);
        for round in 0..200_000 {
            let arrived = Arc::new(AtomicUsize::new(0));
            let both = pool.map(2, move |_| {
                let (begun, mut looks) = (Instant::now(), 0);
                arrived.fetch_add(1, Ordering::Relaxed);
                while arrived.load(Ordering::Relaxed) < 2 && begun.elapsed() < Duration::from_secs(10) {
                    if looks < 1000 {
                        spin_loop()
                    } else {
                        thread::yield_now()
                    }
                    looks += 1;
                }
                arrived.load(Ordering::Relaxed)
            });
            assert_eq!(both, [2, 2], "round {round}");
        }
    }

    #[test]
    fn many_callers_share_the_workers() {
        let pool = pool(2);
        thread::scope(|scope| {
            for caller in 0..4 {
                let pool = &pool;
                scope.spawn(move || {
                    for round in 0..500 {
                        let results = pool.map(5, move |i| caller * 1_000_000 + round * 10 + i);
                        assert_eq!(results, (0..5).map(|i| caller * 1_000_000 + round * 10 + i).collect::<Vec<_>>());
                    }
                });
            }
        });
    }

    #[test]
    fn a_worker_that_sleeps_wakes() {
        let pool = pool(1);
        for _ in 0..3 {
            thread::sleep(3 * WATCH);
            let barrier = Arc::new(Barrier::new(2));
            pool.map(2, move |_| barrier.wait().is_leader());
        }
    }

    /// Returns the threads, as Linux names them, on which `count` tasks ran that wait for each other.
    #[cfg(target_os = "linux")]
    fn threads(pool: &Pool, count: usize) -> Vec<std::path::PathBuf> {
        let barrier = Arc::new(Barrier::new(count));
        pool.map(count, move |_| {
            barrier.wait();
            std::fs::read_link("/proc/thread-self").unwrap_or_default()
        })
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_worker_without_work_sleeps() {
        let pool = pool(1);
        let own = std::fs::read_link("/proc/thread-self").unwrap_or_default();
        let worker = threads(&pool, 2).into_iter().find(|thread| *thread != own).unwrap_or_default();
        // the state follows the name, which is in parentheses
        let state = || {
            let stat = std::fs::read_to_string(std::path::Path::new("/proc").join(&worker).join("stat"));
            stat.ok().and_then(|stat| stat.rsplit_once(") ")?.1.chars().next())
        };
        let begun = Instant::now();
        while state() != Some('S') {
            assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", state());
            thread::sleep(WATCH);
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_no_other() {
        let pool = pool(2);
        for _ in 0..50 {
            let caught = catch_unwind(AssertUnwindSafe(|| pool.map(3, |i| assert!(i != 1, "task 1"))));
            assert!(caught.is_err());
            assert_eq!(pool.map(3, |i| i), [0, 1, 2]);
        }
    }

    #[test]
    fn results_and_what_tasks_hold_are_dropped() {
        let held = Arc::new(());
        let pool = pool(2);
        for _ in 0..100 {
            let inner = held.clone();
            drop(pool.map(4, move |_| inner.clone()));
        }
        drop(pool);
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
