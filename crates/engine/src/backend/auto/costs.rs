//! The choice between two engines: which one takes less time for a call with a given number of values, as earlier
//! calls in this process have shown.
//!
//! The model: on the processor n values take n times as long as one. On a device a call takes a fixed time, and each
//! value adds to it. So a call takes no less time than a call with fewer values did, and the time per value is no
//! more than in a call with fewer values. Numbers of values from 2^k to 2^(k + 1) − 1 are treated alike.
//!
//! Nothing goes to the device until the processor has computed calls of the kind for half a second, about as long as
//! the programs take to get to the device. Then one value goes, and the first call after it is not counted, since it
//! may need another form of the program. From then on an untried number of values is tried if fewer values took the
//! device less time than this number would take here. If the device takes longer, it is tried again once the
//! processor has computed that number for twenty times as long: other threads may have kept the device busy.
//!
//! If a device leaves values of a call to another machine, for want of memory for example, it begins anew: one value
//! goes there once the processor has computed for half a second, and for twenty times as long as that call took.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long the processor computes before a device is tried.
pub(crate) const TRIAL: Duration = Duration::from_millis(500);
/// The factor by which the processor must compute longer than a slower device took before that device is tried again.
const AGAIN: f64 = 20.0;

/// The engine that computes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Executor {
    /// The processor.
    Processor,
    /// The device.
    Device,
}

/// The next action for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The named engine computes the call.
    Compute(Executor),
    /// One value goes to the device, and its time is not counted: afterwards everything that a first value needs is
    /// prepared.
    Prepare,
}

/// The recent time of calls with about this number of values.
struct Call {
    values: f64,
    seconds: f64,
    /// The time, in seconds, that the processor has computed such calls instead since then.
    since: f64,
}

/// The recent times of calls, by the logarithm of the number of values.
struct Times([Option<Call>; usize::BITS as usize]);

impl Default for Times {
    fn default() -> Self {
        Times([const { None }; usize::BITS as usize])
    }
}

impl Times {
    /// Notes the time of a call: the new estimate is the mean of the old one and this time.
    fn took(&mut self, values: usize, time: Duration) {
        let (values, seconds) = (values as f64, time.as_secs_f64());
        let call = &mut self.0[class(values)];
        let before = call.as_ref().map_or(seconds, |call| call.seconds / call.values * values);
        *call = Some(Call { values, seconds: (before + seconds) / 2.0, since: 0.0 });
    }

    /// Estimates the time for this number of values, if each takes as long as with the nearest known number of
    /// values.
    fn each(&self, values: f64) -> Option<f64> {
        let near = self.fewer(class(values) + 1).or_else(|| self.0.iter().flatten().next());
        near.map(|call| call.seconds / call.values * values)
    }

    /// The time of a call with fewer values, a lower bound; 0 if none is known.
    fn least(&self, values: f64) -> f64 {
        self.fewer(class(values)).map_or(0.0, |call| call.seconds)
    }

    /// The known call with the most values whose class is below `class`.
    fn fewer(&self, class: usize) -> Option<&Call> {
        self.0[..class].iter().rev().flatten().next()
    }
}

/// Returns ⌊log2 n⌋.
fn class(values: f64) -> usize {
    values.max(1.0).log2() as usize
}

#[derive(Default, PartialEq, Eq)]
enum Preparation {
    #[default]
    NotBegun,
    Begun,
    /// Prepared, but the first call, which is not counted, is still to come.
    Done,
    Counting,
}

#[derive(Default)]
struct State {
    here: Times,
    there: Times,
    /// The time that the processor has computed in all, or since the device left values to another machine, in
    /// seconds; `None` if there was no call.
    spent: Option<f64>,
    /// The time that the device took for the call in which it left values.
    lost: Duration,
    preparation: Preparation,
}

/// The costs of calls of one kind.
pub(super) struct Costs {
    trial: Duration,
    state: Mutex<State>,
}

