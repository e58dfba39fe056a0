//! A computation in F_p as a program: recorded once from generic code, then executed by any machine.
//!
//! Which operations a pairing performs, and in which order, depends on the curve alone. So the generic code is run once over the
//! [`Recorder`], and what it recorded becomes a [`Program`]: straight-line [`Routine`]s, found by merging equal steps of
//! the recording, and a plan that calls them. From then on
//!
//! * a machine executes it: [`Loaded`] binds it to an engine's kernels;
//! * [`Program::replay`] executes it over any field, slowly: the specification of every machine;
//! * [`Program::operations`] counts it, and [`ranges::prove`] proves that no value leaves its range.
//!
//! ```
//! use bilinear_field::{Field, Lanes, Prime, mont::Mont};
//! use bilinear_program::{Batch, Machine, Native, Recorder};
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
//! let machine = Native::new("mont", Mont::<1>::new(&p)?);
//! let mut batch = Batch::new(&cube, &machine, 1);
//! batch.set(0, 0, 0, &[20]);
//! machine.load(&cube.into()).run(&mut batch);
//! assert_eq!(batch.get(0, 0, 0), [8000]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod build;
mod constants;
mod copies;
mod execute;
mod idle;
mod listing;
pub mod loops;
mod machine;
mod op;
mod passes;
mod places;
mod pool;
mod program;
pub mod ranges;
mod recorder;
mod replay;
mod rows;
pub mod schedule;
mod store;
mod trace;
mod verify;

pub use batch::{Batch, Uniforms};
pub use bilinear_field::{Code, Kind};
pub use machine::{Calls, Loaded, Machine, Native, machine};
pub use op::{Ref, Term};
pub use pool::Pool;
pub use program::{Call, Input, Op, Operation, Output, Parts, Program, Routine, Step};
pub use recorder::{Elem, Mask, Ports, Recorder, Wide};
pub use replay::Value;
pub use rows::Rows;
pub use store::Store;
pub use verify::{Fault, ProgramError};
