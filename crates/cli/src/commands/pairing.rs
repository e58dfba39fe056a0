//! The common part of `bilinear pair` and `bilinear check`: the pairs of points of a table, some of which are
//! fixed.

use super::Outcome;
use super::reads::{Reads, input};
use super::table::{Job, Start, Table, Unit, rows_to_check};
use crate::choice::{CurveChoice, EngineChoice, suits};
use crate::error::CommandError;
use crate::input::open::Input;
use crate::input::{Column, Fields, Kind, Need};
use crate::job::expected::Expected;
use crate::job::fixed::{self, Fixed};
use crate::job::pace::Pace;
use crate::job::pairing::{COLUMNS, Pairing};
use crate::job::summary::Compared;
use crate::output::Question;
use bilinear_engine::{Batch, Encoding, GtEncoding, Options, PairingKind, Power, Side, System, Validate};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The check of second arguments, besides their encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Checks {
    Subgroup,
    #[value(name = "allow-q-outside-g2")]
    AllowQOutsideG2,
}

/// The table of pairs, and how it is processed.
#[derive(Debug, clap::Args)]
pub(crate) struct Pairs {
    #[command(flatten)]
    curve: CurveChoice,
    #[command(flatten)]
    table: Table,
    #[command(flatten)]
    engine: EngineChoice,
    /// The kind of pairing (default: the first that the curve's family has).
    ///
    /// One of optate, ate, rate, tate, betaweil, alphaweil, weil, etat and opteta.
    #[arg(long, value_name = "KIND")]
    pairing: Option<PairingKind>,
    /// Multiply the pairings of adjacent rows with equal COL: one answer per group
    #[arg(long, value_name = "COL")]
    product_by: Option<String>,
    /// First arguments that are the same for the whole job: lines of {"p": HEX} or HEX.
    ///
    /// The file has one point; with --product-by it has one point for each row of a group, in order. Rows then need no
    /// p; if a row has one, it must be the same point.
    #[arg(long, value_name = "FILE")]
    fixed_p: Option<PathBuf>,
    /// Second arguments that are the same for the whole job: lines of {"q": HEX} or HEX.
    ///
    /// Symmetric curves accept --fixed-p or --fixed-q, other curves only one of them.
    #[arg(long, value_name = "FILE", conflicts_with = "fixed_p")]
    fixed_q: Option<PathBuf>,
    /// The encoding of points (default: x and y or compressed, as `bilinear points` writes them).
    ///
    /// One of zcash, zcash-uncompressed, eip, gnark, gnark-uncompressed, arkworks and arkworks-uncompressed.
    #[arg(long, value_name = "NAME")]
    encoding: Option<Encoding>,
    /// Do not check that points are in the subgroup: only for points from a source that you trust
    #[arg(long)]
    trusted: bool,
    /// The check of second arguments, besides that of their encoding.
    ///
    /// `subgroup` checks that they are in G2. `allow-q-outside-g2` checks that they are on the curve; it is for points
    /// that PBC has written on types D, F and G, and works with the tate pairing only.
    #[arg(long, value_name = "WHAT", default_value = "subgroup", ignore_case = true, conflicts_with = "trusted")]
    validate: Checks,
    /// The column of the first points
    #[arg(long, value_name = "COL", default_value = "p")]
    p_col: String,
    /// The column of the second points
    #[arg(long, value_name = "COL", default_value = "q")]
    q_col: String,
}

/// A question about the pairs of a table.
pub(super) struct Ask {
    /// The command's name.
    pub(super) command: &'static str,
    /// The question about each row or product.
    pub(super) question: Question,
    /// The power of the pairing.
    pub(super) power: Power,
    /// The encoding of values.
    pub(super) gt_encoding: GtEncoding,
    /// The column of expected values, if values are compared.
    pub(super) expect: Option<String>,
    /// True if a table without rows is accepted.
    pub(super) allow_empty: bool,
    /// The expected number of groups, if it is given.
    pub(super) groups: Option<u64>,
    /// True if each row is computed on its own, on all threads.
    pub(super) latency: bool,
}

impl Ask {
    /// Creates a question about exact values, for any number of rows.
    pub(super) fn new(command: &'static str, question: Question) -> Self {
        Ask {
            command,
            question,
            power: Power::Exact,
            gt_encoding: GtEncoding::Plain,
            expect: None,
            allow_empty: true,
            groups: None,
            latency: false,
        }
    }
}

