//! `bilinear program`: shows the recorded programs of a pairing.

mod scheduled;

use super::Outcome;
use crate::choice::CurvePairing;
use crate::console;
use crate::error::CommandError;
use bilinear_engine::loops::{Body, Part};
use bilinear_engine::schedule::AHEAD;
use bilinear_engine::{CostModel, Program, programs};
use scheduled::Scheduled;
use serde::Serialize;
use std::fmt::Write;

/// Show the programs of a pairing: its routines, and the plan that calls them
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear program --curve bls12-381 --routine \"doubling step\"")]
pub(crate) struct Args {
    #[command(flatten)]
    pairing: CurvePairing,
    /// Record for a machine on which an inversion takes as long as N products and reductions.
    ///
    /// The values of the pairing stay the same.
    #[arg(long, value_name = "N")]
    inversion: Option<u64>,
    /// List the operations of the routines with this name
    #[arg(long, value_name = "NAME")]
    routine: Option<String>,
    /// Schedule one pairing for a machine with WIDTH products or reductions at a time.
    ///
    /// The machine computes WIDTH products, or WIDTH reductions, at a time. The output shows the number of bundles and
    /// how full they are.
    #[arg(long, value_name = "WIDTH", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "routine")]
    schedule: Option<u16>,
    /// The number of operations that an operation may be issued ahead of its turn.
    ///
    /// Smaller values keep fewer elements alive at a time.
    #[arg(long, value_name = "N", default_value_t = AHEAD, requires = "schedule")]
    ahead: usize,
    /// Print one JSON object instead of text
    #[arg(long, conflicts_with = "routine")]
    json: bool,
}

#[derive(Serialize)]
struct Listing {
    curve: String,
    programs: Vec<Listed>,
}

/// The listing of one program.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    /// The number of operations in one run.
    operations: u64,
    constants: usize,
    routines: Vec<ListedRoutine>,
    steps: usize,
    plan: Vec<ListedPart>,
}

/// A part of a plan: a step by its name, or a loop.
#[derive(Serialize)]
#[serde(untagged)]
enum ListedPart {
    Step(String),
    Loop {
        /// The names of the steps of each body.
        bodies: Vec<Vec<String>>,
        /// The index of the body that each iteration runs.
        digits: Vec<usize>,
        /// The number of values that each iteration passes to the next.
        carried: usize,
    },
}

impl ListedPart {
    fn new(program: &Program, part: &Part) -> Self {
        match part {
            Part::Step(step) => ListedPart::Step(program.name_of(program.plan()[*step].operation())),
            Part::Loop(looped) => {
                let names = |body: &Body| body.steps.iter().map(|step| program.name_of(step.operation)).collect();
                ListedPart::Loop {
                    bodies: looped.bodies.iter().map(names).collect(),
                    digits: looped.digits.clone(),
                    carried: looped.carried.len(),
                }
            }
        }
    }
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
        let plan = program.outline().iter().map(|part| ListedPart::new(program, part)).collect();
        let (constants, steps) = (program.constants().len(), program.plan().len());
        Listed { name, operations, constants, routines, steps, plan }
    }
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the curve is unknown, if its family does not have the pairing, if no routine has the
/// given name, or if standard output cannot be written.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let (curve, mut options) = args.pairing.load()?;
    if let Some(inversion) = args.inversion {
        options.cost_model = Some(CostModel { inversion });
    }
    let programs = programs(&curve, options).map_err(|error| CommandError::Engine(error.to_string()))?;
    let text = match (&args.routine, args.schedule) {
        (_, Some(width)) => {
            let all = programs.iter().map(|(name, program)| (*name, &**program));
            let scheduled = Scheduled::new(curve.name(), all, [width.into(), args.ahead]);
            if args.json { console::json(&scheduled)? } else { scheduled.table() }
        }
        (Some(wanted), None) => {
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
        (None, None) => {
            let listed = programs.iter().map(|(name, program)| Listed::new(name, program)).collect();
            let listing = Listing { curve: curve.name().to_owned(), programs: listed };
            if args.json { console::json(&listing)? } else { table(&listing) }
        }
    };
    console::print(text)?;
    Ok(Outcome::Good)
}

fn table(listing: &Listing) -> String {
    let mut text = format!("{}: the programs of a pairing\n", listing.curve);
    for program in &listing.programs {
        let Listed { name, operations, constants, routines, steps, plan } = program;
        let _ = writeln!(text, "\n{name}: operations: {operations}, steps: {steps}, constants: {constants}");
        let _ =
            writeln!(text, "{:>8}{:>12}{:>7}{:>7}{:>11}  routine", "calls", "operations", "live", "depth", "constants");
        for (number, r) in routines.iter().enumerate() {
            let ListedRoutine { name, calls, operations, live, depth, constants } = r;
            let _ = writeln!(text, "{calls:>8}{operations:>12}{live:>7}{depth:>7}{constants:>11}  {number}: {name}");
        }
        let _ = writeln!(text, "  plan:");
        for part in plan {
            part.write(&mut text);
        }
    }
    text
}

impl ListedPart {
    /// Appends a line for a step; for a loop, a line and one more for each body.
    fn write(&self, text: &mut String) {
        match self {
            ListedPart::Step(name) => {
                let _ = writeln!(text, "    {name}");
            }
            ListedPart::Loop { bodies, digits, carried } => {
                let _ = writeln!(text, "    loop, iterations: {}, values carried: {carried}", digits.len());
                for (number, body) in bodies.iter().enumerate() {
                    let times = digits.iter().filter(|digit| **digit == number).count();
                    let _ = writeln!(text, "      {times} x  {}", body.join("; "));
                }
            }
        }
    }
}
