//! The progress display, which is shown on terminals only.

use super::Reached;
use crate::input::Extent;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// A display of the rows, their rate and, if the size of the input is known, the remaining time.
pub(crate) struct Progress {
    bar: ProgressBar,
    size: Option<u64>,
    /// The number of rows that an earlier run has processed.
    before: u64,
    /// When this run reached its own rows, and the position in the source at that time.
    begun: (Instant, u64),
}

impl Progress {
    /// Creates a display for a table of the given extent, where an earlier run has processed `before` rows.
    pub(crate) fn new(extent: Extent, before: u64, quiet: bool) -> Self {
        let size = match extent {
            Extent::Rows(size) | Extent::Bytes(size) => Some(size),
            Extent::Unknown => None,
        };
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr())
        };
        let template = if size.is_some() { "{bar:30} {percent}%  {msg}" } else { "{spinner} {msg}, {elapsed}" };
        // the template is a constant that is known to parse
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, size, before, begun: (Instant::now(), 0) }
    }

    /// Refreshes the display, to show that the job is still running.
    pub(super) fn tick(&self) {
        self.bar.tick();
    }

    /// Displays the progress of the job.
    pub(super) fn show(&mut self, Reached { position, rows }: Reached) {
        self.bar.set_position(position);
        if rows <= self.before {
            // these rows were only read again
            self.begun = (Instant::now(), position);
            return;
        }
        let left = self.size.map(|size| (position.saturating_sub(self.begun.1), size.saturating_sub(position)));
        self.bar.set_message(message(rows, rows - self.before, self.begun.0.elapsed(), left));
    }

    /// Removes the display.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Formats the number of all rows, the rate of the `done` rows that this run has processed in `time`, and the
/// remaining time. `left` is the part of the source that this run has read, and the part that remains.
fn message(rows: u64, done: u64, time: Duration, left: Option<(u64, u64)>) -> String {
    let seconds = time.as_secs_f64().max(1e-3);
    let rate = format!("rows: {rows}, {:.0} rows/s", done as f64 / seconds);
    match left {
        Some((behind, ahead)) if behind > 0 => {
            let left = Duration::try_from_secs_f64(seconds * ahead as f64 / behind as f64).unwrap_or(Duration::MAX);
            format!("{rate}, {} left", HumanDuration(left))
        }
        _ => rate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left_are_those_of_this_run() {
        let second = Duration::from_secs(1);
        assert_eq!(message(500, 500, second / 2, Some((10, 40))), "rows: 500, 1000 rows/s, 2 seconds left");
        // an earlier run has processed 9000 rows and 90 % of the source
        assert_eq!(message(9500, 500, second, Some((5, 5))), "rows: 9500, 500 rows/s, 1 second left");
        assert_eq!(message(500, 500, second, None), "rows: 500, 500 rows/s");
        assert_eq!(message(500, 500, second, Some((0, 7))), "rows: 500, 500 rows/s", "nothing is known yet");
        assert!(message(1, 1, Duration::MAX, Some((1, u64::MAX))).starts_with("rows: 1, 0 rows/s, "));
    }
}
