//! The `bilinear` command: tables of points in, their pairings out. It holds no mathematics; each subcommand is a file in
//! `commands`, and the bulk job of `bilinear pair` and `bilinear check` is in `job`, between `input` and `output`.

mod choice;
mod commands;
mod console;
mod error;
mod fault;
mod hex;
mod input;
mod job;
mod new_params;
mod output;
mod signals;
mod text_lines;

use clap::Parser;
use commands::{check, curves, ops, pair, params, points, program};
use std::process::ExitCode;

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
    Ops(ops::Args),
    Program(program::Args),
}

/// The status of a command whose output was not read to its end: what a shell reports where SIGPIPE ended one.
const BROKEN_PIPE: u8 = 141;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Curves(args) => curves::run(&args),
        Command::Params(args) => params::run(&args),
        Command::Points(args) => points::run(&args),
        Command::Pair(args) => pair::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Ops(args) => ops::run(&args),
        Command::Program(args) => program::run(&args),
    };
    match result {
        Ok(outcome) => outcome.into(),
        // whoever read the output has seen enough, but not all of it
        Err(error) if error.is_broken_pipe() => ExitCode::from(BROKEN_PIPE),
        Err(error) => {
            console::error(error);
            ExitCode::from(2)
        }
    }
}
