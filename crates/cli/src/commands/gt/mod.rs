//! `bilinear gt`: the operations of the target group on tables of values.

mod check;
mod mul;
mod pow;
mod table;

use super::Outcome;
use crate::error::CommandError;

/// Compute with tables of values in the target group.
///
/// A table of values is one that `bilinear pair` writes: rows {"gt": HEX}. Each row gives {"row": N, "gt": HEX}, or
/// {"row": N, "error": CODE, "message": TEXT}.
///
/// Exit status: 0 all rows have values; 1 some have not; 2 the job could not run; 130 interrupted; 141 the output was not read to its end.
/// The help of `gt check` has its own.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Pow(pow::Args),
    Mul(mul::Args),
    Check(check::Args),
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the command cannot run. Faults of single rows are part of the output.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    match &args.command {
        Command::Pow(args) => pow::run(args),
        Command::Mul(args) => mul::run(args),
        Command::Check(args) => check::run(args),
    }
}
