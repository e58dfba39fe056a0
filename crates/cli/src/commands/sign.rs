//! `bilinear sign`: reads a table of messages, and writes their signatures.

use super::Outcome;
use crate::bls::columns::MessageColumn;
use crate::bls::table::SignatureTable;
use crate::bls::{KeyChoice, SuiteChoice};
use crate::error::CommandError;

/// Sign the messages of a table with BLS signatures on BLS12-381.
///
/// The signatures are those of draft-irtf-cfrg-bls-signature. {"message": HEX} becomes {"row": N, "signature": HEX}. A
/// row that cannot be signed gives {"row": N, "error": CODE, "message": TEXT}, and the job continues with the other
/// rows. The secret key comes from a file that nobody else may read, or from an open descriptor. Signing takes the same
/// time for every key.
///
/// Exit status: 0 if all rows are signed; 1 if some are not; 2 if the job could not run; 130 if interrupted while
/// writing a file; 141 if the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear sign --variant min-pk --scheme basic --key my.key \\
      --in messages.jsonl --out signatures.jsonl
  pass show signing-key | \\
      bilinear sign --variant min-sig --scheme pop --key-fd 0 \\
      --in messages.parquet --out signatures.parquet")]
pub(crate) struct Args {
    #[command(flatten)]
    suite: SuiteChoice,
    #[command(flatten)]
    key: KeyChoice,
    #[command(flatten)]
    table: SignatureTable,
    #[command(flatten)]
    message: MessageColumn,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run, or if there is no key. Faults of single rows are part of the output.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    args.table.sign(&args.suite.with(args.table.engine.chosen)?, &args.key, &args.message)
}