impl Costs {
    /// Creates costs without any measurement; the device is tried once the processor has computed for as long as
    /// `trial`.
    pub(super) fn new(trial: Duration) -> Costs {
        Costs { trial, state: Mutex::default() }
    }

    /// Returns which engine takes less time for this number of values. If the device is to be prepared, the caller
    /// does so, and other threads compute meanwhile.
    pub(super) fn choose(&self, values: usize) -> Choice {
        let state = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let values = values as f64;
        let wait = self.trial.as_secs_f64().max(AGAIN * state.lost.as_secs_f64());
        let Some(here) = state.here.each(values).filter(|_| state.spent.is_some_and(|spent| spent >= wait)) else {
            return Choice::Compute(Executor::Processor);
        };
        let pays = match &state.there.0[class(values)] {
            Some(call) => call.seconds / call.values * values < here || call.since > AGAIN * call.seconds,
            None => state.there.least(values) < here,
        };
        match state.preparation {
            _ if !pays => Choice::Compute(Executor::Processor),
            Preparation::NotBegun => {
                state.preparation = Preparation::Begun;
                Choice::Prepare
            }
            Preparation::Begun => Choice::Compute(Executor::Processor),
            Preparation::Done | Preparation::Counting => Choice::Compute(Executor::Device),
        }
    }

