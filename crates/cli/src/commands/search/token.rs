//! `bilinear search token`: makes the token of a predicate.

use crate::commands::{Outcome, fresh};
use crate::console;
use crate::error::CommandError;
use bilinear_engine::Batch;
use bilinear_schemes::predicate::language::Predicate;
use bilinear_schemes::predicate::{Content, KeyFile, SecretKey};
use std::path::PathBuf;

/// Make the token of a predicate, which finds the rows for which the predicate holds.
///
/// Attributes are written by name, texts and choices in single quotes: city = 'Lyon' AND age BETWEEN 30 AND 39. The
/// operators are =, IN ('a', 'b'), AND, OR and parentheses; <, <=, >, >= and BETWEEN for integers; and * for every row.
/// There is no NOT.
///
/// `hidden vector` accepts one value of a text, one range of an integer, any set of a choice, and no OR between
/// attributes. Inner products accept as many values of an attribute as its `most` in the schema allows, and OR between
/// attributes that the schema joins.
///
/// The cost of the token, in pairings per row, is printed before it is made. Anyone with the token can search with it,
/// and can find out what it asks for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear search token --secret table.secret \\
      --out lyon.token \"city = 'Lyon' AND age BETWEEN 30 AND 39\"")]
pub(crate) struct Args {
    /// The file of the secret key (mode 0600)
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Write the token to this new file, which only you can read
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The predicate to search for
    #[arg(value_name = "PREDICATE")]
    predicate: String,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the key cannot be read, if the schema cannot express the predicate, or if the output
/// file exists.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    fresh::check(&args.out)?;
    let file = KeyFile::read(&args.secret, Content::Secret)?;
    let schema = file.schema()?;
    let predicate = Predicate::new(&schema, &args.predicate).map_err(|error| CommandError::Usage(error.to_string()))?;
    // does not print the predicate, since a user may have written a key in its place
    console::note(format_args!("{} pairings a row", predicate.pairings()));
    let batch = Batch::new(super::system(&file, None)?);
    let secret = SecretKey::from_bytes(&batch, file.key()).map_err(|error| file.refused(error))?;
    let pattern = predicate.pattern(batch.system().order()).map_err(CommandError::randomness)?;
    let token = secret.token(&batch, &pattern).map_err(|error| file.refused(error))?;
    KeyFile::write(&args.out, Content::Token, &token.to_bytes(), batch.system().curve(), None)?;
    Ok(Outcome::Good)
}
