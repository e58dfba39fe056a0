//! The summary of a job, which is printed on standard error at its end.

use super::tally::Tally;
use crate::counted::counted;
use bilinear_engine::{Engine, NoLanesReason, System};
use std::time::Duration;

/// What the values of a job are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Compared {
    /// The expected values in a column of the table.
    Expected,
    /// The value 1.
    One,
    /// Signatures, which are valid or not.
    Right,
    /// Membership in the target group.
    Gt,
    /// A predicate, which holds of some rows.
    Predicate,
}

/// The figures in the summary of a job.
pub(crate) struct Summary<'a> {
    /// The counts of the whole job, including the part before an interruption.
    pub(crate) tally: &'a Tally,
    /// The counts when this run began.
    pub(crate) before: &'a Tally,
    /// True if rows have groups.
    pub(crate) groups: bool,
    /// What the values were compared with, if anything.
    pub(crate) compared: Option<Compared>,
    /// The curve's name.
    pub(crate) curve: &'a str,
    /// The name of the engine, or of the engines of batches and of single values.
    pub(crate) engine: String,
    /// The name of an operation, such as `pairings`.
    pub(crate) operation: &'a str,
    /// The name of the pairing, if the job computes one.
    pub(crate) pairing: Option<String>,
    /// The number of threads.
    pub(crate) threads: usize,
    /// The duration of this run.
    pub(crate) time: Duration,
}

/// Describes the engines of a system.
pub(crate) fn engines(system: &System) -> String {
    let named =
        named(system.engine(), system.batch_engine(), system.no_lanes_reason(), system.fallback_reason().as_deref());
    let named = match (system.device_share(), system.no_device_reason()) {
        (Some([device, all]), _) => format!("{named}, {device} of {all} Miller values on a device"),
        (None, Some(reason)) => format!("{named}, no device: {reason}"),
        (None, None) => named,
    };
    match system.engine_for_few() {
        Some((few, most, true)) => format!("{named}, {few} for up to {most} pairings at a time"),
        _ => named,
    }
}

/// Describes the engines of single values and of batches. `bulk` is the engine of batches, with the number of
/// values from which it is used; `none` is the reason why there is none, and `fallback_reason` the reason why it
/// has failed since.
fn named(
    single: Engine,
    bulk: Option<(Engine, usize)>,
    none: Option<&NoLanesReason>,
    fallback_reason: Option<&str>,
) -> String {
    match (bulk, none) {
        (Some((bulk, from)), _) => {
            let failed = if bulk == Engine::Auto { "a device" } else { bulk.name() };
            let since =
                fallback_reason.map_or(String::new(), |reason| format!(", and where {failed} failed: {reason}"));
            format!("{bulk} ({single} below {from} values{since})")
        }
        (None, None | Some(NoLanesReason::Asked(_))) => single.to_string(),
        (None, Some(reason)) => format!("{single} (not {}: {reason})", Engine::Ifma),
    }
}

