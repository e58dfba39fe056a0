//! Measures for how long a card computed and copied: while a clock runs, events of the driver are recorded before
//! and after each kernel and each copy.
//!
//! Streams of several threads overlap, and a kernel waits while another one has the card, so times between events
//! do not add up. The result is the length of the union of their intervals: the time during which at least one of
//! these kernels or copies was under way. Events give milliseconds as numbers of 24 bits, so after 8 seconds a
//! clock still resolves the beginning of a task to a microsecond.

use crate::known::locked;
use cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use cudarc::driver::{CudaContext, CudaEvent, DriverError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The times for which a card was busy, by task. Parts overlap where streams do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Busy {
    /// The time with kernels that execute stages of programs: Miller loops, final exponentiations and checks of
    /// points, without their inversions.
    pub stages: Duration,
    /// The time with inversions.
    pub inversions: Duration,
    /// The time with at least one kernel, of stages or of inversions.
    pub kernels: Duration,
    /// The time with copies to the card's memory.
    pub copies_in: Duration,
    /// The time with copies from the card's memory.
    pub copies_out: Duration,
    /// The time with at least one copy, in either direction.
    pub copies: Duration,
    /// The time with at least one kernel or copy.
    pub all: Duration,
}

impl Busy {
    /// Returns every part with its name.
    pub fn parts(&self) -> [(&'static str, Duration); 7] {
        let Busy { stages, inversions, kernels, copies_in, copies_out, copies, all } = *self;
        [
            ("stages", stages),
            ("inversions", inversions),
            ("kernels", kernels),
            ("copies_in", copies_in),
            ("copies_out", copies_out),
            ("copies", copies),
            ("all", all),
        ]
    }

    fn of(spans: &[Span]) -> Busy {
        use Task::{In, Inversion, Out, Stage};
        let union = |tasks: &[Task]| {
            let of = spans.iter().filter(|span| tasks.contains(&span.task));
            union(of.map(|span| (span.from, span.to)).collect())
        };
        Busy {
            stages: union(&[Stage]),
            inversions: union(&[Inversion]),
            kernels: union(&[Stage, Inversion]),
            copies_in: union(&[In]),
            copies_out: union(&[Out]),
            copies: union(&[In, Out]),
            all: union(&[Stage, Inversion, In, Out]),
        }
    }
}

/// A task of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Stage,
    Inversion,
    In,
    Out,
}

/// A task with its beginning and end, in milliseconds since the clock was started.
#[derive(Clone, Copy)]
struct Span {
    task: Task,
    from: f64,
    to: f64,
}

/// Returns the length of a union of intervals that are given in milliseconds.
fn union(mut intervals: Vec<(f64, f64)>) -> Duration {
    intervals.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (mut length, mut end) = (0.0, f64::NEG_INFINITY);
    for (from, to) in intervals {
        length += (to - from.max(end)).max(0.0);
        end = end.max(to);
    }
    Duration::from_secs_f64(length / 1e3)
}

/// A running clock.
pub(crate) struct Clock {
    start: CudaEvent,
    spans: Mutex<Result<Vec<Span>, DriverError>>,
}

impl Clock {
    /// Starts a clock.
    pub(crate) fn new(context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        let stream = context.new_stream()?;
        let start = stream.record_event(Some(CU_EVENT_DEFAULT))?;
        stream.synchronize()?;
        Ok(Clock { start, spans: Mutex::new(Ok(vec![])) })
    }

    /// Returns the busy times of the streams that have ended since the clock was started.
    pub(crate) fn busy(&self) -> Result<Busy, DriverError> {
        let spans = locked(&self.spans);
        spans.as_ref().map(|spans| Busy::of(spans)).map_err(|reason| *reason)
    }

    /// Waits for events and records their spans.
    pub(crate) fn note(&self, events: &[(Task, [CudaEvent; 2])]) {
        let read: Result<Vec<Span>, DriverError> =
            events.iter().map(|(task, events)| self.span(*task, events)).collect();
        let mut spans = locked(&self.spans);
        match (&mut *spans, read) {
            (Ok(spans), Ok(read)) => spans.extend(read),
            (failed @ Ok(_), Err(reason)) => *failed = Err(reason),
            (Err(_), _) => {}
        }
    }

    fn span(&self, task: Task, [from, to]: &[CudaEvent; 2]) -> Result<Span, DriverError> {
        let begun = f64::from(self.start.elapsed_ms(from)?);
        Ok(Span { task, from: begun, to: begun + f64::from(from.elapsed_ms(to)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Intervals that are apart, overlap, lie within each other, touch, or have no length, in any order.
    #[test]
    fn times_that_overlap_count_once() {
        let ms = |of: &[(f64, f64)]| union(of.to_vec()).as_secs_f64() * 1e3;
        assert_eq!(ms(&[]), 0.0);
        assert_eq!(ms(&[(5.0, 7.0), (1.0, 2.0)]), 3.0);
        assert_eq!(ms(&[(1.0, 4.0), (3.0, 6.0), (2.0, 3.0)]), 5.0);
        assert_eq!(ms(&[(4.0, 4.0), (1.0, 2.0), (2.0, 4.0)]), 3.0);
        let span = |task, from, to| Span { task, from, to };
        let spans = [
            span(Task::In, 0.0, 2.0),
            span(Task::Stage, 1.0, 5.0),
            span(Task::Inversion, 4.0, 6.0),
            span(Task::Stage, 6.0, 7.0),
            span(Task::In, 5.0, 6.0),
            span(Task::Out, 8.0, 9.0),
        ];
        let parts = Busy::of(&spans).parts().map(|(name, time)| (name, time.as_millis()));
        let want = [5, 2, 6, 3, 1, 4, 8];
        assert_eq!(parts.map(|(_, time)| time), want, "{parts:?}");
    }
}
