//! The times of batches of each size. The largest is measured first: it gives the figures that matter most, and time
//! may run out.

use std::time::Duration;

/// The number of runs of a batch, of which the fastest counts.
const RUNS: usize = 3;

/// The times of a pair by batch size, in ascending order of size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Batch sizes, and the time of a pair in each.
    pub of: Vec<(usize, Duration)>,
    /// Batch sizes that were left out because they would have taken too long.
    pub too_long: Vec<usize>,
}

impl Times {
    /// Runs batches of these sizes, the largest first, until a run gives no time.
    ///
    /// If the approximate time `each` of a pair is known, batches that would take more than `longest` are left out.
    /// Every other batch runs once. If that run took no more than `longest`, the batch runs again, and the least of
    /// three times counts.
    pub fn new(
        sizes: &[usize],
        longest: Duration,
        each: Option<Duration>,
        mut run: impl FnMut(usize) -> Option<Duration>,
    ) -> Times {
        let mut sizes = sizes.to_vec();
        sizes.sort_unstable();
        sizes.dedup();
        let fits = |size: usize| each.is_none_or(|each| each.as_secs_f64() * size as f64 <= longest.as_secs_f64());
        let (fitting, too_long): (Vec<usize>, Vec<usize>) = sizes.into_iter().partition(|size| fits(*size));
        let mut times = Times { of: vec![], too_long };
        for size in fitting.into_iter().rev() {
            let Some(mut least) = run(size) else { break };
            if least <= longest {
                least = (1..RUNS).map_while(|_| run(size)).fold(least, Duration::min);
            }
            times.of.push((size, least.div_f64(size as f64)));
        }
        times.of.reverse();
        times
    }

    /// Returns the size with the least time of a pair, and that time.
    pub fn least(&self) -> Option<(usize, Duration)> {
        self.of.iter().copied().min_by_key(|(_, time)| *time)
    }

    /// Returns the size with the least time of a pair among those whose batch takes at most `longest`; the smallest size
    /// if none does.
    pub fn least_within(&self, longest: Duration) -> Option<usize> {
        let within = |(size, time): &&(usize, Duration)| time.as_secs_f64() * *size as f64 <= longest.as_secs_f64();
        let least = self.of.iter().filter(within).min_by_key(|(_, time)| *time);
        least.or(self.of.first()).map(|(size, _)| *size)
    }

    /// Returns the sizes with the times in microseconds.
    pub fn microseconds(&self) -> Vec<(usize, f64)> {
        self.of.iter().map(|(size, time)| (*size, time.as_secs_f64() * 1e6)).collect()
    }
}

/// Returns the smallest size from which on every batch of `ours` takes less time than the same batch of `theirs`. Only
/// sizes that both have measured count.
pub fn crossover(ours: &[(usize, f64)], theirs: &[(usize, f64)]) -> Option<usize> {
    let other = |size: usize| theirs.iter().find(|(own, _)| *own == size).map(|(_, time)| *time);
    let both = ours.iter().filter_map(|(size, time)| Some((*size, *time < other(*size)?)));
    let less = both.collect::<Vec<_>>().into_iter().rev().take_while(|(_, less)| *less);
    less.last().map(|(size, _)| size)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Returns the sizes in the order of their runs, and the times. A run takes what `time` returns, and none begins
    /// after `most` runs.
    fn measured(each: Option<Duration>, most: usize, time: impl Fn(usize) -> Duration) -> (Vec<usize>, Times) {
        let mut runs = vec![];
        let times = Times::new(&[1, 4096, 16, 256, 16], SECOND, each, |size| {
            runs.push(size);
            (runs.len() <= most).then(|| time(size))
        });
        (runs, times)
    }

    /// A card takes as long for one pair as for 4096 pairs: nothing is left out, however slow a single pair is.
    #[test]
    fn the_largest_batch_comes_first_and_times_ascend() {
        let (runs, times) = measured(None, usize::MAX, |_| Duration::from_millis(512));
        assert_eq!(runs, [4096, 4096, 4096, 256, 256, 256, 16, 16, 16, 1, 1, 1]);
        let us = |us| Duration::from_micros(us);
        assert_eq!(times.of, [(1, us(512_000)), (16, us(32_000)), (256, us(2000)), (4096, us(125))]);
        assert_eq!((times.least(), times.too_long.len()), (Some((4096, us(125))), 0));
    }

    #[test]
    fn a_long_batch_runs_once() {
        let (runs, times) = measured(None, usize::MAX, |size| Duration::from_millis(1 + size as u64));
        assert_eq!(runs, [4096, 256, 256, 256, 16, 16, 16, 1, 1, 1]);
        assert_eq!(times.of.len(), 4);
    }

    #[test]
    fn batches_that_are_known_to_take_too_long_do_not_run() {
        let (runs, times) = measured(Some(Duration::from_millis(2)), usize::MAX, |_| SECOND / 2);
        assert!(runs[0] == 256 && times.of.len() == 3 && times.too_long == [4096], "{times:?}");
    }

    #[test]
    fn the_least_of_three_samples_counts_and_none_begins_after_the_limit() {
        let mut seconds = [0.5, 0.25, 0.75, 0.5].into_iter().map(Duration::from_secs_f64);
        let times = Times::new(&[10, 100, 1], SECOND, None, |_| seconds.next());
        assert_eq!(times.of, [(10, SECOND / 20), (100, SECOND / 400)]);
        let (runs, times) = measured(None, 0, |_| SECOND);
        assert_eq!((runs, times), (vec![4096], Times::default()));
    }

    #[test]
    fn a_batch_that_runs_again_takes_no_longer_than_it_may() {
        let (_, times) = measured(None, usize::MAX, |size| Duration::from_millis(100 + size as u64));
        let within = |ms| times.least_within(Duration::from_millis(ms));
        assert_eq!([5000, 4000, 50].map(within), [Some(4096), Some(256), Some(1)]);
        assert_eq!(Times::default().least_within(SECOND), None);
    }

    #[test]
    fn a_crossover_is_where_times_stay_below_those_of_the_processor() {
        let times = |us: &[u32]| (0..).zip(us).map(|(i, us)| (1 << i, f64::from(*us))).collect::<Vec<_>>();
        let processor = times(&[40, 40, 40, 40, 40]);
        assert_eq!(crossover(&times(&[900, 30, 50, 20, 9]), &processor), Some(8));
        assert_eq!(crossover(&times(&[30, 20, 20, 20, 50]), &processor), None);
        assert_eq!(crossover(&times(&[30; 5]), &processor), Some(1));
        assert_eq!(crossover(&times(&[90, 90, 20, 20, 9, 8, 7]), &times(&[40, 40, 40])), Some(4), "sizes of both");
    }
}
