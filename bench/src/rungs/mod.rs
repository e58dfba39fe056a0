//! The rungs below the batch: operations of the field, steps and parts of the pairing, operations on its groups.

mod field;
mod groups;
mod steps;

pub(crate) use groups::groups;

use crate::inputs::{Inputs, Random};
use crate::peers::Peers;
use crate::track::Track;
use bilinear_engine::{Engine, EngineError};
use bilinear_field::{Job, Lanes, dispatch};
use bilinear_pairing::supersingular;
use bilinear_params::Supersingular;

/// The tag under which messages are hashed here.
pub(crate) const TAG: &[u8] = b"BILINEAR-BENCH-V01";

/// Elements, or pairs, that a rung goes through in turn: none meets itself again before the others have passed, and all
/// stay in the first-level cache.
const DISTINCT: usize = 16;

/// The rungs over a field chosen at run time.
pub(crate) struct Arithmetic<'a, 's> {
    pub(crate) curve: &'a Supersingular,
    pub(crate) inputs: &'a Inputs,
    pub(crate) peers: &'a Peers,
    pub(crate) random: Random,
    pub(crate) track: &'a mut Track<'s>,
    /// Whether the field's operations are wanted.
    pub(crate) field: bool,
    /// Whether steps and parts are wanted.
    pub(crate) steps: bool,
}

impl Arithmetic<'_, '_> {
    /// Measures them on an engine.
    pub(crate) fn measure(self, engine: Engine) -> Result<(), EngineError> {
        dispatch(engine, &self.curve.q().clone(), self)
    }
}

impl Job for Arithmetic<'_, '_> {
    type Output = ();

    fn run<F: Lanes + 'static>(mut self, f: F) {
        if self.field {
            field::measure(&f, self.peers, &mut self.random, self.track);
        }
        if self.steps {
            let system = supersingular::Supersingular::new(f, self.curve.order(), self.curve.cofactor());
            steps::measure(&system, self.inputs, self.track);
        }
    }
}

/// 0, 1, …, n − 1, 0, …
fn cycle(n: usize) -> impl FnMut() -> usize {
    let mut next = 0;
    move || {
        let i = next;
        next = (i + 1) % n;
        i
    }
}
