//! `bilinear points add`: sums of two points.

use super::table::Operation;
use crate::commands::Outcome;
use crate::commands::table::Job;
use crate::error::CommandError;
use crate::input::{Column, Fields, Kind};
use crate::job::points::Sum;

/// Add the two points of each row, both of the same group.
///
/// {"p": HEX, "q": HEX} becomes {"row": N, "p": HEX} for a sum in G1, {"row": N, "q": HEX} for a sum in G2.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear points add --curve bls12-381 --group g2 --p-col a \\
      --q-col b --in rows.jsonl --out sums.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    operation: Operation,
    /// The column of the first points
    #[arg(long, value_name = "COL", default_value = "p")]
    p_col: String,
    /// The column of the second points
    #[arg(long, value_name = "COL", default_value = "q")]
    q_col: String,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let system = args.operation.target.system()?;
    let columns = [&args.p_col, &args.q_col].map(|name| Column::new(name, Kind::Point)).into();
    let mut job = Job {
        fields: Fields { columns, group: None },
        operation: "additions",
        ..args.operation.job("points add", &system)
    };
    job.options.extend([("p-col", Some(args.p_col.clone())), ("q-col", Some(args.q_col.clone()))]);
    args.operation.run(&job, |start| start.rows(None, |batch, columns| Sum(args.operation.points(batch, columns))))
}
