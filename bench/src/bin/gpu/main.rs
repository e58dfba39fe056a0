//! `gpu`: checks and measures the engine `cuda` on this machine, beside its processor.

mod check;
mod contenders;
mod processes;
mod save;
mod subjects;
mod time;

use bilinear_bench::gpu::{CardRecord, Limit, named};
use bilinear_bench::{Random, ceilings};
use bilinear_engine::SystemError;
use bilinear_engine::cuda::{DeviceError, Driver};
use clap::{Parser, ValueEnum};
use contenders::Which;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use subjects::{PAPERS, Subject};

/// The times in µs that the paper gives for a pairing in batches (docs/papers.md).
const PAPER: [(&str, f64); 3] = [("GTX 480", 8700.0), ("Tesla M2050", 11900.0), ("GTX 285", 17400.0)];

/// Check batches of every shipped curve on GPUs against the processor, and time both with all threads of a batch at
/// work.
///
/// The curves of the figures come first: a card with its default choice, then the processor, then all other contenders.
/// The values of a contender are compared with those of the processor before it is timed, and those of its first run of
/// the largest batch too. A time is the least of three runs, from bytes to bytes, with points checked to be on the
/// curve: microseconds per pair, by batch size. The largest batch runs first. Each curve has a process of its own for
/// each of these steps. Differences and failures are reported, and the run continues; the exit status is then 1.
#[derive(Debug, Parser)]
#[command(version, args_override_self = true)]
struct Args {
    /// Pairs of a batch; for products, rounded down to whole products, at least one
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,16,256,4096,16384,65536,262144")]
    batch: Vec<NonZeroUsize>,
    /// Check and measure only these curves
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    curve: Vec<String>,
    /// Run batches only once if they take more seconds than this; the processor and `auto` leave them out
    #[arg(long, value_name = "S", default_value = "3", value_parser = seconds)]
    longest: Duration,
    /// Begin nothing new after this many seconds
    #[arg(long, value_name = "N", value_parser = seconds)]
    seconds: Option<Duration>,
    /// End a process that adds nothing to the record for this many seconds, and go on with the next one
    #[arg(long, value_name = "S", default_value = "120", value_parser = seconds)]
    hang: Duration,
    /// Compare values: on the curves of the figures by cards with their default choice, on all curves in every way, or
    /// not at all. The price and the picture leave out what was not compared
    #[arg(long, value_enum, default_value_t = Checks::All)]
    check: Checks,
    /// Price of an hour of this card in USD, instead of the one in bench/prices.json; the last line is the cost of a
    /// pairing
    #[arg(long, value_name = "USD")]
    price: Option<f64>,
    /// Draw times of single pairings against batch size; rewritten with every line
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Write a record to a new file; rewritten with every line
    #[arg(long, value_name = "FILE.json")]
    record: Option<PathBuf>,
    /// Repeat the random inputs of an earlier run
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Do only this part of the work, as a process that the program starts, and add it to the record
    #[arg(long, hide = true, value_enum, requires = "record")]
    part: Option<Part>,
    /// The curve of the part
    #[arg(long, hide = true, default_value = PAPERS)]
    of: String,
}

/// A part of the work on a curve, which a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Measuring the ceilings of a card, of no curve.
    Ceilings,
    /// Timing a card with its default choice.
    Card,
    /// Timing the processor and `auto`.
    Processor,
    /// Timing the other contenders.
    Others,
    /// Checking a curve that is not timed.
    Check,
    /// Checking many rows.
    Long,
}

/// The values that are compared with the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Checks {
    Figures,
    All,
    None,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|reason| reason.to_string())
}

/// The reason why the program ends early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}: nothing was measured")]
    Device(#[from] DeviceError),
    #[error("{0}: this process can use the card no more")]
    Lost(DeviceError),
    #[error(transparent)]
    System(#[from] SystemError),
    #[error(transparent)]
    Params(#[from] bilinear_params::Error),
    #[error("the operating system has no randomness: {0}")]
    Randomness(#[from] getrandom::Error),
    #[error("{file}: {reason}")]
    Io { file: String, reason: io::Error },
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match (args.part, &args.record) {
        (Some(part), Some(file)) => work(&args, part, file).map(|()| true),
        _ => processes::run_all(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => {
            let _ = writeln!(io::stderr().lock(), "error: {failure}");
            ExitCode::from(1)
        }
    }
}

/// Writes a line to standard output. Errors, such as a closed pipe, are ignored.
fn say(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// The state of a process: its arguments, cards, time limit and record.
struct Run<'a> {
    args: &'a Args,
    /// The file of the record.
    file: PathBuf,
    cards: Vec<Driver>,
    limit: Limit,
    record: CardRecord,
    /// The contenders that were compared with the processor, and whether all values were the same.
    checked: BTreeMap<String, bool>,
}

impl Run<'_> {
    /// Names the card, and measures its ceilings.
    fn measure_ceilings(&mut self) -> Result<(), Failure> {
        self.record.card.clone_from(&self.cards[0].properties().name);
        self.record.cards = self.cards.len();
        say(&format!("{}, cards here: {}, seed {}", self.record.card, self.record.cards, self.record.seed));
        let paper = PAPER.map(|(card, us)| format!("{us:.0} on {card}"));
        say(&format!("ACNS 2012, microseconds for a pairing of the size of {PAPERS}: {}", paper.join(", ")));
        self.save()?;
        match self.cards[0].ceilings() {
            Ok(ceilings) => {
                say(&ceilings::text(&ceilings));
                self.record.ceilings = named(ceilings.parts());
                Ok(())
            }
            Err(reason) => self.device_failed(format!("the ceilings: {reason}")),
        }
    }

    /// Reports a difference or a failure, and adds it to the record.
    fn fail(&mut self, what: String) -> Result<(), Failure> {
        say(&format!("FAILED: {what}"));
        self.record.failures.push(what);
        self.save()
    }

    /// Reports a failure of the device. Returns an error if the cards answer nothing more in this process.
    fn device_failed(&mut self, what: String) -> Result<(), Failure> {
        self.fail(what)?;
        // a clock takes a stream and an event, which a driver refuses after an error of a kernel
        let answers = |card: &Driver| card.start_clock().and_then(|()| card.stop_clock()).map(|_| ());
        self.cards.iter().try_for_each(answers).map_err(Failure::Lost)
    }
}

/// Does one part of the work, and adds it to the record.
fn work(args: &Args, part: Part, file: &Path) -> Result<(), Failure> {
    let record = CardRecord::read(file).map_err(save::failed(file))?;
    let (cards, without): (Vec<_>, Vec<_>) = Driver::all()?.into_iter().partition(Result::is_ok);
    let cards: Vec<Driver> = cards.into_iter().flatten().collect();
    let subject = Subject::new(&args.of, &mut Random::new(record.seed))?;
    let (limit, checked) = (Limit::new(args.seconds), BTreeMap::new());
    let mut run = Run { args, file: file.to_owned(), cards, limit, record, checked };
    match part {
        Part::Ceilings => {
            without.iter().flat_map(|card| card.as_ref().err()).for_each(|reason| say(&format!("left out: {reason}")));
            run.measure_ceilings()?;
        }
        Part::Card => run.time_cards(&subject, Which::Default)?,
        Part::Processor => run.time_processor(&subject)?,
        Part::Others => run.time_cards(&subject, Which::Others)?,
        Part::Check => {
            run.check_cards(&subject, Which::Default)?;
            run.check_cards(&subject, Which::Others)?;
        }
        Part::Long => run.check_long(&subject)?,
    }
    run.save()
}
