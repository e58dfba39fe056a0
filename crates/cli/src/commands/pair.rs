//! `bilinear pair`: reads a table of points, and writes their pairings.

use super::Outcome;
use super::pairing::{Ask, Pairs};
use crate::error::CommandError;
use crate::output::Question;
use bilinear_engine::{GtEncoding, Power};

/// Compute the pairings, or products of pairings, of a table of points.
///
/// Each row has two points, p and q, and gives one value: {"p": HEX, "q": HEX} becomes {"row": N, "gt": HEX}. A row
/// that has no value gives {"row": N, "error": CODE, "message": TEXT}, and the others go on.
///
/// p is a point of G1 and q one of G2; on a symmetric curve both are one group. A point is x then y, each in big-endian bytes
/// of the field's length, or compressed (x and a sign byte); the point at infinity is "inf" in text, and a binary value of length 0 in Parquet and Arrow (beside a fixed-size column p, a true
/// in the boolean column p_inf). With --encoding points are as another system writes them, O too. A value is its coefficients, low one first; with
/// --gt-encoding it takes half or a third of the bytes.
///
/// Exit status: 0 all rows have values; 1 some have not; 2 the job could not run; 130 interrupted; 141 the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear pair --curve a-512 --in points.jsonl --out values.jsonl
  bilinear pair --curve a1-2x512 --in rows.parquet --out values.parquet --product-by id --fixed-p key.jsonl
  bilinear points random --curve a-512 --pairs --n 1000 | bilinear pair --curve a-512 > values.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    pairs: Pairs,
    /// The power of the pairing: exact, for the exponent (p^k - 1)/r, or fast, for the multiple of that which costs least (sextic
    /// twists only: 3 times it for BLS curves, 2u(6u^2 + 3u + 1) times for BN, -1/(2 + p^3)^2 mod r times for KSS18);
    /// fast values are pairings too, but not the values that other software gives
    #[arg(long, value_name = "POWER", default_value = "exact")]
    power: Power,
    /// One pairing at a time, as soon as possible, on all threads: each takes a part of its Miller loop (`bilinear ops --cores`). Many
    /// pairings take less time without this, and so does one where the processors have other work
    #[arg(long, conflicts_with = "product_by")]
    latency: bool,
    /// How values are written: plain, all k coefficients; torus2, half of them, where k is even; torus6, a third, on BN, BLS and
    /// KSS18 curves; curves of small characteristic have plain alone. Each is a bijection: another program reads it back
    #[arg(long, value_name = "NAME", default_value = "plain")]
    gt_encoding: GtEncoding,
    /// Compare with the expected values in the table; another value is the row error `mismatch`
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
