//! `bilinear aggregate`: reads a table of signatures, and writes their aggregates.

use super::Outcome;
use crate::bls::VariantChoice;
use crate::bls::columns::SignatureColumn;
use crate::bls::table::{By, SignatureTable};
use crate::error::CommandError;
use bilinear_schemes::bls::Scheme;

/// Aggregate the signatures of each group of rows, or of the whole table, into one signature.
///
/// Rows {"signature": HEX} become {"group": G, "rows": N, "signature": HEX}. Without --by there is one group, and its G
/// is null. A group with a signature that cannot be read gives {"group": G, "error": CODE, "message": TEXT}. Only the
/// verifier needs to know the scheme: aggregates are the same in all schemes.
///
/// Exit status: 0 if all groups have aggregates; 1 if some do not; 2 if the job could not run, or if the table has no
/// rows and --by is not given; 130 if interrupted while writing a file; 141 if the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear aggregate --variant min-pk --by block \\
      --in signatures.jsonl --out aggregates.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    variant: VariantChoice,
    #[command(flatten)]
    table: SignatureTable,
    #[command(flatten)]
    by: By,
    #[command(flatten)]
    signature: SignatureColumn,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    args.table.aggregate(&args.variant.with(Scheme::Basic, args.table.engine.chosen)?, &args.signature, &args.by)
}
