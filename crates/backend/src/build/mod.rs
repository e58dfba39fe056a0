//! From a choice to the code that is compiled for the size of its field: which tower, and which sizes.

pub mod quadratic;
pub mod sextic;
pub mod unit;

use crate::error::SystemError;
use crate::family::{Choice, Known};
use crate::seam::Backend;
use crate::symmetric::Symmetric;
use bilinear_field::{Engine, EngineError, Job, Lanes};
use bilinear_params::{Curve, Supersingular};
use num_bigint::BigUint;
use std::sync::Arc;

/// The engines that a crate compiles backends for: all of this crate's code is generic, and whoever implements this pays for it.
pub trait Machines: Copy {
    /// Runs a job over F_p on the chosen engine.
    ///
    /// # Errors
    /// If the engine is not among these, or does not compute with p.
    fn run<J: Job>(self, engine: Engine, p: &BigUint, job: J) -> Result<J::Output, EngineError>;
}

/// The backend of a choice among the pairings of `curve`, whose ranges are the caller's to prove.
///
/// # Errors
/// If the engine does not compute with the curve.
pub fn build(
    curve: &Curve,
    choice: &Choice<'_>,
    engine: Engine,
    machines: impl Machines,
) -> Result<Arc<dyn Backend>, SystemError> {
    let pairing = choice.pairing.into();
    let built = match choice.family {
        Known::Symmetric(s) => machines.run(engine, s.q(), BuildSymmetric(s)),
        Known::Sextic(s) => sextic::build(curve, s, choice, engine, machines)?,
        Known::QuadraticTwist(s) if s.k() == 6 => {
            machines.run(engine, s.q(), quadratic::Build::<6> { curve: s, pairing })
        }
        Known::QuadraticTwist(s) => machines.run(engine, s.q(), quadratic::Build::<10> { curve: s, pairing }),
        Known::Unit(s) => machines.run(engine, s.q(), unit::Build { curve: s, pairing }),
    };
    built.map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })
}

/// Builds the backend of a curve of type A or A1.
pub struct BuildSymmetric<'a>(&'a Supersingular);

impl Job for BuildSymmetric<'_> {
    type Output = Arc<dyn Backend>;
    const WORDS: &'static [usize] = &[4, 8, 12, 16, 17, 24, 25, 33, 48, 65];
    const LIMBS: &'static [usize] = &[10, 21, 40, 80];
    const SPARE: u64 = 4;
    fn run<F: Lanes + 'static>(self, field: F) -> Arc<dyn Backend> {
        Arc::new(Symmetric::new(field, self.0))
    }
}
