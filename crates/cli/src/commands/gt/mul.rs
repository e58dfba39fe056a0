//! `bilinear gt mul`: products of values.

use super::table::{Answers, Target};
use crate::commands::Outcome;
use crate::commands::table::{Job, Table, Unit};
use crate::error::CommandError;
use crate::input::{Column, Fields, Kind};
use crate::job::gt::Product;
use crate::output::Question;
use bilinear_engine::Batch;

/// Multiply the two values of each row, or the values of each group of rows.
///
/// {"gt": HEX, "y": HEX} becomes {"row": N, "gt": HEX}. With --by COL there is no second value: adjacent rows with
/// equal COL form a group, and each group gives {"group": G, "rows": N, "gt": HEX}. If a row has no value, neither has
/// its group, and the error of the group names the first such row.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear gt mul --curve a-512 --in rows.jsonl --out products.jsonl
  bilinear gt mul --curve a-512 --by record --in values.parquet \\
      --out products.parquet")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    answers: Answers,
    #[command(flatten)]
    table: Table,
    /// The column of the first values
    #[arg(long, value_name = "COL", default_value = "gt")]
    x_col: String,
    /// The column of the second values
    #[arg(long, value_name = "COL", default_value = "y", conflicts_with = "by")]
    y_col: String,
    /// Give one product for each group of adjacent rows with equal COL
    #[arg(long, value_name = "COL")]
    by: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let answers = Some(args.answers);
    let system = args.target.system(answers)?;
    let second = args.by.is_none().then_some(&*args.y_col);
    let columns = [&*args.x_col].into_iter().chain(second).map(|name| Column::new(name, Kind::Bytes)).collect();
    let mut job = Job {
        fields: Fields { columns, group: args.by.clone() },
        unit: if args.by.is_some() { Unit::Group } else { Unit::Row },
        options: args.target.options(answers),
        operation: "values",
        reads: args.target.reads(),
        ..Job::new("gt mul", &system, Question::GT)
    };
    job.options.extend([
        ("x-col", Some(args.x_col.clone())),
        ("y-col", second.map(str::to_owned)),
        ("by", args.by.clone()),
    ]);
    let product = |batch, columns| Product(args.target.values(answers, batch, columns));
    args.table.run(&job, Batch::new(system.clone()), |start| match args.by {
        Some(_) => start.groups(None, product),
        None => start.rows(None, product),
    })
}
