//! `search`: measures predicate encryption over composite and prime orders side by side, in turns, on one thread.

use bilinear_bench::Environment;
use bilinear_bench::search::{Case, SearchError, SearchRecord, table};
use bilinear_engine::System;
use bilinear_params::{Curve, Description, Factors};
use bilinear_schemes::predicate::Scheme;
use clap::Parser;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measure encryption of rows and search with every scheme of predicates, at several numbers of attributes; prints a
/// table in Markdown.
///
/// Inner products of Katz, Sahai and Waters run on composite orders of three primes, hidden vectors on composite orders
/// of two primes, and the others on curves of prime order.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Names of shipped curves
    #[arg(value_name = "CURVE", default_values = ["a1-3x342", "a1-2x512", "bls12-381"])]
    curves: Vec<String>,
    /// Parameters of a composite order: PUBLIC.toml,FACTORS.toml
    #[arg(long, value_name = "FILE,FILE")]
    own: Vec<String>,
    /// Numbers of attributes
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [2, 4, 8], value_parser = clap::value_parser!(u8).range(1..))]
    attributes: Vec<u8>,
    /// Number of turns
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Write a record to FILE, which must not exist
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// The reason why the program fails.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Params(#[from] bilinear_params::Error),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("{file}: {reason}")]
    Io { file: String, reason: io::Error },
    #[error("{0}: two files are expected, with a comma between them")]
    Own(String),
}

fn main() -> ExitCode {
    match measure(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr().lock(), "error: {failure}");
            ExitCode::from(2)
        }
    }
}

fn failed(file: &Path) -> impl Fn(io::Error) -> Failure + '_ {
    move |reason| Failure::Io { file: file.display().to_string(), reason }
}

/// Returns the curves with their factors.
fn curves(args: &Args) -> Result<Vec<(Curve, Option<Factors>)>, Failure> {
    let shipped = |name: &String| Ok((Curve::named(name)?, None));
    let own = |files: &String| {
        let (public, secret) = files.split_once(',').ok_or_else(|| Failure::Own(files.clone()))?;
        let curve = Description::load(Path::new(public))?.curve;
        let factors = Factors::load(Path::new(secret), &curve)?;
        Ok((curve, Some(factors)))
    };
    args.curves.iter().map(shipped).chain(args.own.iter().map(own)).collect()
}

/// Returns the schemes that a curve is suitable for. The scheme with matrices needs G1 and G2 to differ.
fn schemes(curve: &Curve, factors: Option<&Factors>) -> Result<&'static [Scheme], SearchError> {
    let public = Factors::public(curve);
    Ok(match factors.or(public.as_ref()).map(|factors| factors.prime_bits().len()) {
        Some(2) => &[Scheme::HiddenVector],
        Some(3) => &[Scheme::InnerProduct],
        _ if System::new(curve)?.is_symmetric() => &[Scheme::DualSpaces],
        _ => &[Scheme::DualSpaces, Scheme::Matrices],
    })
}

fn measure(args: &Args) -> Result<(), Failure> {
    let Some(file) = &args.record else { return taken(args).and_then(|record| tell(&record)) };
    // creates the file before hours of measurements are spent
    let mut new = fs::File::create_new(file).map_err(failed(file))?;
    let record = taken(args).inspect_err(|_| {
        let _ = fs::remove_file(file);
    })?;
    let text = serde_json::to_string_pretty(&record).map_err(io::Error::from).map_err(failed(file))? + "\n";
    let written = new.write_all(text.as_bytes()).map_err(failed(file));
    tell(&record).and(written)
}

/// Prints the measurements as a table.
fn tell(record: &SearchRecord) -> Result<(), Failure> {
    let text = format!("{}\n\n{}", record.environment.brief(), table(&record.lines));
    writeln!(io::stdout().lock(), "{text}").map_err(failed(Path::new("standard output")))
}

fn taken(args: &Args) -> Result<SearchRecord, Failure> {
    let mut cases = vec![];
    for (curve, factors) in curves(args)? {
        for scheme in schemes(&curve, factors.as_ref())? {
            for attributes in &args.attributes {
                cases.push(Case::new(&curve, factors.as_ref(), *scheme, usize::from(*attributes))?);
            }
        }
    }
    for _ in 0..args.rounds {
        cases.iter_mut().try_for_each(Case::turn)?;
    }
    let (environment, rounds) = (Environment::here(), usize::from(args.rounds));
    Ok(SearchRecord { environment, rounds, lines: cases.into_iter().map(Case::line).collect() })
}
