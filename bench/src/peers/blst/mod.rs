//! blst (Supranational) on BLS12-381, with our points.

mod ffi;

use super::loaded::{self, Loaded, checked};
use super::{CurvePeer, PeerError};
use crate::inputs::{Inputs, Random};
use crate::rungs::TAG;
use bilinear_engine::{Encoding, Group, PairingKind, Point, System};
use bilinear_params::Curve;
use blst::{BLST_ERROR, blst_fp12, blst_p1_affine, blst_p2_affine, min_pk};
use num_bigint::BigUint;
use std::cell::Cell;
use std::hint::black_box;

const LABEL: &str = "blst";
/// The number of bytes of a coefficient in F_p².
const COEFFICIENT: usize = 96;

/// The points of the first rows of the inputs, and a scalar for each.
struct Table {
    /// The serialised points of G1 and of G2.
    encoded: [Vec<Vec<u8>>; 2],
    ps: Vec<blst_p1_affine>,
    qs: Vec<blst_p2_affine>,
    scalars: Vec<ffi::Scalar>,
    value: Cell<blst_fp12>,
}

/// Returns blst on the curve of `system`. Its values are checked on the first `rows` rows and on products of the given
/// sizes. `None` if it does not have such a pairing.
pub(super) fn curve(
    system: &System,
    inputs: &Inputs,
    rows: usize,
    products: &[usize],
    random: &Random,
) -> Result<Option<Box<dyn CurvePeer>>, PeerError> {
    let known = Curve::named("bls12-381").is_ok_and(|ours| ours.fingerprint() == system.curve().fingerprint());
    if !known || system.pairing() != PairingKind::OptAte {
        return Ok(None);
    }
    let scalars = loaded::scalars(system, rows, random);
    let encoded = Group::ALL.map(|group| -> Vec<Vec<u8>> {
        (0..rows).map(|row| encoded(system, loaded::point(inputs, group, row))).collect()
    });
    let mut table = Table { encoded, ps: vec![], qs: vec![], scalars: vec![], value: Cell::default() };
    for (row, k) in scalars.iter().enumerate() {
        let no_point =
            |_: BLST_ERROR| PeerError::Point { peer: LABEL.to_owned(), curve: system.curve().name().to_owned(), row };
        let [p, q] = [0, 1].map(|group| &table.encoded[group][row]);
        table.ps.push(min_pk::PublicKey::deserialize(p).map_err(no_point)?.into());
        table.qs.push(min_pk::Signature::deserialize(q).map_err(no_point)?.into());
        table.scalars.push(little_endian(k));
    }
    checked(table, system, inputs, &scalars, products).map(Some)
}

fn little_endian(k: &BigUint) -> ffi::Scalar {
    let (mut out, bytes) = (ffi::Scalar::default(), k.to_bytes_le());
    out[..bytes.len()].copy_from_slice(&bytes);
    out
}

fn encoded(system: &System, point: &Point) -> Vec<u8> {
    let bytes = system.encode_as(Encoding::ZcashUncompressed, point);
    bytes.unwrap_or_else(|e| unreachable!("the encoding belongs to the curve: {e}"))
}

impl loaded::Table for Table {
    fn rows(&self) -> usize {
        self.scalars.len()
    }

    fn pair(&self, first: usize, count: usize) {
        let rows = first..first + count;
        let value = match count {
            1 => blst_fp12::miller_loop(&self.qs[first], &self.ps[first]),
            _ => blst_fp12::miller_loop_n(&self.qs[rows.clone()], &self.ps[rows]),
        };
        self.value.set(black_box(value.final_exp()));
    }

    /// False: prepared lines of blst have no safe interface.
    fn prepares(&self) -> bool {
        false
    }

    fn prepared(&self, _: usize) {}

    fn has_powers(&self) -> bool {
        false
    }

    fn power(&self, _: usize) {}

    fn value(&self) -> Vec<u8> {
        self.value.get().to_bendian().to_vec()
    }

    fn validate(&self, group: Group, row: usize) -> bool {
        self.accepts(group, &self.encoded[usize::from(group == Group::G2)][row]) == Some(true)
    }

    fn accepts(&self, group: Group, encoded: &[u8]) -> Option<bool> {
        Some(match group {
            Group::G1 => min_pk::PublicKey::deserialize(encoded).and_then(|key| key.validate()).is_ok(),
            Group::G2 => min_pk::Signature::deserialize(encoded).and_then(|s| s.validate(false)).is_ok(),
        })
    }

    fn hash(&self, group: Group, message: &[u8], dst: &[u8]) -> Vec<u8> {
        match group {
            Group::G1 => ffi::hash_to_g1(message, dst).to_vec(),
            Group::G2 => ffi::hash_to_g2(message, dst).to_vec(),
        }
    }

    fn multiply(&self, group: Group, row: usize) -> Vec<u8> {
        let k = &self.scalars[row];
        match group {
            Group::G1 => ffi::multiple_in_g1(k, &self.ps[row]).to_vec(),
            Group::G2 => ffi::multiple_in_g2(k, &self.qs[row]).to_vec(),
        }
    }
}

impl Loaded for Table {
    fn label(&self) -> &str {
        LABEL
    }

    fn table(&self) -> &dyn loaded::Table {
        self
    }

    fn encoded(&self, system: &System, point: &Point) -> Vec<u8> {
        encoded(system, point)
    }

    /// Reorders coefficients: blst writes those of 1, w, v, v·w, v², v²·w, and we write those of 1, v, v², w, v·w,
    /// v²·w.
    fn in_our_order(&self, value: &[u8]) -> Vec<u8> {
        let of = |i: usize| &value[i * COEFFICIENT..(i + 1) * COEFFICIENT];
        [0, 2, 4, 1, 3, 5].map(of).concat()
    }

    fn dst(&self, _: Group) -> Option<&[u8]> {
        Some(TAG)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_engine::{Options, Power};

    #[test]
    fn blst_agrees_with_us() {
        let ours = Curve::named("bls12-381").unwrap();
        for power in [Power::Exact, Power::Fast] {
            let system = System::with(&ours, Options { power, ..Options::default() }).unwrap();
            let inputs = Inputs::new(&system, &mut Random::new(1));
            assert!(curve(&system, &inputs, 3, &[2, 3], &Random::new(2)).unwrap().is_some());
        }
        let system = System::new(&Curve::named("alt-bn128").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut Random::new(1));
        assert!(curve(&system, &inputs, 1, &[], &Random::new(2)).unwrap().is_none());
    }
}
