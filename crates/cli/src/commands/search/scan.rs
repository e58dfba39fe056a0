//! `bilinear search scan`: the rows of which a token's predicate holds.

use super::file::{Content, KeyFile};
use crate::commands::Outcome;
use crate::commands::table::{Job, Table};
use crate::error::CommandError;
use crate::hex;
use crate::input::{Column, Fields, Kind};
use crate::job::pace::Pace;
use crate::job::search::Scan;
use crate::job::summary::Compared;
use crate::output::Question;
use bilinear_engine::{Batch, Engine, Validate};
use bilinear_schemes::predicate::{Search, Token};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// Find the rows of an encrypted table of which a token's predicate holds.
///
/// {"ciphertext": HEX} becomes {"row": N, "match": true, "opened": HEX} with the message of the row, or {"row": N, "match": false}. A
/// row that is damaged, or encrypted with another key, gives {"row": N, "error": CODE, "message": TEXT}, and the others go on. Points
/// are checked to be on the curve: what is outside the group changes no pairing with a token.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear search scan --token lyon.token --in encrypted.parquet --out found.parquet")]
pub(super) struct Args {
    /// The token
    #[arg(long, value_name = "FILE")]
    token: PathBuf,
    #[command(flatten)]
    table: Table,
    /// The column of the encrypted rows
    #[arg(long, value_name = "COL", default_value = "ciphertext")]
    ciphertext_col: String,
    /// The engine (mont, ifma, portable, hmm, rns, reference); the best of this machine by default
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
}

/// Runs the command.
///
/// # Errors
/// If the job cannot run; faults of single rows are in the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let file = KeyFile::read(&args.token, Content::Token)?;
    let system = super::system(&file, args.engine)?;
    let batch = Batch::new(system.clone()).validate(Validate::Curve);
    let token = Token::read(&batch, file.key()).map_err(|error| file.refused(error))?;
    let column = args.ciphertext_col.clone();
    let job = Job {
        fields: Fields { columns: vec![Column::new(&column, Kind::Bytes)], group: None },
        options: vec![
            ("token", Some(hex::encode(&Sha256::digest(file.key())))),
            ("ciphertext-col", Some(column.clone())),
        ],
        compared: Some(Compared::Predicate),
        pace: |batch| Pace::from(batch.system().lanes() * batch.thread_count()),
        pairing: Some(format!("{} pairings a row", token.pairings())),
        ..Job::new("search scan", &system, Question::Match)
    };
    args.table.run(&job, batch, |start| {
        start.rows(None, |batch| {
            let search = Search::new(batch, &token);
            Scan { search: search.unwrap_or_else(|e| unreachable!("the curve of the token's own file: {e}")), column }
        })
    })
}
