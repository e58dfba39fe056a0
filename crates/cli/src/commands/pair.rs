//! `bilinear pair`: a table of points in, their pairings out.

use super::Outcome;
use crate::choice::CurveChoice;
use crate::console;
use crate::error::CommandError;
use crate::input::open::{Input, unknown_format};
use crate::input::{Fields, Format};
use crate::job::checkpoint::{Task, fingerprint};
use crate::job::context::{Context, Work};
use crate::job::fixed::{self, Fixed};
use crate::job::pairs::Pairs;
use crate::job::products::Products;
use crate::job::summary::Summary;
use crate::job::tally::Tally;
use crate::job::{self, Plan, Report};
use crate::output::Shape;
use crate::output::destination::{Destination, RESUME};
use bilinear_engine::{Batch, Engine, System, Validate};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Compute the pairings, or products of pairings, of a table of points.
///
/// Each row has two points, p and q, and gives one value: {"p": HEX, "q": HEX} becomes {"row": N, "gt": HEX}. A row
/// that has no value gives {"row": N, "error": CODE, "message": TEXT}, and the others go on.
///
/// A point is x then y, each in big-endian bytes of the field's length, or compressed (x and a sign byte); the point at
/// infinity is "inf" in text, and a binary value of length 0 in Parquet and Arrow (beside a fixed-size column p, a true
/// in the boolean column p_inf). A value is its coefficients, low one first.
///
/// Exit status: 0 all rows have values; 1 some have not; 2 the job could not run; 130 interrupted.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear pair --curve a-512 --in points.jsonl --out values.jsonl
  bilinear pair --curve a1-2x512 --in rows.parquet --out values.parquet --product-by id --fixed-p key.jsonl
  bilinear points random --curve a-512 --pairs --n 1000 | bilinear pair --curve a-512 > values.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    curve: CurveChoice,
    /// The table of points; `-` is standard input
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// Where the values go; `-` is standard output. A file appears only when it is complete
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// The format of both tables, where their names do not tell it (`-` is JSON Lines)
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The format of the input
    #[arg(long, value_name = "FORMAT", conflicts_with = "format")]
    in_format: Option<Format>,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", conflicts_with = "format")]
    out_format: Option<Format>,
    /// Threads; as many as there are processors by default
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The engine (mont, portable, reference); the best of this machine by default
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
    /// Multiply the pairings of adjacent rows with equal COL: one value a group
    #[arg(long, value_name = "COL")]
    product_by: Option<String>,
    /// First arguments that are the same for the whole job: lines of {"p": HEX} or HEX. One point; with --product-by
    /// one for each row of a group, in order
    #[arg(long, value_name = "FILE")]
    fixed_p: Option<PathBuf>,
    /// Compare with the expected values in the table; another value is the row error `mismatch`
    #[arg(long)]
    check: bool,
    /// Stop at the first row without a value
    #[arg(long)]
    strict: bool,
    /// Do not check that points are in the subgroup: only for points from a source that you trust
    #[arg(long)]
    trusted: bool,
    /// Go on with an interrupted run of the same job
    #[arg(long)]
    resume: bool,
    /// Rows that are computed, and written, at a time
    #[arg(long, value_name = "N", default_value = "4096")]
    chunk: NonZeroUsize,
    /// The column of the first points
    #[arg(long, value_name = "COL", default_value = "p")]
    p_col: String,
    /// The column of the second points
    #[arg(long, value_name = "COL", default_value = "q")]
    q_col: String,
    /// The column of the expected values
    #[arg(long, value_name = "COL", default_value = "expect")]
    expect_col: String,
    /// No progress and no summary
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
///
/// # Errors
/// If the job cannot run; faults of single rows are in the output.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let input = Input::new(&args.input);
    let (in_format, out_format) = (input.format(args.in_format.or(args.format))?, args.out_format()?);
    if same_file(&args.input, &args.out) {
        return Err(CommandError::Usage(format!("{}: --out would replace the input", args.out.display())));
    }
    let system = args.curve.system(args.engine)?;
    let validate = if args.trusted { Validate::Curve } else { Validate::Subgroup };
    let fixed = args.fixed_p.as_deref().map(|path| fixed::read(path, &system, validate)).transpose()?;
    args.check_fixed(fixed.as_ref())?;
    let source = input.open(in_format, args.fields(), args.chunk.get())?;
    let shape = args.product_by.as_ref().map_or(Shape::Rows, |_| Shape::Groups(source.group_type()));
    let task = args.task(&input, (in_format, out_format), &system, fixed.as_ref())?;
    let (destination, before) = args.destination(out_format, shape, task)?;
    if destination.is_resumable() {
        interruptible(&args.out)?;
    }

    let threads = match args.threads {
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_err(CommandError::io("processors", "count"))?,
    };
    let batch = Batch::new(system.clone()).threads(threads).map_err(|error| CommandError::Engine(error.to_string()))?;
    let context = Context {
        system: system.clone(),
        batch: batch.validate(validate),
        fixed: fixed.map(|fixed| fixed.points),
        file: input.name(),
        p: args.p_col.clone(),
        q: args.q_col.clone(),
        expect: args.check.then(|| args.expect_col.clone()),
    };
    let mut work: Box<dyn Work> = match args.product_by {
        None => Box::new(Pairs::new(context, before.clone())),
        Some(_) => Box::new(Products::new(context, before.clone())),
    };
    let started = Instant::now();
    let (chunk, strict, quiet) = (args.chunk.get(), args.strict, args.quiet);
    let plan = Plan { file: input.name(), source, destination, chunk, strict, quiet };
    let report = job::run(plan, work.as_mut())?;
    let summary = Summary {
        tally: &report.tally,
        before: &before,
        products: args.product_by.is_some(),
        check: args.check,
        curve: system.curve().name(),
        engine: system.engine().name(),
        threads: threads.get(),
        time: started.elapsed(),
    };
    Ok(args.conclude(&report, &summary))
}

