//! `bilinear gt pow`: powers of values.

use super::table::{Answers, Target};
use crate::commands::Outcome;
use crate::commands::scalar::{self, integers};
use crate::commands::table::{Job, Table};
use crate::error::CommandError;
use crate::input::{Column, Fields, Integer, Kind};
use crate::job::gt::Power;
use crate::output::Question;
use bilinear_engine::Batch;

/// Raise the value of each row to an integer power: x^e.
///
/// {"gt": HEX, "e": INTEGER} becomes {"row": N, "gt": HEX}. Any integer is allowed, since only e modulo the group's
/// order matters.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(integers!(), "

Examples:
  bilinear gt pow --curve a-512 --in rows.jsonl --out powers.jsonl
  bilinear gt pow --curve a-512 --e -1 --in values.jsonl \\
      --out inverses.jsonl"))]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    answers: Answers,
    #[command(flatten)]
    table: Table,
    /// The column of the values
    #[arg(long, value_name = "COL", default_value = "gt")]
    x_col: String,
    /// The exponent of all rows, which is public
    #[arg(long, value_name = "E", allow_hyphen_values = true, conflicts_with = "e_col")]
    e: Option<Integer>,
    /// The column of the exponents
    #[arg(long, value_name = "COL", default_value = "e")]
    e_col: String,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let answers = Some(args.answers);
    let system = args.target.system(answers)?;
    let (exponents, column, exponent_option) = scalar::chosen(args.e.as_ref(), ("e", "e-col"), &args.e_col);
    let values = [Column::new(&args.x_col, Kind::Bytes)];
    let mut job = Job {
        fields: Fields { columns: values.into_iter().chain(column).collect(), group: None },
        options: args.target.options(answers),
        operation: "powers",
        reads: args.target.reads(),
        ..Job::new("gt pow", &system, Question::GT)
    };
    job.options.extend([("x-col", Some(args.x_col.clone())), exponent_option]);
    args.table.run(&job, Batch::new(system.clone()), |start| {
        start.rows(None, |batch, columns| Power { values: args.target.values(answers, batch, columns), exponents })
    })
}
