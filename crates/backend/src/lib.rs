//! A curve's pairing on an engine, over bytes.
//!
//! Below this crate everything is generic over a field; here it is recorded ([`Job`] lists every computation), proved to keep its
//! ranges, and executed by the machines of an engine behind one object-safe [`Backend`]. Values of users, batches and threads are
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
