//! `bilinear verify`: reads a table of signatures, and reports which of them are valid.

use super::Outcome;
use crate::bls::SuiteChoice;
use crate::bls::columns::{KeyColumn, MessageColumn, ProofColumn, SignatureColumn};
use crate::bls::table::{By, Complete, OfAggregate, SignatureTable};
use crate::error::CommandError;

/// Verify the signatures of a table, or aggregate signatures of groups of rows.
///
/// {"message": HEX, "public_key": HEX, "signature": HEX} becomes {"row": N, "ok": true} or false. A row that cannot be
/// read gives {"row": N, "error": CODE, "message": TEXT}. Rows are verified together with random weights, and one by
/// one if that fails.
///
/// With --aggregate the rows of a group, or of the whole table, share one signature, which at least one row contains.
/// The answer is {"group": G, "rows": N, "ok": true} or false. In the scheme basic the messages of a group must differ.
/// In the scheme pop every row must have a proof of possession of its key ("proof": HEX), unless --proofs-verified
/// states that the proofs have been verified before. With --one-message, in the scheme pop only, all keys of a group
/// have signed one message, which at least one row contains.
///
/// Exit status: 0 if all signatures are valid; 1 if some are not, or cannot be read; 2 if the job could not run, if the
/// table has no rows, or if it does not have as many groups as --expect-groups requires; 130 if interrupted while
/// writing a file; 141 if the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear verify --variant min-pk --scheme basic --in signed.jsonl \\
      --out ok.jsonl
  bilinear verify --variant min-pk --scheme pop --aggregate \\
      --by block --one-message --in votes.parquet --out ok.parquet")]
pub(crate) struct Args {
    #[command(flatten)]
    suite: SuiteChoice,
    #[command(flatten)]
    table: SignatureTable,
    /// Verify one aggregate signature for each group of rows, or for the whole table
    #[arg(long)]
    aggregate: bool,
    #[command(flatten)]
    by: By,
    /// Verify one message per group, signed by all keys of the group (scheme pop only)
    #[arg(long, requires = "aggregate")]
    one_message: bool,
    /// State that the proofs of possession of all keys have been verified before.
    ///
    /// With the scheme pop the rows then need no proofs.
    #[arg(long, requires = "aggregate")]
    proofs_verified: bool,
    /// Require exactly N groups, so that a truncated table does not pass
    #[arg(long, value_name = "N", requires = "by")]
    expect_groups: Option<u64>,
    #[command(flatten)]
    complete: Complete,
    #[command(flatten)]
    message: MessageColumn,
    #[command(flatten)]
    key: KeyColumn,
    #[command(flatten)]
    signature: SignatureColumn,
    #[command(flatten)]
    proof: ProofColumn,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let bls = args.suite.with(args.table.engine.chosen)?;
    let columns = (&args.message, &args.key, &args.signature);
    if !args.aggregate {
        if args.by.by.is_some() {
            return Err(CommandError::Usage("--by is for aggregates: add --aggregate".to_owned()));
        }
        if args.proof.is_given() {
            let reason =
                "--proof-col: proofs are read for aggregates (--aggregate); `key check` verifies a table of proofs";
            return Err(CommandError::Usage(reason.to_owned()));
        }
        return args.table.verify(&bls, columns, &args.complete);
    }
    let how = OfAggregate {
        by: &args.by,
        one_message: args.one_message,
        proofs: &args.proof,
        proofs_verified: args.proofs_verified,
        groups: args.expect_groups,
    };
    args.table.verify_aggregate(&bls, columns, &how, &args.complete)
}
