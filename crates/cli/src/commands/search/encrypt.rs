//! `bilinear search encrypt`: encrypts the rows of a table.

use crate::choice::EngineChoice;
use crate::commands::Outcome;
use crate::commands::table::{Job, Table};
use crate::error::CommandError;
use crate::hex;
use crate::input::{Column, Fields, Kind};
use crate::job::search::{Encryption, columns};
use crate::output::Question;
use bilinear_engine::Batch;
use bilinear_schemes::predicate::{Content, Encryptor, KeyFile, PublicKey};
use std::path::PathBuf;

/// Encrypt the rows of a table.
///
/// {"city": "Lyon", "age": 34} becomes {"row": N, "ciphertext": HEX}. The attributes of the key's schema are the
/// columns or keys with the same names. A null is a value that no condition asks for. A row that does not fit the
/// schema gives {"row": N, "error": CODE, "message": TEXT}, and the job continues with the other rows.
///
/// Encryption is random: two runs give different bytes. A resumed run keeps the rows that are already encrypted.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear search encrypt --public table.public --message note --text \\
      --in table.parquet --out encrypted.parquet")]
pub(crate) struct Args {
    /// The file of the public key
    #[arg(long, value_name = "FILE")]
    public: PathBuf,
    #[command(flatten)]
    table: Table,
    /// The column of messages, which a token reveals for the rows that it finds (default: empty messages)
    #[arg(long, value_name = "COL")]
    message: Option<String>,
    /// Read messages as text.
    ///
    /// Without this option messages are hexadecimal, or binary columns.
    #[arg(long, requires = "message")]
    text: bool,
    #[command(flatten)]
    engine: EngineChoice,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let file = KeyFile::read(&args.public, Content::Public)?;
    let schema = file.schema()?;
    let system = super::system(&file, args.engine.chosen)?;
    let batch = Batch::new(system.clone());
    let public = PublicKey::from_bytes(&batch, file.key()).map_err(|error| file.refused(error))?;
    if (public.scheme(), public.length()) != (schema.scheme(), schema.length()) {
        return Err(file.refused("the schema is not that of the key").into());
    }
    let mut columns = columns(&schema);
    let kind = if args.text { Kind::Text } else { Kind::Bytes };
    columns.extend(args.message.as_deref().map(|name| Column::new(name, kind)));
    let job = Job {
        fields: Fields { columns, group: None },
        options: vec![
            ("public", Some(hex::encode(public.id()))),
            ("message", args.message.clone()),
            ("text", args.text.then(|| "yes".to_owned())),
        ],
        reads: vec![("--public", &args.public)],
        ..Job::new("search encrypt", &system, Question::CIPHERTEXT)
    };
    args.table.run(&job, batch, |start| {
        start.rows(None, |batch, _| {
            let order = batch.system().order().clone();
            let encryptor = Encryptor::new(batch, &public);
            let encryptor = encryptor.unwrap_or_else(|e| unreachable!("the curve of the key's own file: {e}"));
            Encryption { order, encryptor, schema }
        })
    })
}
