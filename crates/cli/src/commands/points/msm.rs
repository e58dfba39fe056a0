//! `bilinear points msm`: sums of multiples of points.

use super::table::{Operation, PointColumn};
use crate::commands::Outcome;
use crate::commands::scalar::{self, integers};
use crate::commands::table::{Job, Unit};
use crate::error::CommandError;
use crate::input::Fields;
use crate::job::points::Multiple;

/// Sum multiples kP of points, over the whole table or over each group of rows.
///
/// Rows are those of `bilinear points mul`. The table gives one answer, {"rows": N, "p": HEX}; a table without rows
/// gives the point at infinity. With --by COL adjacent rows with equal COL form a group, and each group gives {"group":
/// G, "rows": N, "p": HEX}. If a row has no point, its sum has none either, and the error of the sum names the first
/// such row.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(integers!(), "

Examples:
  bilinear points msm --curve bls12-381 --in rows.jsonl
  bilinear points msm --curve bls12-381 --group g2 --by proof \\
      --in rows.parquet --out sums.parquet"))]
pub(crate) struct Args {
    #[command(flatten)]
    operation: Operation,
    #[command(flatten)]
    point: PointColumn,
    /// The column of the integers
    #[arg(long, value_name = "COL", default_value = "k")]
    k_col: String,
    /// Give one sum for each group of adjacent rows with equal COL
    #[arg(long, value_name = "COL")]
    by: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let system = args.operation.target.system()?;
    let (point, point_option) = args.point.column(args.operation.target.group);
    let (scalars, column, scalar_option) = scalar::chosen(None, ("k", "k-col"), &args.k_col);
    let mut job = Job {
        fields: Fields { columns: [point].into_iter().chain(column).collect(), group: args.by.clone() },
        unit: if args.by.is_some() { Unit::Group } else { Unit::Table },
        operation: "terms",
        ..args.operation.job("points msm", &system)
    };
    job.options.extend([point_option, scalar_option, ("by", args.by.clone())]);
    let sum = |batch, columns| Multiple { points: args.operation.points(batch, columns), scalars };
    args.operation.run(&job, |start| start.groups(None, sum))
}
