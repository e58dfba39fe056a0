//! `ladder`: measures this machine, rung by rung, beside the peers that it finds.

use bilinear_bench::{
    Environment, Event, LadderError, Measurement, Method, Peers, Plan, Random, Rungs, Work, plot, record::Record, run,
    table,
};
use bilinear_engine::{Engine, Options, PairingKind, Power, Research};
use bilinear_params::{Curve, Description};
use clap::Parser;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;
use std::time::Duration;

/// Measure every layer of a pairing on this machine, beside the libraries that are found.
///
/// Peers: GMP, blst and arkworks if this program was built with the features `gmp`, `blst` and `ark`; more builds of
/// GMP, and PBC, by the paths in BILINEAR_GMP and BILINEAR_PBC (several separated by `:`); gnark-crypto, which
/// bench/gnark builds, by the path in BILINEAR_GNARK; mcl by the path in BILINEAR_MCL; RELIC by the paths in
/// BILINEAR_RELIC, a library for each curve. Times are medians; a peer's line ends with its time over ours.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Names of shipped curves, or parameter files (TOML or PBC .param)
    #[arg(value_name = "CURVE", default_values = ["a-512", "a1-1024", "a1-2048"])]
    curves: Vec<String>,
    /// The engine (mont, ifma, portable, hmm, rns, rows, cuda, auto, reference); the best of this processor by default
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
    /// The pairing (optate, ate, rate, tate, betaweil, alphaweil, weil, etat, opteta); the family's own by default
    #[arg(long, value_name = "KIND")]
    pairing: Option<PairingKind>,
    /// The power of the pairing: exact or fast
    #[arg(long, value_name = "POWER", default_value = "exact")]
    power: Power,
    /// Accept curves of small characteristic (ss2-1223 and others), whose discrete logarithms are broken
    #[arg(long)]
    research: bool,
    /// Parts of the ladder: field, parts, groups, bulk
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    rungs: Vec<Rungs>,
    /// Batch jobs: pair, prepared, product, prepared-product
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    jobs: Vec<Work>,
    /// Sizes of batches, up to 2^20
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,8,64,4096", value_parser = size)]
    batch: Vec<NonZeroUsize>,
    /// Sizes of products, up to 2^20
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "2,8,32", value_parser = size)]
    product: Vec<NonZeroUsize>,
    /// Numbers of threads; one and all by default
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    threads: Vec<NonZeroUsize>,
    /// Short measurements: a first look at the default curves in about a minute
    #[arg(long)]
    quick: bool,
    /// Minimum number of samples of each measurement; up to 2000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=2000))]
    rounds: Option<u16>,
    /// Minimum duration of each measurement in seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Leave out work if one run takes more seconds than this
    #[arg(long, value_name = "S", value_parser = seconds)]
    longest: Option<Duration>,
    /// Repeat the random inputs of an earlier run, by its seed in hexadecimal; by default the seed is random
    #[arg(long, value_name = "HEX", value_parser = hexadecimal)]
    seed: Option<u64>,
    /// Measure without peers
    #[arg(long)]
    alone: bool,
    /// Print one JSON object per line on standard output, and everything else on standard error
    #[arg(long)]
    json: bool,
    /// Store the results as DIR/MACHINE/DAY-COMMIT.json
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Draw time per pairing against batch size
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// The reason why the program fails.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Params(#[from] bilinear_params::Error),
    #[error(transparent)]
    Ladder(#[from] LadderError),
    #[error("the operating system has no randomness: {0}")]
    Randomness(#[from] getrandom::Error),
    #[error("{file}: {reason}")]
    Io { file: String, reason: io::Error },
}

fn main() -> ExitCode {
    match climb(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            note(&format!("error: {failure}"));
            ExitCode::from(2)
        }
    }
}

