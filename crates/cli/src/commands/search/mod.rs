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

/// Search an encrypted table without decrypting it: make keys, encrypt rows, make tokens of predicates, find the rows that match.
///
/// Whoever owns the table makes keys of a schema, which says what predicates may speak of. Anybody encrypts rows with the public key. The
/// secret key makes a token of a predicate, and a server finds with the token the rows of which the predicate holds, and their
/// messages; nothing else of them. Files of keys and tokens hold what else is needed: the curve, and the schema.
///
/// Exit status: 0 all rows are encrypted or searched; 1 some are not; 2 the job could not run; 130 interrupted; 141 the output was not read
/// to its end.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Keygen(keygen::Args),
    Encrypt(encrypt::Args),
    Token(token::Args),
    Scan(scan::Args),
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the command cannot run. Faults of single rows are part of the output.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    match &args.command {
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
