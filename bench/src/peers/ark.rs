//! arkworks on BLS12-381 and alt_bn128, with our points.

use super::loaded::{self, Loaded, checked};
use super::{CurvePeer, PeerError};
use crate::inputs::{Inputs, Random};
use ark_ec::pairing::{Pairing, PairingOutput};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use bilinear_engine::{Encoding, Group, PairingKind, Point, System};
use bilinear_params::Curve;
use num_bigint::BigUint;
use std::cell::Cell;
use std::hint::black_box;

const LABEL: &str = "ark";

/// The points of the first rows of the inputs, and a scalar for each.
struct Table<E: Pairing> {
    encoding: Encoding,
    /// The encoded points of G1 and of G2.
    encoded: [Vec<Vec<u8>>; 2],
    ps: Vec<E::G1Affine>,
    qs: Vec<E::G2Affine>,
    gts: Vec<PairingOutput<E>>,
    scalars: Vec<Vec<u64>>,
    value: Cell<PairingOutput<E>>,
}

/// Returns arkworks on the curve of `system`. Its values are checked on the first `rows` rows and on products of the
/// given sizes. `None` if it does not have such a pairing.
pub(super) fn curve(
    system: &System,
    inputs: &Inputs,
    rows: usize,
    products: &[usize],
    random: &Random,
) -> Result<Option<Box<dyn CurvePeer>>, PeerError> {
    let is = |name| Curve::named(name).is_ok_and(|ours| ours.fingerprint() == system.curve().fingerprint());
    let scalars = loaded::scalars(system, rows, random);
    Ok(Some(match system.pairing() {
        PairingKind::OptAte if is("bls12-381") => {
            let table = on::<ark_bls12_381::Bls12_381>(system, inputs, &scalars, Encoding::ZcashUncompressed)?;
            checked(table, system, inputs, &scalars, products)?
        }
        PairingKind::OptAte if is("alt-bn128") => {
            let table = on::<ark_bn254::Bn254>(system, inputs, &scalars, Encoding::ArkworksUncompressed)?;
            checked(table, system, inputs, &scalars, products)?
        }
        _ => return Ok(None),
    }))
}

fn on<E: Pairing>(
    system: &System,
    inputs: &Inputs,
    scalars: &[BigUint],
    encoding: Encoding,
) -> Result<Table<E>, PeerError> {
    let encoded = Group::ALL.map(|group| -> Vec<Vec<u8>> {
        (0..scalars.len()).map(|row| encoded(system, encoding, loaded::point(inputs, group, row))).collect()
    });
    let (mut ps, mut qs) = (vec![], vec![]);
    for (row, (p, q)) in encoded[0].iter().zip(&encoded[1]).enumerate() {
        let no_point = |_| PeerError::Point { peer: LABEL.to_owned(), curve: system.curve().name().to_owned(), row };
        ps.push(E::G1Affine::deserialize_uncompressed(&p[..]).map_err(no_point)?);
        qs.push(E::G2Affine::deserialize_uncompressed(&q[..]).map_err(no_point)?);
    }
    let gts = ps.iter().zip(&qs).map(|(p, q)| E::pairing(*p, *q)).collect();
    let scalars = scalars.iter().map(BigUint::to_u64_digits).collect();
    Ok(Table { encoding, encoded, ps, qs, gts, scalars, value: Cell::new(PairingOutput::ZERO) })
}

fn encoded(system: &System, encoding: Encoding, point: &Point) -> Vec<u8> {
    let bytes = system.encode_as(encoding, point);
    bytes.unwrap_or_else(|e| unreachable!("the encoding belongs to the curve: {e}"))
}

fn serialised(x: &impl CanonicalSerialize) -> Vec<u8> {
    let mut out = vec![];
    x.serialize_uncompressed(&mut out).unwrap_or_else(|e| unreachable!("a vector takes all bytes: {e}"));
    out
}

impl<E: Pairing> loaded::Table for Table<E> {
    fn rows(&self) -> usize {
        self.scalars.len()
    }

    fn pair(&self, first: usize, count: usize) {
        let rows = first..first + count;
        let value = match count {
            1 => E::pairing(self.ps[first], self.qs[first]),
            _ => E::multi_pairing(self.ps[rows.clone()].iter().copied(), self.qs[rows].iter().copied()),
        };
        self.value.set(black_box(value));
    }

    /// False: prepared lines of arkworks serve one pair at a time.
    fn prepares(&self) -> bool {
        false
    }

    fn prepared(&self, _: usize) {}

    fn power(&self, row: usize) {
        self.value.set(black_box(self.gts[row].mul_bigint(&self.scalars[row])));
    }

    fn value(&self) -> Vec<u8> {
        self.value.get().0.to_base_prime_field_elements().flat_map(|c| c.into_bigint().to_bytes_be()).collect()
    }

    fn validate(&self, group: Group, row: usize) -> bool {
        self.accepts(group, &self.encoded[usize::from(group == Group::G2)][row]) == Some(true)
    }

    fn accepts(&self, group: Group, encoded: &[u8]) -> Option<bool> {
        Some(match group {
            Group::G1 => black_box(E::G1Affine::deserialize_uncompressed(encoded)).is_ok(),
            Group::G2 => black_box(E::G2Affine::deserialize_uncompressed(encoded)).is_ok(),
        })
    }

    /// Returns nothing: arkworks does not hash as we do.
    fn hash(&self, _: Group, _: &[u8], _: &[u8]) -> Vec<u8> {
        vec![]
    }

    fn multiply(&self, group: Group, row: usize) -> Vec<u8> {
        let k = &self.scalars[row];
        match group {
            Group::G1 => serialised(&self.ps[row].mul_bigint(k).into_affine()),
            Group::G2 => serialised(&self.qs[row].mul_bigint(k).into_affine()),
        }
    }
}

impl<E: Pairing> Loaded for Table<E> {
    fn label(&self) -> &str {
        LABEL
    }

    fn table(&self) -> &dyn loaded::Table {
        self
    }

    fn encoded(&self, system: &System, point: &Point) -> Vec<u8> {
        encoded(system, self.encoding, point)
    }

    fn in_our_order(&self, value: &[u8]) -> Vec<u8> {
        value.to_vec()
    }

    fn dst(&self, _: Group) -> Option<&[u8]> {
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_engine::{Options, Power};

    #[test]
    fn arkworks_agrees_with_us() {
        let random = Random::new(1);
        for (name, power) in [("bls12-381", Power::Exact), ("alt-bn128", Power::Fast)] {
            let system = System::with(&Curve::named(name).unwrap(), Options { power, ..Options::default() }).unwrap();
            let inputs = Inputs::new(&system, &mut random.clone());
            assert!(curve(&system, &inputs, 3, &[2, 3], &random).unwrap().is_some());
        }
        let system = System::new(&Curve::named("a-512").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut random.clone());
        assert!(curve(&system, &inputs, 1, &[], &random).unwrap().is_none());
    }
}
