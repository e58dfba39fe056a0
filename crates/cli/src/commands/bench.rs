//! `bilinear bench`: the time of pairings on this machine. The ladder in `bench/` measures every layer, beside
//! other libraries.

use super::Outcome;
use crate::choice::{CurveChoice, PairingChoice, count, named, say_no_device};
use crate::console;
use crate::error::CommandError;
use bilinear_engine::{Batch, Engine, Group, Options, Point, PointRef, PreparedRows, Side, System};
use clap::ValueEnum;
use serde::Serialize;
use std::fmt::Write;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Measure the time of pairings on this machine.
///
/// `latency` measures one pairing at a time, from points to bytes, on one core and on several, up to the number of
/// threads. It shows each speed-up beside the one that the counts of the pairing's programs predict. It measures the
/// engine mont and, where the processor has AVX-512 IFMA and the field is short enough, the engine rows.
///
/// `few` measures one to eight pairings in one call on one core, on each engine that may be chosen for such a call and
/// on the automatic choice (`default`). `product` measures one product of one to eight pairs, and `prepared` such a
/// product with prepared arguments. `batch` measures many pairings at a time on the best engine.
///
/// Inputs are random. Times are medians, and times that are compared are measured in turns.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear bench --curve bls12-381
  bilinear bench --curve a1-1024 --jobs latency --threads 4 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    curve: CurveChoice,
    /// The jobs to measure, separated by commas
    #[arg(long, value_name = "JOBS", value_enum, value_delimiter = ',', default_values_t = [Job::Latency, Job::Batch])]
    jobs: Vec<Job>,
    /// The engine to measure (default: those named above)
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
    #[command(flatten)]
    pairing: PairingChoice,
    /// Use at most N threads (default: one per processor)
    #[arg(long, value_name = "N", value_parser = count)]
    threads: Option<NonZeroUsize>,
    /// The number of samples of each time, at most 100000
    #[arg(long, value_name = "N", default_value = "15", value_parser = samples)]
    samples: NonZeroUsize,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// A job to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Job {
    /// One pairing at a time.
    Latency,
    /// One to eight pairings in one call.
    Few,
    /// One product of one to eight pairs.
    Product,
    /// One product of one to eight pairs with prepared arguments.
    Prepared,
    /// Many pairings at a time.
    Batch,
}

/// A measurement of one job on one engine.
#[derive(Serialize)]
struct Row {
    curve: String,
    job: Job,
    engine: &'static str,
    threads: usize,
    /// The number of pairings in one call, where that is compared, or the number of pairs of a product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairings: Option<usize>,
    /// The engine that was chosen, where the user did not choose one.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<&'static str>,
    /// The time of one pairing or product: the median of the samples.
    microseconds: f64,
    /// The time of the fastest sample.
    min_microseconds: f64,
    samples: usize,
    /// The number of pairings or products per second.
    rate: f64,
    /// The speed-up over one thread: the median over samples that were taken in turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_up: Option<f64>,
    /// The speed-up that the programs' counts predict.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<f64>,
}

impl Row {
    /// Creates a measurement of an engine from samples of the time of one pairing, in microseconds, without
    /// comparisons.
    fn new(system: &System, job: Job, engine: &'static str, threads: usize, times: Vec<f64>) -> Row {
        let samples = times.len();
        let (microseconds, min_microseconds) = summary(times);
        Row {
            curve: system.curve().name().to_owned(),
            job,
            engine,
            threads,
            pairings: None,
            taken: None,
            microseconds,
            min_microseconds,
            samples,
            rate: 1e6 / microseconds,
            speed_up: None,
            predicted: None,
        }
    }
}

/// The number of pairs of random points, so that successive calls use different pairs.
const POINTS: usize = 16;
/// The most pairings in a call of the job `few`: one in each lane.
const MAX_FEW: usize = 8;
/// The least duration of a sample.
const SAMPLE: Duration = Duration::from_millis(5);

type Pair = (Point, Point);

/// Runs the command.
///
/// # Errors
/// Returns an error if a requested engine cannot compute with the curve, if threads cannot be started, or if
/// standard output cannot be written.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let threads = args.threads.or(available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let PairingChoice { kind: pairing, power } = args.pairing;
    let system = args.curve.system(Options { engine: args.engine, pairing, power, ..Options::default() })?;
    say_no_device(&system);
    let together = Batch::new(system.clone()).threads(threads).map_err(failed)?;
    let (samples, mut rows) = (args.samples.get(), vec![]);
    for job in &args.jobs {
        match job {
            Job::Latency => {
                for system in args.single(&system)? {
                    latency(&system, threads.get(), samples, &mut rows)?;
                }
            }
            Job::Few | Job::Product | Job::Prepared => {
                few(*job, &system, args.engine.is_none(), samples, &mut rows)?;
            }
            Job::Batch => rows.push(batch(&together, threads, samples)?),
        }
    }
    let text = if args.json { console::json(&rows)? } else { table(&rows) };
    console::print(text)?;
    Ok(Outcome::Good)
}

