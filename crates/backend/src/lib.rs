//! A curve's pairing on an engine, over bytes.
//!
//! Below this crate everything is generic over a field; above it nothing is. It picks the tower, the pairing and the engine of a
//! curve, compiles them for the sizes that ship, and hands out one object-safe [`Backend`]. Values of users, batches and threads
//! are the business of `bilinear-engine`, which is the crate to depend on.

mod asymmetric;
mod build;
mod encodings;
mod error;
mod family;
mod group;
mod operations;
mod options;
mod residues;
mod seam;
mod symmetric;
mod validate;

pub use build::build;
pub use encodings::{Encoding, GtEncoding};
pub use error::{FactorsError, GtError, MapError, PointError, PrepareError, RowError, SystemError};
pub use family::{Choice, Known};
pub use group::{Group, Side};
pub use operations::{Phase, bounds, operations};
pub use options::{Options, PairingKind, Power, UnknownName};
pub use seam::{Backend, Encoded, Lines, Owned};
pub use validate::Validate;
