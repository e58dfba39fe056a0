//! `bilinear points hash`: hashes of messages to a group.

use super::table::Target;
use crate::choice::named;
use crate::commands::Outcome;
use crate::commands::table::{Job, Table};
use crate::error::CommandError;
use crate::input::{Column, Fields, Kind};
use crate::job::points::Hash;
use bilinear_engine::Batch;

/// A function of RFC 9380.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Uniform points, as from a random oracle
    HashToCurve,
    /// One evaluation of the map: faster, but not uniform and no random oracle
    EncodeToCurve,
}

/// Hash the message of each row to a point of the group, by RFC 9380 with SHA-256 and the curve's own map.
///
/// {"message": HEX} becomes {"row": N, "p": HEX}, or "q" on G2. A message is any sequence of bytes, possibly empty; in
/// Parquet and Arrow a binary message is used unchanged. (`bilinear points hash-lines` reads lines of text.)
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear points hash --curve bls12-381 --group g2 \\
      --dst MYAPP-V01-KEYWORD --in messages.jsonl --out points.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    table: Table,
    /// The domain separation tag: a text of the application's own
    #[arg(long, value_name = "TEXT")]
    dst: String,
    /// The function of RFC 9380
    #[arg(long, value_name = "NAME", default_value = "hash-to-curve", ignore_case = true)]
    method: Method,
    /// The column of the messages
    #[arg(long, value_name = "COL", default_value = "message")]
    message_col: String,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run, or if the tag is empty. Faults of single rows are part of the
/// output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let system = args.target.system()?;
    // rejects an empty tag even if the table has no rows
    let hashed = system.hash_to_curve(args.target.group, b"", args.dst.as_bytes());
    hashed.map_err(|error| CommandError::Usage(error.to_string()))?;
    let mut job = Job {
        fields: Fields { columns: vec![Column::new(&args.message_col, Kind::Bytes)], group: None },
        operation: "messages",
        ..args.target.job("points hash", &system)
    };
    job.options.extend([
        ("dst", Some(args.dst.clone())),
        ("method", named(&args.method)),
        ("message-col", Some(args.message_col.clone())),
    ]);
    args.table.run(&job, Batch::new(system.clone()), |start| {
        start.rows(None, |batch, columns| Hash {
            points: args.target.made(batch, columns),
            dst: args.dst.as_bytes().to_vec(),
            is_uniform: args.method == Method::HashToCurve,
        })
    })
}
