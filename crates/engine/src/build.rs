//! The backend of a curve from the crate that compiles its engine.

use bilinear_backend::{Backend, Choice, Programs, Recorded, SystemError};
use bilinear_field::Engine;
use bilinear_params::Curve;
use std::sync::Arc;

/// The backend of a choice among the pairings of `curve`. Ranges of a curve that is not shipped are proved first, which takes
/// tenths of a second.
///
/// # Errors
/// If the engine does not compute with the curve.
pub(crate) fn build(
    curve: &Curve,
    choice: &Choice<'_>,
    engine: Engine,
    programs: &Arc<Programs>,
) -> Result<Arc<dyn Backend>, SystemError> {
    if !curve.is_shipped() {
        bilinear_checks::prove(curve, engine)?;
    }
    let rest = match engine {
        Engine::Reference => bilinear_checks::build(curve, choice),
        Engine::Mont | Engine::Ifma | Engine::Portable => bilinear_compiled::build(curve, choice, engine),
    };
    Ok(Arc::new(Recorded::new(curve, choice, engine, programs.clone(), rest?)?))
}
