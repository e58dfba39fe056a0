//! `bilinear program`: what a pairing is recorded as.

use super::Outcome;
use crate::choice::CurvePairing;
use crate::console;
use crate::error::CommandError;
use bilinear_engine::{Program, programs};
use serde::Serialize;
use std::fmt::Write;

/// Show the programs of a pairing: its routines, and the plan that calls them
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear program --curve bls12-381 --routine \"doubling step\"")]
pub(crate) struct Args {
    #[command(flatten)]
    pairing: CurvePairing,
    /// List the operations of the routines of this name
    #[arg(long, value_name = "NAME")]
    routine: Option<String>,
    /// As one JSON object instead of text
    #[arg(long, conflicts_with = "routine")]
    json: bool,
}

#[derive(Serialize)]
struct Listing {
    curve: String,
    programs: Vec<Listed>,
}

/// One program.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    /// Operations that one run takes.
    operations: u64,
    constants: usize,
    routines: Vec<ListedRoutine>,
    /// What is called, and how often in a row.
    plan: Vec<(String, usize)>,
}

#[derive(Serialize)]
struct ListedRoutine {
    name: &'static str,
    calls: u64,
    operations: usize,
    live: usize,
    depth: usize,
    constants: usize,
}

impl Listed {
    fn new(name: &'static str, program: &Program) -> Self {
        let routines: Vec<ListedRoutine> = program
            .routines()
            .iter()
            .zip(program.calls())
            .map(|(routine, calls)| ListedRoutine {
                name: routine.name,
                calls,
                operations: routine.ops.len(),
                live: routine.live(),
                depth: routine.depth(),
                constants: routine.constants(),
            })
            .collect();
        let operations = routines.iter().map(|r| r.calls * r.operations as u64).sum();
        Listed { name, operations, constants: program.constants().len(), routines, plan: program.outline() }
    }
}

/// Runs the command.
///
/// # Errors
/// If the curve is unknown or its family has no such pairing, no routine has the name, or standard output cannot be written.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let (curve, options) = args.pairing.load()?;
    let programs = programs(&curve, options).map_err(|error| CommandError::Engine(error.to_string()))?;
    let text = match &args.routine {
        Some(wanted) => {
            let all = programs.iter().flat_map(|(name, program)| program.routines().iter().map(move |r| (name, r)));
            let mut text = String::new();
            for (name, routine) in all.filter(|(_, r)| r.name == wanted) {
                let _ = writeln!(text, "{name}, {routine}");
            }
            if text.is_empty() {
                return Err(CommandError::Usage(format!("no routine of {} is called {wanted:?}", curve.name())));
            }
            text
        }
        None => {
            let listed = programs.iter().map(|(name, program)| Listed::new(name, program)).collect();
            let listing = Listing { curve: curve.name().to_owned(), programs: listed };
            if args.json { console::json(&listing)? } else { table(&listing) }
        }
    };
    console::print(&text).map_err(CommandError::io("standard output", "write"))?;
    Ok(Outcome::Good)
}

fn table(listing: &Listing) -> String {
    let mut text = format!("{}: the programs of a pairing\n", listing.curve);
    for program in &listing.programs {
        let Listed { name, operations, constants, routines, plan } = program;
        let steps: usize = plan.iter().map(|(_, count)| count).sum();
        let _ = writeln!(text, "\n{name}: {operations} operations in {steps} steps, {constants} constants");
        let _ =
            writeln!(text, "{:>8}{:>12}{:>7}{:>7}{:>11}  routine", "calls", "operations", "live", "depth", "constants");
        for r in routines {
            let ListedRoutine { name, calls, operations, live, depth, constants } = r;
            let _ = writeln!(text, "{calls:>8}{operations:>12}{live:>7}{depth:>7}{constants:>11}  {name}");
        }
    }
    text
}
