//! `gpu`: checks and measures the engine `cuda` on this machine, beside its processor.

use bilinear_bench::ceilings::{self, Programs};
use bilinear_bench::gpu::{CardLine, CardRecord, Job, Model, Times, Work, with_bad_rows};
use bilinear_bench::plot::{Line, by_batch};
use bilinear_bench::{Environment, Inputs, Random, prices};
use bilinear_engine::cuda::{Ceilings, DeviceError, Driver, Modulus};
use bilinear_engine::{Batch, Curve, Options, Power, System, SystemError, Validate};
use clap::Parser;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Threads a pairing that are compared, in words, where these are not split; residues are the fourth.
const WIDTHS: [usize; 3] = [1, 4, 8];
/// Rows of a check, and pairs of one of products: more than a vector has.
const CHECKED: usize = 200;
/// Rows of the long check, of which one is bad and one has an O: many tasks of a batch.
const MANY: usize = 100_000;
/// Where they are compared.
const LONG: [&str; 2] = ["a-512", "bls12-381"];
/// How long the processor computes before `auto` tries the cards.
const TRIAL: Duration = Duration::from_millis(500);
/// Pairs of a batch, and batches at most, with which `auto` finds out who takes less time.
const LEARNING: (usize, usize) = (4096, 20);
/// What the paper took for a pairing of the size of `a1-2x512`, in batches (docs/papers.md).
const PAPER: [(&str, f64); 3] = [("GTX 480", 8700.0), ("Tesla M2050", 11900.0), ("GTX 285", 17400.0)];
/// The curve of that size.
const PAPERS: &str = "a1-2x512";
/// Contenders that are no cards.
const PROCESSOR: &str = "processor";
const AUTO: &str = "auto";
/// The job that is drawn: the name of single pairings.
const SINGLE: &str = "pairings";
/// Curves of prime order that are dashed in the picture, as in the paper.
const DASHED: [&str; 2] = ["a-512", "d-179"];

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

/// One way of computing: a card, or all of them.
struct Contender {
    name: String,
    cards: Vec<Driver>,
}

