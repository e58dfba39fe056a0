//! A curve's pairing on an engine, over bytes.
//!
//! The layers below are generic over a field. Here their computations are recorded (`recorded/job.rs` lists every
//! one), proved to keep their ranges, and executed by the machines of an engine behind one object-safe [`Backend`].
//! Curves of small characteristic have a backend of their own (`small_characteristic.rs`), with the feature `research`.
//! The rest of the crate handles the values of users, batches and threads.

mod auto;
mod build;
#[cfg(feature = "research")]
mod elements;
mod encodings;
mod error;
#[cfg(feature = "research")]
mod eta;
mod family;
#[cfg(feature = "research")]
mod genus2;
mod group;
mod interface;
pub(crate) mod machines;
mod options;
mod recorded;
#[cfg_attr(not(feature = "research"), path = "without_research.rs")]
mod research;
mod residues;
#[cfg(feature = "research")]
mod small_characteristic;
mod validate;

pub(crate) use auto::{Auto, TRIAL};
pub use bilinear_pairing::names::{PairingKind, Power, UnknownName};
pub use encodings::{Encoding, GtEncoding};
pub use error::{FactorsError, GtError, MapError, PointError, PrepareError, RowError, SystemError};
pub(crate) use family::ChosenPairing;
pub use group::{Group, Side};
pub(crate) use interface::{Backend, Encoded, LoopParts, MachineLines, MachineStart, MachineTables, Owned};
pub use options::{Options, Research};
pub use recorded::{
    LineValues, LoopPartition, OnResidues, PartitionPart, PartsError, Phase, gt_order, line_values, loop_partition,
    on_residues, operations, product_program, programs,
};
pub(crate) use recorded::{Programs, RecordedBackend};
pub(crate) use research::of_small_characteristic;
pub use validate::Validate;