/// Parses a number of samples, which is bounded since all samples are kept in memory.
fn samples(text: &str) -> Result<NonZeroUsize, String> {
    count(text).and_then(|n| if n.get() <= 100_000 { Ok(n) } else { Err("at most 100000".to_owned()) })
}

impl Args {
    /// Returns a system for each engine of single values: the requested engine, or mont, and rows if it can
    /// compute with the curve.
    fn single(&self, system: &System) -> Result<Vec<System>, CommandError> {
        if self.engine.is_some() {
            return Ok(vec![system.clone()]);
        }
        let mont = system.on(Engine::Mont).map_err(failed)?;
        Ok([Some(mont), system.on(Engine::Rows).ok()].into_iter().flatten().collect())
    }
}

fn failed(error: impl ToString) -> CommandError {
    CommandError::Engine(error.to_string())
}

fn pairs(system: &System, count: usize) -> Result<Vec<Pair>, CommandError> {
    let random = |group| system.random(group).map_err(failed);
    (0..count).map(|_| Ok((random(Group::G1)?, random(Group::G2)?))).collect()
}

/// Measures the time of one call in microseconds, as the mean over `calls` calls. Each call uses the next pair.
fn sample(calls: usize, pairs: &[Pair], call: &dyn Fn(&Pair)) -> f64 {
    let begun = Instant::now();
    (0..calls).for_each(|i| call(&pairs[i % pairs.len()]));
    begun.elapsed().as_secs_f64() * 1e6 / calls as f64
}

/// Returns the number of calls in a sample. The first calls initialise what later calls share.
fn calls(pairs: &[Pair], call: &dyn Fn(&Pair)) -> usize {
    sample(3, pairs, call);
    (SAMPLE.as_secs_f64() * 1e6 / sample(3, pairs, call)).ceil() as usize
}

/// Returns the median and the minimum.
fn summary(mut samples: Vec<f64>) -> (f64, f64) {
    samples.sort_by(f64::total_cmp);
    let (low, high) = ((samples.len() - 1) / 2, samples.len() / 2);
    (f64::midpoint(samples[low], samples[high]), samples[0])
}

/// Measures one pairing at a time, on one core, and on 2, 4, … and all threads.
fn latency(system: &System, threads: usize, samples: usize, rows: &mut Vec<Row>) -> Result<(), CommandError> {
    let pairs = pairs(system, POINTS)?;
    let alone = |(p, q): &Pair| drop(black_box(system.pair(p, q)));
    let count = calls(&pairs, &alone);
    let row = |threads, times| Row::new(system, Job::Latency, system.engine().name(), threads, times);
    rows.push(row(1, (0..samples).map(|_| sample(count, &pairs, &alone)).collect()));
    let mut several = 2;
    while several <= threads {
        let parallel = system.parallel(NonZeroUsize::new(several).unwrap_or(NonZeroUsize::MIN)).map_err(failed)?;
        // a loop that is not divided takes as long as on one core
        let Some(partition) = parallel.partition() else { break };
        let together = |(p, q): &Pair| drop(black_box(parallel.pair(p, q)));
        calls(&pairs, &together);
        let turns: Vec<[f64; 2]> =
            (0..samples).map(|_| [sample(count, &pairs, &alone), sample(count, &pairs, &together)]).collect();
        let speed_up = summary(turns.iter().map(|[one, several]| one / several).collect()).0;
        let times = turns.into_iter().map(|[_, several]| several).collect();
        let compared = Row { speed_up: Some(speed_up), predicted: Some(partition.speed_up()), ..row(several, times) };
        rows.push(compared);
        several = if several < threads { threads.min(2 * several) } else { threads + 1 };
    }
    Ok(())
}

