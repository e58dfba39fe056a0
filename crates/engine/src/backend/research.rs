//! Curves of small characteristic and their backends, in programs that are built with the feature `research`.

use super::error::SystemError;
use super::interface::Backend;
use super::options::Options;
use bilinear_pairing::names::{PairingKind, Power};
use bilinear_params::{Curve, Family, Genus};
use std::sync::Arc;

/// The backend of a curve, and the pairing chosen.
pub(crate) type Chosen = (Arc<dyn Backend>, PairingKind);

/// Creates the backend of a curve of small characteristic; `None` for other curves.
pub(crate) fn of_small_characteristic(curve: &Curve, options: Options) -> Option<Result<Chosen, SystemError>> {
    Some(match curve.family() {
        Family::Binary(s) => match s.genus() {
            Genus::One => super::eta::over_binary_field(curve, s, options),
            Genus::Two => super::genus2::backend(curve, s, options),
        },
        Family::Ternary(s) => super::eta::over_ternary_field(curve, s, options),
        _ => return None,
    })
}

/// Returns the pairing of a curve of small characteristic that the options ask for; the first of `pairings` if they
/// name none.
///
/// # Errors
/// Returns an error unless the options state that the use is research, and if the curve has no such pairing or no
/// such power of it.
pub(super) fn choice(
    curve: &Curve,
    options: Options,
    pairings: &'static [PairingKind],
) -> Result<PairingKind, SystemError> {
    let name = || curve.name().to_owned();
    if options.research.is_none() {
        return Err(SystemError::Research { curve: name() });
    }
    let pairing = options.pairing.unwrap_or(pairings[0]);
    if !pairings.contains(&pairing) {
        return Err(SystemError::Pairing { curve: name(), asked: pairing, has: pairings });
    }
    if options.power != Power::Exact {
        return Err(SystemError::Power { curve: name(), asked: options.power, has: &[Power::Exact] });
    }
    Ok(pairing)
}
