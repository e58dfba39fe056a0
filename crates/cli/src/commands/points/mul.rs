//! `bilinear points mul`: multiples of points.

use super::table::{Operation, PointColumn};
use crate::commands::Outcome;
use crate::commands::scalar::{self, integers};
use crate::commands::table::Job;
use crate::error::CommandError;
use crate::input::{Fields, Integer};
use crate::job::points::Multiple;

/// Multiply the point of each row by an integer: kP.
///
/// {"p": HEX, "k": INTEGER} becomes {"row": N, "p": HEX}; on G2 q takes the place of p. Any integer is allowed, since
/// for a point of the group only k modulo the group's order matters.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(integers!(), "

Examples:
  bilinear points mul --curve alt-bn128 --in rows.jsonl \\
      --out multiples.jsonl
  bilinear points mul --curve a-512 --k 0xff --in points.parquet \\
      --out multiples.parquet"))]
pub(crate) struct Args {
    #[command(flatten)]
    operation: Operation,
    #[command(flatten)]
    point: PointColumn,
    /// The integer of all rows, which is public
    #[arg(long, value_name = "K", allow_hyphen_values = true, conflicts_with = "k_col")]
    k: Option<Integer>,
    /// The column of the integers
    #[arg(long, value_name = "COL", default_value = "k")]
    k_col: String,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let system = args.operation.target.system()?;
    let (point, point_option) = args.point.column(args.operation.target.group);
    let (scalars, column, scalar_option) = scalar::chosen(args.k.as_ref(), ("k", "k-col"), &args.k_col);
    let mut job = Job {
        fields: Fields { columns: [point].into_iter().chain(column).collect(), group: None },
        operation: "multiples",
        ..args.operation.job("points mul", &system)
    };
    job.options.extend([point_option, scalar_option]);
    let multiple = |batch, columns| Multiple { points: args.operation.points(batch, columns), scalars };
    args.operation.run(&job, |start| start.rows(None, multiple))
}
