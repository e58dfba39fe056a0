//! `dudect`: tests whether the time of a function depends on a secret (Reparaz, Balasch, Verbauwhede, "Dude, is my code
//! constant time?", DATE 2017). Calls with one fixed secret and calls with random secrets alternate at random. Welch's
//! t-test compares the means of their times: over all times, and over the times below each of several percentiles,
//! which excludes interrupts. The largest |t| is printed.
//!
//! |t| above 4.5 is suspicious, and above 10 certain. A function with a planted leak runs beside the others: the test
//! must detect the leak.

use bilinear_bench::{Environment, statistics::welch};
use bilinear_engine::{Engine, EngineError, Group, Point, System, SystemError};
use bilinear_params::Curve;
use clap::Parser;
use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

/// The number of bytes of a secret.
const BYTES: usize = 16;
/// The value of |t| above which times are taken to depend on the secret.
const LIMIT: f64 = 4.5;

/// A function that takes a secret.
type Call<'a> = &'a dyn Fn(&[u8]);

/// Test statistically whether times depend on secrets; prints a table in Markdown.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Names of shipped curves
    #[arg(value_name = "CURVE", default_values = ["bls12-381", "alt-bn128", "a-512"])]
    curves: Vec<String>,
    /// Number of calls of each function
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    calls: u32,
}

/// The reason why the program fails.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Params(#[from] bilinear_params::Error),
    #[error(transparent)]
    System(#[from] SystemError),
    #[error("the operating system has no randomness: {0}")]
    Randomness(#[from] getrandom::Error),
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    #[error("{0}")]
    Leak(String),
}

fn main() -> ExitCode {
    match test(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr().lock(), "error: {failure}");
            ExitCode::from(2)
        }
    }
}

fn test(args: &Args) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}, {} calls each\n", Environment::here().brief(), args.calls)?;
    writeln!(out, "| curve | engine | function | median, µs | largest \\|t\\| | verdict |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    let mut wrong = vec![];
    for name in &args.curves {
        let curve = Curve::named(name)?;
        for engine in [Engine::Mont, Engine::Portable, Engine::Ifma] {
            let system = match System::with_engine(&curve, engine) {
                Err(SystemError::Engine { reason: EngineError::Unavailable(_), .. }) => continue,
                system => system?,
            };
            let (p, q) = (system.generator(Group::G1), system.generator(Group::G2));
            let x = system.pair(&p, &q);
            let multiple = |k: &[u8], point: &Point| drop(black_box(system.mul_secret(k, point)));
            // adds points if the two lowest bits of the first byte are set
            let leaking = |k: &[u8]| {
                multiple(k, &p);
                if k[0] & 3 == 3 {
                    black_box(system.add(&p, &p));
                }
            };
            let functions: [(&str, bool, Call<'_>); 4] = [
                ("mul_secret in G1", true, &|k| multiple(k, &p)),
                ("mul_secret in G2", true, &|k| multiple(k, &q)),
                ("gt_pow_secret", true, &|k| drop(black_box(system.gt_pow_secret(&x, k)))),
                ("mul_secret, with a planted leak", false, &leaking),
            ];
            for (function, is_constant, call) in functions {
                let (median, t) = measure(args.calls as usize, call)?;
                let verdict = if t > LIMIT { "differs" } else { "no difference" };
                writeln!(out, "| {name} | {engine} | {function} | {median:.1} | {t:.1} | {verdict} |")?;
                if is_constant != (t <= LIMIT) {
                    wrong.push(format!("{function}, {name}, {engine}: |t| = {t:.1}"));
                }
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Leak(wrong.join("; "))) }
}

/// Returns the median time of a function in µs, and the largest |t|.
fn measure(calls: usize, call: Call<'_>) -> Result<(f64, f64), Failure> {
    // class 0: one secret, nearly all zeros; class 1: random secrets
    let mut fixed = [0; BYTES];
    fixed[BYTES - 1] = 1;
    let mut inputs = vec![(false, [0; BYTES]); calls];
    for (is_random, secret) in &mut inputs {
        getrandom::fill(secret)?;
        *is_random = secret[0] & 1 == 1;
        if !*is_random {
            *secret = fixed;
        }
    }
    inputs.iter().take(10).for_each(|(_, secret)| call(secret));
    let time = |secret: &[u8; BYTES]| {
        let start = Instant::now();
        call(black_box(secret));
        start.elapsed().as_nanos() as f64
    };
    let times: Vec<(bool, f64)> = inputs.iter().map(|(is_random, secret)| (*is_random, time(secret))).collect();
    let mut sorted: Vec<f64> = times.iter().map(|(_, t)| *t).collect();
    sorted.sort_by(f64::total_cmp);
    let below = |share: f64| sorted[((calls as f64 * share) as usize).min(calls - 1)];
    let of = |class: bool, limit: f64| {
        times.iter().filter(move |(c, t)| *c == class && *t <= limit).map(|(_, t)| *t).collect::<Vec<f64>>()
    };
    let t = [0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0].into_iter().map(|share| {
        let limit = below(share);
        welch(&of(false, limit), &of(true, limit)).abs()
    });
    Ok((below(0.5) / 1e3, t.fold(0.0, f64::max)))
}
