//! `bilinear gt`: the operations of the target group on tables of values.

mod check;
mod mul;
mod pow;
mod table;

use super::Outcome;
use crate::error::CommandError;

/// Compute with tables of values in the target group.
///
/// A table has rows {"gt": HEX}, as `bilinear pair` writes them. Each row gives {"row": N, "gt": HEX}, or {"row": N,
/// "error": CODE, "message": TEXT}.
///
/// Exit status: 0 if all rows have values; 1 if some do not; 2 if the job could not run; 130 if interrupted while
/// writing a file; 141 if the output was not read to its end. The exit status of `gt check` is described in its own
/// help.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Pow(pow::Args),
    Mul(mul::Args),
    Check(check::Args),
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the command cannot run. Faults of single rows are part of the output.
pub(crate) fn run(command: &Command) -> Result<Outcome, CommandError> {
    match command {
        Command::Pow(args) => pow::run(args),
        Command::Mul(args) => mul::run(args),
        Command::Check(args) => check::run(args),
    }
}
