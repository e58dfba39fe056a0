//! The rungs that run on a field, not on a system.

use super::field;
use crate::inputs::Random;
use crate::peers::Peers;
use crate::track::Track;
use bilinear_engine::{EngineError, System};
use bilinear_field::binary::Binary;
use bilinear_field::{Job, Lanes, dispatch};
use bilinear_pairing::complete_group::CompleteGroup;
use bilinear_pairing::eta_t::{EtaJob, EtaT};
use bilinear_pairing::genus2::{self, Genus2, Genus2Job};
use bilinear_pairing::{eta, eta3};
use bilinear_params::{Family, Genus};
use num_bigint::BigUint;

/// Measures operations of the field of a system's curve.
pub(crate) fn field_operations(
    system: &System,
    peers: &Peers,
    random: &Random,
    track: &mut Track<'_>,
) -> Result<(), EngineError> {
    let (family, engine) = (system.curve().family(), system.engine());
    let job = FieldOperations { q: family.field(), peers, random: random.clone(), track };
    match family {
        // GMP has only integers
        Family::Binary(curve) => {
            let job = FieldOperations { peers: &Peers::default(), ..job };
            let signs = [curve.b(), curve.is_plus()];
            match curve.genus() {
                Genus::One => eta::on(engine, &curve.polynomial(), signs, job),
                Genus::Two => genus2::on(engine, &curve.polynomial(), signs, job),
            }
        }
        Family::Ternary(curve) => {
            let job = FieldOperations { peers: &Peers::default(), ..job };
            eta3::on(engine, &curve.polynomial(), [curve.b(), curve.is_plus()], job)
        }
        _ => dispatch(engine, family.field(), job),
    }
}

struct FieldOperations<'a, 's> {
    q: &'a BigUint,
    peers: &'a Peers,
    random: Random,
    track: &'a mut Track<'s>,
}

impl Job for FieldOperations<'_, '_> {
    type Output = ();

    fn run<F: Lanes + 'static>(mut self, f: F) {
        field::measure(&f, self.q, self.peers, &mut self.random, self.track);
    }
}

impl EtaJob for FieldOperations<'_, '_> {
    type Output = ();

    fn run<E: EtaT>(self, eta: E) {
        Job::run(self, eta.group().field().clone());
    }
}

impl Genus2Job for FieldOperations<'_, '_> {
    type Output = ();

    fn run<const N: usize>(self, field: Binary<N>, _: Genus2<N>) {
        Job::run(self, field);
    }
}
