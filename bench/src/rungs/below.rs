//! The rungs that run on a field, not on a system.

use super::{field, steps};
use crate::inputs::{Inputs, Random};
use crate::peers::Peers;
use crate::track::Track;
use bilinear_engine::{EngineError, System};
use bilinear_field::{Job, Lanes, dispatch};
use bilinear_pairing::supersingular;
use bilinear_params::{Family, Supersingular};

/// Operations of the field of a system's curve.
pub(crate) fn field_operations(
    system: &System,
    peers: &Peers,
    random: &Random,
    track: &mut Track<'_>,
) -> Result<(), EngineError> {
    let field = system.curve().family().field();
    dispatch(system.engine(), field, FieldOperations { peers, random: random.clone(), track })
}

/// Steps and parts of the pairing, on types A and A1.
pub(crate) fn pairing_steps(system: &System, inputs: &Inputs, track: &mut Track<'_>) -> Result<(), EngineError> {
    match system.curve().family() {
        Family::Supersingular(s) => dispatch(system.engine(), s.q(), Steps { curve: s, inputs, track }),
        _ => {
            track.note("steps: left out, they are measured on types A and A1".to_owned());
            Ok(())
        }
    }
}

struct FieldOperations<'a, 's> {
    peers: &'a Peers,
    random: Random,
    track: &'a mut Track<'s>,
}

impl Job for FieldOperations<'_, '_> {
    type Output = ();

    fn run<F: Lanes + 'static>(mut self, f: F) {
        field::measure(&f, self.peers, &mut self.random, self.track);
    }
}

struct Steps<'a, 's> {
    curve: &'a Supersingular,
    inputs: &'a Inputs,
    track: &'a mut Track<'s>,
}

impl Job for Steps<'_, '_> {
    type Output = ();

    fn run<F: Lanes + 'static>(self, f: F) {
        let system = supersingular::Supersingular::new(f, self.curve.order(), self.curve.cofactor());
        steps::measure(&system, self.inputs, self.track);
    }
}
