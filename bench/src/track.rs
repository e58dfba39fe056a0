//! The measurements of one curve: turns every comparison into lines of the results.

use crate::clock;
use crate::measurement::Measurement;
use crate::method::{Contender, Method, race};
use std::time::{Duration, Instant};

/// The events of a measurement, in order.
pub enum Event<'e> {
    /// The start of a new curve, with its description.
    Curve(String),
    /// A line of the results.
    Measurement(&'e Measurement),
    /// A note that says what was left out, and why.
    Note(String),
}

/// The receiver of events.
pub type Sink<'s> = &'s mut dyn FnMut(Event<'_>);

/// The measurements of one curve.
pub(crate) struct Track<'s> {
    curve: String,
    engine: String,
    method: Method,
    sink: Sink<'s>,
    done: Vec<Measurement>,
    /// Returns the time since an arbitrary moment.
    now: Box<dyn Fn() -> Duration>,
}

impl<'s> Track<'s> {
    pub(crate) fn new(curve: &str, engine: &str, method: Method, sink: Sink<'s>) -> Track<'s> {
        let start = Instant::now();
        let now = Box::new(move || start.elapsed());
        Track { curve: curve.to_owned(), engine: engine.to_owned(), method, sink, done: vec![], now }
    }

    pub(crate) fn note(&mut self, text: String) {
        (self.sink)(Event::Note(text));
    }

    /// Runs the contenders for a job, ours first. Returns our time in microseconds.
    pub(crate) fn race(
        &mut self,
        job: &str,
        batch: usize,
        threads: usize,
        mut contenders: Vec<Contender<'_>>,
    ) -> Option<f64> {
        let gigahertz = clock::gigahertz();
        let finishes = race(&self.method, &mut contenders, &self.now);
        for (i, (contender, finish)) in contenders.iter().zip(&finishes).enumerate() {
            let Some(finish) = finish else {
                let longest = self.method.longest;
                self.note(format!("{job} of {batch}: {} left out, a run takes over {longest:?}", contender.name));
                continue;
            };
            let peer = i > 0;
            let measurement = Measurement {
                curve: self.curve.clone(),
                engine: self.engine.clone(),
                job: job.to_owned(),
                batch,
                threads,
                us_per_pairing: finish.ns.median / 1000.0,
                us_min: finish.ns.min / 1000.0,
                cycles: finish.ns.median * gigahertz,
                samples: finish.ns.count,
                peer: peer.then(|| contender.name.clone()),
                ratio: peer.then_some(finish.ratio),
            };
            (self.sink)(Event::Measurement(&measurement));
            self.done.push(measurement);
        }
        Some(finishes.first()?.as_ref()?.ns.median / 1000.0)
    }

    /// Returns true if a run of this many microseconds is within the method's limit. Otherwise adds a note.
    pub(crate) fn affords(&mut self, job: &str, batch: usize, threads: usize, microseconds: f64) -> bool {
        let within = microseconds <= self.method.longest.as_micros() as f64;
        if !within {
            let (seconds, longest) = (microseconds / 1e6, self.method.longest);
            let text = format!(
                "{job} of {batch}, {threads} threads: left out, a run would take about {seconds:.1} s (limit: {longest:?})"
            );
            self.note(text);
        }
        within
    }

    /// Sets the engine that is ours in the following measurements.
    pub(crate) fn on(&mut self, engine: &str) {
        self.engine = engine.to_owned();
    }

    pub(crate) fn engine(&self) -> String {
        self.engine.clone()
    }

    pub(crate) fn finish(self) -> Vec<Measurement> {
        self.done
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    #[test]
    fn peers_are_named_and_limits_are_reported() {
        let method =
            Method { warm_up: Duration::ZERO, rounds: 2, time: Duration::ZERO, longest: Duration::from_millis(200) };
        let mut events = vec![];
        let mut sink = |event: Event<'_>| {
            events.push(match event {
                Event::Measurement(m) => format!("{} {:?}", m.job, m.peer),
                Event::Note(text) | Event::Curve(text) => text,
            });
        };
        let mut track = Track::new("c", "mont", method, &mut sink);
        let time = Rc::new(Cell::new(Duration::ZERO));
        let now = time.clone();
        track.now = Box::new(move || now.get());
        let contenders = [("mont", 5), ("quick", 4), ("slow", 201)].map(|(name, ms)| {
            let time = time.clone();
            Contender::new(name, 1, move || time.set(time.get() + Duration::from_millis(ms)))
        });
        assert!(track.race("job", 1, 1, contenders.into()).is_some());
        assert!(track.affords("job", 1, 1, 200_000.0) && !track.affords("job", 4096, 1, 200_001.0));
        let done = track.finish();
        assert_eq!(done.iter().map(|m| m.ratio.is_some()).collect::<Vec<_>>(), [false, true]);
        assert_eq!(events[..2], ["job None", "job Some(\"quick\")"]);
        assert!(events[2].contains("slow left out") && events[3].contains("job of 4096"));
    }
}
