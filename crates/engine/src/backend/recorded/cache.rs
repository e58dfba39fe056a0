//! A cache of computations, some kept forever and some for a while: callers may ask for any number of partitions of a
//! loop, and of numbers of digits in a sum.

use super::job::Job;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// The greatest total [`Job::size`] of the computations entries for a while: the digits of 315 scalars of 32 bytes, or
/// 256 parts of a loop of 32 steps each.
const MAX: usize = 1 << 14;

/// A value for each computation. The cache hands out clones.
pub(super) struct Cache<V>(Mutex<Entries<V>>);

struct Entries<V> {
    all: HashMap<Job, V>,
    /// The computations that newer ones may evict, the oldest first.
    evictable: VecDeque<Job>,
}

impl<V> Default for Cache<V> {
    fn default() -> Self {
        Cache(Mutex::new(Entries { all: HashMap::new(), evictable: VecDeque::new() }))
    }
}

impl<V: Clone> Cache<V> {
    /// The value of a computation, if the cache has it.
    pub(super) fn get(&self, job: Job) -> Option<V> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).all.get(&job).cloned()
    }

    /// Stores a value, unless the computation has one already. Returns the value that the computation has from now
    /// on.
    pub(super) fn keep(&self, job: Job, value: V) -> V {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Entries { all, evictable } = &mut *entries;
        if let Some(known) = all.get(&job) {
            return known.clone();
        }
        all.insert(job, value.clone());
        if job.size() > 0 {
            evictable.push_back(job);
            let mut size: usize = evictable.iter().map(|job| job.size()).sum();
            while size > MAX
                && let Some(oldest) = evictable.pop_front_if(|oldest| *oldest != job)
            {
                size -= oldest.size();
                all.remove(&oldest);
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::group::Group;
    use crate::backend::recorded::PointJob;
    use bilinear_pairing::LoopPart;

    #[test]
    fn jobs_of_sizes_that_callers_choose_are_evicted_in_time() {
        let cache = Cache::default();
        let sum = |digits| Job::Points(Group::G1, PointJob::FixedSum { digits });
        let part = |end| Job::MillerPart { part: LoopPart { number: 0, first: 0, end }, delayed: false };
        let finish = |parts| Job::FinishParts { parts, delayed: true };
        assert_eq!(cache.keep(Job::Finish, 0), 0);
        for i in 1..=1000 {
            for (job, value) in [(sum(i), i), (part(i), 2 * i), (finish(i), 3 * i)] {
                assert_eq!(cache.keep(job, value), value);
                // the first of two values stays
                assert_eq!((cache.keep(job, 0), cache.get(job)), (value, Some(value)));
            }
        }
        let sums: Vec<usize> = (1..=1000).filter(|digits| cache.get(sum(*digits)).is_some()).collect();
        assert!((4..20).contains(&sums.len()) && sums.is_sorted() && sums.last() == Some(&1000), "{sums:?}");
        assert_eq!([cache.get(part(1)), cache.get(finish(1)), cache.get(Job::Finish)], [None, None, Some(0)]);
        // a single computation stays, however large
        cache.keep(sum(10 * MAX), 7);
        assert_eq!([sum(10 * MAX), sum(1000), Job::Finish].map(|job| cache.get(job)), [Some(7), None, Some(0)]);
    }
}
