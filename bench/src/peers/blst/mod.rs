//! blst (Supranational) on BLS12-381 and our points. Before anything is timed, its values are compared with ours on every shared
//! input: those of the pairing are the cubes of the exact ones (ePrint 2020/875), in another order of coefficients.

mod ffi;

use super::{CurvePeer, GroupJob, PeerError};
use crate::bulk::Work;
use crate::inputs::{Inputs, Random};
use crate::method::Contender;
use crate::rungs::{TAG, cycle};
use bilinear_engine::{Group, Gt, PairingKind, Point, Power, System};
use bilinear_params::Curve;
use blst::{blst_fp12, blst_p1_affine, blst_p2_affine, min_pk};
use num_bigint::BigUint;
use std::hint::black_box;

const LABEL: &str = "blst";
/// Bytes of a coefficient.
const COEFFICIENT: usize = 48;

/// The points of the first rows of the inputs, and a scalar for each.
pub(super) struct BlstCurve {
    /// Points of G1 and G2, serialised.
    encoded: [Vec<Vec<u8>>; 2],
    ps: Vec<blst_p1_affine>,
    qs: Vec<blst_p2_affine>,
    scalars: Vec<ffi::Scalar>,
}

/// blst on the curve of `system`, its values checked on the first `rows` rows; `None` where it has no such pairing.
pub(super) fn curve(
    system: &System,
    inputs: &Inputs,
    rows: usize,
    random: &Random,
) -> Result<Option<BlstCurve>, PeerError> {
    let known = Curve::named("bls12-381").is_ok_and(|ours| ours.fingerprint() == system.curve().fingerprint());
    if !known || system.pairing() != PairingKind::OptAte {
        return Ok(None);
    }
    let name = || system.curve().name().to_owned();
    let mut random = random.clone();
    let mut curve = BlstCurve { encoded: [vec![], vec![]], ps: vec![], qs: vec![], scalars: vec![] };
    for row in 0..rows {
        let (p, q) = inputs.row(row);
        let no_point = |_| PeerError::Point { peer: LABEL.to_owned(), curve: name(), row };
        let (p, q) = (serialised(p), serialised(q));
        curve.ps.push(min_pk::PublicKey::deserialize(&p).map_err(no_point)?.into());
        curve.qs.push(min_pk::Signature::deserialize(&q).map_err(no_point)?.into());
        [p, q].into_iter().zip(&mut curve.encoded).for_each(|(point, points)| points.push(point));
        let (mut scalar, k) = (ffi::Scalar::default(), random.below(system.order()).to_bytes_le());
        scalar[..k.len()].copy_from_slice(&k);
        curve.scalars.push(scalar);
    }
    curve.check_groups(system, inputs)?;
    for row in 0..rows {
        let (p, q) = inputs.row(row);
        let theirs = blst_fp12::miller_loop(&curve.qs[row], &curve.ps[row]).final_exp().to_bendian();
        if coefficients(&theirs) != coefficients(cubed(system, &system.pair(p, q)).bytes()) {
            return Err(PeerError::Disagrees { peer: LABEL.to_owned(), curve: name(), job: "pairing", row });
        }
    }
    Ok(Some(curve))
}

/// A point in Zcash's encoding, which has the second coefficient of F_p² first.
fn serialised(p: &Point) -> Vec<u8> {
    let bytes = p.bytes().unwrap_or_default();
    match p.group() {
        Group::G1 => bytes.to_vec(),
        Group::G2 => {
            bytes.chunks(2 * COEFFICIENT).flat_map(|x| [&x[COEFFICIENT..], &x[..COEFFICIENT]].concat()).collect()
        }
    }
}

/// The message of a row.
fn message(row: usize) -> [u8; 8] {
    (row as u64).to_le_bytes()
}

/// The cube of the exact value.
fn cubed(system: &System, value: &Gt) -> Gt {
    match system.power() {
        Power::Exact => system.gt_pow(value, &BigUint::from(3u32)),
        Power::Fast => value.clone(),
    }
}

/// The coefficients, whatever their order.
fn coefficients(bytes: &[u8]) -> Vec<&[u8]> {
    let mut all: Vec<&[u8]> = bytes.chunks(COEFFICIENT).collect();
    all.sort_unstable();
    all
}