impl Pairs {
    /// Runs the job that answers a question.
    ///
    /// # Errors
    /// Returns an error if the job cannot run. Faults of single rows are part of the output.
    pub(super) fn run(&self, ask: Ask) -> Result<Outcome, CommandError> {
        self.refuse_one_stream()?;
        let system = self.curve.system(Options {
            engine: self.engine.chosen,
            pairing: self.pairing,
            power: ask.power,
            ..Options::default()
        })?;
        if let Some(encoding) = self.encoding {
            suits(&system, encoding)?;
        }
        system.gt_encoded_len(ask.gt_encoding).map_err(|error| CommandError::Usage(error.to_string()))?;
        let batch = self.batch(&system)?;
        let batch = if ask.latency { batch.one_at_a_time() } else { batch };
        let fixed = self.fixed(&batch)?;
        let job = Job {
            fields: self.fields(ask.expect.as_deref()),
            unit: if self.product_by.is_some() { Unit::Group } else { Unit::Row },
            options: self.options(&ask, &system, fixed.as_ref()),
            compared: match ask.question {
                Question::IsOk => Some(Compared::One),
                _ => ask.expect.is_some().then_some(Compared::Expected),
            },
            operation: "pairings",
            pairing: Some(match system.power() {
                Power::Exact => format!("{} pairing", system.pairing()),
                power => format!("{} pairing, {power} power", system.pairing()),
            }),
            pace: if ask.latency { |_, _| Pace::given(NonZeroUsize::MIN) } else { Pace::of },
            needs_rows: rows_to_check(ask.allow_empty),
            groups: ask.groups,
            reads: self.reads().collect(),
            ..Job::new(ask.command, &system, ask.question)
        };
        let expected = ask.expect.map(|name| Expected { column: COLUMNS[2], name });
        let pairing = |batch, columns| Pairing {
            batch,
            question: ask.question,
            fixed,
            encoding: self.encoding,
            gt_encoding: ask.gt_encoding,
            columns,
        };
        self.table.run(&job, batch, |start: Start| match job.unit {
            Unit::Group => start.groups(expected, pairing),
            _ => start.rows(expected, pairing),
        })
    }

    /// Rejects arguments with which both fixed points and the table would be read from standard input.
    fn refuse_one_stream(&self) -> Result<(), CommandError> {
        let Some((option, _)) = self.points().find(|(_, path)| Input::new(path) == Input::Stdin) else { return Ok(()) };
        if self.table.input()?.0 != Input::Stdin {
            return Ok(());
        }
        let reason =
            format!("standard input cannot be the fixed points and the table: --in FILE, or a file for {option}");
        Err(CommandError::Usage(reason))
    }

    /// Returns the files of fixed points.
    fn points(&self) -> impl Iterator<Item = Reads<'_>> {
        let points = [("--fixed-p", &self.fixed_p), ("--fixed-q", &self.fixed_q)];
        points.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
    }

    /// Returns the files that are read besides the table.
    fn reads(&self) -> impl Iterator<Item = Reads<'_>> {
        self.curve.source.reads().into_iter().chain(self.points().map(|(option, path)| input(option, path)))
    }

    fn fields(&self, expect: Option<&str>) -> Fields {
        let argument = |name: &str, fixed: &Option<PathBuf>| Column {
            need: if fixed.is_some() { Need::Nothing } else { Need::Row },
            ..Column::new(name, Kind::Point)
        };
        let mut columns = vec![argument(&self.p_col, &self.fixed_p), argument(&self.q_col, &self.fixed_q)];
        // for a product one row with an expected value is enough
        let need = if self.product_by.is_some() { Need::Column } else { Need::Row };
        columns.extend(expect.map(|name| Column { need, ..Column::new(name, Kind::Bytes) }));
        Fields { columns, group: self.product_by.clone() }
    }

    /// Creates the batch that computes the rows, on one thread, with the requested checks.
    fn batch(&self, system: &System) -> Result<Batch, CommandError> {
        let batch = Batch::new(system.clone());
        match self.validate {
            Checks::AllowQOutsideG2 => {
                batch.allow_q_outside_g2().map_err(|error| CommandError::Usage(error.to_string()))
            }
            Checks::Subgroup if self.trusted => Ok(batch.validate(Validate::OnCurve)),
            Checks::Subgroup => Ok(batch),
        }
    }

    /// Reads and prepares the fixed points, if there are any.
    fn fixed(&self, batch: &Batch) -> Result<Option<Fixed>, CommandError> {
        let (path, side) = match (&self.fixed_p, &self.fixed_q) {
            (Some(path), _) => (path, Side::P),
            (None, Some(path)) => (path, Side::Q),
            (None, None) => return Ok(None),
        };
        let fixed = fixed::read(path, side, batch, self.encoding)?;
        let count = fixed.points.len();
        if count != 1 && self.product_by.is_none() {
            let reason = format!("{count} fixed points: without --product-by there must be exactly one");
            return Err(CommandError::Usage(format!("{}: {reason}", path.display())));
        }
        Ok(Some(fixed))
    }

    /// Returns the options that determine the output.
    fn options(&self, ask: &Ask, system: &System, fixed: Option<&Fixed>) -> Vec<(&'static str, Option<String>)> {
        let yes = |given: bool| given.then(|| "yes".to_owned());
        let of = |side| fixed.filter(|f| f.side == side).map(|f| format!("points with SHA-256 {}", f.fingerprint));
        vec![
            ("product-by", self.product_by.clone()),
            ("fixed-p", of(Side::P)),
            ("fixed-q", of(Side::Q)),
            ("pairing", Some(system.pairing().to_string())),
            ("power", Some(system.power().to_string())),
            ("check", yes(ask.expect.is_some())),
            ("encoding", self.encoding.map(|encoding| encoding.to_string())),
            ("gt-encoding", Some(ask.gt_encoding.to_string())),
            ("trusted", yes(self.trusted)),
            ("validate", (self.validate == Checks::AllowQOutsideG2).then(|| "allow-q-outside-g2".to_owned())),
            ("p-col", Some(self.p_col.clone())),
            ("q-col", Some(self.q_col.clone())),
            ("expect-col", ask.expect.clone()),
        ]
    }
}
