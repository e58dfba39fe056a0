//! The outer formats of tables.

use std::path::Path;

/// The file format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// One JSON object per line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC (Feather version 2). Both framings, file and stream, can be read.
    Arrow,
}

impl Format {
    /// The endings of file names that determine a format.
    pub(crate) const ENDINGS: [(&str, Self); 6] = [
        ("jsonl", Self::Jsonl),
        ("ndjson", Self::Jsonl),
        ("parquet", Self::Parquet),
        ("arrow", Self::Arrow),
        ("ipc", Self::Arrow),
        ("feather", Self::Arrow),
    ];

    /// Returns the format that a file's name determines, in either case.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        Self::ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, format)| *format)
    }

    /// Returns the format's name for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "JSON Lines",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        }
    }
}
