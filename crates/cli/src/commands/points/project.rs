//! `bilinear points project`: components of points in the prime-order subgroups of a composite order.

use super::table::{Operation, PointColumn};
use crate::choice::knowing_factors;
use crate::commands::Outcome;
use crate::commands::table::Job;
use crate::error::CommandError;
use crate::input::Fields;
use crate::job::points::Projection;
use bilinear_engine::Batch;
use std::path::PathBuf;

/// Project the point of each row to a prime-order subgroup of a group of composite order (types A and A1).
///
/// {"p": HEX} becomes {"row": N, "p": HEX}. A point is the sum of its components, one for each prime factor of the
/// order.
///
/// The factors are secret. They come from a file that only its owner can read, as `bilinear params new --factors-out`
/// writes it, and the computation takes the same time for all factors. The factors of shipped curves other than a1-pbc
/// are public and need no file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear points project --params mine.toml \\
      --factors mine.secret.toml --factor 0 \\
      --in points.jsonl --out parts.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    operation: Operation,
    #[command(flatten)]
    point: PointColumn,
    /// The file of the secret prime factors
    #[arg(long, value_name = "FILE")]
    factors: Option<PathBuf>,
    /// The index of the prime factor, counted from 0 in the order of the file
    #[arg(long, value_name = "INDEX")]
    factor: usize,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the factors are not known, if others may read them, or if the job cannot run. Faults of
/// single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let system = knowing_factors(args.operation.target.system()?, args.factors.as_deref())?;
    Batch::new(system.clone()).project(args.factor, &[]).map_err(|error| CommandError::Usage(error.to_string()))?;
    let (point, point_option) = args.point.column(args.operation.target.group);
    let mut job = Job {
        fields: Fields { columns: vec![point], group: None },
        operation: "projections",
        ..args.operation.job("points project", &system)
    };
    job.reads.extend(args.factors.iter().map(|path| ("--factors", &**path)));
    job.options.extend([point_option, ("factor", Some(args.factor.to_string()))]);
    let projection = |batch, columns| Projection { points: args.operation.points(batch, columns), index: args.factor };
    args.operation.run(&job, |start| start.rows(None, projection))
}
