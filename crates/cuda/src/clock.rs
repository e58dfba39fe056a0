//! For how long a card computed and copied: events of the driver stand before and behind each kernel and each copy, while a clock runs.
//!
//! Streams of several threads overlap, and a kernel waits while another one has the card, so times between events do not add up. What is said is the length of
//! the union of their intervals: for how long one at least of these kernels or copies was under way. Events tell milliseconds as numbers of 24 bits, so
//! that a clock that has run for 8 seconds knows when one began to a microsecond.

use cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use cudarc::driver::{CudaContext, CudaEvent, DriverError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// For how long a card was busy, and with what. Parts overlap where streams do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Busy {
    /// With kernels that execute stages of programs: Miller loops, final exponentiations and checks of points, without their inversions.
    pub stages: Duration,
    /// With inversions.
    pub inversions: Duration,
    /// With one of these kernels.
    pub kernels: Duration,
    /// With copies to its memory.
    pub copies_in: Duration,
    /// With copies from there.
    pub copies_out: Duration,
    /// With one of these copies.
    pub copies: Duration,
    /// With a kernel or a copy.
    pub all: Duration,
}

impl Busy {
    /// Every part, by its name.
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

/// What a stream does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Stage,
    Inversion,
    In,
    Out,
}

/// When it did that, in milliseconds since the clock was started.
#[derive(Clone, Copy)]
struct Span {
    task: Task,
    from: f64,
    to: f64,
}

/// The length of a union of intervals, in milliseconds.
fn union(mut intervals: Vec<(f64, f64)>) -> Duration {
    intervals.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (mut length, mut end) = (0.0, f64::NEG_INFINITY);
    for (from, to) in intervals {
        length += (to - from.max(end)).max(0.0);
        end = end.max(to);
    }
    Duration::from_secs_f64(length / 1e3)
}

/// A clock that runs.
pub(crate) struct Clock {
    start: CudaEvent,
    spans: Mutex<Result<Vec<Span>, DriverError>>,
}

impl Clock {
    /// Starts one.
    pub(crate) fn new(context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        let stream = context.new_stream()?;
        let start = stream.record_event(Some(CU_EVENT_DEFAULT))?;
        stream.synchronize()?;
        Ok(Clock { start, spans: Mutex::new(Ok(vec![])) })
    }

    /// What streams did that have ended since it was started.
    pub(crate) fn busy(&self) -> Result<Busy, DriverError> {
        let spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        spans.as_ref().map(|spans| Busy::of(spans)).map_err(|reason| *reason)
    }

    /// Reads events, for which it waits.
    pub(crate) fn note(&self, events: &[(Task, [CudaEvent; 2])]) {
        let read: Result<Vec<Span>, DriverError> =
            events.iter().map(|(task, events)| self.span(*task, events)).collect();
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Intervals apart, that overlap, within each other, that touch, of no length, in any order.
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
