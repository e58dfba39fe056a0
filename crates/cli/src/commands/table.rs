//! What `bilinear pair` and `bilinear check` have in common: a table of points in, a table of answers out.

use super::Outcome;
use super::places::Places;
use crate::choice::{CurveChoice, suits};
use crate::console;
use crate::error::CommandError;
use crate::input::open::Input;
use crate::input::{Fields, Format};
use crate::job::checkpoint::{Task, fingerprint};
use crate::job::context::{Context, Work};
use crate::job::fixed::{self, Fixed};
use crate::job::pace::Pace;
use crate::job::pairs::Pairs;
use crate::job::products::Products;
use crate::job::rows::Rows;
use crate::job::summary::{Compared, Summary, engines};
use crate::job::tally::Tally;
use crate::job::{self, Plan, Report};
use crate::output::destination::{Destination, RESUME, Resumable};
use crate::output::files::{Files, remove};
use crate::output::kept::{Kept, State};
use crate::output::{Keys, Question, Shape};
use crate::signals;
use bilinear_engine::{Batch, Encoding, Engine, GtEncoding, Options, PairingKind, Power, Side, System, Validate};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What is checked of second arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Checks {
    Subgroup,
    OnCurve,
}

/// The table, and how it is gone through.
#[derive(Debug, clap::Args)]
pub(crate) struct Table {
    #[command(flatten)]
    curve: CurveChoice,
    #[command(flatten)]
    places: Places,
    /// Threads; as many as there are processors by default
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The engine (mont, ifma, portable, hmm, reference); the best of this machine by default
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
    /// The pairing (optate, ate, rate, tate); the first that the curve's family has by default
    #[arg(long, value_name = "KIND")]
    pairing: Option<PairingKind>,
    /// Multiply the pairings of adjacent rows with equal COL: one answer a group
    #[arg(long, value_name = "COL")]
    product_by: Option<String>,
    /// First arguments that are the same for the whole job: lines of {"p": HEX} or HEX. One point; with --product-by
    /// one for each row of a group, in order. Rows need no p then; one that they have must be the same
    #[arg(long, value_name = "FILE")]
    fixed_p: Option<PathBuf>,
    /// Second arguments that are the same: lines of {"q": HEX} or HEX. Symmetric curves take either, others one of the two
    #[arg(long, value_name = "FILE", conflicts_with = "fixed_p")]
    fixed_q: Option<PathBuf>,
    /// How the points are written: zcash, zcash-uncompressed, eip, gnark, gnark-uncompressed, arkworks, arkworks-uncompressed;
    /// without it, x and y or the compressed form as `bilinear points` writes them
    #[arg(long, value_name = "NAME")]
    encoding: Option<Encoding>,
    /// Stop at the first row without a value
    #[arg(long)]
    strict: bool,
    /// Do not check that points are in the subgroup: only for points from a source that you trust
    #[arg(long)]
    trusted: bool,
    /// What is checked of second arguments beside their encoding: `subgroup`, that they are in G2; `on-curve`, that they are on
    /// the curve, for points that PBC has written on types D, F and G, and with the tate pairing only
    #[arg(long, value_name = "WHAT", default_value = "subgroup", ignore_case = true, conflicts_with = "trusted")]
    validate: Checks,
    /// Go on with an interrupted run of the same job
    #[arg(long)]
    resume: bool,
    /// Rows that are computed, and written, at a time; as many as take a second by default
    #[arg(long, value_name = "N")]
    chunk: Option<NonZeroUsize>,
    /// The column of the first points
    #[arg(long, value_name = "COL", default_value = "p")]
    p_col: String,
    /// The column of the second points
    #[arg(long, value_name = "COL", default_value = "q")]
    q_col: String,
    /// No progress and no summary
    #[arg(long, short)]
    quiet: bool,
}

/// What is done with the table.
pub(super) struct Job {
    /// The command.
    pub(super) command: &'static str,
    /// What is asked of each row or product.
    pub(super) question: Question,
    /// The power of the pairing.
    pub(super) power: Power,
    /// How values are written.
    pub(super) gt_encoding: GtEncoding,
    /// The column to compare with.
    pub(super) expect: Option<String>,
    /// Whether a table without rows will do.
    pub(super) allow_empty: bool,
    /// How many groups there must be.
    pub(super) groups: Option<u64>,
}

