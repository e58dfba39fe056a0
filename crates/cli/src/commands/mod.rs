//! The subcommands, one file each.

pub(crate) mod aggregate;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod curves;
mod fresh;
pub(crate) mod gt;
pub(crate) mod key;
pub(crate) mod man;
pub(crate) mod ops;
pub(crate) mod pair;
mod pairing;
pub(crate) mod params;
pub(crate) mod places;
pub(crate) mod points;
pub(crate) mod processor;
pub(crate) mod program;
pub(crate) mod reads;
mod scalar;
pub(crate) mod search;
pub(crate) mod sign;
pub(crate) mod table;
pub(crate) mod verify;

/// The outcome of a command that could run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Success: exit status 0.
    Good,
    /// Some rows have no value, or not the expected one: exit status 1.
    RowErrors,
}

impl Outcome {
    /// Returns the exit status.
    pub(crate) fn status(self) -> u8 {
        match self {
            Outcome::Good => 0,
            Outcome::RowErrors => 1,
        }
    }
}
