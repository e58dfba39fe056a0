//! Programs for graphics processors: one encoding, which kernels in CUDA C++ execute for every pairing of a batch.
//!
//! A program becomes one straight line ([`Schedule`](bilinear_program::schedule::Schedule) of width 1), whose sums
//! of products are fused. The line becomes records of 16 bytes ([`Record`]) for a machine with one accumulator:
//! products, unreduced values and elements are added to the accumulator, which is kept, or reduced and kept.
//! Inversions cut the line into stages; between stages a separate kernel shares one exponentiation among many
//! pairings. A pairing is computed by one thread, or by a group of 4 or 8 threads that execute the operations of a
//! bundle side by side. The longest numbers are split over threads, all of which execute the records of one thread.
//!
//! [`Encoding::check`] proves that an encoding reads only existing values, that no lane disturbs another, and that
//! no value leaves its range. The kernels are in `kernels/`; the tests compile them for the host through `shim/`, and
//! execute encodings over big integers as well (`tests/cuda/interpret.rs`, the specification of the kernels).
//!
//! A machine (`machine.rs`) runs the batches of an engine on a [`Device`]: a GPU behind the CUDA driver
//! ([`Driver`]), which is searched for when a device is opened, or a device of the caller's own.
//!
//! ```
//! use bilinear_cuda::Encoding;
//! use bilinear_field::Field;
//! use bilinear_program::Recorder;
//! use num_bigint::BigUint;
//!
//! let p = BigUint::from(1_000_003u32);
//! let recorder = Recorder::new(&p)?;
//! let cube = recorder.record(|ports| {
//!     let x = ports.elem();
//!     let (mut square, mut cube) = (recorder.zero(), recorder.zero());
//!     recorder.sqr(&mut square, &x);
//!     recorder.mul(&mut cube, &square, &x);
//!     ports.output(&cube);
//! })?;
//! let encoding = Encoding::new(&cube, 1)?;
//! encoding.check()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ceilings;
mod check;
mod clock;
mod code;
mod cost;
mod device;
mod draft;
mod driver;
mod encode;
mod encoding;
mod factor;
mod form;
mod fuse;
mod kept;
mod kernels;
mod known;
mod machine;
mod memory;
mod modulus;
mod on_cpu;
mod order;
mod pinned;
mod places;
mod record;
mod residues;
mod several;
mod shape;
mod stages;
mod stream;
mod values;

pub use ceilings::Ceilings;
pub use check::Fault;
pub use clock::Busy;
pub use code::{Code, CodeError};
pub use cost::Cost;
pub use device::{Arithmetic, Device, DeviceError, Launch, Properties, StageCode, Work};
pub use driver::Driver;
pub use encoding::{Encoding, Inversion, Port, Slot, Stage};
pub use machine::{MachineError, Machines};
pub use modulus::{Modulus, ModulusError, WORDS};
pub use record::{Opcode, Record};
pub use residues::{BASES, Residues};
pub use shape::Shape;
pub use values::{Constants, Values};

/// A reason why a program has no encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// There is no kernel for the field.
    #[error(transparent)]
    Modulus(#[from] ModulusError),
    /// A sum of products or of elements leaves the range of unreduced values.
    #[error("the sum at operation {operation} of the straight line leaves the range of unreduced values")]
    Range {
        /// The number of the operation.
        operation: usize,
    },
    /// There are no kernels for the number of moduli that the field needs.
    #[error("a modulus of {bits} bits takes more moduli than kernels have, or is even or too short")]
    Residues {
        /// The length of the field's modulus.
        bits: u64,
    },
    /// The program asks whether a residue is odd, which residues modulo small numbers do not tell.
    #[error("operation {operation} of the straight line asks whether a residue is odd")]
    Odd {
        /// The number of the operation.
        operation: usize,
    },
    /// There are no groups of this number of threads.
    #[error("{width} threads per pairing: 1, 4 or 8 are possible, but only 1 where threads split numbers")]
    Width {
        /// The number of threads per pairing.
        width: usize,
    },
}
