//! `bilinear gt check`: checks which values are in the target group.

use super::table::Target;
use crate::commands::Outcome;
use crate::commands::table::{Job, Table, rows_to_check};
use crate::error::CommandError;
use crate::input::{Column, Fields, Kind};
use crate::job::gt::Membership;
use crate::job::summary::Compared;
use crate::output::Question;
use bilinear_engine::Batch;

/// Check that the value of each row is in the target group.
///
/// {"gt": HEX} becomes {"row": N, "ok": true}, or false for an element of the field that is not in the group. Bytes
/// that do not encode an element of the field give {"row": N, "error": CODE, "message": TEXT}.
///
/// A table without rows proves nothing and is an error, unless --allow-empty is given.
///
/// Exit status: 0 if all values are in the group; 1 if some are not, or cannot be read; 2 if the job could not run, or
/// if the table has no rows; 130 if interrupted while writing a file; 141 if the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear gt check --curve bls12-381 --gt-encoding torus6 \\
      --in values.jsonl --out ok.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    table: Table,
    /// The column of the values
    #[arg(long, value_name = "COL", default_value = "gt")]
    x_col: String,
    /// Accept a table without rows
    #[arg(long)]
    allow_empty: bool,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let system = args.target.system(None)?;
    let mut job = Job {
        fields: Fields { columns: vec![Column::new(&args.x_col, Kind::Bytes)], group: None },
        options: args.target.options(None),
        compared: Some(Compared::Gt),
        operation: "values",
        needs_rows: rows_to_check(args.allow_empty),
        reads: args.target.reads(),
        ..Job::new("gt check", &system, Question::IsOk)
    };
    job.options.push(("x-col", Some(args.x_col.clone())));
    args.table.run(&job, Batch::new(system.clone()), |start| {
        start.rows(None, |batch, columns| Membership(args.target.values(None, batch, columns)))
    })
}
