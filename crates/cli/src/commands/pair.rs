//! `bilinear pair`: reads a table of points, and writes their pairings.

use super::Outcome;
use super::pairing::{Ask, Pairs};
use crate::error::CommandError;
use crate::output::Question;
use bilinear_engine::{GtEncoding, Power};

/// Compute the pairings, or products of pairings, of a table of points.
///
/// Each row has two points, p and q, and gives one value: {"p": HEX, "q": HEX} becomes {"row": N, "gt": HEX}. A row
/// that has no value gives {"row": N, "error": CODE, "message": TEXT}, and the job continues with the other rows.
///
/// p is a point of G1 and q a point of G2; on a symmetric curve both groups are the same. A point is x followed by y,
/// each in big-endian bytes of the field's length, or compressed (x and a sign byte). The point at infinity is "inf" in
/// text, and a binary value of length 0 in Parquet and Arrow (beside a fixed-size column p, the value true in the
/// boolean column p_inf). With --encoding all points, including the point at infinity, are in the encoding of another
/// system. A value is the list of its coefficients, low one first; with --gt-encoding it takes half or a third of the
/// bytes.
///
/// Exit status: 0 if all rows have values; 1 if some do not; 2 if the job could not run; 130 if interrupted while
/// writing a file; 141 if the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear pair --curve a-512 --in points.jsonl --out values.jsonl
  bilinear pair --curve a1-2x512 --in rows.parquet \\
      --out values.parquet --product-by id --fixed-p key.jsonl
  bilinear points random --curve a-512 --pairs --n 1000 | \\
      bilinear pair --curve a-512 > values.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    pairs: Pairs,
    /// The final exponentiation: exact or fast.
    ///
    /// `exact` uses the exponent (p^k - 1)/r. `fast` uses the multiple of this exponent that costs least, on curves
    /// with sextic twists only: 3 times the exponent for BLS curves, 2u(6u^2 + 3u + 1) times for BN, -1/(2 + p^3)^2 mod
    /// r times for KSS18. Fast values are pairings too, but in general not the values that other software gives.
    #[arg(long, value_name = "POWER", default_value = "exact")]
    power: Power,
    /// Compute one pairing at a time on all threads, for the least latency.
    ///
    /// Each thread computes a part of the Miller loop (see `bilinear ops --cores`). Many pairings take less time
    /// without this option, and so does one pairing while the processors have other work.
    #[arg(long, conflicts_with = "product_by")]
    latency: bool,
    /// The encoding of values: plain, torus2 or torus6.
    ///
    /// `plain` is all k coefficients. `torus2` is half of them, where k is even. `torus6` is a third, on BN, BLS and
    /// KSS18 curves. Curves of small characteristic have `plain` only. Each encoding is a bijection, so another program
    /// can read it back.
    #[arg(long, value_name = "NAME", default_value = "plain")]
    gt_encoding: GtEncoding,
    /// Compare with the expected values in the table; a different value is the row error `mismatch`
    #[arg(long)]
    check: bool,
    /// The column of the expected values
    #[arg(long, value_name = "COL", default_value = "expect", requires = "check")]
    expect_col: String,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let expect = args.check.then(|| args.expect_col.clone());
    let (power, gt_encoding) = (args.power, args.gt_encoding);
    let ask = Ask { power, gt_encoding, expect, latency: args.latency, ..Ask::new("pair", Question::GT) };
    args.pairs.run(ask)
}