/// The contenders for a curve: one card, with several numbers of threads a pairing, or with threads that split words where the modulus is that
/// long, and in residues; all cards as they choose, if there are several.
fn contenders(all: &[Driver], curve: &Curve) -> Vec<Contender> {
    let one = |name: String, card: Driver| Contender { name, cards: vec![card] };
    let is_split = Modulus::new(curve.family().field()).is_ok_and(|modulus| modulus.split() > 1);
    let mut contenders: Vec<Contender> = match is_split {
        true => vec![one("cuda, split words".to_owned(), all[0].with_width(1))],
        false => WIDTHS.map(|width| one(format!("cuda, {width} threads"), all[0].with_width(width))).into(),
    };
    contenders.push(one("cuda, residues".to_owned(), all[0].with_residues()));
    if all.len() > 1 {
        contenders.push(Contender { name: format!("cuda, {} cards", all.len()), cards: all.to_vec() });
    }
    contenders
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
        "ceilings of one in a second: {:.2e} multiply-adds of words, {:.2e} of 8 bits, {:.2e} words of shared memory, {:.2e} of memory",
        ceilings.multiply_adds, ceilings.digits, ceilings.shared, ceilings.memory
    ));
    let mut random = Random::new(seed);
    run.check(&mut random)?;
    let lines = run.time(&mut random)?;

    if let Some(file) = &args.plot {
        let about = format!("{card}; thin: {}", environment.brief());
        std::fs::write(file, by_batch(&about, &drawn(&lines))).map_err(failed(file))?;
        say(&format!("\ndrawn: {}", file.display()));
    }
    let known = prices::price_of(&card);
    let price = args.price.or(known.as_ref().map(|price| price.usd_per_hour));
    let usd_per_pairing = price.and_then(|price| Some(prices::cost(least_of_paper(&lines)?, price)));
    if let (Some(price), Some(usd)) = (price, usd_per_pairing) {
        let of = match known.filter(|_| args.price.is_none()) {
            Some(price) => format!(" ({}, {})", price.of, price.source),
            None => String::new(),
        };
        say(&format!("\na pairing on {PAPERS}: {usd:.1e} USD at {price} USD an hour{of}"));
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

    /// Compares the cards with the processor on every curve.
    fn check(&self, random: &mut Random) -> Result<(), Failure> {
        say("\n== the same values, with a bad row and an O, single and in products, fixed or not");
        for name in Curve::names().filter(|name| self.takes(name)) {
            let host = System::new(&Curve::named(name)?)?;
            let inputs = Inputs::new(&host, random);
            for (number, Contender { name: who, cards }) in
                contenders(&self.cards, host.curve()).into_iter().enumerate()
            {
                match host.on_device(cards) {
                    Ok(on) => {
                        let batches = [host.clone(), on].map(Batch::new);
                        compare(&batches, &inputs, &who)?;
                        if LONG.contains(&name) && number == 0 {
                            compare_rows(&batches, &inputs, MANY, &who)?;
                        }
                        say(&format!("{name}, {who}: as the processor"));
                    }
                    Err(reason) => say(&format!("{name}, {who}: left out: {reason}")),
                }
            }
        }
        Ok(())
    }

    /// Times the processor, `auto` and the cards.
    fn time(&self, random: &mut Random) -> Result<Vec<CardLine>, Failure> {
        let [single, nine, key] = [(1, false), (9, false), (9, true)].map(|(product, fixed)| Job { product, fixed });
        let jobs = [
            (PAPERS, Power::Exact, vec![single, nine, key]),
            ("a1-2x1024", Power::Exact, vec![single]),
            ("a-512", Power::Exact, vec![single]),
            ("d-179", Power::Exact, vec![single]),
            ("bls12-381", Power::Fast, vec![single]),
            ("alt-bn128", Power::Fast, vec![single]),
        ];
        let mut lines = vec![];
        for (name, power, jobs) in jobs.into_iter().filter(|(name, ..)| self.takes(name)) {
            let options = Options { power, ..Options::default() };
            let host = System::with(&Curve::named(name)?, options)?;
            let inputs = Inputs::new(&host, random);
            let auto = host.beside_device(self.cards.clone(), TRIAL)?;
            let mut systems = vec![(PROCESSOR.to_owned(), host.clone(), None), (AUTO.to_owned(), auto, None)];
            for Contender { name, cards } in contenders(&self.cards, host.curve()) {
                systems.push((name, host.on_device(cards.clone())?, Some(cards)));
            }
            for job in jobs {
                say(&format!("\n== {name}, {}, {power} power: microseconds a pair", job.name()));
                let mut processor = Times::default();
                for (who, system, cards) in &systems {
                    let batch = Batch::new(system.clone()).validate(Validate::Curve);
                    if who == AUTO {
                        learn(&batch, &inputs, job);
                    }
                    let sizes: Vec<usize> = self.args.batch.iter().map(|size| size.get()).collect();
                    let times = Times::new(&batch, &inputs, job, &sizes, self.args.longest);
                    if let Some(reason) = system.fallen_back() {
                        return Err(Failure::Fell { curve: name.to_owned(), reason });
                    }
                    let less_from = times.crossover(&processor);
                    let less = less_from.map_or(String::new(), |size| format!("  less from {size} on"));
                    say(&(times.text(who) + &less));
                    let model = match (cards, times.least()) {
                        (Some(cards), Some(time)) => self.model(system.curve(), options, job, cards, time)?,
                        _ => None,
                    };
                    if name == PAPERS && job == single && who == PROCESSOR {
                        let paper = PAPER.map(|(card, us)| format!("{card}: {us:.0}"));
                        say(&format!("{:16}  {}", "ACNS 2012", paper.join("  ")));
                    }
                    lines.push(CardLine {
                        curve: name.to_owned(),
                        power: power.to_string(),
                        job: job.name(),
                        who: who.clone(),
                        us: times.microseconds(),
                        less_from,
                        model,
                    });
                    if who == PROCESSOR {
                        processor = times;
                    }
                }
            }
        }
        Ok(lines)
    }

    /// Says what a job asks of cards, and what share of their ceilings a time reaches.
    fn model(
        &self,
        curve: &Curve,
        options: Options,
        job: Job,
        cards: &[Driver],
        time: Duration,
    ) -> Result<Option<Model>, Failure> {
        let Some(programs) = Programs::new(curve, options, job, cards[0].properties())? else { return Ok(None) };
        let (cost, warps) = (programs.cost(), programs.warps(&cards[0])?);
        let parts = ceilings::at_ceilings(&cost, &self.ceilings, cards.len());
        say(&ceilings::line(&cost, &parts, warps, time));
        Ok(Some(Model::new(&cost, warps, ceilings::share(&parts, time))))
    }
}