fn climb(args: &Args) -> Result<(), Failure> {
    let curves = args.curves.iter().map(|name| curve(name)).collect::<Result<Vec<_>, _>>()?;
    let environment = Environment::here();
    let peers = if args.alone { Peers::default() } else { Peers::find(&mut |text| note(&text)) };
    let plan = args.plan()?;
    let say = |text: &str| if args.json { note(text) } else { print(text) };
    say(&environment.text());
    say(&format!("seed {:016x}, peers: {}", plan.seed, list(&peers.labels())));
    let mut sink = |event: Event<'_>| match event {
        Event::Curve(text) => say(&format!("\n{text}\n{}", table::head())),
        Event::Note(text) => say(&text),
        Event::Measurement(m) => print(&if args.json { json(m) } else { table::line(m) }),
    };
    // creates the files before hours of measurements are spent
    if let Some(folder) = &args.record {
        fs::create_dir_all(folder.join(environment.machine())).map_err(failed(folder))?;
    }
    if let Some(file) = &args.plot {
        fs::write(file, "").map_err(failed(file))?;
    }
    let mut measurements = vec![];
    let measured = curves.iter().try_for_each(|curve| {
        measurements.extend(run(&plan, slice::from_ref(curve), &peers, &mut sink)?);
        Ok(())
    });
    // keeps what was measured before a failure
    let drawn = args.plot.as_ref().map_or(Ok(()), |file| {
        fs::write(file, plot::draw(&environment.brief(), &measurements)).map_err(failed(file))?;
        note(&format!("drawn: {}", file.display()));
        Ok(())
    });
    if let Some(folder) = args.record.as_ref().filter(|_| !measurements.is_empty()) {
        let record = Record::new(environment, &plan, &peers.labels(), measurements);
        let file = record.write(folder).map_err(failed(folder))?;
        note(&format!("recorded: {}", file.display()));
    }
    measured.and(drawn)
}

impl Args {
    fn plan(&self) -> Result<Plan, Failure> {
        let or_all = |list: &[NonZeroUsize]| match list {
            [] => {
                let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
                let mut both = vec![NonZeroUsize::MIN, all];
                both.dedup();
                both
            }
            list => list.to_vec(),
        };
        let mut method = if self.quick { Method::quick() } else { Method::full() };
        method.rounds = self.rounds.map_or(method.rounds, usize::from);
        method.time = self.time.unwrap_or(method.time);
        method.longest = self.longest.unwrap_or(method.longest);
        Ok(Plan {
            options: Options {
                engine: self.engine,
                pairing: self.pairing,
                power: self.power,
                research: self.research.then(Research::knowing_it_is_broken),
                ..Options::default()
            },
            rungs: if self.rungs.is_empty() { Rungs::ALL.to_vec() } else { self.rungs.clone() },
            jobs: if self.jobs.is_empty() { Work::ALL.to_vec() } else { self.jobs.clone() },
            batches: self.batch.clone(),
            products: self.product.clone(),
            threads: or_all(&self.threads),
            method,
            seed: self.seed.map_or_else(Random::fresh_seed, Ok)?,
            peer_pairs: if self.quick { 8 } else { 32 },
        })
    }
}

/// Returns a shipped curve, or the curve described in a file.
fn curve(name: &str) -> Result<Curve, bilinear_params::Error> {
    match Curve::named(name) {
        Err(_) if Path::new(name).exists() => Description::load(name).map(|description| description.curve),
        result => result,
    }
}

fn size(text: &str) -> Result<NonZeroUsize, String> {
    let size: NonZeroUsize = text.parse().map_err(|e: std::num::ParseIntError| e.to_string())?;
    if size.get() <= 1 << 20 { Ok(size) } else { Err("at most 1048576".to_owned()) }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|e| e.to_string())
}

fn json(m: &Measurement) -> String {
    serde_json::to_string(m).unwrap_or_else(|e| unreachable!("numbers and texts are JSON: {e}"))
}

fn list(labels: &[&str]) -> String {
    if labels.is_empty() { "none".to_owned() } else { labels.join(", ") }
}

fn failed(file: &Path) -> impl FnOnce(io::Error) -> Failure {
    let file = file.display().to_string();
    move |reason| Failure::Io { file, reason }
}

/// Writes a line to standard output. Errors, such as a closed pipe, are ignored.
fn print(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Writes a line to standard error.
fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
