//! `bilinear points decompress`: converts points to another encoding.

use super::table::{Operation, PointColumn};
use crate::commands::Outcome;
use crate::commands::table::Job;
use crate::error::CommandError;
use crate::input::Fields;
use crate::job::points::{OutEncoding, Points, Rewritten};

/// Check the point of each row and write it as x and y, or in the encoding of --compressed or --out-encoding.
///
/// Points in the table are compressed or not, or in the encoding that --encoding names: {"p": HEX} becomes {"row": N,
/// "p": HEX}.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear points decompress --curve a-512 --in compressed.jsonl \\
      --out points.jsonl
  bilinear points decompress --curve bls12-381 --group g2 \\
      --encoding zcash --in keys.jsonl --out points.parquet
  bilinear points decompress --curve bls12-381 --encoding zcash \\
      --out-encoding eip --in keys.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    operation: Operation,
    #[command(flatten)]
    point: PointColumn,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let system = args.operation.target.system()?;
    let (point, point_option) = args.point.column(args.operation.target.group);
    let mut job = Job {
        fields: Fields { columns: vec![point], group: None },
        operation: "points",
        ..args.operation.job("points decompress", &system)
    };
    job.options.push(point_option);
    let rewritten = |batch, columns| {
        let written = args.operation.target.written().unwrap_or(OutEncoding::Affine);
        Rewritten(Points { written, ..args.operation.points(batch, columns) })
    };
    args.operation.run(&job, |start| start.rows(None, rewritten))
}
