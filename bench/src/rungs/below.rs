//! The rung that runs on a field, not on a system.

use super::field;
use crate::inputs::Random;
use crate::peers::Peers;
use crate::track::Track;
use bilinear_engine::{EngineError, System};
use bilinear_field::{Job, Lanes, dispatch};

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