/// The least time of a card for a pairing of the paper's size.
fn least_of_paper(lines: &[CardLine]) -> Option<Duration> {
    let single = lines.iter().filter(|line| line.curve == PAPERS && line.job == SINGLE && line.model.is_some());
    let us = single.flat_map(|line| &line.us).map(|(_, us)| *us).reduce(f64::min);
    us.map(|us| Duration::from_secs_f64(us / 1e6))
}

/// Single pairings of the processor and of each card or number of them; of each curve the contender that takes least in its best batch.
fn drawn(lines: &[CardLine]) -> Vec<Line> {
    let single = lines.iter().filter(|line| line.job == SINGLE && line.who != AUTO);
    let all: Vec<Line> = single
        .map(|line| Line {
            curve: line.curve.clone(),
            who: line.who.clone(),
            dashed: DASHED.contains(&&*line.curve),
            thin: line.who == PROCESSOR,
            points: line.us.clone(),
        })
        .collect();
    fastest(&all)
}

/// Compares a device with the processor.
fn compare(batches: &[Batch; 2], inputs: &Inputs, who: &str) -> Result<(), Failure> {
    compare_rows(batches, inputs, CHECKED, who)?;
    let [host, on] = batches;
    let curve = || host.system().curve().name().to_owned();
    let differs = |job: String| Failure::Differs { curve: curve(), job, who: who.to_owned() };
    for (product, fixed) in [(1, true), (9, false), (9, true)] {
        let job = Job { product, fixed };
        let [want, got] = [host, on].map(|batch| Work::new(batch, inputs, job, CHECKED).values(batch));
        if want != got {
            return Err(differs(job.name()));
        }
    }
    on.system().fallen_back().map_or(Ok(()), |reason| Err(Failure::Fell { curve: curve(), reason }))
}

/// The single pairings of so many rows, with an O and a bad one.
fn compare_rows([host, on]: &[Batch; 2], inputs: &Inputs, rows: usize, who: &str) -> Result<(), Failure> {
    if with_bad_rows(host, inputs, rows) == with_bad_rows(on, inputs, rows) {
        return Ok(());
    }
    let (curve, job) = (host.system().curve().name().to_owned(), format!("{rows} single pairings with a bad row"));
    Err(Failure::Differs { curve, job, who: who.to_owned() })
}

/// Has `auto` compute until its cards have computed too, or never will.
fn learn(batch: &Batch, inputs: &Inputs, job: Job) {
    let work = Work::new(batch, inputs, job, LEARNING.0);
    let on_cards = || batch.system().device_share().map_or(0, |[cards, _]| cards);
    for _ in 0..LEARNING.1 {
        let before = on_cards();
        drop(work.values(batch));
        if on_cards() > before {
            break;
        }
    }
}

/// Of each curve the processor's line, and that of the contender that takes least in its best batch.
fn fastest(lines: &[Line]) -> Vec<Line> {
    let least = |line: &Line| line.points.iter().map(|(_, us)| *us).fold(f64::INFINITY, f64::min);
    let is_kept = |line: &&Line| {
        let rivals = lines.iter().filter(|other| other.curve == line.curve && !other.thin);
        line.thin || rivals.map(least).fold(f64::INFINITY, f64::min) >= least(line)
    };
    lines.iter().filter(is_kept).cloned().collect()
}
