//! Curves of small characteristic and their backends, in programs that are built with the feature `research`.

use super::error::SystemError;
use super::interface::Backend;
use super::options::Options;
use super::small_characteristic::Numbers;
use super::{eta, genus2};
use bilinear_field::EngineError;
use bilinear_pairing::names::{PairingKind, Power};
use bilinear_params::{Curve, Family, Genus};
use num_bigint::BigUint;
use std::sync::Arc;

/// The backend of a curve, and the pairing chosen.
pub(crate) type Chosen = (Arc<dyn Backend>, PairingKind);

/// Creates the backend of a curve of small characteristic; `None` for other curves.
pub(crate) fn of_small_characteristic(curve: &Curve, options: Options) -> Option<Result<Chosen, SystemError>> {
    let engine = options.engine();
    Some(match curve.family() {
        Family::Binary(s) => {
            let (numbers, signs) = ([s.q(), s.r(), s.h()], [s.b(), s.is_plus()]);
            match s.genus() {
                Genus::One => over(curve, options, eta::PAIRINGS, numbers, |numbers| {
                    bilinear_pairing::eta::on(engine, &s.polynomial(), signs, numbers)
                }),
                Genus::Two => over(curve, options, genus2::PAIRINGS, numbers, |numbers| {
                    bilinear_pairing::genus2::on(engine, &s.polynomial(), signs, numbers)
                }),
            }
        }
        Family::Ternary(s) => over(curve, options, eta::PAIRINGS, [s.q(), s.r(), s.h()], |numbers| {
            bilinear_pairing::eta3::on(engine, &s.polynomial(), [s.b(), s.is_plus()], numbers)
        }),
        _ => return None,
    })
}

/// Creates the backend of a curve with these q, r and h by `make`, and returns it with the pairing chosen.
///
/// # Errors
/// Returns an error unless the options state that the use is research, and if the engine has no such field or the
/// family no such pairing.
fn over(
    curve: &Curve,
    options: Options,
    pairings: &'static [PairingKind],
    numbers: [&BigUint; 3],
    make: impl FnOnce(Numbers) -> Result<Arc<dyn Backend>, EngineError>,
) -> Result<Chosen, SystemError> {
    let pairing = choice(curve, options, pairings)?;
    let made = make(Numbers::new(numbers, pairing == PairingKind::Tate));
    Ok((made.map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })?, pairing))
}

/// Returns the pairing of a curve of small characteristic that the options ask for; the first of `pairings` if they
/// name none.
///
/// # Errors
/// Returns an error unless the options state that the use is research, and if the curve has no such pairing or no
/// such power of it.
fn choice(curve: &Curve, options: Options, pairings: &'static [PairingKind]) -> Result<PairingKind, SystemError> {
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
