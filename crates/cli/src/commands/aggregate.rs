//! `bilinear aggregate`: reads a table of signatures, and writes their aggregates.

use super::Outcome;
use crate::bls::VariantChoice;
use crate::bls::columns::SignatureColumn;
use crate::bls::table::{By, SignatureTable};
use crate::error::CommandError;
use bilinear_schemes::bls::Scheme;

/// Add up the signatures of each group of rows, or of the whole table, to one signature.
///
/// Rows {"signature": HEX} become {"group": G, "rows": N, "signature": HEX}; without --by there is one group, which is null. A
/// signature that cannot be read spoils its group, which gives {"group": G, "error": CODE, "message": TEXT}. The scheme is
/// the verifier's concern: sums are the same in all of them.
///
/// Exit status: 0 all groups have aggregates; 1 some have not; 2 the job could not run, or the table has no rows and there is no --by;
/// 130 interrupted; 141 the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  bilinear aggregate --variant min-pk --by block --in signatures.jsonl --out aggregates.jsonl"
)]
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
    args.table.aggregate(&args.variant.with(Scheme::Basic, args.table.engine)?, &args.signature, &args.by)
}