impl Job {
    /// Whether as much was in the table as there must be.
    fn is_complete(&self, input: &str, records: u64) -> Result<(), CommandError> {
        if records == 0 && !self.allow_empty {
            let reason = "no rows: what checks nothing shows nothing; --allow-empty lets it pass";
            return Err(CommandError::Usage(format!("{input}: {reason}")));
        }
        match self.groups {
            Some(groups) if groups != records => {
                Err(CommandError::Usage(format!("{input}: groups found: {records}; --expect-groups asks for {groups}")))
            }
            _ => Ok(()),
        }
    }

    fn compared(&self) -> Option<Compared> {
        match self.question {
            Question::IsOne => Some(Compared::One),
            Question::Value(_) => self.expect.is_some().then_some(Compared::Expected),
        }
    }
}

impl Table {
    /// Does a job.
    ///
    /// # Errors
    /// If the job cannot run; faults of single rows are in the output.
    pub(super) fn run(&self, job: &Job) -> Result<Outcome, CommandError> {
        let (input, (in_format, out_format)) = (self.places.input(), self.places.formats()?);
        let system = self.curve.system(Options { engine: self.engine, pairing: self.pairing, power: job.power })?;
        if let Some(encoding) = self.encoding {
            suits(&system, encoding)?;
        }
        system.gt_encoded_len(job.gt_encoding).map_err(|error| CommandError::Usage(error.to_string()))?;
        let batch = self.batch(&system)?;
        let fixed = self.fixed(&batch)?;
        let source = input.open(in_format, self.fields(job))?;
        let keys = self.product_by.as_ref().map_or(Keys::Rows, |_| Keys::Groups(source.group_type()));
        let shape = Shape { keys, question: job.question };
        let task = self.task(job, &input, (in_format, out_format), &system, fixed.as_ref())?;
        let kept = Kept::default();
        if task.is_some() {
            interruptible(&self.places.out, kept.clone())?;
        }
        let (destination, before) = self.destination(out_format, shape, task, kept)?;

        let threads = self.threads.or(NonZeroUsize::new(batch.thread_count())).unwrap_or(NonZeroUsize::MIN);
        let batch = batch.threads(threads).map_err(|error| CommandError::Engine(error.to_string()))?;
        let pace = self.chunk.map_or_else(|| Pace::measured(&batch), Pace::given);
        let context = Context {
            system: system.clone(),
            batch,
            question: job.question,
            fixed,
            encoding: self.encoding,
            gt_encoding: job.gt_encoding,
            file: input.name(),
            p: self.p_col.clone(),
            q: self.q_col.clone(),
            expect: job.expect.clone(),
        };
        let mut work: Box<dyn Work> = match self.product_by {
            None => Box::new(Rows::new(Pairs::new(context), before.clone())),
            Some(_) => Box::new(Products::new(context, before.clone())),
        };
        let started = Instant::now();
        let (strict, quiet) = (self.strict, self.quiet);
        let plan = Plan { file: input.name(), source, destination, pace, before: before.rows, strict, quiet };
        let report = job::run(plan, work.as_mut())?;
        let summary = Summary {
            tally: &report.tally,
            before: &before,
            products: self.product_by.is_some(),
            compared: job.compared(),
            curve: system.curve().name(),
            engine: engines(system.engine(), system.bulk_engine(), system.no_lanes()),
            pairing: match system.power() {
                Power::Exact => format!("{} pairing", system.pairing()),
                power => format!("{} pairing, {power} power", system.pairing()),
            },
            threads: threads.get(),
            time: started.elapsed(),
        };
        self.conclude(job, &report, &summary)
    }

    fn fields(&self, job: &Job) -> Fields {
        let fixed = match (&self.fixed_p, &self.fixed_q) {
            (Some(_), _) => Some(Side::P),
            (None, Some(_)) => Some(Side::Q),
            (None, None) => None,
        };
        Fields::pairs([&self.p_col, &self.q_col], fixed, self.product_by.as_deref(), job.expect.as_deref())
    }

