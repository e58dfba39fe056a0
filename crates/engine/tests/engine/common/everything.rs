//! Every kind of computation of a system.

use bilinear_engine::{Batch, Group, GtEncoding, PointRef, Side, System, Validate};
use num_bigint::BigUint;

/// Runs every kind of computation of a system, on points that the system hashes.
pub fn everything(s: &System) -> Vec<Vec<u8>> {
    let hash = |group, i: usize| s.hash_to_curve(group, format!("point {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    let ps: Vec<_> = (0..3).map(|i| hash(Group::G1, i)).collect();
    let qs: Vec<_> = (0..3).map(|i| hash(Group::G2, i)).collect();
    let rows: Vec<_> = ps.iter().zip(&qs).map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
    let batch = Batch::new(s.clone()).validate(Validate::Subgroup);
    let values = batch.product(&rows, &[0..1, 0..3, 1..1]).into_iter().map(Result::unwrap).collect::<Vec<_>>();
    let fixed_p = s.fixed_side() == Side::P;
    let fixed = s.prepare(s.fixed_side(), if fixed_p { &ps[0] } else { &qs[0] }).unwrap();
    let other = if fixed_p { qs[1].as_ref() } else { ps[1].as_ref() };
    let prepared = batch.pair_prepared(&fixed, &[other])[0].clone().unwrap();
    let (k, secret) = (BigUint::from(0xfeed_beefu32).pow(5), b"not a secret");
    let compressed = s.compressed(&ps[0]).unwrap();
    let points = [
        s.mul(&k, &ps[0]),
        s.mul_secret(secret, &qs[0]),
        s.add(&ps[1], &ps[2]),
        s.neg(&qs[1]),
        s.msm(Group::G1, &[(k.clone(), ps[0].clone()), (BigUint::from(77u32), ps[1].clone())]),
        s.decode(Group::G1, PointRef::Bytes(&compressed), Validate::Subgroup).unwrap(),
    ];
    let powers = [s.gt_pow(&values[0], &k), s.gt_pow_secret(&values[0], secret), s.gt_inv(&values[1])];
    let shorter = GtEncoding::ALL.into_iter().filter_map(|encoding| s.encode_gt_as(encoding, &values[0]).ok());
    let shorter: Vec<Vec<u8>> = shorter.collect();
    let points = ps.iter().chain(&qs).chain(&points).map(|p| p.bytes().unwrap_or_default().to_vec());
    let values = values.iter().chain([&prepared]).chain(&powers).map(|x| x.bytes().to_vec());
    points.chain(values).chain([compressed]).chain(shorter).collect()
}
