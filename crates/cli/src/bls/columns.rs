//! The columns of tables of signatures.

use crate::input::{Column, Kind, Need};

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
