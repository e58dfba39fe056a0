//! A curve's pairing on an engine, over bytes.
//!
//! Below everything is generic over a field; here it is recorded (`recorded/job.rs` lists every computation), proved to keep its
//! ranges, and executed by the machines of an engine behind one object-safe [`Backend`]. Values of users, batches and threads are
//! the business of the rest of the crate.

mod build;
mod encodings;
mod error;
mod family;
mod group;
mod options;
mod recorded;
mod residues;
mod seam;
mod validate;

pub use encodings::{Encoding, GtEncoding};
pub use error::{FactorsError, GtError, MapError, PointError, PrepareError, RowError, SystemError};
pub(crate) use family::Choice;
pub use group::{Group, Side};
pub use options::{Options, PairingKind, Power, UnknownName};
pub use recorded::{LineValues, Phase, bounds, gt_order, line_values, operations, programs};
pub(crate) use recorded::{Programs, Recorded};
pub(crate) use seam::{Backend, Encoded, Lines, Owned};
pub use validate::Validate;