impl BlstCurve {
    /// Compares hashes and multiples with ours.
    fn check_groups(&self, system: &System, inputs: &Inputs) -> Result<(), PeerError> {
        for row in 0..self.ps.len() {
            let same = |job, theirs: &[u8], ours: &Point| {
                let (peer, curve) = (LABEL.to_owned(), system.curve().name().to_owned());
                if theirs == serialised(ours) { Ok(()) } else { Err(PeerError::Disagrees { peer, curve, job, row }) }
            };
            let hashed =
                |group| system.hash_to_point(group, &message(row), TAG).unwrap_or_else(|e| unreachable!("{e}"));
            same("hash to g1", &ffi::hash_to_g1(&message(row), TAG), &hashed(Group::G1))?;
            same("hash to g2", &ffi::hash_to_g2(&message(row), TAG), &hashed(Group::G2))?;
            let (scalar, (p, q)) = (&self.scalars[row], inputs.row(row));
            let k = BigUint::from_bytes_le(scalar);
            same("multiplication in g1", &ffi::multiple_in_g1(scalar, &self.ps[row]), &system.mul(&k, p))?;
            same("multiplication in g2", &ffi::multiple_in_g2(scalar, &self.qs[row]), &system.mul(&k, q))?;
        }
        Ok(())
    }

    /// 0, 1, … as far as there are `size` rows from there.
    fn rows(&self, size: usize) -> impl FnMut() -> usize + use<> {
        cycle(self.ps.len() - size + 1)
    }
}

impl CurvePeer for BlstCurve {
    fn label(&self) -> &str {
        LABEL
    }

    fn bulk(&self, work: Work, size: usize) -> Option<Contender<'_>> {
        match work {
            Work::Pair => {
                let mut next = self.rows(1);
                let pair = move || {
                    let row = next();
                    black_box(blst_fp12::miller_loop(&self.qs[row], &self.ps[row]).final_exp());
                };
                Some(Contender::new(LABEL, 1, pair))
            }
            Work::Product if size <= self.ps.len() => {
                let mut next = self.rows(size);
                let product = move || {
                    let first = next();
                    let rows = first..first + size;
                    black_box(blst_fp12::miller_loop_n(&self.qs[rows.clone()], &self.ps[rows]).final_exp());
                };
                Some(Contender::new(LABEL, size, product))
            }
            // its prepared lines have no safe interface
            Work::Prepared | Work::Product | Work::PreparedProduct => None,
        }
    }

    fn group(&self, job: GroupJob) -> Option<Contender<'_>> {
        let mut next = self.rows(1);
        let [p, q] = &self.encoded;
        Some(match job {
            GroupJob::Validation(Group::G1) => Contender::new(LABEL, 1, move || {
                let key = min_pk::PublicKey::deserialize(&p[next()]);
                let _ = black_box(key.and_then(|key| key.validate()));
            }),
            GroupJob::Validation(Group::G2) => Contender::new(LABEL, 1, move || {
                let signature = min_pk::Signature::deserialize(&q[next()]);
                let _ = black_box(signature.and_then(|signature| signature.validate(false)));
            }),
            GroupJob::Hash(Group::G1) => Contender::new(LABEL, 1, move || {
                black_box(ffi::hash_to_g1(&message(next()), TAG));
            }),
            GroupJob::Hash(Group::G2) => Contender::new(LABEL, 1, move || {
                black_box(ffi::hash_to_g2(&message(next()), TAG));
            }),
            GroupJob::Multiplication(Group::G1) => Contender::new(LABEL, 1, move || {
                let i = next();
                black_box(ffi::multiple_in_g1(&self.scalars[i], &self.ps[i]));
            }),
            GroupJob::Multiplication(Group::G2) => Contender::new(LABEL, 1, move || {
                let i = next();
                black_box(ffi::multiple_in_g2(&self.scalars[i], &self.qs[i]));
            }),
            GroupJob::Power => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_engine::Options;

    #[test]
    fn blst_agrees_with_us() {
        let ours = Curve::named("bls12-381").unwrap();
        for power in [Power::Exact, Power::Fast] {
            let system = System::with(&ours, Options { power, ..Options::default() }).unwrap();
            let inputs = Inputs::new(&system, &mut Random::new(1));
            assert!(curve(&system, &inputs, 3, &Random::new(2)).unwrap().is_some());
        }
        let system = System::new(&Curve::named("alt-bn128").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut Random::new(1));
        assert!(curve(&system, &inputs, 1, &Random::new(2)).unwrap().is_none());
    }
}
