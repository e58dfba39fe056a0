//! The method of measurement. Contenders for the same work are measured alternately (A B, B A, A B, …), so that a drift
//! of the machine affects all of them, and a ratio compares neighbouring samples.

use crate::statistics::{Summary, paired_ratio};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The minimum duration of a turn. Short work is repeated to fill it: the clock ticks in tens of nanoseconds, and a
/// first call finds cold caches.
const TURN: Duration = Duration::from_millis(4);
/// The maximum to which a turn is lengthened for a contender whose single run takes longer than `TURN`.
const LONG_TURN: Duration = Duration::from_millis(250);
/// The maximum number of rounds: more rounds give no new information.
const MAX_ROUNDS: usize = 2000;

/// The durations of measurements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// The warm-up time of each contender, which does not count.
    pub warm_up: Duration,
    /// The minimum number of rounds.
    pub rounds: usize,
    /// The minimum measuring time of each contender.
    pub time: Duration,
    /// The maximum duration of one run; longer work is left out.
    pub longest: Duration,
}

impl Method {
    /// Returns the method for figures that are kept.
    pub fn full() -> Method {
        Method {
            warm_up: Duration::from_millis(200),
            rounds: 15,
            time: Duration::from_secs(1),
            longest: Duration::from_secs(60),
        }
    }

    /// Returns the method for a first look.
    pub fn quick() -> Method {
        Method {
            warm_up: Duration::from_millis(10),
            rounds: 3,
            time: Duration::from_millis(60),
            longest: Duration::from_millis(400),
        }
    }
}

/// A contender: an engine or a peer that does the work.
pub struct Contender<'a> {
    /// The name of the engine, or the peer's label.
    pub name: String,
    /// The number of calls (products, pairings, …) that one run makes.
    pub calls: usize,
    /// Runs the work once.
    pub run: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    /// Creates a contender with this name.
    pub fn new(name: impl Into<String>, calls: usize, run: impl FnMut() + 'a) -> Contender<'a> {
        Contender { name: name.into(), calls, run: Box::new(run) }
    }
}

/// The times of a contender.
#[derive(Clone, Debug, PartialEq)]
pub struct Finish {
    /// Nanoseconds per call.
    pub ns: Summary,
    /// The time over that of the first contender, by pairs of turns; 1 for the first contender itself.
    pub ratio: f64,
}

