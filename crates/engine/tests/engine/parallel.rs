//! One pairing on several threads: whatever the parts of the loop, and whoever computes them, the value is that of one thread.

use bilinear_engine::{Curve, Engine, Group, Options, PairingKind, ParallelError, Point, Power, Research, System};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;

/// Splitmix64: parts that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }

    /// So many parts of a loop of so many steps.
    fn parts(&mut self, steps: usize, count: usize) -> Vec<Range<usize>> {
        let mut ends = vec![steps];
        while ends.len() < count {
            let end = 1 + self.below(steps - 1);
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        ends.sort_unstable();
        [0].into_iter().chain(ends.iter().copied()).zip(ends.iter().copied()).map(|(from, to)| from..to).collect()
    }
}

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

fn steps(s: &System) -> usize {
    s.loop_plan(1).unwrap().parts[0].steps.end
}

/// Two pairs of points.
fn pairs(s: &System) -> Vec<(Point, Point)> {
    let hash = |group, i: usize| s.hash_to_point(group, format!("point {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    (0..2).map(|i| (hash(Group::G1, i), hash(Group::G2, i))).collect()
}

/// The pairing in these parts is that on one thread.
fn check(s: &System, pairs: &[(Point, Point)], parts: &[Range<usize>], delayed: bool) {
    let parallel = s.parallel_in(threads(2), parts, delayed).unwrap();
    for (p, q) in pairs {
        let curve = s.curve().name();
        assert_eq!(parallel.pair(p, q), s.pair(p, q), "{curve}, {}, {parts:?}, delayed: {delayed}", s.pairing());
    }
}

#[test]
fn every_pairing_of_every_curve_in_parts_is_that_in_one() {
    let mut random = Random(20_261_126);
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        if curve.is_for_research() {
            continue;
        }
        let own = System::with_engine(&curve, Engine::Mont).unwrap();
        let others = [PairingKind::Tate, PairingKind::Ate, PairingKind::RAte].map(|kind| {
            let options = Options { engine: Some(Engine::Mont), pairing: Some(kind), ..Options::default() };
            System::with(&curve, options).ok()
        });
        let fast = Options { engine: Some(Engine::Mont), power: Power::Fast, ..Options::default() };
        let fast = System::with(&curve, fast).ok();
        // loops over the order of a group take long to record: those of a few curves
        let few = curve.family().field().bits() < 260;
        let all = [Some(own)].into_iter().chain(others.into_iter().chain([fast]).filter(|_| few)).flatten();
        for s in all {
            let count = 2 + random.below(2);
            let parts = random.parts(steps(&s), count);
            [false, true].into_iter().for_each(|delayed| check(&s, &pairs(&s), &parts, delayed));
        }
    }
}

#[test]
fn up_to_sixteen_parts_of_any_lengths_give_one_value() {
    let mut random = Random(18);
    for name in ["bn-254n", "bls12-381", "a-512", "d-159", "e"] {
        let s = System::with_engine(&Curve::named(name).unwrap(), Engine::Mont).unwrap();
        let (steps, pairs) = (steps(&s), pairs(&s));
        for count in 1..=16 {
            check(&s, &pairs[..1], &random.parts(steps, count), random.below(2) == 1);
        }
        // parts of one step at both ends, and right behind the first digit
        check(&s, &pairs, &[0..1, 1..2, 2..steps - 1, steps - 1..steps], true);
    }
}

#[test]
fn machines_other_than_mont_compute_parts() {
    for engine in [Engine::Portable, Engine::Rns, Engine::Reference] {
        let s = System::with_engine(&Curve::named("alt-bn128").unwrap(), engine).unwrap();
        let middle = steps(&s) / 2;
        check(&s, &pairs(&s)[..1], &[0..middle, middle..steps(&s)], true);
    }
}

#[test]
fn one_value_in_lanes_is_computed_in_parts() {
    for name in ["bls12-381", "d-159"] {
        let s = System::with_engine(&Curve::named(name).unwrap(), Engine::Rows).unwrap();
        let middle = steps(&s) / 2;
        [false, true].into_iter().for_each(|delayed| check(&s, &pairs(&s), &[0..middle, middle..steps(&s)], delayed));
    }
}

#[test]
fn plans_are_partitions_that_cost_less_than_one_core() {
    for (name, two) in [("bn-254n", 1.25), ("bls12-381", 1.15), ("a1-2x512", 1.4), ("bls24-315", 1.1), ("d-159", 1.1)] {
        let s = System::with_engine(&Curve::named(name).unwrap(), Engine::Mont).unwrap();
        let mut before = 1.0;
        for cores in [1, 2, 3, 5, 8] {
            let plan = s.loop_plan(cores).unwrap();
            let ends: Vec<usize> = plan.parts.iter().map(|part| part.steps.end).collect();
            let starts: Vec<usize> = plan.parts.iter().map(|part| part.steps.start).collect();
            assert_eq!((starts[0], *ends.last().unwrap(), &starts[1..]), (0, steps(&s), &ends[..ends.len() - 1]));
            assert!(
                plan.parts.len() <= cores && plan.parts.iter().all(|part| part.squarings == steps(&s) - part.steps.end)
            );
            assert!(plan.speed_up() >= before, "{name} on {cores} cores: {plan:?}");
            before = plan.speed_up();
            // no part but a short one is much cheaper than the longest
            let costs: Vec<f64> = plan.parts.iter().map(|part| part.cost).collect();
            let [least, most] =
                [costs.iter().copied().fold(f64::MAX, f64::min), costs.iter().copied().fold(0.0, f64::max)];
            assert!(least > 0.75 * most, "{name} on {cores} cores: {costs:?}");
            assert!(cores != 2 || before >= two, "{name}: {before}");
        }
    }
}

#[test]
fn infinity_gives_1_and_wrong_parts_are_refused() {
    let s = System::with_engine(&Curve::named("bn-254n").unwrap(), Engine::Mont).unwrap();
    let parallel = s.parallel(threads(2)).unwrap();
    assert_eq!(parallel.plan().unwrap().parts.len(), 2);
    let (p, q) = pairs(&s).remove(0);
    assert_eq!(parallel.pair(&s.infinity(Group::G1), &q), s.gt_one());
    assert_eq!(parallel.pair(&p, &s.infinity(Group::G2)), s.gt_one());
    let n = steps(&s);
    for parts in [&[][..], &[0..n - 1], &[1..n], &[0..4, 5..n], &[0..4, 4..4, 4..n], &[0..6, 4..n], &[0..n + 1]] {
        let refused = s.parallel_in(threads(1), parts, false);
        let message = refused.map(|_| ()).unwrap_err().to_string();
        assert_eq!(
            message,
            format!("the parts must be steps 0 to {n} in order, with at least one step each, in at most 16 parts")
        );
    }
    assert!(matches!(s.parallel(threads(5000)), Err(ParallelError::Threads(_))));
}

#[test]
fn many_threads_use_one_pool() {
    let s = System::with_engine(&Curve::named("bn-254n").unwrap(), Engine::Mont).unwrap();
    let parallel = s.parallel(threads(4)).unwrap();
    let pairs: Vec<(Point, Point)> = pairs(&s).into_iter().cycle().take(6).collect();
    let expected: Vec<_> = pairs.iter().map(|(p, q)| s.pair(p, q)).collect();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for ((p, q), value) in pairs.iter().zip(&expected) {
                    assert_eq!(parallel.pair(p, q), *value);
                }
            });
        }
    });
}

#[test]
fn eta_is_not_cut() {
    let options = Options { research: Some(Research::knowing_it_is_broken()), ..Options::default() };
    let s = System::with(&Curve::named("ss2-271").unwrap(), options).unwrap();
    assert_eq!(s.loop_plan(4), None);
    let parallel = s.parallel(threads(2)).unwrap();
    let (p, q) = pairs(&s).remove(0);
    assert_eq!((parallel.plan(), parallel.pair(&p, &q)), (None, s.pair(&p, &q)));
}
