//! `bilinear search keygen`: a key pair for the rows of a schema.

use crate::choice::{CurveChoice, knowing_factors};
use crate::commands::{Outcome, fresh};
use crate::console;
use crate::error::CommandError;
use crate::text_lines;
use bilinear_engine::{Batch, Options};
use bilinear_schemes::predicate::language::Schema;
use bilinear_schemes::predicate::{Content, KeyFile, setup};
use std::fs;
use std::path::{Path, PathBuf};

/// Make the keys of a table: a public key, which encrypts rows, and a secret key, which makes tokens.
///
/// The schema is a text file, as below: first the kind of predicates, then one attribute per line. Anyone can encrypt
/// rows with the public key.
///
/// `hidden vector` supports =, ranges of integers, sets of choices and AND, on a curve whose order has two primes.
/// `inner product` needs three primes and supports OR as well. For it, `city text most 2` sets how many values a
/// predicate may ask for. A range counts each of its integers: age BETWEEN 30 AND 39 needs `age integer 0 120 most 10`.
/// `join city age` allows OR between the two attributes. The factors of the order must be known: from --factors, or
/// from a shipped curve that publishes them, which is for tests only.
///
/// `inner product in dual spaces` and `inner product with matrices` accept the same attributes on a curve of prime
/// order, such as bls12-381.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A schema:
  hidden vector
  city text
  age integer 0 120
  state choice 'new' 'paid'

Example:
  bilinear params new a1 --primes 1024,1024 --out my-a1.toml \\
      --factors-out my-a1.secret.toml
  bilinear search keygen --params my-a1.toml \\
      --factors my-a1.secret.toml --schema table.schema \\
      --public table.public --secret table.secret")]
pub(crate) struct Args {
    #[command(flatten)]
    curve: CurveChoice,
    /// The file of the secret prime factors
    #[arg(long, value_name = "FILE")]
    factors: Option<PathBuf>,
    /// The schema file, which defines the attributes of the table
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    /// Write the public key to this new file
    #[arg(long, value_name = "FILE")]
    public: PathBuf,
    /// Write the secret key to this new file, which only you can read
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the factors are not known or do not suit the schema, if an output file exists, or if a
/// file cannot be read or written.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    fresh::check_both(&args.public, &args.secret)?;
    let schema = read_schema(&args.schema)?;
    let system = knowing_factors(args.curve.system(Options::default())?, args.factors.as_deref())?;
    let batch = Batch::new(system);
    let keys = setup(&batch, schema.scheme(), schema.length());
    let (public, secret) = keys.map_err(|error| CommandError::Usage(error.to_string()))?;
    let curve = batch.system().curve();
    KeyFile::write(&args.public, Content::Public, &public.to_bytes(), curve, Some(&schema))?;
    if let Err(error) = KeyFile::write(&args.secret, Content::Secret, &secret.to_bytes(), curve, Some(&schema)) {
        let _ = fs::remove_file(&args.public);
        return Err(error.into());
    }
    let (scheme, length) = (schema.scheme(), schema.length());
    console::note(format_args!("{}: a public key for {scheme}, vectors of {length}", args.public.display()));
    console::note(format_args!(
        "{}: the secret key; anyone who reads it can search for anything",
        args.secret.display()
    ));
    Ok(Outcome::Good)
}

/// Reads a schema. Its length is limited, since the file of a secret key repeats it.
fn read_schema(path: &Path) -> Result<Schema, CommandError> {
    let text = text_lines::whole(path, MAX_SCHEMA, "a schema")?;
    text.parse().map_err(|error| CommandError::Usage(format!("{}: {error}", path.display())))
}

/// The most bytes of a schema.
const MAX_SCHEMA: u64 = 1 << 19;
