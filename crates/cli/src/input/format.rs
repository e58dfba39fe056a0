//! The outer formats of tables.

use std::path::Path;

/// How a table is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// One JSON object a line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC (Feather version 2); files in either of its two framings are read.
    Arrow,
}

impl Format {
    /// The format that a file's name tells.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "parquet" => Some(Self::Parquet),
            "arrow" | "ipc" | "feather" => Some(Self::Arrow),
            _ => None,
        }
    }

    /// The format's name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "JSON Lines",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        }
    }
}