    /// What works on the rows, with the checks that were asked for.
    fn batch(&self, system: &System) -> Result<Batch, CommandError> {
        let batch = Batch::new(system.clone());
        match self.validate {
            Checks::OnCurve => batch.second_on_curve().map_err(|error| CommandError::Usage(error.to_string())),
            Checks::Subgroup if self.trusted => Ok(batch.validate(Validate::Curve)),
            Checks::Subgroup => Ok(batch),
        }
    }

    /// The fixed points, prepared.
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

    /// What determines the output's bytes; `None` where a run cannot be resumed.
    fn task(
        &self,
        job: &Job,
        input: &Input,
        formats: (Format, Format),
        system: &System,
        fixed: Option<&Fixed>,
    ) -> Result<Option<Task>, CommandError> {
        let to_file = !self.places.is_stdout() && !is_special(&self.places.out);
        let path = match input {
            Input::File(path) if to_file && !is_special(path) => path,
            _ if self.resume => {
                let reason = "--resume needs a file for --in and a file for --out; pipes and devices cannot be resumed";
                return Err(CommandError::Usage(reason.to_owned()));
            }
            _ => return Ok(None),
        };
        let (input_bytes, input_sha256) = fingerprint(path)?;
        let mut options = BTreeMap::new();
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                options.insert(name.to_owned(), value);
            }
        };
        let yes = |given: bool| given.then(|| "yes".to_owned());
        option("in-format", Some(formats.0.name().to_owned()));
        option("out-format", Some(formats.1.name().to_owned()));
        option("product-by", self.product_by.clone());
        if let Some(fixed) = fixed {
            option(&format!("fixed-{}", fixed.side), Some(format!("points with SHA-256 {}", fixed.fingerprint)));
        }
        option("pairing", Some(system.pairing().to_string()));
        option("power", Some(system.power().to_string()));
        option("check", yes(job.expect.is_some()));
        option("encoding", self.encoding.map(|encoding| encoding.to_string()));
        option("gt-encoding", Some(job.gt_encoding.to_string()));
        option("trusted", yes(self.trusted));
        option("validate", (self.validate == Checks::OnCurve).then(|| "on-curve".to_owned()));
        option("p-col", Some(self.p_col.clone()));
        option("q-col", Some(self.q_col.clone()));
        option("expect-col", job.expect.clone());
        // the fingerprint leaves open in which order a value's coefficients are written
        let curve = format!("{}, {:?}", system.curve().fingerprint(), system.curve().layout());
        let command = job.command.to_owned();
        Ok(Some(Task { command, input: input.name(), input_bytes, input_sha256, curve, options }))
    }

    fn destination(
        &self,
        format: Format,
        shape: Shape,
        task: Option<Task>,
        kept: Kept,
    ) -> Result<(Destination, Tally), CommandError> {
        if self.places.is_stdout() {
            return Ok((Destination::stdout(format, shape)?, Tally::default()));
        }
        Destination::file(&self.places.out, format, shape, Resumable { task, resume: self.resume, kept })
    }

    fn conclude(&self, job: &Job, report: &Report, summary: &Summary<'_>) -> Result<Outcome, CommandError> {
        if let Some(failure) = &report.stopped {
            console::error(format_args!("{} ({})", failure.message, failure.code));
            return Ok(Outcome::RowErrors);
        }
        if !self.quiet {
            console::note(summary.text());
        }
        job.is_complete(&self.places.input().name(), report.tally.records)?;
        let good = report.tally.failed() + report.tally.wrong == 0;
        Ok(if good { Outcome::Good } else { Outcome::RowErrors })
    }
}

/// Whether a path is something else than a file to be read or made: a pipe or a device.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Says how to go on when the process is asked to end; the checkpoint of the last chunk is on the disk. Where there is none yet,
/// nothing is left behind.
fn interruptible(out: &Path, kept: Kept) -> Result<(), CommandError> {
    let (files, out) = (Files::of(out), out.display().to_string());
    let handler = move || {
        // held to the end: what is said here stays true
        let state = kept.lock();
        let rest = match *state {
            State::Records => RESUME,
            State::Nothing => {
                let _ = remove(&files.part);
                "nothing is kept"
            }
            State::Untouched => "it has not been touched",
        };
        console::note(format_args!("interrupted: {out} is not complete; {rest}"));
        std::process::exit(130);
    };
    signals::on_end(handler).map_err(CommandError::io("signals", "handle"))
}
