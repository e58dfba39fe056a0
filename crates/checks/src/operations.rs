//! What a pairing costs and which ranges it meets, from the code that ships. Each family has a file of its own.

use crate::{asymmetric, sextic, symmetric};
use bilinear_backend::build::{BuildSymmetric, quadratic, unit};
use bilinear_backend::{Choice, Known, Options, SystemError};
use bilinear_field::bounds::{Bounds, Report};
use bilinear_field::count::{Count, Tally};
use bilinear_field::{Engine, Job, SPARE, model};
use bilinear_pairing::{quadratic as quadratic_twist, unit as unit_degree};
use bilinear_params::Curve;
use num_bigint::BigUint;

/// A phase of the computation and its operations on base-field elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What is computed.
    pub name: &'static str,
    /// What it costs.
    pub cost: Tally,
}

/// The operation table of one of a curve's pairings. It is the same on every engine.
///
/// # Errors
/// If the engine does not know the family, or this has no such pairing.
pub fn operations(curve: &Curve, options: Options) -> Result<Vec<Phase>, SystemError> {
    let choice = Choice::new(curve, options)?;
    let pairing = choice.pairing.into();
    let count = Count::new(curve.family().field());
    Ok(match choice.family {
        Known::Symmetric(s) => symmetric::operations(s),
        Known::Sextic(s) => sextic::operations(curve, s, pairing, choice.power.into())?,
        Known::QuadraticTwist(s) if s.k() == 6 => {
            let system = quadratic_twist::system(&quadratic::parameters::<3>(s), count.clone());
            asymmetric::phases(&system, &count, pairing)
        }
        Known::QuadraticTwist(s) => {
            let system = quadratic_twist::system(&quadratic::parameters::<5>(s), count.clone());
            asymmetric::phases(&system, &count, pairing)
        }
        Known::Unit(s) => {
            let system = unit_degree::system(&unit::parameters(s), count.clone());
            asymmetric::phases(&system, &count, pairing)
        }
    })
}

/// Shows that an engine keeps its values in range on this curve. What ships is proved by a test instead.
///
/// # Errors
/// The first value that may leave its range.
pub fn prove(curve: &Curve, engine: Engine) -> Result<(), SystemError> {
    match bounds(curve, Options { engine: Some(engine), ..Options::default() }) {
        Ok(report) => report
            .violations
            .into_iter()
            .next()
            .map_or(Ok(()), |reason| Err(SystemError::Ranges { curve: curve.name().to_owned(), engine, reason })),
        // exact, or too long for the engine, which says so itself
        Err(SystemError::NoRanges { .. }) => Ok(()),
        Err(reason) => Err(reason),
    }
}

/// Runs a pairing, a prepared one and a group operation over intervals under an engine's rules.
///
/// # Errors
/// As [`operations`]; if ranges do not apply to the engine.
pub fn bounds(curve: &Curve, options: Options) -> Result<Report, SystemError> {
    let engine = options.engine();
    let intervals = |p: &BigUint, words: &[usize], limbs: (&[usize], u64)| {
        let machine = model(engine, p, words, limbs).ok_or(SystemError::NoRanges { engine })?;
        Ok::<Bounds, SystemError>(Bounds::new(p, machine))
    };
    let bounds = match Choice::new(curve, options)?.family {
        Known::Symmetric(s) => {
            let bounds = intervals(s.q(), BuildSymmetric::WORDS, (BuildSymmetric::LIMBS, BuildSymmetric::SPARE))?;
            symmetric::exercise(s, &bounds);
            bounds
        }
        Known::Sextic(s) => return sextic::bounds(curve, s, engine),
        Known::QuadraticTwist(s) if s.k() == 6 => {
            let bounds = intervals(s.q(), quadratic::WORDS, (quadratic::LIMBS, SPARE))?;
            asymmetric::exercise(&quadratic_twist::system(&quadratic::parameters::<3>(s), bounds.clone()));
            bounds
        }
        Known::QuadraticTwist(s) => {
            let bounds = intervals(s.q(), quadratic::WORDS, (quadratic::LIMBS, SPARE))?;
            asymmetric::exercise(&quadratic_twist::system(&quadratic::parameters::<5>(s), bounds.clone()));
            bounds
        }
        Known::Unit(s) => {
            let bounds = intervals(s.q(), unit::WORDS, (unit::LIMBS, SPARE))?;
            asymmetric::exercise(&unit_degree::system(&unit::parameters(s), bounds.clone()));
            bounds
        }
    };
    Ok(bounds.report())
}
