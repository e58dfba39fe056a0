//! One value at a time in eight lanes: pairings agree with `mont` on every shipped curve whose field is short enough,
//! and every kind of computation does on some curves.

use crate::common::everything::everything;
use crate::common::shipped;
use bilinear_engine::{
    Batch, Curve, Engine, Group, Gt, Options, PairingKind, PointRef, Power, PreparedRows, Side, System, SystemError,
    Validate,
};

/// Curves on which everything is computed: one for each number of limbs, and one whose forms are carried.
const WHOLE: [&str; 4] = ["d-159", "alt-bn128", "bls12-381", "bls24-315"];

/// Computes a pairing, a product with O, and one with a prepared argument.
fn pairings(s: &System) -> Vec<Gt> {
    let hash = |group, i: usize| s.hash_to_curve(group, format!("point {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    let [(p, q), (r, t)] = [0, 1].map(|i| (hash(Group::G1, i), hash(Group::G2, i)));
    let batch = Batch::new(s.clone()).validate(Validate::OnCurve);
    let rows = [(p.as_ref(), q.as_ref()), (PointRef::Infinity, t.as_ref()), (r.as_ref(), t.as_ref())];
    let fixed = s.prepare(s.fixed_side(), if s.fixed_side() == Side::P { &p } else { &q }).unwrap();
    let other = if s.fixed_side() == Side::P { q.as_ref() } else { p.as_ref() };
    let values = batch.product(&rows, &[0..1, 1..2, 0..3]).into_iter().chain(batch.pair_prepared(&fixed, &[other]));
    values.map(Result::unwrap).collect()
}

/// The longest field that fits eight limbs with 14 spare bits.
const MAX_BITS: u64 = 402;

#[test]
fn one_value_in_lanes_is_as_on_mont_and_longer_fields_are_refused() {
    let mut checked = 0;
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        let mont = shipped(name).on(Engine::Mont).unwrap();
        match mont.on(Engine::Rows) {
            Ok(rows) => {
                assert_eq!((rows.engine(), rows.batch_engine()), (Engine::Rows, None));
                if WHOLE.contains(&name) {
                    assert_eq!(everything(&rows), everything(&mont), "{name}");
                }
                assert_eq!(pairings(&rows), pairings(&mont), "{name}");
                checked += 1;
            }
            Err(SystemError::Engine { .. }) => assert!(curve.family().field().bits() > MAX_BITS, "{name}"),
            Err(e) => panic!("{e}"),
        }
    }
    assert!(checked >= 14, "{checked}");
}

#[test]
fn every_pairing_alone_in_lanes_is_as_on_mont() {
    for (name, kinds) in [
        ("bn-254n", &[PairingKind::RAte, PairingKind::Ate, PairingKind::Tate][..]),
        ("bls12-381", &[PairingKind::Ate, PairingKind::Tate]),
    ] {
        let curve = Curve::named(name).unwrap();
        for pairing in kinds {
            let options = Options { pairing: Some(*pairing), power: Power::Fast, ..Options::default() };
            let mont = System::with(&curve, Options { engine: Some(Engine::Mont), ..options }).unwrap();
            let rows = mont.on(Engine::Rows).unwrap();
            assert_eq!(pairings(&rows), pairings(&mont), "{name}, {pairing:?}");
        }
    }
}

#[test]
fn batches_of_single_values_in_lanes_keep_their_order() {
    let best = shipped("alt-bn128");
    let rows_of = best.on(Engine::Rows).unwrap();
    let hash = |group, i: usize| best.hash_to_curve(group, format!("row {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    let points: Vec<_> = (0..70).map(|i| (hash(Group::G1, i), hash(Group::G2, i))).collect();
    let mut rows: Vec<_> = points.iter().map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
    rows[3].0 = PointRef::Infinity;
    rows[69].1 = PointRef::Infinity;
    rows[31].0 = PointRef::Bytes(&[1]);
    let values = |system: &System, threads: usize| {
        Batch::new(system.clone()).threads(threads.try_into().unwrap()).unwrap().pair(&rows)
    };
    let want = values(&best, 1);
    assert!(want[31].is_err() && want[3] == Ok(best.gt_one()));
    for threads in [1, 3] {
        assert_eq!(values(&rows_of, threads), want, "{threads} threads");
    }
    // two side by side and one that is left over, each with a prepared argument of its own
    let fixed: Vec<_> = points.iter().take(5).map(|(_, q)| rows_of.prepare(Side::Q, q).unwrap()).collect();
    let others: Vec<_> = points.iter().take(5).map(|(p, _)| p.as_ref()).collect();
    let groups: Vec<_> = (0..5).map(|i| PreparedRows { rows: i..i + 1, first_prepared: i }).collect();
    let batch = Batch::new(rows_of).on_this_thread();
    // products of two
    let twos: Vec<_> = (0..2).map(|i| PreparedRows { rows: 2 * i..2 * i + 2, first_prepared: 2 * i }).collect();
    let pairs = [best.pair(&points[0].0, &points[0].1), best.pair(&points[2].0, &points[2].1)];
    let further = [best.pair(&points[1].0, &points[1].1), best.pair(&points[3].0, &points[3].1)];
    let products = pairs.iter().zip(&further).map(|(x, y)| Ok(best.gt_mul(x, y))).collect::<Vec<_>>();
    assert_eq!(batch.product_prepared(&fixed, &others, &twos), products);
    let prepared = batch.product_prepared(&fixed, &others, &groups);
    let single = points.iter().take(5).map(|(p, q)| Ok(best.pair(p, q)));
    assert_eq!(prepared, single.collect::<Vec<_>>());
}
