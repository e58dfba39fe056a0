//! Why a batch cannot be made.

use crate::backend::PairingKind;

/// The most threads of a batch: each takes memory and time to start, whether there is work for it or not.
pub const MOST_THREADS: usize = 1024;

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// More than a batch takes.
    #[error("{0} threads: a batch takes at most {MOST_THREADS}")]
    TooMany(usize),
    /// The operating system refuses them.
    #[error("cannot start {threads} threads: {reason}")]
    Refused {
        /// How many were asked for.
        threads: usize,
        /// What it says.
        reason: String,
    },
}

/// Second arguments outside G2 cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OnCurveError {
    /// The pairing is defined on G2 alone.
    #[error(
        "the {pairing} pairing of {curve} takes second arguments from G2 alone; the tate pairing does not ask for that"
    )]
    Pairing {
        /// The curve.
        curve: String,
        /// Its pairing.
        pairing: PairingKind,
    },
    /// The arguments are of one group.
    #[error("both arguments of {curve} are of one group, which is checked in full")]
    Symmetric {
        /// The curve.
        curve: String,
    },
}
