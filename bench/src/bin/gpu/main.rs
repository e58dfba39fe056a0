//! `gpu`: checks and measures the engine `cuda` on this machine, beside its processor.

mod check;
mod contenders;
mod save;
mod subjects;
mod time;

use bilinear_bench::gpu::{CardRecord, Limit, named};
use bilinear_bench::{Environment, Random, ceilings};
use bilinear_engine::cuda::{Ceilings, DeviceError, Driver};
use bilinear_engine::{Curve, Power, SystemError};
use clap::{Parser, ValueEnum};
use contenders::Which;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use subjects::{PAPERS, Subject};

/// The times in µs that the paper gives for a pairing in batches (docs/papers.md).
const PAPER: [(&str, f64); 3] = [("GTX 480", 8700.0), ("Tesla M2050", 11900.0), ("GTX 285", 17400.0)];

/// Check batches of every shipped curve on GPUs against the processor, and time both with all threads of a batch at
/// work.
///
/// The curves of the figures come first: a check of each card with its default choice, its times, then the times of the
/// processor and of all other contenders. A time is the least of three runs, from bytes to bytes, with points checked
/// to be on the curve: microseconds per pair, by batch size. The largest batch runs first. Differences and failures are
/// reported, and the run continues; the exit status is then 1.
#[derive(Debug, Parser)]
#[command(version)]
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
    /// Compare values: on the curves of the figures by cards with their default choice, on all curves in every way, or
    /// not at all
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
    match measure(&Args::parse()) {
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

/// The state of a run: its arguments, cards, time limit and record.
struct Run<'a> {
    args: &'a Args,
    cards: Vec<Driver>,
    ceilings: Option<Ceilings>,
    limit: Limit,
    record: CardRecord,
}

impl Run<'_> {
    fn takes(&self, curve: &str) -> bool {
        self.args.curve.is_empty() || self.args.curve.iter().any(|name| name == curve)
    }

    /// Reports a difference or a failure, and adds it to the record.
    fn fail(&mut self, what: String) -> Result<(), Failure> {
        say(&format!("FAILED: {what}"));
        self.record.failures.push(what);
        self.save()
    }
}

/// Checks and measures. Returns true if nothing failed.
fn measure(args: &Args) -> Result<bool, Failure> {
    let limit = Limit::new(args.seconds);
    for name in &args.curve {
        Curve::named(name)?;
    }
    let (cards, without): (Vec<_>, Vec<_>) = Driver::all()?.into_iter().partition(Result::is_ok);
    without.iter().flat_map(|card| card.as_ref().err()).for_each(|reason| say(&format!("left out: {reason}")));
    let cards: Vec<Driver> = cards.into_iter().flatten().collect();
    let ceilings = cards[0].ceilings();
    let seed = args.seed.map_or_else(Random::fresh_seed, Ok)?;
    let record = CardRecord {
        environment: Environment::here(),
        card: cards[0].properties().name.clone(),
        cards: cards.len(),
        seed,
        ceilings: ceilings.as_ref().map_or_else(|_| BTreeMap::new(), |ceilings| named(ceilings.parts())),
        lines: vec![],
        usd_per_pairing: None,
        failures: vec![],
        left_out: vec![],
    };
    if let Some(file) = &args.record {
        record.create(file).map_err(save::failed(file))?;
    }
    say(&record.environment.text());
    say(&format!("{}, cards here: {}, seed {seed}", record.card, cards.len()));
    let paper = PAPER.map(|(card, us)| format!("{us:.0} on {card}"));
    say(&format!("ACNS 2012, microseconds for a pairing of the size of {PAPERS}: {}", paper.join(", ")));
    let mut run = Run { args, cards, ceilings: None, limit, record };
    match ceilings {
        Ok(ceilings) => {
            say(&ceilings::text(&ceilings));
            run.ceilings = Some(ceilings);
        }
        Err(reason) => run.fail(format!("the ceilings: {reason}"))?,
    }
    let mut random = Random::new(seed);
    let figures = run.of_figures(&mut random)?;
    if args.check != Checks::None {
        for subject in &figures {
            run.check(subject, Which::Default)?;
        }
    }
    run.time(&figures)?;
    if args.check == Checks::All {
        for subject in &figures {
            run.check(subject, Which::Others)?;
        }
        for name in run.others() {
            if run.limit.allows(&format!("check of {name}")) {
                let subject = Subject::new(name, Power::Exact, vec![], &mut random)?;
                run.check(&subject, Which::Default)?;
                run.check(&subject, Which::Others)?;
            }
        }
        for subject in &figures {
            run.check_long(subject)?;
        }
    }
    run.save()?;
    run.summary();
    Ok(run.record.failures.is_empty())
}
