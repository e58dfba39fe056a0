//! From a choice to the code that is compiled for the size of its field.

pub(crate) mod quadratic;
pub(crate) mod sextic;
pub(crate) mod unit;

use crate::error::SystemError;
use crate::family::{Choice, Known};
use crate::operations::prove;
use crate::seam::Backend;
use crate::symmetric::Symmetric;
use bilinear_field::{Engine, Job, Lanes, dispatch};
use bilinear_params::{Curve, Supersingular};
use std::sync::Arc;

/// The backend of a choice among the pairings of `curve`. Ranges of a curve that is not shipped are proved first, which takes
/// some milliseconds.
///
/// # Errors
/// If the engine does not compute with the curve.
pub fn build(curve: &Curve, choice: &Choice<'_>, engine: Engine) -> Result<Arc<dyn Backend>, SystemError> {
    if !curve.is_shipped() {
        prove(curve, engine)?;
    }
    let pairing = choice.pairing.into();
    let built = match choice.family {
        Known::Symmetric(s) => dispatch(engine, s.q(), BuildSymmetric(s)),
        Known::Sextic(s) => sextic::build(curve, s, choice, engine)?,
        Known::QuadraticTwist(s) if s.k() == 6 => dispatch(engine, s.q(), quadratic::Build::<6> { curve: s, pairing }),
        Known::QuadraticTwist(s) => dispatch(engine, s.q(), quadratic::Build::<10> { curve: s, pairing }),
        Known::Unit(s) => dispatch(engine, s.q(), unit::Build { curve: s, pairing }),
    };
    built.map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })
}

pub(crate) struct BuildSymmetric<'a>(&'a Supersingular);

impl Job for BuildSymmetric<'_> {
    type Output = Arc<dyn Backend>;
    const WORDS: &'static [usize] = &[4, 8, 12, 16, 17, 24, 25, 33, 48, 65];
    const LIMBS: &'static [usize] = &[10, 21, 40, 80];
    const SPARE: u64 = 4;
    fn run<F: Lanes + 'static>(self, field: F) -> Arc<dyn Backend> {
        Arc::new(Symmetric::new(field, self.0))
    }
}
