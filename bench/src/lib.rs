//! The measurement ladder: times every layer of a pairing, from the product in the base field to batches on all
//! threads, on distinct random inputs, beside other libraries in the same run.
//!
//! The `README.md` of this crate defines each rung and the way in which its time is taken.

mod bulk;
pub mod ceilings;
pub mod clock;
pub mod environment;
pub mod gpu;
mod inputs;
pub mod ladder;
pub mod measurement;
pub mod method;
mod names;
pub mod peers;
pub mod plot;
pub mod prices;
pub mod record;
pub mod results;
mod rungs;
pub mod search;
pub mod statistics;
pub mod table;
mod track;

pub use bulk::{UnknownWork, Work};
pub use environment::Environment;
pub use inputs::{Inputs, Random};
pub use ladder::{LadderError, Plan, Rungs, run};
pub use measurement::Measurement;
pub use method::Method;
pub use peers::Peers;
pub use track::{Event, Sink};
