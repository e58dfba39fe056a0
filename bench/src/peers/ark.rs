//! arkworks on BLS12-381 and alt_bn128, on our points. Before anything is timed, its values are compared with ours on every shared
//! input: its power of the pairing is our fast one.

use super::{CurvePeer, GroupJob, PeerError};
use crate::bulk::Work;
use crate::inputs::{Inputs, Random};
use crate::method::Contender;
use crate::rungs::cycle;
use ark_ec::pairing::{Pairing, PairingOutput};
use ark_ec::{AffineRepr, PrimeGroup};
use ark_ff::{BigInteger, Field, PrimeField};
use ark_serialize::CanonicalDeserialize;
use bilinear_engine::{Encoding, Group, Gt, Options, PairingKind, Point, Power, System};
use bilinear_params::Curve;
use num_bigint::BigUint;
use std::hint::black_box;

const LABEL: &str = "ark";

/// The points of the first rows of the inputs.
struct ArkCurve<E: Pairing> {
    /// Of G1 and of G2.
    encoded: [Vec<Vec<u8>>; 2],
    ps: Vec<E::G1Affine>,
    qs: Vec<E::G2Affine>,
    values: Vec<PairingOutput<E>>,
    scalars: Vec<Vec<u64>>,
}

/// arkworks on the curve of `system`, its values checked on the first `rows` rows; `None` where it has no such pairing.
pub(super) fn curve(
    system: &System,
    inputs: &Inputs,
    rows: usize,
    random: &Random,
) -> Result<Option<Box<dyn CurvePeer>>, PeerError> {
    let is = |name| Curve::named(name).is_ok_and(|ours| ours.fingerprint() == system.curve().fingerprint());
    Ok(match system.pairing() {
        PairingKind::OptAte if is("bls12-381") => {
            Some(Box::new(on::<ark_bls12_381::Bls12_381>(system, inputs, rows, random, Encoding::ZcashUncompressed)?))
        }
        PairingKind::OptAte if is("alt-bn128") => {
            Some(Box::new(on::<ark_bn254::Bn254>(system, inputs, rows, random, Encoding::ArkworksUncompressed)?))
        }
        _ => None,
    })
}

fn on<E: Pairing>(
    system: &System,
    inputs: &Inputs,
    rows: usize,
    random: &Random,
    encoding: Encoding,
) -> Result<ArkCurve<E>, PeerError> {
    let name = || system.curve().name().to_owned();
    let fast = Options {
        engine: Some(system.engine()),
        pairing: Some(system.pairing()),
        power: Power::Fast,
        ..Options::default()
    };
    let fast = System::with(system.curve(), fast);
    let fast = fast.unwrap_or_else(|e| unreachable!("every curve with a sextic twist has this power: {e}"));
    let bytes = |p: &Point| {
        let bytes = system.encode_as(encoding, p);
        bytes.unwrap_or_else(|e| unreachable!("the encoding belongs to the curve: {e}"))
    };
    let mut random = random.clone();
    let mut curve = ArkCurve { encoded: [vec![], vec![]], ps: vec![], qs: vec![], values: vec![], scalars: vec![] };
    for row in 0..rows {
        let (p, q) = inputs.row(row);
        let no_point = |_| PeerError::Point { peer: LABEL.to_owned(), curve: name(), row };
        let encoded = [bytes(p), bytes(q)];
        let theirs_p = E::G1Affine::deserialize_uncompressed(&encoded[0][..]).map_err(no_point)?;
        let theirs_q = E::G2Affine::deserialize_uncompressed(&encoded[1][..]).map_err(no_point)?;
        let value = E::pairing(theirs_p, theirs_q);
        if coefficients(&value.0) != Gt::bytes(&fast.pair(p, q)) {
            return Err(PeerError::Disagrees { peer: LABEL.to_owned(), curve: name(), job: "pairing", row });
        }
        curve.encoded.iter_mut().zip(encoded).for_each(|(all, one)| all.push(one));
        curve.ps.push(theirs_p);
        curve.qs.push(theirs_q);
        curve.values.push(value);
        curve.scalars.push(BigUint::to_u64_digits(&random.below(system.order())));
    }
    Ok(curve)
}

/// The coefficients as we write them.
fn coefficients<F: Field>(x: &F) -> Vec<u8> {
    x.to_base_prime_field_elements().flat_map(|c| c.into_bigint().to_bytes_be()).collect()
}

impl<E: Pairing> ArkCurve<E> {
    /// 0, 1, … as far as there are `size` rows from there.
    fn rows(&self, size: usize) -> impl FnMut() -> usize + use<E> {
        cycle(self.ps.len() - size + 1)
    }
}

impl<E: Pairing> CurvePeer for ArkCurve<E> {
    fn label(&self) -> &str {
        LABEL
    }

    fn bulk(&self, work: Work, size: usize) -> Option<Contender<'_>> {
        match work {
            Work::Pair => {
                let mut next = self.rows(1);
                Some(Contender::new(LABEL, 1, move || {
                    let row = next();
                    let _ = black_box(E::pairing(self.ps[row], self.qs[row]));
                }))
            }
            Work::Product if size <= self.ps.len() => {
                let mut next = self.rows(size);
                Some(Contender::new(LABEL, size, move || {
                    let first = next();
                    let rows = first..first + size;
                    let _ = black_box(E::multi_pairing(
                        self.ps[rows.clone()].iter().copied(),
                        self.qs[rows].iter().copied(),
                    ));
                }))
            }
            // its prepared lines serve one pair at a time
            Work::Prepared | Work::Product | Work::PreparedProduct => None,
        }
    }

    fn group(&self, job: GroupJob) -> Option<Contender<'_>> {
        let mut next = self.rows(1);
        match job {
            GroupJob::Validation(Group::G1) => Some(Contender::new(LABEL, 1, move || {
                let _ = black_box(E::G1Affine::deserialize_uncompressed(&self.encoded[0][next()][..]));
            })),
            GroupJob::Validation(Group::G2) => Some(Contender::new(LABEL, 1, move || {
                let _ = black_box(E::G2Affine::deserialize_uncompressed(&self.encoded[1][next()][..]));
            })),
            GroupJob::Multiplication(Group::G1) => Some(Contender::new(LABEL, 1, move || {
                let row = next();
                black_box(self.ps[row].mul_bigint(&self.scalars[row]));
            })),
            GroupJob::Multiplication(Group::G2) => Some(Contender::new(LABEL, 1, move || {
                let row = next();
                black_box(self.qs[row].mul_bigint(&self.scalars[row]));
            })),
            GroupJob::Power => Some(Contender::new(LABEL, 1, move || {
                let row = next();
                let _ = black_box(self.values[row].mul_bigint(&self.scalars[row]));
            })),
            GroupJob::Hash(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn arkworks_agrees_with_us() {
        let random = Random::new(1);
        for (name, power) in [("bls12-381", Power::Exact), ("alt-bn128", Power::Fast)] {
            let system = System::with(&Curve::named(name).unwrap(), Options { power, ..Options::default() }).unwrap();
            let inputs = Inputs::new(&system, &mut random.clone());
            assert!(curve(&system, &inputs, 3, &random).unwrap().is_some());
        }
        let system = System::new(&Curve::named("a-512").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut random.clone());
        assert!(curve(&system, &inputs, 1, &random).unwrap().is_none());
    }
}
