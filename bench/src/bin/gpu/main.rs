//! `gpu`: checks and measures the engine `cuda` on this machine, beside its processor.

mod check;
mod contenders;
mod time;

use bilinear_bench::gpu::CardRecord;
use bilinear_bench::plot::by_batch;
use bilinear_bench::{Environment, Random, prices};
use bilinear_engine::cuda::{Ceilings, DeviceError, Driver};
use bilinear_engine::{Curve, SystemError};
use clap::Parser;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check batches of every shipped curve on GPUs against the processor, then measure both, all threads of a batch at work.
///
/// Times are the least of three runs, from bytes to bytes, points checked to be on the curve: microseconds a pair, by batch size. Larger
/// batches that would take longer than --longest are not measured, which the table says.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Pairs of a batch
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,16,256,4096,16384,65536,262144")]
    batch: Vec<NonZeroUsize>,
    /// Check and measure these curves alone
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    curve: Vec<String>,
    /// Leave out batches of which one run takes more seconds than this
    #[arg(long, value_name = "S", default_value_t = 3.0)]
    longest: f64,
    /// What an hour of this card costs, in USD, instead of what bench/prices.json says: the last line is the cost of a pairing
    #[arg(long, value_name = "USD")]
    price: Option<f64>,
    /// Draw times of single pairings against batch size
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Write a record into a file, which must not exist
    #[arg(long, value_name = "FILE.json")]
    record: Option<PathBuf>,
    /// The random inputs of an earlier run
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Why the program fails.
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
    #[error("{curve}, {job}: {who} has other values than the processor")]
    Differs { curve: String, job: String, who: String },
    #[error("{curve}: the device failed: {reason}")]
    Fell { curve: String, reason: String },
    #[error("{file}: {reason}")]
    Io { file: String, reason: io::Error },
}

fn main() -> ExitCode {
    match measure(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr().lock(), "error: {failure}");
            ExitCode::from(1)
        }
    }
}

/// A line on standard output; a reader that has gone is no matter.
fn say(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// What is measured, and on what.
struct Run<'a> {
    args: &'a Args,
    environment: Environment,
    cards: Vec<Driver>,
    ceilings: Ceilings,
}

impl Run<'_> {
    fn takes(&self, curve: &str) -> bool {
        self.args.curve.is_empty() || self.args.curve.iter().any(|name| name == curve)
    }
}

fn measure(args: &Args) -> Result<(), Failure> {
    for name in &args.curve {
        Curve::named(name)?;
    }
    let cards = Driver::all()?;
    let run = Run { args, environment: Environment::here(), ceilings: cards[0].ceilings()?, cards };
    let seed = args.seed.map_or_else(Random::fresh_seed, Ok)?;
    let Run { environment, cards, ceilings, .. } = &run;
    let card = cards[0].properties().name.clone();
    say(&environment.text());
    say(&format!("{card}, {} of it here, seed {seed}", cards.len()));
    say(&format!(
        "ceilings of one in a second: {:.2e} multiply-adds of words, {:.2e} of 8 bits, {:.2e} words of shared memory, {:.2e} of memory, {:.2e} of records",
        ceilings.multiply_adds, ceilings.digits, ceilings.shared, ceilings.memory, ceilings.records
    ));
    let mut random = Random::new(seed);
    run.check(&mut random)?;
    let lines = run.time(&mut random)?;

    if let Some(file) = &args.plot {
        let about = format!("{card}; thin: {}", environment.brief());
        std::fs::write(file, by_batch(&about, &time::drawn(&lines))).map_err(failed(file))?;
        say(&format!("\ndrawn: {}", file.display()));
    }
    let known = prices::price_of(&card);
    let price = args.price.or(known.as_ref().map(|price| price.usd_per_hour));
    let usd_per_pairing = price.and_then(|price| Some(prices::cost(time::least_of_paper(&lines)?, price)));
    if let (Some(price), Some(usd)) = (price, usd_per_pairing) {
        let of = match known.filter(|_| args.price.is_none()) {
            Some(price) => format!(" ({}, {})", price.of, price.source),
            None => String::new(),
        };
        say(&format!("\na pairing on {}: {usd:.1e} USD at {price} USD an hour{of}", time::PAPERS));
    }
    if let Some(file) = &args.record {
        let (environment, ceilings) = (environment.clone(), (*ceilings).into());
        CardRecord { environment, card, cards: cards.len(), seed, ceilings, lines, usd_per_pairing }
            .write(file)
            .map_err(failed(file))?;
        say(&format!("recorded: {}", file.display()));
    }
    Ok(())
}

fn failed(file: &Path) -> impl FnOnce(io::Error) -> Failure {
    |reason| Failure::Io { file: file.display().to_string(), reason }
}
