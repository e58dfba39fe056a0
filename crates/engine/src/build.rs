//! The backend of a curve on an engine.

use bilinear_backend::{Backend, Choice, Programs, Recorded, SystemError};
use bilinear_field::Engine;
use bilinear_params::Curve;
use std::sync::Arc;

/// The programs of a choice among the pairings of a curve on an engine.
///
/// # Errors
/// If the engine does not compute with the curve, or the curve's values would leave their ranges.
pub(crate) fn build(
    curve: &Curve,
    choice: &Choice<'_>,
    engine: Engine,
    programs: &Arc<Programs>,
) -> Result<Arc<dyn Backend>, SystemError> {
    Ok(Arc::new(Recorded::new(curve, choice, engine, programs.clone())?))
}
