//! `bilinear bench`: how fast this machine is at the jobs of `bilinear pair`.

use super::Outcome;
use crate::choice::PairingChoice;
use crate::console;
use crate::error::CommandError;
use bilinear_bench::{Environment, Event, LadderError, Method, Peers, Plan, Random, Rungs, Work, table};
use bilinear_engine::{Engine, Options};
use bilinear_params::{Curve, Description};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Pairs that a peer's values are checked on, and that its products have at most.
const PEER_PAIRS: usize = 8;

/// Measure this machine: time per pairing, for single pairings, prepared arguments and products.
///
/// Points are random; they are decoded and checked to be on the curve, as with `pair --trusted`. Times are medians.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear bench --quick
  bilinear bench --curve a1-2x512 --jobs pair,product --batch 1,64,4096 --threads 8 --json")]
pub(crate) struct Args {
    /// A shipped curve, by name or alias; may be given several times. a-512, a1-1024 and a1-2048 by default
    #[arg(long, value_name = "NAME")]
    curve: Vec<String>,
    /// A file of parameters: TOML, or a PBC .param file; may be given several times
    #[arg(long, value_name = "FILE")]
    params: Vec<PathBuf>,
    /// What is computed: pair, prepared, product, prepared-product
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "pair,prepared,product")]
    jobs: Vec<Work>,
    /// Pairs that are handed over together; for products: that are multiplied
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,8,64")]
    batch: Vec<NonZeroUsize>,
    /// Threads; as many as there are processors by default
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The engine (mont, ifma, portable, reference); the best of this machine by default
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
    #[command(flatten)]
    pairing: PairingChoice,
    /// Also measure PBC, where the loader finds one or BILINEAR_PBC says where it is, and gnark-crypto, where BILINEAR_GNARK
    /// says where bench/gnark has built it, beside one thread of ours
    #[arg(long)]
    peers: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Short measurements, for a first look
    #[arg(long)]
    quick: bool,
}

/// Runs the command.
///
/// # Errors
/// If there is no such curve, it cannot be computed with, or a peer's value differs.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let curves = args.curves()?;
    let peers = if args.peers { Peers::find(&mut |text| console::note(text)) } else { Peers::default() };
    let plan = args.plan()?;
    if !args.json {
        write(&format!("{}\nseed {:016x}\n", Environment::here().text(), plan.seed))?;
    }
    let mut failed = None;
    let mut sink = |event: Event<'_>| {
        let line = match event {
            Event::Curve(text) if !args.json => format!("\n{text}\n{}", table::head()),
            Event::Curve(text) | Event::Note(text) => return console::note(text),
            Event::Measurement(m) if !args.json => table::line(m),
            Event::Measurement(m) => {
                serde_json::to_string(m).unwrap_or_else(|e| unreachable!("numbers and texts are JSON: {e}"))
            }
        };
        failed = failed.take().or(write(&(line + "\n")).err());
    };
    let done = bilinear_bench::run(&plan, &curves, &peers, &mut sink);
    done.map_err(|error: LadderError| CommandError::Engine(error.to_string()))?;
    failed.map_or(Ok(Outcome::Good), Err)
}

impl Args {
    fn curves(&self) -> Result<Vec<Curve>, CommandError> {
        let defaults = ["a-512", "a1-1024", "a1-2048"].map(str::to_owned);
        let names = if self.curve.is_empty() && self.params.is_empty() { &defaults[..] } else { &self.curve };
        let named = names.iter().map(|name| Curve::named(name));
        let read = self.params.iter().map(|file| Description::load(file).map(|description| description.curve));
        Ok(named.chain(read).collect::<Result<_, _>>()?)
    }

    fn plan(&self) -> Result<Plan, CommandError> {
        let threads = match self.threads {
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_err(CommandError::io("processors", "count"))?,
        };
        let seed = Random::fresh_seed().map_err(|error| CommandError::Engine(error.to_string()))?;
        Ok(Plan {
            options: Options { engine: self.engine, pairing: self.pairing.kind, power: self.pairing.power },
            rungs: vec![Rungs::Bulk],
            jobs: self.jobs.clone(),
            batches: self.batch.clone(),
            products: self.batch.clone(),
            threads: if self.peers && threads.get() > 1 { vec![NonZeroUsize::MIN, threads] } else { vec![threads] },
            method: if self.quick { Method::quick() } else { Method::full() },
            seed,
            peer_pairs: PEER_PAIRS,
        })
    }
}

fn write(text: &str) -> Result<(), CommandError> {
    console::print(text).map_err(CommandError::io("standard output", "write"))
}
