//! blst (Supranational) on BLS12-381 and our points, by its safe interface. Before anything is timed, its values are compared
//! with ours on every shared input: they are the cubes of the exact ones (ePrint 2020/875), in another order of coefficients.

use super::{CurvePeer, GroupJob, PeerError};
use crate::bulk::Work;
use crate::inputs::Inputs;
use crate::method::Contender;
use bilinear_engine::{Gt, PairingKind, Power, System};
use bilinear_params::Curve;
use blst::{blst_fp12, blst_p1_affine, blst_p2_affine, min_pk};
use num_bigint::BigUint;
use std::hint::black_box;

const LABEL: &str = "blst";
/// Bytes of a coefficient.
const COEFFICIENT: usize = 48;

/// The points of the first rows of the inputs.
pub(super) struct BlstCurve {
    encoded: Vec<Vec<u8>>,
    ps: Vec<blst_p1_affine>,
    qs: Vec<blst_p2_affine>,
}

/// blst on the curve of `system`, its values checked on the first `rows` rows; `None` where it has no such pairing.
pub(super) fn curve(system: &System, inputs: &Inputs, rows: usize) -> Result<Option<BlstCurve>, PeerError> {
    let known = Curve::named("bls12-381").is_ok_and(|ours| ours.fingerprint() == system.curve().fingerprint());
    if !known || system.pairing() != PairingKind::OptAte {
        return Ok(None);
    }
    let name = || system.curve().name().to_owned();
    let mut curve = BlstCurve { encoded: vec![], ps: vec![], qs: vec![] };
    for row in 0..rows {
        let (p, q) = inputs.row(row);
        let no_point = |_| PeerError::Point { peer: LABEL.to_owned(), curve: name(), row };
        let p = p.bytes().unwrap_or_default();
        // Zcash's encoding has the second coefficient of F_p² first
        let halves: Vec<u8> = q
            .bytes()
            .unwrap_or_default()
            .chunks(2 * COEFFICIENT)
            .flat_map(|x| [&x[COEFFICIENT..], &x[..COEFFICIENT]].concat())
            .collect();
        curve.ps.push(min_pk::PublicKey::deserialize(p).map_err(no_point)?.into());
        curve.qs.push(min_pk::Signature::deserialize(&halves).map_err(no_point)?.into());
        curve.encoded.push(p.to_vec());
    }
    for row in 0..rows {
        let (p, q) = inputs.row(row);
        let theirs = blst_fp12::miller_loop(&curve.qs[row], &curve.ps[row]).final_exp().to_bendian();
        if coefficients(&theirs) != coefficients(cubed(system, &system.pair(p, q)).bytes()) {
            return Err(PeerError::Disagrees { peer: LABEL.to_owned(), curve: name(), job: "pairing", row });
        }
    }
    Ok(Some(curve))
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
    /// 0, 1, … as far as there are `size` rows from there.
    fn rows(&self, size: usize) -> impl FnMut() -> usize + use<> {
        let (mut next, count) = (0, self.ps.len() - size + 1);
        move || {
            let row = next;
            next = (next + 1) % count;
            row
        }
    }
}

impl CurvePeer for BlstCurve {
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
            Work::Prepared | Work::Product => None,
        }
    }

    fn group(&self, job: GroupJob) -> Option<Contender<'_>> {
        match job {
            GroupJob::Validation => {
                let mut next = self.rows(1);
                let validate = move || {
                    let key = min_pk::PublicKey::deserialize(&self.encoded[next()]);
                    let _ = black_box(key.and_then(|key| key.validate()));
                };
                Some(Contender::new(LABEL, 1, validate))
            }
            GroupJob::Hash | GroupJob::Multiplication | GroupJob::Power => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::inputs::Random;
    use bilinear_engine::Options;

    #[test]
    fn blst_agrees_with_us() {
        let ours = Curve::named("bls12-381").unwrap();
        for power in [Power::Exact, Power::Fast] {
            let system = System::with(&ours, Options { power, ..Options::default() }).unwrap();
            let inputs = Inputs::new(&system, &mut Random::new(1));
            assert!(curve(&system, &inputs, 3).unwrap().is_some());
        }
        let system = System::new(&Curve::named("alt-bn128").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut Random::new(1));
        assert!(curve(&system, &inputs, 1).unwrap().is_none());
    }
}