impl Summary<'_> {
    /// Formats the summary as lines of text.
    pub(crate) fn text(&self) -> String {
        let Tally { rows, records, values, wrong, operations, .. } = *self.tally;
        let mut text = format!("rows: {rows}");
        let mut line = |part: String| text.push_str(&part);
        if self.groups {
            line(format!(" in {}", counted(self.tally.groups, "group")));
        }
        if self.before.rows > 0 {
            line(format!(", {} of them before this run", self.before.rows));
        }
        line(format!("\nerrors: {}", self.tally.listed()));
        match self.compared {
            Some(Compared::Expected) => line(format!("\ncheck: {values} of {records} equal the expected values")),
            Some(Compared::One) => line(format!("\ncheck: {} of {records} are 1", values - wrong)),
            Some(Compared::Right) => line(format!("\ncheck: {} of {records} are right", values - wrong)),
            Some(Compared::Gt) => line(format!("\ncheck: {} of {records} are in GT", values - wrong)),
            Some(Compared::Predicate) if self.tally.found.is_empty() => {
                line(format!("\nfound: {} of {rows}", values - wrong));
            }
            Some(Compared::Predicate) => {
                self.tally
                    .found
                    .iter()
                    .for_each(|(token, found)| line(format!("\nfound by {token}: {found} of {rows}")));
            }
            None => {}
        }
        let seconds = self.time.as_secs_f64();
        let here = operations - self.before.operations.min(operations);
        let rate = here as f64 / seconds.max(1e-9);
        line(format!("\nspeed: {rate:.1} {}/s ({here} in {seconds:.2} s)", self.operation));
        if let Some(Compared::Predicate) = self.compared {
            line(format!(", {:.1} rows/s", (rows - self.before.rows) as f64 / seconds.max(1e-9)));
        }
        let threads = counted(self.threads, "thread");
        let pairing = self.pairing.as_ref().map_or(String::new(), |pairing| format!(", {pairing}"));
        let Self { curve, engine, .. } = self;
        line(format!("\ncurve: {curve}, engine {engine}{pairing}, {threads}"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_other_than_the_expected_one_has_a_reason() {
        let of = |bulk, none: Option<&NoLanesReason>| named(Engine::Mont, bulk, none, None);
        assert_eq!(of(Some((Engine::Ifma, 2)), None), "ifma (mont below 2 values)");
        assert_eq!(of(None, Some(&NoLanesReason::Asked(Engine::Mont))), "mont");
        assert_eq!(of(None, Some(&NoLanesReason::Processor)), "mont (not ifma: this processor has no AVX-512 IFMA)");
        let curve = NoLanesReason::Curve("curve c: the modulus is too long".to_owned());
        assert_eq!(of(None, Some(&curve)), "mont (not ifma: curve c: the modulus is too long)");
        let failed = named(Engine::Mont, Some((Engine::Cuda, 2)), None, Some("the NVIDIA driver failed"));
        assert_eq!(failed, "cuda (mont below 2 values, and where cuda failed: the NVIDIA driver failed)");
    }

    #[test]
    fn a_resumed_job_with_errors() {
        let (groups, errors) = (49, [("hex".to_owned(), 2), ("curve".to_owned(), 1)].into());
        let tally =
            Tally { rows: 100, records: 50, groups, values: 47, wrong: 7, operations: 94, errors, ..Tally::default() };
        let before = Tally { rows: 50, operations: 44, ..Tally::default() };
        let summary = Summary {
            tally: &tally,
            before: &before,
            groups: true,
            compared: Some(Compared::Expected),
            curve: "a-512",
            engine: "mont".to_owned(),
            operation: "pairings",
            pairing: Some("tate pairing".to_owned()),
            threads: 1,
            time: Duration::from_millis(2500),
        };
        let wanted = "rows: 100 in 49 groups, 50 of them before this run\nerrors: 3 (curve 1, hex 2)\n\
                      check: 47 of 50 equal the expected values\nspeed: 20.0 pairings/s (50 in 2.50 s)\n\
                      curve: a-512, engine mont, tate pairing, 1 thread";
        assert_eq!(summary.text(), wanted);
        let checked = Summary { compared: Some(Compared::One), ..summary };
        assert!(checked.text().contains("\ncheck: 40 of 50 are 1\n"));
        let found = Summary { compared: Some(Compared::Predicate), ..checked };
        assert!(found.text().contains("\nfound: 40 of 100\n"));
        assert!(found.text().contains("\nspeed: 20.0 pairings/s (50 in 2.50 s), 20.0 rows/s\n"));
        let tally = Tally { found: [("a".to_owned(), 3), ("b".to_owned(), 0)].into(), ..tally.clone() };
        let found = Summary { tally: &tally, ..found };
        assert!(found.text().contains("\nfound by a: 3 of 100\nfound by b: 0 of 100\n"));
    }
}
