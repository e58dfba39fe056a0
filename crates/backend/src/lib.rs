//! A curve's pairing on an engine, over bytes.
//!
//! Up to this crate everything is generic over a field; above it nothing is. It picks the tower, the pairing and the engine of a
//! curve and the sizes to compile them for, and hands out one object-safe [`Backend`]. `bilinear-compiled` compiles it for the
//! engines that are there for speed, `bilinear-checks` for the one that judges them. Values of users, batches and threads are
//! the business of `bilinear-engine`, which is the crate to depend on.

pub mod build;
mod encodings;
mod error;
mod family;
mod group;
mod options;
pub mod recorded;
mod residues;
mod seam;
mod validate;

pub use encodings::{Encoding, GtEncoding};
pub use error::{FactorsError, GtError, MapError, PointError, PrepareError, RowError, SystemError};
pub use family::{Choice, Known};
pub use group::{Group, Side};
pub use options::{Options, PairingKind, Power, UnknownName};
pub use recorded::{Job, Phase, Programs, Recorded, bounds, operations, programs};
pub use seam::{Backend, Encoded, Lines, Owned};
pub use validate::Validate;
