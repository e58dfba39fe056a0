//! `bilinear check`: reads a table of points, and reports which products of their pairings are 1.

use super::Outcome;
use super::pairing::{Ask, Pairs};
use crate::error::CommandError;
use crate::output::Question;

/// Check that products of pairings are 1, as the verification of signatures and proofs asks.
///
/// Each row has two points, p and q, as for `bilinear pair`. With --product-by COL the pairings of adjacent rows with equal COL
/// are multiplied: a group gives {"group": G, "rows": N, "ok": true}, or false where the product is not 1. Without it every
/// row is a product of its own and gives {"row": N, "ok": ...}. A row that has no value gives {"row": N, "error": CODE,
/// "message": TEXT}, and so does the group that it is in.
///
/// A table without rows shows nothing and is an error, unless --allow-empty says otherwise.
///
/// Exit status: 0 all products are 1; 1 some are not, or have no value; 2 the job could not run, the table has no rows, or not as many
/// groups as --expect-groups says; 130 interrupted; 141 the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear check --curve a-512 --in signatures.jsonl --product-by group --out ok.jsonl
  bilinear check --curve a1-2x512 --in rows.parquet --out ok.parquet --product-by id --fixed-p key.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    pairs: Pairs,
    /// Let a table without rows pass
    #[arg(long)]
    allow_empty: bool,
    /// How many groups there must be, so that a table that was cut short does not pass
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
