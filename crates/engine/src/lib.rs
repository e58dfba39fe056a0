//! Pairings in bulk, over tables of points.
//!
//! A [`System`] is a curve on an engine; a [`Batch`] handles threads, chunking and order. Nothing is global: any
//! number of systems and batches can exist side by side, each safe to use from many threads.
//!
//! ```
//! use bilinear_engine::{Batch, Curve, Group, PointRef, System};
//!
//! let system = System::new(&Curve::named("a-512")?)?;
//! let (p, q) = (system.generator(Group::G1), system.hash_to_curve(Group::G2, b"row 1", b"EXAMPLE-V01")?);
//! let rows = [(p.as_ref(), q.as_ref()), (q.as_ref(), p.as_ref()), (p.as_ref(), PointRef::Infinity)];
//! let values = Batch::new(system.clone()).pair(&rows);
//! assert_eq!(values[0], values[1], "the pairing of this curve is symmetric: G1 and G2 are one group");
//! assert_eq!(values[2], Ok(system.gt_one()), "e(P, O) = 1");
//! assert_eq!(system.pair(&p, &q), values[0].clone()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Byte strings from outside are checked row by row, and an invalid one fails its own row only:
//!
//! ```
//! # use bilinear_engine::{Batch, Curve, Group, PointError, System};
//! # let system = System::new(&Curve::named("a-512")?)?;
//! # let good = system.generator(Group::G1).bytes().unwrap_or_default().to_vec();
//! let rows: [(&[u8], &[u8]); 2] = [(&good, &good), (&good[1..], &good)];
//! let values = Batch::new(system.clone()).pair(&rows);
//! assert!(values[0].is_ok());
//! assert!(matches!(&values[1], Err(error) if error.row == 1 && matches!(error.reason, PointError::Length { .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Products share their squarings and their final exponentiation; a fixed argument is prepared once:
//!
//! ```
//! use bilinear_engine::{Batch, Curve, Group, Side, System};
//!
//! let system = System::new(&Curve::named("a-512")?)?;
//! let key = system.hash_to_curve(Group::G1, b"key", b"EXAMPLE-V01")?;
//! let row = system.hash_to_curve(Group::G2, b"row", b"EXAMPLE-V01")?;
//! let batch = Batch::new(system.clone());
//! let one = batch.pair_prepared(&system.prepare(Side::P, &key)?, &[row.as_ref()]);
//! assert_eq!(one[0], Ok(system.pair(&key, &row)));
//! // e(key, row)·e(−key, row) = 1
//! let minus = system.neg(&key);
//! let rows = [(&key, &row), (&minus, &row)];
//! assert_eq!(batch.product(&rows, &[0..2])[0], Ok(system.gt_one()));
//! assert_eq!(batch.check(&rows, &[0..2, 0..1]), [Ok(true), Ok(false)]);
//! assert!(system.check(&rows));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backend;
mod batch;
mod encoding;
mod few;
mod file;
mod fixed_base;
mod lanes;
mod later;
mod outcomes;
mod parallel;
mod parts;
mod point;
mod subgroups;
mod system;
mod tree;

pub use backend::{
    Encoding, FactorsError, Group, GtEncoding, GtError, LineValues, LoopPartition, MapError, OnResidues, Options,
    PairingKind, PartitionPart, PartsError, Phase, PointError, Power, PrepareError, Research, RowError, Side,
    SystemError, UnknownName, Validate, gt_order, line_values, loop_partition, on_residues, operations,
    product_program, programs,
};
pub use batch::{Batch, MAX_THREADS, OutsideG2Error, PreparedRows, Row, ThreadsError};
#[cfg(feature = "cuda")]
pub use bilinear_cuda as cuda;
pub use bilinear_field::rns::Moduli;
pub use bilinear_field::{Engine, EngineError};
pub use bilinear_pairing::hash::HashError;
pub use bilinear_pairing::{CostModel, LoopPart};
pub use bilinear_params as params;
pub use bilinear_params::Curve;
pub use bilinear_program::{Program, Routine, loops, schedule};
pub use encoding::EncodingError;
pub use file::{FileError, Values};
pub use fixed_base::FixedBase;
pub use lanes::NoLanesReason;
pub use num_bigint::BigUint;
pub use outcomes::{groups_in_place, in_place, try_in_place};
pub use parallel::{Parallel, ParallelError};
pub use point::{Gt, MillerValue, Point, PointRef, Prepared};
pub use system::{MAX_SECRET, System};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