/// Measures one to [`MAX_FEW`] pairings in a call on one core, or one product of as many pairs. Unless an
/// engine was requested, it takes turns between the engines that may be chosen and the automatic choice. Points
/// are not checked.
fn few(job: Job, system: &System, is_open: bool, samples: usize, rows: &mut Vec<Row>) -> Result<(), CommandError> {
    let points = pairs(system, MAX_FEW)?;
    let others = if is_open { vec![Engine::Mont, Engine::Rows, Engine::Ifma] } else { vec![] };
    let others = others.into_iter().filter_map(|engine| system.on(engine).ok());
    let all: Vec<(&'static str, Batch)> = others
        .map(|other| (other.engine().name(), other))
        .chain([(if is_open { "default" } else { system.engine().name() }, system.clone())])
        .map(|(name, system)| (name, Batch::new(system).on_this_thread()))
        .collect();
    let side = system.fixed_side();
    let split = |(p, q): &Pair| if side == Side::P { (p.clone(), q.clone()) } else { (q.clone(), p.clone()) };
    let (fixed, others): (Vec<Point>, Vec<Point>) = points.iter().map(split).unzip();
    let others: Vec<PointRef<'_>> = others.iter().map(Point::as_ref).collect();
    let prepared = |(_, batch): &(_, Batch)| match job {
        Job::Prepared => fixed.iter().map(|point| batch.system().prepare(side, point).map_err(failed)).collect(),
        _ => Ok(vec![]),
    };
    let prepared = all.iter().map(prepared).collect::<Result<Vec<Vec<_>>, _>>()?;
    match job {
        Job::Product => (1..=MAX_FEW).for_each(|pairs| system.warm_up_products(&[pairs])),
        Job::Prepared => (1..=MAX_FEW).for_each(|pairs| system.warm_up_products_prepared(&[pairs])),
        _ => system.warm_up_few(),
    }
    for count in 1..=MAX_FEW {
        let (together, others, group) = (&points[..count], &others[..count], 0..count);
        let met = PreparedRows { rows: group.clone(), first_prepared: 0 };
        let call = |batch: &Batch, fixed: &[_]| match job {
            Job::Product => drop(black_box(batch.product(together, std::slice::from_ref(&group)))),
            Job::Prepared => drop(black_box(batch.product_prepared(fixed, others, std::slice::from_ref(&met)))),
            _ => drop(black_box(batch.pair(together))),
        };
        let call = &call;
        let calls: Vec<_> =
            all.iter().zip(&prepared).map(|((_, batch), fixed)| move |_: &Pair| call(batch, fixed)).collect();
        let number = calls.iter().map(|call| self::calls(&points, call)).max().unwrap_or(1);
        let mut times = vec![vec![]; calls.len()];
        for _ in 0..samples {
            times.iter_mut().zip(&calls).for_each(|(times, call)| times.push(sample(number, &points, call)));
        }
        for ((name, batch), times) in all.iter().zip(times) {
            let (taken, values) = match job {
                Job::Product => (batch.system().engine_for_products(&[count]), 1),
                Job::Prepared => (batch.system().engine_for_products_prepared(&[count]), 1),
                _ => (batch.system().engine_for_pairings(count), count),
            };
            let times = times.into_iter().map(|time| time / values as f64).collect();
            let taken = (is_open && *name == "default").then(|| taken.name());
            let row = Row::new(system, job, name, 1, times);
            rows.push(Row { pairings: Some(count), taken, ..row });
        }
    }
    Ok(())
}

/// Measures the pairings of a batch.
fn batch(batch: &Batch, threads: NonZeroUsize, samples: usize) -> Result<Row, CommandError> {
    let system = batch.system();
    let points = pairs(system, POINTS)?;
    // gives each thread one task
    let rows: Vec<Pair> = points.iter().cycle().take(batch.task() * threads.get()).cloned().collect();
    let time = || {
        let begun = Instant::now();
        black_box(batch.pair(&rows));
        begun.elapsed().as_secs_f64() * 1e6 / rows.len() as f64
    };
    time();
    let times = (0..samples).map(|_| time()).collect();
    Ok(Row::new(system, Job::Batch, batch.engine_for(rows.len()).name(), threads.get(), times))
}

fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let titles = ["microseconds", "fastest", "pairings/s", "speed-up", "predicted"];
    let [median, min, rate, speed_up, predicted] = titles;
    let _ = writeln!(
        text,
        "{:<14}{:<14}{:>8}{median:>14}{min:>11}{rate:>12}{speed_up:>10}{predicted:>11}",
        "job", "engine", "threads"
    );
    let ratio = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.2}"));
    for row in rows {
        let job = named(&row.job).unwrap_or_default();
        let job = row.pairings.map_or(job.clone(), |count| format!("{job} of {count}"));
        let engine = row.taken.map_or_else(|| row.engine.to_owned(), |taken| format!("{}: {taken}", row.engine));
        let _ = writeln!(
            text,
            "{job:<14}{engine:<14}{:>8}{:>14.1}{:>11.1}{:>12.0}{:>10}{:>11}",
            row.threads,
            row.microseconds,
            row.min_microseconds,
            row.rate,
            ratio(row.speed_up),
            ratio(row.predicted)
        );
    }
    text
}
