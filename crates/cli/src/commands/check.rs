//! `bilinear check`: reads a table of points, and reports which products of their pairings are 1.

use super::Outcome;
use super::pairing::{Ask, Pairs};
use crate::error::CommandError;
use crate::output::Question;

/// Check that products of pairings are 1, as in the verification of signatures and proofs.
///
/// Each row has two points, p and q, as for `bilinear pair`. With --product-by COL the pairings of adjacent rows with
/// equal COL are multiplied: each group gives {"group": G, "rows": N, "ok": true}, or false if the product is not 1.
/// Without --product-by each row is a product of its own and gives {"row": N, "ok": ...}. A row that has no value gives
/// {"row": N, "error": CODE, "message": TEXT}, and a group with such a row gives {"group": G, "error": CODE, "message":
/// TEXT}.
///
/// A table without rows proves nothing and is an error, unless --allow-empty is given.
///
/// Exit status: 0 if all products are 1; 1 if some are not, or have no value; 2 if the job could not run, if the table
/// has no rows, or if it does not have as many groups as --expect-groups requires; 130 if interrupted while writing a
/// file; 141 if the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear check --curve a-512 --in signatures.jsonl \\
      --product-by group --out ok.jsonl
  bilinear check --curve a1-2x512 --in rows.parquet --out ok.parquet \\
      --product-by id --fixed-p key.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    pairs: Pairs,
    /// Accept a table without rows
    #[arg(long)]
    allow_empty: bool,
    /// Require exactly N groups, so that a truncated table does not pass
    #[arg(long, value_name = "N", requires = "product_by")]
    expect_groups: Option<u64>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    // whether a value is 1 does not depend on the power, so the default is used
    let ask = Ask { allow_empty: args.allow_empty, groups: args.expect_groups, ..Ask::new("check", Question::IsOk) };
    args.pairs.run(ask)
}
