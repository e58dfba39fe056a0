//! Every tower for every size, on the engines that are there for speed. All of it is generic code of the crates below; compiling
//! it is what a build waits for, so that nothing else is here.

use bilinear_backend::{Backend, Choice, Machines, SystemError};
use bilinear_field::{Engine, EngineError, Job, dispatch_fast};
use bilinear_params::Curve;
use num_bigint::BigUint;
use std::sync::Arc;

/// The backend of a choice among the pairings of `curve`, on any engine but the reference.
///
/// # Errors
/// If the engine does not compute with the curve.
pub fn build(curve: &Curve, choice: &Choice<'_>, engine: Engine) -> Result<Arc<dyn Backend>, SystemError> {
    bilinear_backend::build(curve, choice, engine, Fast)
}

/// 64-bit words and lanes.
#[derive(Clone, Copy)]
struct Fast;

impl Machines for Fast {
    fn run<J: Job>(self, engine: Engine, p: &BigUint, job: J) -> Result<J::Output, EngineError> {
        dispatch_fast(engine, p, job)
    }
}
