//! The rungs below the batch: operations of the field, steps and parts of the pairing, operations on its groups.

mod field;
mod groups;
mod steps;

pub(crate) use groups::groups;

use crate::inputs::{Inputs, Random};
use crate::peers::Peers;
use crate::track::Track;
use bilinear_field::{Job, Lanes};
use bilinear_pairing::supersingular;
use bilinear_params::Supersingular;

/// The tag under which messages are hashed here.
pub(crate) const TAG: &[u8] = b"BILINEAR-BENCH-V01";

/// Elements, or pairs, that a rung goes through in turn: none meets itself again before the others have passed, and all
/// stay in the first-level cache.
const DISTINCT: usize = 16;

/// Operations of a field.
pub(crate) struct FieldOperations<'a, 's> {
    pub(crate) peers: &'a Peers,
    pub(crate) random: Random,
    pub(crate) track: &'a mut Track<'s>,
}

impl Job for FieldOperations<'_, '_> {
    type Output = ();

    fn run<F: Lanes + 'static>(mut self, f: F) {
        field::measure(&f, self.peers, &mut self.random, self.track);
    }
}

/// Steps and parts of the pairing on types A and A1.
pub(crate) struct Steps<'a, 's> {
    pub(crate) curve: &'a Supersingular,
    pub(crate) inputs: &'a Inputs,
    pub(crate) track: &'a mut Track<'s>,
}

impl Job for Steps<'_, '_> {
    type Output = ();

    fn run<F: Lanes + 'static>(self, f: F) {
        let system = supersingular::Supersingular::new(f, self.curve.order(), self.curve.cofactor());
        steps::measure(&system, self.inputs, self.track);
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
