//! The `bilinear` command as a function: it reads tables of points and writes their pairings. This crate holds
//! no mathematics. Each subcommand is a file in `commands`. The rows of a table are processed in `job`, between
//! `input` and `output`, and the rows of BLS signatures in `bls`.

mod bls;
mod choice;
mod commands;
mod console;
mod counted;
mod descriptor;
#[cfg(test)]
#[path = "tests/documented.rs"]
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
  bilinear points random --curve a-512 --pairs --n 1000 \\
      --out points.jsonl
  bilinear pair --curve a-512 --in points.jsonl --out values.jsonl")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Curves(curves::Args),
    #[command(subcommand)]
    Params(params::Command),
    #[command(subcommand)]
    Points(points::Command),
    Pair(pair::Args),
    Check(check::Args),
    #[command(subcommand)]
    Gt(gt::Command),
    Ops(ops::Args),
    Bench(bench::Args),
    Program(program::Args),
    Sim(Box<sim::Args>),
    Asm(asm::Args),
    #[command(subcommand)]
    Search(search::Command),
    #[command(subcommand)]
    Key(key::Command),
    Sign(sign::Args),
    Verify(verify::Args),
    Aggregate(aggregate::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The exit status of a command whose output was not read to its end: the status that a shell reports for a
/// process ended by SIGPIPE.
pub(crate) const BROKEN_PIPE: u8 = 141;

/// Runs the command with its arguments, starting with the program's name. Returns the exit status.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    if let Err(error) = signals::catch_file_size_signal() {
        return ended(Err(error));
    }
    match Cli::try_parse_from(arguments) {
        Ok(cli) => ended(dispatch(cli.command)),
        Err(error) => {
            let error = secret::without_keys(error);
            match error.print().and_then(|()| io::stdout().flush()) {
                // the requested help or version could not be written; an error message that cannot be written
                // leaves only its status
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
        Command::Params(command) => params::run(&command),
        Command::Points(command) => points::run(&command),
        Command::Pair(args) => pair::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Gt(command) => gt::run(&command),
        Command::Ops(args) => ops::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Program(args) => program::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Asm(args) => asm::run(&args),
        Command::Search(command) => search::run(&command),
        Command::Key(command) => key::run(&command),
        Command::Sign(args) => sign::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Aggregate(args) => aggregate::run(&args),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
    }
}

/// Returns the exit status for the result of a command, and prints the error if there is one.
fn ended(result: Result<Outcome, CommandError>) -> u8 {
    match result {
        Ok(outcome) => outcome.status(),
        // the reader stopped early, so the output was not read to its end
        Err(error) if error.is_broken_pipe() => BROKEN_PIPE,
        Err(error) => {
            console::error(error);
            2
        }
    }
}
