//! `bilinear ops`: the cost of a pairing, counted from the program that ships.

mod cores;
mod paper;
mod published;
mod residues;

use super::Outcome;
use crate::choice::{CurvePairing, count};
use crate::console;
use crate::error::CommandError;
use bilinear_engine::{Phase, operations};
use serde::Serialize;
use std::fmt::Write;
use std::num::NonZeroUsize;

/// Count the base-field operations of each phase of a pairing.
///
/// M is a product, S a square, R a reduction. A modular product is one M and one R. Lazy reduction makes R the smaller
/// count.
#[derive(Debug, clap::Args)]
#[command(mut_group("CurveChoice", |group| group.required(false)))]
#[command(after_help = "\
Example:
  bilinear ops --curve a1-1024 --json
  bilinear ops --curve bn-254n --paper
  bilinear ops --curve a1-1024 --rns
  bilinear ops --curve bn-254n --cores 8")]
pub(crate) struct Args {
    #[command(flatten)]
    pairing: CurvePairing,
    /// Compare with the counts in the papers.
    ///
    /// The comparison is for the pairing of the papers (optimal ate, fast power) and uses their way of counting. It
    /// covers bn-254n, bls24-509, bn-638, kss18-508 and bls12-638; without a curve it shows all of them.
    #[arg(long, conflicts_with_all = ["kind", "power"])]
    paper: bool,
    /// Show the moduli of the bases of the engine `rns`, and the reductions of each program on it
    #[arg(long, conflicts_with = "paper")]
    rns: bool,
    /// Show how one pairing is divided among up to N cores, and the speed-up that the counts predict
    #[arg(long, value_name = "N", value_parser = count, conflicts_with_all = ["paper", "rns"])]
    cores: Option<NonZeroUsize>,
    /// With --cores: assume one prepared argument, so that no core computes point operations.
    ///
    /// This makes no difference in small characteristic.
    #[arg(long, requires = "cores")]
    prepared: bool,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Products, squares, reductions, inversions, and linear operations.
#[derive(Serialize)]
#[allow(non_snake_case)]
struct Cost {
    M: u64,
    S: u64,
    R: u64,
    I: u64,
    linear: u64,
}

#[derive(Serialize)]
struct Row {
    phase: &'static str,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Serialize)]
struct Table {
    curve: String,
    phases: Vec<Row>,
    total: Option<Cost>,
}

impl From<&Phase> for Cost {
    fn from(phase: &Phase) -> Self {
        let c = phase.cost;
        Self { M: c.mul, S: c.sqr, R: c.reduction, I: c.inversion, linear: c.linear + c.wide }
    }
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the curve is unknown, if its family does not have the pairing, if no paper counts the
/// pairing, or if standard output cannot be written.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let text = match (args.paper, args.rns, args.cores) {
        (true, ..) => paper::report(&args.pairing.curve.source, args.json)?,
        (_, true, _) => residues::report(&args.pairing, args.json)?,
        (.., Some(cores)) => cores::report(&args.pairing, cores.get(), args.prepared, args.json)?,
        _ => report(&args.pairing, args.json)?,
    };
    console::print(text)?;
    Ok(Outcome::Good)
}

fn report(pairing: &CurvePairing, json: bool) -> Result<String, CommandError> {
    let (curve, options) = pairing.load()?;
    let phases = operations(&curve, options).map_err(|error| CommandError::Engine(error.to_string()))?;
    if !json {
        return Ok(table(curve.name(), &phases));
    }
    let (total, rows): (Vec<&Phase>, Vec<&Phase>) = phases.iter().partition(|p| p.name == "total");
    console::json(&Table {
        curve: curve.name().to_owned(),
        phases: rows.into_iter().map(|p| Row { phase: p.name, cost: p.into() }).collect(),
        total: total.first().map(|p| Cost::from(*p)),
    })
}

fn table(curve: &str, phases: &[Phase]) -> String {
    let mut text = format!("{curve}: operations in the base field, counted from the program\n\n");
    let _ = writeln!(text, "{:<34}{:>8}{:>8}{:>8}{:>8}{:>5}", "", "M", "S", "R", "linear", "I");
    for phase in phases {
        let Cost { M, S, R, I, linear } = phase.into();
        let _ = writeln!(text, "{:<34}{M:>8}{S:>8}{R:>8}{linear:>8}{I:>5}", phase.name);
    }
    text += "\nM product, S square, R reduction, I inversion; total = Miller loop + final exponentiation\n";
    text
}