/// Runs the contenders in turns. Gives `None` for a contender if one run takes longer than the method allows. If that
/// is the first contender, gives `None` for all, since there is nothing to compare with. The turns of all contenders
/// last about as long, so that a drift of the machine affects all of them alike. `now` returns the time since an
/// arbitrary moment.
pub fn race(method: &Method, contenders: &mut [Contender<'_>], now: impl Fn() -> Duration) -> Vec<Option<Finish>> {
    let mut fastest = Vec::with_capacity(contenders.len());
    for contender in contenders.iter_mut() {
        fastest.push(warm_up(method, contender, &now));
        if fastest[0].is_none() {
            return contenders.iter().map(|_| None).collect();
        }
    }
    let running: Vec<usize> = (0..contenders.len()).filter(|i| fastest[*i].is_some()).collect();
    let turn = fastest.iter().flatten().max().map_or(TURN, |longest| (*longest).clamp(TURN, LONG_TURN));
    let fill = |run: Duration| turn.as_nanos().div_ceil(run.as_nanos().max(1)) as usize;
    let repeats: Vec<usize> = fastest.into_iter().map(|run| run.map_or(0, fill)).collect();
    let mut samples = vec![vec![]; contenders.len()];
    let (start, wanted) = (now(), method.time * running.len() as u32);
    for round in 0..MAX_ROUNDS {
        if round >= method.rounds && now() - start >= wanted {
            break;
        }
        let mut turn = |i: usize| {
            let (contender, repeats) = (&mut contenders[i], repeats[i]);
            let start = now();
            (0..repeats).for_each(|_| (contender.run)());
            samples[i].push((now() - start).as_nanos() as f64 / (repeats * contender.calls) as f64);
        };
        if round % 2 == 0 {
            running.iter().for_each(|i| turn(*i));
        } else {
            running.iter().rev().for_each(|i| turn(*i));
        }
    }
    let finish = |own: &Vec<f64>| Some(Finish { ns: Summary::of(own)?, ratio: paired_ratio(&samples[0], own)? });
    samples.iter().map(finish).collect()
}

/// Runs a contender until it is warm, and returns the time of its fastest run, or `None` if that is too long.
fn warm_up(method: &Method, contender: &mut Contender<'_>, now: impl Fn() -> Duration) -> Option<Duration> {
    let (start, mut fastest) = (now(), Duration::MAX);
    loop {
        let run = now();
        (contender.run)();
        fastest = fastest.min(now() - run);
        if fastest > method.longest {
            return None;
        }
        if now() - start >= method.warm_up {
            return Some(fastest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    const BRIEF: Method =
        Method { warm_up: Duration::ZERO, rounds: 4, time: Duration::ZERO, longest: Duration::from_secs(60) };

    /// A clock that only work advances.
    #[derive(Default)]
    struct Clock(Cell<Duration>);

    impl Clock {
        fn work(&self, time: Duration) {
            self.0.set(self.0.get() + time);
        }

        fn race(&self, method: &Method, contenders: &mut [Contender<'_>]) -> Vec<Option<Finish>> {
            race(method, contenders, || self.0.get())
        }
    }

    #[test]
    fn turns_alternate() {
        let (clock, order) = (Clock::default(), RefCell::new(vec![]));
        let contender = |name: &'static str, time: Duration| {
            let (clock, order) = (&clock, &order);
            Contender::new(name, 1, move || {
                order.borrow_mut().push(name);
                clock.work(time);
            })
        };
        let finishes = clock.race(&BRIEF, &mut [contender("a", LONG_TURN), contender("b", 3 * LONG_TURN)]);
        // one run each to warm up, then four rounds
        assert_eq!(*order.borrow(), ["a", "b", "a", "b", "b", "a", "a", "b", "b", "a"]);
        assert!(finishes.iter().flatten().all(|f| f.ns.count == 4 && f.ns.min <= f.ns.median));
        let ratios: Vec<f64> = finishes.iter().flatten().map(|f| f.ratio).collect();
        assert_eq!(ratios, [1.0, 3.0]);
    }

    #[test]
    fn times_are_per_call_and_short_work_fills_a_turn() {
        let (clock, runs) = (Clock::default(), Cell::new(0));
        let work = || {
            runs.set(runs.get() + 1);
            clock.work(TURN / 4);
        };
        let finishes = clock.race(&BRIEF, &mut [Contender::new("a", 1000, work)]);
        assert_eq!(runs.get(), 1 + 4 * 4);
        assert_eq!(finishes[0].as_ref().map(|f| f.ns.median), Some(TURN.as_nanos() as f64 / 4000.0));
    }

    #[test]
    fn turns_of_all_contenders_last_equally_long() {
        let (clock, runs) = (Clock::default(), Cell::new(0));
        let short = || {
            runs.set(runs.get() + 1);
            clock.work(TURN);
        };
        let long = || clock.work(10 * TURN);
        clock.race(&BRIEF, &mut [Contender::new("short", 1, short), Contender::new("long", 64, long)]);
        assert_eq!(runs.get(), 1 + 4 * 10);
        runs.set(0);
        let endless = || clock.work(100 * LONG_TURN);
        clock.race(&BRIEF, &mut [Contender::new("short", 1, short), Contender::new("endless", 64, endless)]);
        assert_eq!(Duration::from_millis(4) * (runs.get() - 1) / 4, LONG_TURN + Duration::from_millis(2));
    }

    #[test]
    fn what_takes_too_long_is_left_out() {
        let clock = Clock::default();
        let method = Method { longest: Duration::from_millis(200), ..BRIEF };
        let long = || Contender::new("long", 1, || clock.work(Duration::from_millis(201)));
        let short = || Contender::new("short", 1, || clock.work(TURN));
        let finishes = clock.race(&method, &mut [short(), long()]);
        assert!(finishes[0].is_some() && finishes[1].is_none());
        assert_eq!(clock.race(&method, &mut [long(), short()]), [None, None]);
    }
}
