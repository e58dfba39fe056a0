//! The machines that check the others: operation tables, proofs of ranges, and the backends of the reference engine.
//!
//! Nobody waits for these, so that this crate is compiled without optimisation: what it instantiates is a third of all towers.

mod asymmetric;
mod operations;
mod sextic;
mod symmetric;

pub use operations::{Phase, bounds, operations, prove};

use bilinear_backend::{Backend, Choice, Machines, SystemError};
use bilinear_field::{Engine, EngineError, Job, dispatch_reference};
use bilinear_params::Curve;
use num_bigint::BigUint;
use std::sync::Arc;

/// The backend of a choice among the pairings of `curve` on the reference engine.
///
/// # Errors
/// If its code is left out for this curve.
pub fn build(curve: &Curve, choice: &Choice<'_>) -> Result<Arc<dyn Backend>, SystemError> {
    bilinear_backend::build(curve, choice, Engine::Reference, Exact)
}

/// Big integers.
#[derive(Clone, Copy)]
struct Exact;

impl Machines for Exact {
    fn run<J: Job>(self, _: Engine, p: &BigUint, job: J) -> Result<J::Output, EngineError> {
        dispatch_reference(p, job)
    }
}
