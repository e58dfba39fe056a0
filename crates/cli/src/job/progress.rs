//! A progress display on a terminal; nothing anywhere else.

use crate::input::Extent;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Rows, rate and, where the size of the input is known, the time that is left.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    skipped: Option<u64>,
}

impl Progress {
    /// A display for a table of this size.
    pub(crate) fn new(extent: Extent, quiet: bool) -> Self {
        let bar = match extent {
            _ if quiet || !std::io::stderr().is_terminal() => ProgressBar::hidden(),
            Extent::Rows(size) | Extent::Bytes(size) => {
                ProgressBar::with_draw_target(Some(size), ProgressDrawTarget::stderr())
            }
            Extent::Unknown => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
        };
        let template = match extent {
            Extent::Unknown => "{spinner} {msg}, {elapsed}",
            _ => "{bar:30} {percent}%  {msg}, {left} left",
        };
        // the template is a constant that is known to parse
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("left", left));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Self { bar, started: Instant::now(), skipped: None }
    }

    /// Shows that the source has come to `position`, and `rows` rows are done; the first call gives the state to
    /// compare with.
    pub(crate) fn show(&mut self, position: u64, rows: u64) {
        let skipped = *self.skipped.get_or_insert(rows);
        let seconds = self.started.elapsed().as_secs_f64();
        let rate = (rows - skipped.min(rows)) as f64 / seconds.max(1e-3);
        self.bar.set_position(position);
        self.bar.set_message(format!("{rows} rows, {rate:.0} rows/s"));
    }

    /// Removes the display.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The time left, of which nothing is known before the first rows are done.
fn left(state: &ProgressState, out: &mut dyn Write) {
    let text = match state.pos() {
        0 => "unknown time".to_owned(),
        _ => indicatif::HumanDuration(state.eta()).to_string(),
    };
    let _ = out.write_str(&text);
}