impl Args {
    fn out_format(&self) -> Result<Format, CommandError> {
        match self.out_format.or(self.format) {
            Some(format) => Ok(format),
            None if self.out.as_os_str() == "-" => Ok(Format::Jsonl),
            None => Format::of(&self.out).ok_or_else(|| unknown_format(&self.out, "--out-format")),
        }
    }

    fn fields(&self) -> Fields {
        Fields {
            p: self.fixed_p.is_none().then(|| self.p_col.clone()),
            q: self.q_col.clone(),
            group: self.product_by.clone(),
            expect: self.check.then(|| self.expect_col.clone()),
        }
    }

    fn check_fixed(&self, fixed: Option<&Fixed>) -> Result<(), CommandError> {
        match (fixed, &self.product_by, &self.fixed_p) {
            (Some(fixed), None, Some(path)) if fixed.points.len() != 1 => Err(CommandError::Usage(format!(
                "{}: {} fixed points: without --product-by there must be exactly one",
                path.display(),
                fixed.points.len()
            ))),
            _ => Ok(()),
        }
    }

    /// What determines the output's bytes; `None` where a run cannot be resumed.
    fn task(
        &self,
        input: &Input,
        formats: (Format, Format),
        system: &System,
        fixed: Option<&Fixed>,
    ) -> Result<Option<Task>, CommandError> {
        let to_file = self.out.as_os_str() != "-" && !is_special(&self.out);
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
        option("fixed-p", fixed.map(|fixed| format!("points with SHA-256 {}", fixed.fingerprint)));
        option("check", yes(self.check));
        option("trusted", yes(self.trusted));
        option("p-col", fixed.is_none().then(|| self.p_col.clone()));
        option("q-col", Some(self.q_col.clone()));
        option("expect-col", self.check.then(|| self.expect_col.clone()));
        let curve = system.curve().fingerprint();
        Ok(Some(Task { input: input.name(), input_bytes, input_sha256, curve, options }))
    }

    fn destination(
        &self,
        format: Format,
        shape: Shape,
        task: Option<Task>,
    ) -> Result<(Destination, Tally), CommandError> {
        if self.out.as_os_str() == "-" {
            return Ok((Destination::stdout(format, shape)?, Tally::default()));
        }
        Destination::file(&self.out, format, shape, task, self.resume)
    }

    fn conclude(&self, report: &Report, summary: &Summary<'_>) -> Outcome {
        if let Some(failure) = &report.stopped {
            console::error(format_args!("{} ({})", failure.message, failure.code));
            return Outcome::RowErrors;
        }
        if !self.quiet {
            console::note(summary.text());
        }
        if report.tally.failed() == 0 { Outcome::Good } else { Outcome::RowErrors }
    }
}

/// Whether a path is something else than a file to be read or made: a pipe or a device.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Whether both paths lead to one file.
fn same_file(a: &Path, b: &Path) -> bool {
    a.is_file() && a.canonicalize().ok() == b.canonicalize().ok()
}

/// Says on Ctrl-C, or when the process is asked to end, how to go on; the checkpoint of the last chunk is on the disk.
fn interruptible(out: &Path) -> Result<(), CommandError> {
    let out = out.display().to_string();
    let handler = move || {
        console::note(format_args!("interrupted: {out} is not complete; {RESUME}"));
        std::process::exit(130);
    };
    ctrlc::set_handler(handler).map_err(|error| CommandError::Usage(format!("signals cannot be handled: {error}")))
}
