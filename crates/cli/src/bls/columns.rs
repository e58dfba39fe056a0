//! The columns of tables of signatures, and reading their values.

use crate::fault::{Fault, code};
use crate::input::{Cells, Chunk, Column, Kind, Need};
use bilinear_engine::PointError;
use bilinear_schemes::bls::{Bls, Possession, PublicKey, PublicKeyError, Signature};

/// The column of public keys.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct KeyColumn {
    /// The column of the public keys
    #[arg(long, value_name = "COL", default_value = "public_key")]
    pub(crate) public_key_col: String,
}

/// The column of messages.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MessageColumn {
    /// The column of the messages
    #[arg(long, value_name = "COL", default_value = "message")]
    pub(crate) message_col: String,
    /// Read messages as text, whose UTF-8 bytes are signed.
    ///
    /// Without this option messages are hexadecimal, or binary columns.
    #[arg(long)]
    pub(crate) text: bool,
}

/// The column of signatures.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SignatureColumn {
    /// The column of the signatures
    #[arg(long, value_name = "COL", default_value = "signature")]
    pub(crate) signature_col: String,
}

/// The column of proofs of possession.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ProofColumn {
    /// The column of the proofs of possession (default: proof)
    #[arg(long, value_name = "COL")]
    proof_col: Option<String>,
}

impl MessageColumn {
    /// Returns the column to read.
    pub(crate) fn column(&self, need: Need) -> Column {
        let kind = if self.text { Kind::Text } else { Kind::Bytes };
        Column { name: self.message_col.clone(), kind, need }
    }

    /// Returns the options that determine the output, by their names.
    pub(super) fn options(&self) -> [(&'static str, Option<String>); 2] {
        [("message-col", Some(self.message_col.clone())), ("text", self.text.then(|| "yes".to_owned()))]
    }
}

impl KeyColumn {
    /// Returns the option that determines the output, with its name.
    pub(super) fn option(&self) -> (&'static str, Option<String>) {
        ("public-key-col", Some(self.public_key_col.clone()))
    }
}

impl SignatureColumn {
    /// Returns the option that determines the output, with its name.
    pub(super) fn option(&self) -> (&'static str, Option<String>) {
        ("signature-col", Some(self.signature_col.clone()))
    }
}

impl ProofColumn {
    /// Returns the column's name.
    pub(super) fn name(&self) -> &str {
        self.proof_col.as_deref().unwrap_or("proof")
    }

    /// Returns true if the user has named a column.
    pub(crate) fn is_given(&self) -> bool {
        self.proof_col.is_some()
    }

    /// Returns the option that determines the output, with its name.
    pub(super) fn option(&self) -> (&'static str, Option<String>) {
        ("proof-col", Some(self.name().to_owned()))
    }
}

/// Describes a column of bytes.
pub(crate) fn bytes(name: &str, need: Need) -> Column {
    Column { name: name.to_owned(), kind: Kind::Bytes, need }
}

/// A reader of the values of rows, which names rows and columns in faults.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// The columns that are read.
    pub(super) columns: Vec<Column>,
}

impl Reader {
    /// Returns the values of all given rows in a column. A missing value is empty.
    pub(super) fn column<'c>(&self, chunk: &'c Chunk, rows: &[(u64, &Cells)], column: usize) -> Vec<&'c [u8]> {
        rows.iter().map(|(_, cells)| chunk.value(cells, column).unwrap_or_default()).collect()
    }

    /// Makes the fault of a row in a column.
    pub(super) fn fault(&self, row: u64, column: usize, code: &'static str, reason: impl ToString) -> Fault {
        Fault::new(code, row, self.columns.get(column).map(|column| &*column.name), reason)
    }

    /// Reads the public keys of rows.
    pub(super) fn keys(
        &self,
        bls: &Bls,
        chunk: &Chunk,
        rows: &[(u64, &Cells)],
        column: usize,
    ) -> Vec<Result<PublicKey, Fault>> {
        let keys = bls.read_public_keys(&self.column(chunk, rows, column));
        let read = rows.iter().zip(keys).map(|((row, _), key)| {
            key.map_err(|error| {
                let code = match &error {
                    PublicKeyError::Encoding(error) => error.code(),
                    PublicKeyError::Infinity => code::INFINITY,
                };
                self.fault(*row, column, code, error)
            })
        });
        read.collect()
    }

    /// Reads the signatures of rows.
    pub(super) fn signatures(
        &self,
        bls: &Bls,
        chunk: &Chunk,
        rows: &[(u64, &Cells)],
        column: usize,
    ) -> Vec<Result<Signature, Fault>> {
        self.judged(rows, column, bls.read_signatures(&self.column(chunk, rows, column)))
    }

    /// Reads the proofs of possession of rows.
    pub(super) fn proofs(
        &self,
        bls: &Bls,
        chunk: &Chunk,
        rows: &[(u64, &Cells)],
        column: usize,
    ) -> Vec<Result<Possession, Fault>> {
        self.judged(rows, column, bls.read_possessions(&self.column(chunk, rows, column)))
    }

    fn judged<T>(
        &self,
        rows: &[(u64, &Cells)],
        column: usize,
        read: Vec<Result<T, PointError>>,
    ) -> Vec<Result<T, Fault>> {
        let fault = |row, error: PointError| self.fault(row, column, error.code(), error);
        rows.iter().zip(read).map(|((row, _), read)| read.map_err(|error| fault(*row, error))).collect()
    }
}
