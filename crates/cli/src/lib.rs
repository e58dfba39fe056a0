//! The `bilinear` command as a function: tables of points in, their pairings out. It holds no mathematics; each subcommand is a
//! file in `commands`, and what is done with the rows of a table is in `job`, between `input` and `output`. What is done with rows of
//! BLS signatures is in `bls`.

mod bls;
mod choice;
mod commands;
mod console;
mod descriptor;
#[cfg(test)]
mod documented;
mod error;
mod fault;
mod hex;
mod input;
mod job;
mod new_params;
mod output;
mod secret;
mod signals;
mod text_lines;

use clap::{CommandFactory, Parser};
use commands::processor::{asm, sim};
use commands::{
    Outcome, aggregate, bench, check, completions, curves, gt, key, man, ops, pair, params, points, program, search,
    sign, verify,
};
use error::CommandError;
use std::ffi::OsString;
use std::io::{self, Write};

/// Evaluate cryptographic pairings in bulk: a table of point pairs goes in, their pairings come out.
#[derive(Debug, Parser)]
#[command(name = "bilinear", version, propagate_version = true)]
#[command(after_help = "\
Example:
  bilinear points random --curve a-512 --pairs --n 1000 --out points.jsonl
  bilinear pair --curve a-512 --in points.jsonl --out values.jsonl")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Curves(curves::Args),
    Params(params::Args),
    Points(points::Args),
    Pair(pair::Args),
    Check(check::Args),
    Gt(gt::Args),
    Ops(ops::Args),
    Bench(bench::Args),
    Program(program::Args),
    Sim(Box<sim::Args>),
    Asm(asm::Args),
    Search(search::Args),
    Key(key::Args),
    Sign(sign::Args),
    Verify(verify::Args),
    Aggregate(aggregate::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The status of a command whose output was not read to its end: what a shell reports where SIGPIPE ended one.
pub(crate) const BROKEN_PIPE: u8 = 141;

/// Runs a command with its arguments, its name first; the status that it ends with.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    if let Err(error) = signals::outlive_file_limits() {
        return ended(Err(error));
    }
    match Cli::try_parse_from(arguments) {
        Ok(cli) => ended(dispatch(cli.command)),
        Err(error) => {
            let error = secret::without_keys(error);
            match error.print().and_then(|()| io::stdout().flush()) {
                // what was asked for; of an error that cannot be told the status is left
                Err(failure) if !error.use_stderr() => {
                    ended(Err(CommandError::io("standard output", "write")(failure)))
                }
                _ => error.exit_code() as u8,
            }
        }
    }
}

fn dispatch(command: Command) -> Result<Outcome, CommandError> {
    match command {
        Command::Curves(args) => curves::run(&args),
        Command::Params(args) => params::run(&args),
        Command::Points(args) => points::run(&args),
        Command::Pair(args) => pair::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Gt(args) => gt::run(&args),
        Command::Ops(args) => ops::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Program(args) => program::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Asm(args) => asm::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Key(args) => key::run(&args),
        Command::Sign(args) => sign::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Aggregate(args) => aggregate::run(&args),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
    }
}

/// The status of a command that has ended so; an error is told.
fn ended(result: Result<Outcome, CommandError>) -> u8 {
    match result {
        Ok(outcome) => outcome.status(),
        // whoever read the output has seen enough, but not all of it
        Err(error) if error.is_broken_pipe() => BROKEN_PIPE,
        Err(error) => {
            console::error(error);
            2
        }
    }
}
