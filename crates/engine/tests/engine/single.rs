//! Single values: products, checks and prepared arguments of a system alone agree with those of a batch, and values
//! work as keys of maps and sets and in messages.

use crate::common::shipped;
use bilinear_engine::{Batch, Curve, Group, Options, Point, PointRef, Research, Side, System};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A curve for each kind of tower.
const CURVES: [&str; 6] = ["a-512", "d-159", "e", "bls12-381", "ss3-97", "hss2-367"];

fn system(name: &str) -> System {
    let options = Options { research: Some(Research::knowing_it_is_broken()), ..Options::default() };
    System::with(&Curve::named(name).unwrap(), options).unwrap()
}

fn points(s: &System, count: usize) -> Vec<(Point, Point)> {
    let hash = |group, i: usize| s.hash_to_curve(group, format!("single {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    (0..count).map(|i| (hash(Group::G1, i), hash(Group::G2, i))).collect()
}

#[test]
fn products_checks_and_prepared_arguments_are_those_of_batches() {
    for name in CURVES {
        let s = system(name);
        let batch = Batch::new(s.clone()).on_this_thread();
        let mut rows = points(&s, 20);
        rows[1].0 = s.infinity(Group::G1);
        let pairs: Vec<(&Point, &Point)> = rows.iter().map(|(p, q)| (p, q)).collect();
        // no pairs, few pairs, a part for each lane, and parts of several pairs
        let ranges = [0..0, 0..1, 0..2, 3..6, 0..9, 0..20];
        let values: Vec<_> = pairs.iter().map(|(p, q)| s.pair(p, q)).collect();
        for (product, range) in batch.product(&pairs, &ranges).into_iter().zip(ranges) {
            let of_values = values[range.clone()].iter().fold(s.gt_one(), |product, value| s.gt_mul(&product, value));
            assert_eq!(product.as_ref(), Ok(&of_values), "{name} {range:?}");
            assert_eq!(s.product(&pairs[range.clone()]), of_values, "{name} {range:?}");
        }
        // e(P, Q)·e(−P, Q) = 1
        let minus = s.neg(&rows[0].0);
        assert!(s.check(&[]) && s.check(&[pairs[0], (&minus, &rows[0].1)]) && s.check(&pairs[1..2]), "{name}");
        let opposite: Vec<(Point, Point)> = rows.iter().map(|(p, q)| (s.neg(p), q.clone())).collect();
        let cancelled: Vec<(&Point, &Point)> = rows.iter().chain(&opposite).map(|(p, q)| (p, q)).collect();
        assert!(s.check(&cancelled) && !s.check(&cancelled[..39]), "{name}");
        assert!(!s.check(&pairs) && !s.check(&[pairs[0], (&minus, &rows[2].1)]), "{name}");
        let side = s.fixed_side();
        let argument = |(p, q): &(Point, Point), side| if side == Side::P { p.clone() } else { q.clone() };
        let fixed = s.prepare(side, &argument(&rows[0], side)).unwrap();
        for other in [argument(&rows[2], side.other()), s.infinity(side.other().group())] {
            assert_eq!(
                Ok(s.pair_prepared(&fixed, &other)),
                batch.pair_prepared(&fixed, &[other.as_ref()])[0],
                "{name}"
            );
        }
        let of_infinity = s.prepare(side, &s.infinity(side.group())).unwrap();
        assert_eq!(s.pair_prepared(&of_infinity, &argument(&rows[2], side.other())), s.gt_one(), "{name}");
    }
}

#[test]
fn rows_are_points_bytes_or_either() {
    let s = shipped("bls12-381");
    let batch = Batch::new(s.clone()).on_this_thread();
    let (p, q) = points(&s, 1).remove(0);
    let value = Ok(s.pair(&p, &q));
    let bytes = |x: &Point| x.bytes().unwrap().to_vec();
    let (p_bytes, q_bytes) = (bytes(&p), bytes(&q));
    let (p_array, q_array): ([u8; 96], [u8; 192]) = (p_bytes[..].try_into().unwrap(), q_bytes[..].try_into().unwrap());
    assert_eq!(batch.pair(&[(&p, &q)])[0], value);
    assert_eq!(batch.pair(&[(p.clone(), q.clone())])[0], value);
    assert_eq!(batch.pair(&[(&p_bytes[..], &q_bytes[..])])[0], value);
    assert_eq!(batch.pair(&[(p_bytes.clone(), &q)])[0], value);
    assert_eq!(batch.pair(&[(p_array, &q_array)])[0], value);
    assert_eq!(batch.pair(&[(PointRef::Bytes(&p_bytes), q.as_ref())])[0], value);
    assert_eq!(batch.pair(&[(PointRef::Infinity, &q)])[0], Ok(s.gt_one()));
}

#[test]
fn values_serve_as_map_keys_and_have_debug_output() {
    let s = shipped("d-159");
    let (p, q) = points(&s, 1).remove(0);
    let again = s.decode(Group::G1, PointRef::Bytes(p.bytes().unwrap()), Default::default()).unwrap();
    assert_eq!(HashSet::from([p.clone(), again, s.infinity(Group::G1)]).len(), 2);
    assert_eq!(HashSet::from([s.pair(&p, &q), s.pair(&p, &q), s.gt_one()]).len(), 2);
    let shown = format!("{s:?} {:?} {:?}", Batch::new(s.clone()), s.prepare(s.fixed_side(), &p));
    assert!(shown.contains("d-159") && shown.contains("Mont") && shown.contains("Batch {"), "{shown}");
}

#[test]
fn secrets_longer_than_1024_bytes_are_refused() {
    let s = shipped("d-159");
    let (p, q) = points(&s, 1).remove(0);
    let x = s.pair(&p, &q);
    let long = [1; 1025];
    assert!(catch_unwind(AssertUnwindSafe(|| s.mul_secret(&long, &p))).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| s.gt_pow_secret(&x, &long))).is_err());
    let batch = Batch::new(s.clone()).on_this_thread();
    assert!(catch_unwind(AssertUnwindSafe(|| batch.fixed_bases(Group::G1, std::slice::from_ref(&p), 1025))).is_err());
}
