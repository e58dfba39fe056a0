//! The replacement of `research` in programs that are built without that feature.

use super::error::SystemError;
use super::interface::Backend;
use super::options::Options;
use bilinear_pairing::names::PairingKind;
use bilinear_params::Curve;
use std::sync::Arc;

/// The backend of a curve, and the pairing chosen.
pub(crate) type Chosen = (Arc<dyn Backend>, PairingKind);

/// Returns an error for a curve of small characteristic; `None` for other curves.
pub(crate) fn of_small_characteristic(curve: &Curve, _: Options) -> Option<Result<Chosen, SystemError>> {
    curve.is_for_research().then(|| Err(SystemError::WithoutResearch { curve: curve.name().to_owned() }))
}
