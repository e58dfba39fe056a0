//! Few pairings at a time are computed in rows, once that engine is ready. The engine in use is reported, and the
//! values are those of `mont`.

use crate::common::shipped;
use bilinear_engine::{Batch, Curve, Engine, Group, Point, PointRef, System, Validate};
use std::num::NonZeroUsize;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Curves of five, six and eight limbs, and the most pairings that are few there.
const CURVES: [(&str, usize); 3] = [("d-159", 2), ("bn-254n", 2), ("bls12-381", 3)];

fn pairs(s: &System, count: usize) -> Vec<(Point, Point)> {
    let hash = |group, i: usize| s.hash_to_curve(group, format!("few {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    (0..count).map(|i| (hash(Group::G1, i), hash(Group::G2, i))).collect()
}

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

/// Returns true if this processor has rows for a curve.
fn has_rows(name: &str) -> bool {
    Engine::Rows.suits(Curve::named(name).unwrap().family().field())
}

#[test]
fn batches_of_any_size_are_those_of_mont_before_and_after() {
    for (name, most) in CURVES.into_iter().filter(|(name, _)| has_rows(name)) {
        let s = System::new(&Curve::named(name).unwrap()).unwrap();
        let mont = s.on(Engine::Mont).unwrap();
        assert_eq!(s.engine_for_few(), Some((Engine::Rows, most, false)), "{name}");
        let engines = |s: &System| (1..=most + 1).map(|n| s.engine_for_pairings(n)).collect::<Vec<_>>();
        let lanes = vec![Engine::Ifma; most];
        assert_eq!(engines(&s), [vec![Engine::Mont], lanes].concat(), "{name}");
        let pairs = pairs(&s, 9);
        let mut rows: Vec<(PointRef<'_>, PointRef<'_>)> = pairs.iter().map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
        rows[4].0 = PointRef::Bytes(&[7; 3]);
        rows[6].1 = PointRef::Infinity;
        let batch = |s: &System, n| Batch::new(s.clone()).threads(threads(n)).unwrap().validate(Validate::Subgroup);
        let want = batch(&mont, 1).pair(&rows);
        assert!(want[4].is_err() && want[6] == Ok(s.gt_one()));
        for is_ready in [false, true] {
            if is_ready {
                s.warm_up_few();
                assert_eq!(s.engine_for_few(), Some((Engine::Rows, most, true)), "{name}");
                assert_eq!(engines(&s), [vec![Engine::Rows; most], vec![Engine::Ifma]].concat(), "{name}");
            }
            assert_eq!(Ok(s.pair(&pairs[0].0, &pairs[0].1)), want[0], "{name}");
            assert_eq!(s.pair(&pairs[0].0, &s.infinity(Group::G2)), s.gt_one(), "{name}");
            for count in [1, 2, 3] {
                let batch = batch(&s, count);
                for (start, end) in (0..9).flat_map(|start| (start..=9).map(move |end| (start, end))) {
                    let got = batch.pair(&rows[start..end]);
                    let shifted = want[start..end].iter().map(|value| {
                        value.clone().map_err(|mut error| {
                            error.row -= start;
                            error
                        })
                    });
                    assert_eq!(got, shifted.collect::<Vec<_>>(), "{name}, rows {start}..{end}, {count} threads");
                }
            }
        }
    }
}

#[test]
fn rows_are_made_ready_after_a_thousand_pairings() {
    if !has_rows("d-159") {
        return;
    }
    let s = System::new(&Curve::named("d-159").unwrap()).unwrap();
    let (p, q) = pairs(&s, 1).remove(0);
    let want = s.pair(&p, &q);
    assert!((1..1000).all(|_| s.pair(&p, &q) == want));
    sleep(Duration::from_millis(20));
    assert_eq!(s.engine_for_few(), Some((Engine::Rows, 2, false)), "nothing begins before");
    let begun = Instant::now();
    while s.engine_for_few() != Some((Engine::Rows, 2, true)) {
        assert_eq!(s.pair(&p, &q), want);
        assert!(begun.elapsed() < Duration::from_secs(300), "a thread makes it ready");
    }
    assert_eq!(s.pair(&p, &q), want);
    // calls of two pairings were not requested; what was prepared serves clones too
    assert_eq!([1, 2].map(|n| s.clone().engine_for_pairings(n)), [Engine::Rows, Engine::Ifma]);
}

#[test]
fn engines_that_were_asked_for_stay_and_long_fields_have_none() {
    let on = |name, engine| shipped(name).on(engine).unwrap();
    let lanes = Engine::Ifma.is_available().then(|| on("bls12-381", Engine::Ifma));
    for s in [shipped("a-512"), on("d-159", Engine::Mont)].into_iter().chain(lanes) {
        assert_eq!(s.engine_for_few(), None);
        let before = s.engine_for_pairings(1);
        s.warm_up_few();
        assert_eq!((s.engine_for_pairings(1), s.engine_for(1)), (before, before));
    }
}

/// The parts of the loop run in rows.
#[test]
fn one_pairing_on_threads_takes_rows_when_they_are_ready() {
    for (name, _) in CURVES.into_iter().filter(|(name, _)| has_rows(name)) {
        let s = shipped(name);
        let pairs = pairs(&s, 2);
        let mont = s.on(Engine::Mont).unwrap();
        for count in if name == "d-159" { vec![1, 2, 3, 5, 16] } else { vec![1, 2] } {
            let parallel = s.parallel(threads(count)).unwrap();
            for is_ready in [false, true] {
                if is_ready {
                    parallel.ready();
                    assert_eq!(parallel.engine(), Engine::Rows, "{name} on {count} threads");
                    assert_eq!(parallel.partition().is_some(), count > 1, "{name} on {count} threads");
                }
                for (p, q) in &pairs {
                    assert_eq!(parallel.pair(p, q), mont.pair(p, q), "{name} on {count} threads");
                }
                assert_eq!(parallel.pair(&s.infinity(Group::G1), &pairs[0].1), s.gt_one());
            }
        }
    }
    // a partition given by the caller stays on the engine of single values
    let s = shipped("d-159");
    let parallel =
        s.parallel_in(threads(2), &s.loop_partition(2).unwrap().parts.iter().map(|p| p.part).collect::<Vec<_>>(), true);
    assert!(parallel.is_ok_and(|parallel| parallel.engine() == s.engine_for_pairings(1)));
}
