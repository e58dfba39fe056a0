//! `bilinear search`: tables that a server can search but not read.

mod encrypt;
mod keygen;
mod scan;
mod token;

use super::Outcome;
use crate::choice;
use crate::error::CommandError;
use bilinear_engine::{Engine, Options, System};
use bilinear_schemes::predicate::KeyFile;

/// Search an encrypted table without decrypting it: make keys and tokens, encrypt rows, find rows that match.
///
/// The owner of the table makes keys for a schema, which defines the possible predicates. Anyone can encrypt rows with
/// the public key. The secret key makes a token for a predicate. With the token a server finds the rows for which the
/// predicate holds, and their messages, and learns nothing else about them. The files of keys and tokens also contain
/// the curve, and those of keys the schema.
///
/// Exit status: 0 if all rows are encrypted or searched; 1 if some are not; 2 if the job could not run; 130 if
/// interrupted while writing a file; 141 if the output was not read to its end.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Keygen(keygen::Args),
    Encrypt(encrypt::Args),
    Token(token::Args),
    Scan(scan::Args),
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the command cannot run. Faults of single rows are part of the output.
pub(crate) fn run(command: &Command) -> Result<Outcome, CommandError> {
    match command {
        Command::Keygen(args) => keygen::run(args),
        Command::Encrypt(args) => encrypt::run(args),
        Command::Token(args) => token::run(args),
        Command::Scan(args) => scan::run(args),
    }
}

/// Prepares the curve of a file for computing.
fn system(file: &KeyFile, engine: Option<Engine>) -> Result<System, CommandError> {
    choice::announced(&file.curve()?, Options { engine, ..Options::default() })
}
