//! The groups that keys are bound to.
//!
//! A fingerprint names a curve. The same curve can be described with other generators, another map to the curve and
//! another layout of values, and used with other pairings: none of these would decrypt anything. The header of keys
//! and ciphertexts holds the first half of the SHA-256 of all of them.

use super::keys::hashed;
use crate::encoding::{OtherCurve, half_of_hash};
use bilinear_engine::params::Curve;
use bilinear_engine::{Batch, Group, PairingKind, Power};
use std::sync::Arc;

/// The message whose hash identifies the map to the curve.
const PROBE: &[u8] = b"BILINEAR-IBE-V01-MAP";

/// The groups of a key, with their pairing.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// The ID of the groups in headers.
    pub(super) id: [u8; 16],
    /// The curve, pairing and power of the batch in which the groups were found: an equal batch needs no further
    /// check.
    found: Arc<(Curve, PairingKind, Power)>,
}

impl PartialEq for Groups {
    fn eq(&self, other: &Groups) -> bool {
        self.id == other.id
    }
}

impl Eq for Groups {}

impl Groups {
    /// The groups of a batch's system.
    pub(super) fn of(batch: &Batch) -> Groups {
        let system = batch.system();
        Groups { id: id(batch), found: Arc::new((system.curve().clone(), system.pairing(), system.power())) }
    }

    /// Returns an error unless the batch uses these groups.
    pub(super) fn check(&self, batch: &Batch) -> Result<(), OtherCurve> {
        let (curve, pairing, power) = &*self.found;
        let system = batch.system();
        let is_same = (curve, *pairing, *power) == (system.curve(), system.pairing(), system.power());
        if is_same || self.id == id(batch) { Ok(()) } else { Err(OtherCurve(system.curve().name().to_owned())) }
    }
}

/// Computes the ID of the groups of a batch's system.
fn id(batch: &Batch) -> [u8; 16] {
    let (system, curve) = (batch.system(), batch.system().curve());
    let (generator, point) = (system.generator(Group::G1), hashed(batch, &[PROBE]).remove(0));
    let (fingerprint, layout, pairing, power) = (curve.fingerprint(), curve.layout(), system.pairing(), system.power());
    let mut bytes = format!("bilinear ibe groups v1\0{fingerprint} {pairing} {power} {layout}\0").into_bytes();
    bytes.extend([&generator, &point].into_iter().filter_map(|p| p.bytes()).flatten());
    half_of_hash(&bytes)
}
