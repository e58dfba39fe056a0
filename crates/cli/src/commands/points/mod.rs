//! `bilinear points`: points for experiments, and the operations of a group on tables of points.

mod add;
mod decompress;
mod hash;
mod make;
mod msm;
mod mul;
mod project;
mod table;

use super::Outcome;
use crate::error::CommandError;

/// Make points, and compute with tables of points.
///
/// A table has rows {"p": HEX} of G1 or {"q": HEX} of G2, as for `bilinear pair`. Each row gives {"row": N, "p": HEX},
/// or "q", or {"row": N, "error": CODE, "message": TEXT}. The next command can read these rows.
///
/// Exit status: 0 if all rows have values; 1 if some do not; 2 if the job could not run; 130 if interrupted while
/// writing a file; 141 if the output was not read to its end.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Random(make::Random),
    Hash(hash::Args),
    HashLines(make::HashLines),
    Add(add::Args),
    Mul(mul::Args),
    Msm(msm::Args),
    Project(project::Args),
    Decompress(decompress::Args),
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the command cannot run. Faults of single rows are part of the output.
pub(crate) fn run(command: &Command) -> Result<Outcome, CommandError> {
    match command {
        Command::Random(args) => make::run_random(args).map(|()| Outcome::Good),
        Command::Hash(args) => hash::run(args),
        Command::HashLines(args) => make::run_hash_lines(args).map(|()| Outcome::Good),
        Command::Add(args) => add::run(args),
        Command::Mul(args) => mul::run(args),
        Command::Msm(args) => msm::run(args),
        Command::Project(args) => project::run(args),
        Command::Decompress(args) => decompress::run(args),
    }
}
