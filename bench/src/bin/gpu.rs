//! `gpu`: checks and measures the engine `cuda` on this machine, beside its processor.

use bilinear_bench::gpu::{Job, Work, with_bad_rows};
use bilinear_bench::{Environment, Inputs, Random, ceilings, prices};
use bilinear_engine::cuda::{DeviceError, Driver};
use bilinear_engine::{Batch, Curve, Options, Power, System, SystemError, Validate};
use clap::Parser;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Duration;

/// Threads a pairing that are compared, in words; residues are the fourth.
const WIDTHS: [usize; 3] = [1, 4, 8];
/// Rows of a check, and pairs of one of products: more than a vector has.
const CHECKED: usize = 200;

/// Check batches of every shipped curve on the first GPU against the processor, then measure both, all threads of a batch at work.
///
/// Times are the least of three runs, from bytes to bytes, points checked to be on the curve: microseconds a pair, by batch size. Larger
/// batches that would take longer than --longest are not measured, which the table says.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Pairs of a batch
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,16,256,4096,16384,65536,262144")]
    batch: Vec<NonZeroUsize>,
    /// Leave out batches of which one run takes more seconds than this
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    longest: f64,
    /// What an hour of this card costs, in USD, instead of what bench/prices.json says: the last line is the cost of a pairing
    #[arg(long, value_name = "USD")]
    price: Option<f64>,
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

/// The devices that are compared: one card, with several numbers of threads a pairing and in residues; all cards, if there are several.
fn devices() -> Result<Vec<(String, Driver)>, DeviceError> {
    let first = Driver::new(0)?;
    let mut all: Vec<(String, Driver)> =
        WIDTHS.map(|width| (format!("cuda, {width} threads"), first.with_width(width))).into();
    all.push(("cuda, residues".to_owned(), first.with_residues()));
    Ok(all)
}

fn measure(args: &Args) -> Result<(), Failure> {
    let devices = devices()?;
    let seed = args.seed.map_or_else(Random::fresh_seed, Ok)?;
    say(&Environment::here().text());
    let card = devices[0].1.properties().name.clone();
    let ceilings = devices[0].1.ceilings()?;
    say(&format!("{card}, {} of it here, seed {seed}", Driver::all()?.len()));
    say(&format!(
        "ceilings in a second: {:.2e} multiply-adds of words, {:.2e} of 8 bits, {:.2e} words of shared memory, {:.2e} of memory",
        ceilings.multiply_adds, ceilings.digits, ceilings.shared, ceilings.memory
    ));

    say("\n== every shipped curve: the same values, with a bad row and an O, single and in products, fixed or not");
    let mut random = Random::new(seed);
    for name in Curve::names() {
        let host = System::new(&Curve::named(name)?)?;
        let inputs = Inputs::new(&host, &mut random);
        for (who, device) in &devices {
            match host.on_device(device.clone()) {
                Ok(on) => compare(&Batch::new(host.clone()), &Batch::new(on), &inputs, who)?,
                Err(reason) => say(&format!("{name}: left out: {reason}")),
            }
        }
    }

    let [single, nine, key] = [(1, false), (9, false), (9, true)].map(|(product, fixed)| Job { product, fixed });
    let jobs = [
        ("a1-2x512", Power::Exact, vec![single, nine, key]),
        ("a1-2x1024", Power::Exact, vec![single]),
        ("a-512", Power::Exact, vec![single]),
        ("d-159", Power::Exact, vec![single]),
        ("bls12-381", Power::Fast, vec![single]),
        ("alt-bn128", Power::Fast, vec![single]),
    ];
    let mut last = None;
    for (name, power, jobs) in jobs {
        let host = System::with(&Curve::named(name)?, Options { power, ..Options::default() })?;
        let inputs = Inputs::new(&host, &mut random);
        let mut systems = vec![("processor".to_owned(), host.clone())];
        for (who, device) in &devices {
            systems.push((who.clone(), host.on_device(device.clone())?));
        }
        for job in jobs {
            say(&format!("\n== {name}, {}, {power} power: microseconds a pair", job.name()));
            for (who, system) in &systems {
                let batch = Batch::new(system.clone()).validate(Validate::Curve);
                let least = times(&batch, &inputs, job, args, who);
                if let Some(reason) = system.fallen_back() {
                    return Err(Failure::Fell { curve: name.to_owned(), reason });
                }
                let device = devices.iter().find(|(device, _)| device == who);
                if let (Some((_, device)), Some(time), false) = (device, least, job.fixed) {
                    let options = Options { power, ..Options::default() };
                    let cost = ceilings::cost(&Curve::named(name)?, options, job.product, device.properties())?;
                    cost.iter().for_each(|cost| say(&ceilings::line(cost, &ceilings, time)));
                }
                if name == "a1-2x512" && job == single && who != "processor" {
                    last = last.into_iter().chain(least).min();
                }
            }
        }
    }
    let known = prices::price_of(&card);
    let price = args.price.or(known.as_ref().map(|price| price.usd_per_hour));
    if let (Some(price), Some(time)) = (price, last) {
        let of = match known.filter(|_| args.price.is_none()) {
            Some(price) => format!(" ({}, {})", price.of, price.source),
            None => String::new(),
        };
        say(&format!("\na pairing on a1-2x512: {:.1e} USD at {price} USD an hour{of}", prices::cost(time, price)));
    }
    Ok(())
}

/// Compares a device with the processor.
fn compare(host: &Batch, on: &Batch, inputs: &Inputs, who: &str) -> Result<(), Failure> {
    let curve = || host.system().curve().name().to_owned();
    let differs = |job: String| Failure::Differs { curve: curve(), job, who: who.to_owned() };
    if with_bad_rows(host, inputs, CHECKED) != with_bad_rows(on, inputs, CHECKED) {
        return Err(differs("single pairings with a bad row".to_owned()));
    }
    for (product, fixed) in [(1, true), (9, false), (9, true)] {
        let job = Job { product, fixed };
        let [want, got] = [host, on].map(|batch| Work::new(batch, inputs, job, CHECKED).values(batch));
        if want != got {
            return Err(differs(job.name()));
        }
    }
    on.system().fallen_back().map_or(Ok(()), |reason| Err(Failure::Fell { curve: curve(), reason }))
}

/// A line of times by batch size; the least of them.
fn times(batch: &Batch, inputs: &Inputs, job: Job, args: &Args, who: &str) -> Option<Duration> {
    let mut line = format!("{who:16}");
    let mut least: Option<Duration> = None;
    for size in args.batch.iter().map(|size| size.get().max(job.product)) {
        let expected = least.unwrap_or_default().as_secs_f64() * size as f64;
        if expected > args.longest {
            line += &format!("  {size}: not measured");
            continue;
        }
        let time = Work::new(batch, inputs, job, size).time(batch);
        line += &format!("  {size}: {:.2}", time.as_secs_f64() * 1e6);
        least = Some(least.map_or(time, |least| least.min(time)));
    }
    say(&line);
    least
}