    /// Notes that the device is prepared.
    pub(super) fn prepared(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).preparation = Preparation::Done;
    }

    /// Notes that the device left values to another machine in a call that took `time`.
    pub(super) fn left(&self, time: Duration) {
        let state = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.preparation, state.spent, state.lost) = (Preparation::NotBegun, None, time);
    }

    /// Notes the time that `values` of the `asked` values took: the processor computes a part of a call at a time.
    pub(super) fn took(&self, executor: Executor, asked: usize, values: usize, time: Duration) {
        let state = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match executor {
            Executor::Device if state.preparation != Preparation::Counting => state.preparation = Preparation::Counting,
            Executor::Device => state.there.took(values, time),
            Executor::Processor => {
                state.here.took(values, time);
                *state.spent.get_or_insert(0.0) += time.as_secs_f64();
                if let Some(call) = &mut state.there.0[class(asked as f64)] {
                    call.since += time.as_secs_f64();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time of a call: 10 µs for each value on the processor; 1000 µs, and 1 µs for each value, on the device.
    fn time(executor: Executor, values: usize) -> Duration {
        Duration::from_micros(match executor {
            Executor::Processor => 10 * values as u64,
            Executor::Device => 1000 + values as u64,
        })
    }

    /// Runs `count` calls of `values` values, in parts of at most 100 on the processor, and returns executor computed the
    /// last part of each call.
    fn calls(costs: &Costs, values: usize, count: usize) -> Vec<Executor> {
        let call = |_| {
            let mut rest = values;
            loop {
                let executor = match costs.choose(rest) {
                    Choice::Compute(executor) => executor,
                    Choice::Prepare => {
                        costs.prepared();
                        continue;
                    }
                };
                let part = if executor == Executor::Processor { rest.min(100) } else { rest };
                costs.took(executor, rest, part, time(executor, part));
                rest -= part;
                if rest == 0 {
                    return executor;
                }
            }
        };
        (0..count).map(call).collect()
    }

    #[test]
    fn each_number_of_values_goes_where_it_takes_less() {
        // both take equally long at 111 values, and all numbers of one class are alike
        let costs = Costs::new(Duration::from_millis(5));
        assert_eq!(calls(&costs, 400, 1), [Executor::Processor], "4 ms: nothing is tried");
        assert_eq!(calls(&costs, 400, 3), [Executor::Device; 3]);
        assert_eq!(calls(&costs, 2000, 2), [Executor::Device; 2]);
        assert_eq!(calls(&costs, 2, 3), [Executor::Device, Executor::Processor, Executor::Processor], "tried once");
        assert_eq!(calls(&costs, 90, 2), [Executor::Processor; 2], "2 took longer than 90 here");
        assert_eq!(calls(&costs, 128, 2), [Executor::Device; 2]);
    }

    #[test]
    fn a_device_that_took_longer_is_tried_again() {
        let costs = Costs::new(Duration::ZERO);
        let first = [Executor::Processor, Executor::Device, Executor::Device];
        assert_eq!(calls(&costs, 64, 3), first, "the processor first, and the device's first call is not counted");
        // 1064 µs there, 640 here: tried again after 20 times as long
        let tried = calls(&costs, 64, 70);
        let devices: Vec<usize> = (0..70).filter(|i| tried[*i] == Executor::Device).collect();
        assert_eq!(devices, [34, 69]);
        // a device that other threads kept busy recovers
        let busy = Costs::new(Duration::ZERO);
        calls(&busy, 500, 1);
        busy.took(Executor::Device, 500, 500, Duration::ZERO);
        busy.took(Executor::Device, 500, 500, Duration::from_secs(1));
        assert_eq!(busy.choose(500), Choice::Compute(Executor::Processor));
        busy.took(Executor::Processor, 500, 500, Duration::from_millis(5));
        busy.took(Executor::Processor, 500, 500, Duration::from_secs(20));
        assert_ne!(busy.choose(500), Choice::Compute(Executor::Processor));
    }

    #[test]
    fn calls_of_one_size_class_share_a_time_per_value() {
        let costs = Costs::new(Duration::ZERO);
        costs.took(Executor::Processor, 10, 10, time(Executor::Processor, 10));
        assert_eq!(
            [64, 127].map(|values| costs.choose(values)),
            [Choice::Prepare, Choice::Compute(Executor::Processor)]
        );
        costs.prepared();
        // the first call is not counted
        for us in [1_000_000, 990] {
            costs.took(Executor::Device, 100, 100, Duration::from_micros(us));
        }
        assert_eq!([64, 127].map(|values| costs.choose(values)), [Choice::Compute(Executor::Device); 2]);
        // the mean of both: 1045 µs for 100 values, which take 1000 here
        costs.took(Executor::Device, 100, 100, Duration::from_micros(1100));
        assert_eq!([64, 127].map(|values| costs.choose(values)), [Choice::Compute(Executor::Processor); 2]);
        costs.took(Executor::Device, 100, 100, Duration::from_micros(960));
        assert_eq!(costs.choose(64), Choice::Compute(Executor::Processor), "1002.5 µs");
        costs.took(Executor::Device, 100, 100, Duration::from_micros(960));
        assert_eq!(costs.choose(64), Choice::Compute(Executor::Device), "981.25 µs");
    }

    #[test]
    fn a_device_that_leaves_values_is_prepared_again() {
        let costs = Costs::new(Duration::ZERO);
        let ms = Duration::from_millis;
        // 10 ms here, 1 there; `None` if the device is being prepared
        let call = || match costs.choose(1000) {
            Choice::Compute(executor) => {
                costs.took(executor, 1000, 1000, ms(if executor == Executor::Processor { 10 } else { 1 }));
                Some(executor)
            }
            Choice::Prepare => {
                costs.prepared();
                None
            }
        };
        let (here, there) = (Some(Executor::Processor), Some(Executor::Device));
        let four = || [(); 4].map(|()| call());
        assert_eq!(four(), [here, None, there, there]);
        costs.left(ms(1));
        assert_eq!(four(), [here, here, None, there], "20 ms here");
        // the processor computes at least once
        costs.left(Duration::ZERO);
        assert_eq!(four(), [here, None, there, there]);
    }

    #[test]
    fn the_processor_computes_while_the_device_is_prepared() {
        let costs = Costs::new(Duration::ZERO);
        costs.took(Executor::Processor, 10, 10, Duration::from_secs(1));
        assert_eq!(costs.choose(10), Choice::Prepare);
        assert_eq!(costs.choose(10), Choice::Compute(Executor::Processor));
        costs.prepared();
        assert_eq!(costs.choose(10), Choice::Compute(Executor::Device));
    }
}
