//! One pairing on several threads: whatever the parts of the loop, and whichever thread computes them, the value is
//! that of one thread.

use crate::common::{shipped, with_pairing};
use bilinear_engine::{
    Batch, Curve, Engine, Group, LoopPart, LoopPartition, Options, PairingKind, Parallel, ParallelError, Point,
    PointRef, Power, Research, Side, System,
};
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::thread;

/// SplitMix64: parts that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }

    /// Returns `count` parts of each loop, whose numbers of steps are `loops`.
    fn parts(&mut self, loops: &[usize], count: usize) -> Vec<LoopPart> {
        let of = |(number, steps): (usize, &usize)| {
            let mut ends = vec![*steps];
            while ends.len() < count {
                let end = 1 + self.below(steps - 1);
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
            ends.sort_unstable();
            let starts = [0].into_iter().chain(ends.clone());
            starts.zip(ends).map(|(first, end)| LoopPart { number, first, end }).collect::<Vec<_>>()
        };
        loops.iter().enumerate().flat_map(of).collect()
    }
}

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

/// Returns the number of steps of each loop.
fn loops(s: &System) -> Vec<usize> {
    match s.parallel_in(threads(1), &[], false).map(|_| ()).unwrap_err() {
        ParallelError::Parts(error) => error.steps,
        ParallelError::Threads(error) => panic!("{error}"),
    }
}

/// Returns parts of the first loop that end at these steps.
fn until(ends: &[usize]) -> Vec<LoopPart> {
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(ends).map(|(first, end)| LoopPart { number: 0, first, end: *end }).collect()
}

/// Returns two pairs of points.
fn pairs(s: &System) -> Vec<(Point, Point)> {
    let hash = |group, i: usize| s.hash_to_curve(group, format!("point {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    (0..2).map(|i| (hash(Group::G1, i), hash(Group::G2, i))).collect()
}

/// Checks that the pairing in these parts equals that on one thread.
fn check(s: &System, pairs: &[(Point, Point)], parts: &[LoopPart], delayed: bool) {
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
        // only one of the longest fields, whose programs take the most time to record
        if curve.is_for_research() || curve.family().field().bits() > 1600 && name != "a1-2x1024" {
            continue;
        }
        let mut systems = vec![shipped(name).on(Engine::Mont)];
        // all pairings of a few curves: loops over the order of a group take long to record
        let few = curve.family().field().bits() < 260;
        if few {
            let others = PairingKind::ALL.into_iter().filter(|kind| *kind != shipped(name).pairing());
            systems.extend(others.filter_map(|kind| with_pairing(name, kind)).map(|s| s.on(Engine::Mont)));
            let fast = Options { engine: Some(Engine::Mont), power: Power::Fast, ..Options::default() };
            systems.extend(System::with(&curve, fast).ok().map(Ok));
        }
        for s in systems.into_iter().map(Result::unwrap) {
            let count = 2 + random.below(2);
            let parts = random.parts(&loops(&s), count);
            let ways = if name == "bn-254n" { vec![false, true] } else { vec![random.below(2) == 1] };
            ways.into_iter().for_each(|delayed| check(&s, &pairs(&s)[..1], &parts, delayed));
        }
    }
}

#[test]
fn up_to_sixteen_parts_of_any_lengths_give_one_value() {
    let mut random = Random(18);
    let curves = ["bn-254n", "a-512", "d-159", "e", "bls12-381"].map(|name| (name, None));
    for (name, pairing) in curves.into_iter().chain([("e", Some(PairingKind::Weil))]) {
        let s =
            pairing.map_or_else(|| shipped(name), |kind| with_pairing(name, kind).unwrap()).on(Engine::Mont).unwrap();
        let (loops, pairs) = (loops(&s), pairs(&s));
        for count in 1..=16 / loops.len() {
            check(&s, &pairs[..1], &random.parts(&loops, count), random.below(2) == 1);
        }
        // parts of one step at both ends, and right behind the first digit
        if let [steps] = loops[..] {
            check(&s, &pairs, &until(&[1, 2, steps - 1, steps]), true);
        }
    }
}

/// Returns a pairing on two threads whose loops over two points are not cut, since finding a partition for them takes
/// long.
fn uncut(s: &System) -> Parallel {
    let whole = loops(s).into_iter().enumerate().map(|(number, end)| LoopPart { number, first: 0, end });
    s.parallel_in(threads(2), &whole.collect::<Vec<_>>(), false).unwrap()
}

/// Returns the number of steps of each loop over prepared arguments.
fn prepared_loops(s: &System) -> Vec<usize> {
    match uncut(s).with_prepared_parts(&[], false).map(|_| ()).unwrap_err() {
        ParallelError::Parts(error) => error.steps,
        ParallelError::Threads(error) => panic!("{error}"),
    }
}

#[test]
fn prepared_arguments_in_up_to_sixteen_parts_give_one_value() {
    let mut random = Random(2026);
    let with = |name, kind| with_pairing(name, kind).unwrap().on(Engine::Mont).unwrap();
    let names = ["bn-254n", "bls12-381", "a-512", "d-159", "e"];
    let mut systems: Vec<System> = names.into_iter().map(|name| shipped(name).on(Engine::Mont).unwrap()).collect();
    let kinds = [PairingKind::BetaWeil, PairingKind::AlphaWeil, PairingKind::Tate];
    systems.extend(kinds.into_iter().map(|kind| with("bls12-381", kind)));
    systems.extend([with("bn-254n", PairingKind::BetaWeil), with("e", PairingKind::Weil)]);
    let fast = Options { engine: Some(Engine::Mont), power: Power::Fast, ..Options::default() };
    systems.push(System::with(&Curve::named("bls24-315").unwrap(), fast).unwrap());
    for (number, s) in systems.iter().enumerate() {
        let (loops, what) = (prepared_loops(s), format!("{}, {}", s.curve().name(), s.pairing()));
        let side = s.fixed_side();
        let (p, q) = pairs(s).remove(0);
        let (fixed, other) = if side == Side::P { (&p, &q) } else { (&q, &p) };
        let (fixed, value) = (s.prepare(side, fixed).unwrap(), s.pair(&p, &q));
        // three families with every number of parts
        let counts = if number < 3 { (1..=16).collect() } else { vec![1, 2, 16 / loops.len()] };
        for count in counts {
            let (parts, delayed) = (random.parts(&loops, count), random.below(2) == 1);
            let parallel = uncut(s).with_prepared_parts(&parts, delayed).unwrap();
            assert_eq!(parallel.pair_prepared(&fixed, other), value, "{what}, {parts:?}, delayed: {delayed}");
        }
        if number > 2 {
            continue;
        }
        let parallel = s.parallel(threads(3)).unwrap();
        assert_eq!(parallel.pair_prepared(&fixed, other), value, "{what}");
        assert_eq!(parallel.pair_prepared(&fixed, &s.infinity(other.group())), s.gt_one(), "{what}");
        let none = s.prepare(side, &s.infinity(if side == Side::P { Group::G1 } else { Group::G2 })).unwrap();
        assert_eq!(parallel.pair_prepared(&none, other), s.gt_one(), "{what}");
        let alone = s.parallel(threads(1)).unwrap();
        assert_eq!(alone.pair_prepared(&fixed, other), value, "{what}");
        // row by row, with each error in its place
        let batch = Batch::new(s.clone()).one_at_a_time().threads(threads(2)).unwrap();
        let rows = batch.pair_prepared(&fixed, &[other.as_ref(), PointRef::Bytes(&[1]), PointRef::Infinity]);
        assert_eq!((&rows[0], &rows[2]), (&Ok(value), &Ok(s.gt_one())), "{what}");
        assert!(rows[1].as_ref().is_err_and(|error| (error.row, error.side) == (1, side.other())), "{what}");
        let [moving, prepared] = [s.loop_partition(4), s.prepared_loop_partition(4)].map(Option::unwrap);
        assert!(prepared.speed_up() > 1.2 && prepared.time() < moving.time(), "{what}: {prepared:?} {moving:?}");
    }
    // where loops are not cut
    for name in ["ss2-271", "ss3-97"] {
        let s = for_research(name, None);
        let (p, q) = pairs(&s).remove(0);
        let fixed = s.prepare(Side::P, &p).unwrap();
        assert_eq!(s.prepared_loop_partition(2), None);
        assert_eq!(s.parallel(threads(2)).unwrap().pair_prepared(&fixed, &q), s.pair(&p, &q));
    }
}

#[test]
fn machines_other_than_mont_compute_parts() {
    for engine in [Engine::Portable, Engine::Rns, Engine::Reference] {
        let s = shipped("alt-bn128").on(engine).unwrap();
        let steps = loops(&s)[0];
        check(&s, &pairs(&s)[..1], &until(&[steps / 2, steps]), true);
    }
}

#[test]
fn one_value_in_lanes_is_computed_in_parts() {
    for name in ["bls12-381", "d-159"] {
        let s = shipped(name).on(Engine::Rows).unwrap();
        let steps = loops(&s)[0];
        let parts = until(&[steps / 2, steps]);
        [false, true].into_iter().for_each(|delayed| check(&s, &pairs(&s), &parts, delayed));
    }
}

#[test]
fn partitions_cost_less_than_one_core() {
    for (name, two) in [("bn-254n", 1.25), ("bls12-381", 1.15), ("a1-2x512", 1.4), ("bls24-315", 1.1), ("d-159", 1.1)] {
        let s = shipped(name).on(Engine::Mont).unwrap();
        let mut before = 1.0;
        for cores in [1, 2, 3, 5, 8] {
            let partition = s.loop_partition(cores).unwrap();
            let ends: Vec<usize> = partition.parts.iter().map(|part| part.part.end).collect();
            assert_eq!(partition.parts.iter().map(|part| part.part).collect::<Vec<_>>(), until(&ends));
            let steps = loops(&s)[0];
            assert!(
                partition.parts.len() <= cores && partition.parts.iter().all(|p| p.squarings == steps - p.part.end)
            );
            assert!(partition.speed_up() >= before, "{name} on {cores} cores: {partition:?}");
            before = partition.speed_up();
            // no part except a short one is much cheaper than the longest
            let costs: Vec<f64> = partition.parts.iter().map(|part| part.cost).collect();
            let [least, most] =
                [costs.iter().copied().fold(f64::MAX, f64::min), costs.iter().copied().fold(0.0, f64::max)];
            assert!(least > 0.75 * most, "{name} on {cores} cores: {costs:?}");
            assert!(cores != 2 || before >= two, "{name}: {before}");
        }
    }
}

#[test]
fn infinity_gives_1_and_wrong_parts_are_refused() {
    let s = shipped("bn-254n").on(Engine::Mont).unwrap();
    let parallel = s.parallel(threads(2)).unwrap();
    assert_eq!(parallel.partition().unwrap().parts.len(), 2);
    let (p, q) = pairs(&s).remove(0);
    assert_eq!(parallel.pair(&s.infinity(Group::G1), &q), s.gt_one());
    assert_eq!(parallel.pair(&p, &s.infinity(Group::G2)), s.gt_one());
    let n = loops(&s)[0];
    let part = |first, end| LoopPart { number: 0, first, end };
    let wrong = [
        vec![],
        vec![part(0, n - 1)],
        vec![part(1, n)],
        vec![part(0, 4), part(5, n)],
        vec![part(0, 4), part(4, 4), part(4, n)],
        vec![part(0, 6), part(4, n)],
        vec![part(0, n + 1)],
        vec![LoopPart { number: 1, first: 0, end: n }],
        vec![part(0, n), part(0, n)],
        (0..17).map(|i| part(i, if i < 16 { i + 1 } else { n })).collect(),
    ];
    for parts in wrong {
        let refused = s.parallel_in(threads(1), &parts, false);
        let message = refused.map(|_| ()).unwrap_err().to_string();
        let known =
            "the parts must cover all steps of the loops in order, with at least one step each, in at most 16 parts";
        assert_eq!(message, format!("{known}: the loops have [{n}] steps"));
    }
    for many in [5000, usize::MAX] {
        assert!(matches!(s.parallel(threads(many)), Err(ParallelError::Threads(_))));
    }
    let partition = |cores: usize| s.loop_partition(cores).unwrap();
    assert_eq!(partition(usize::MAX), partition(LoopPartition::MAX_PARTS));
    assert_eq!(partition(0), partition(1));
}

/// β-Weil has no hard part, and its loops do not wait for each other: on eight cores it is faster than the optimal
/// ate pairing.
#[test]
fn weil_pairings_are_for_many_cores() {
    let system = |kind| with_pairing("bn-254n", kind).unwrap().on(Engine::Mont).unwrap();
    let [ate, beta, alpha] = [PairingKind::OptAte, PairingKind::BetaWeil, PairingKind::AlphaWeil].map(system);
    assert_eq!((loops(&beta).len(), loops(&alpha).len()), (4, 4));
    let [on_ate, on_beta] = [&ate, &beta].map(|s| s.loop_partition(8).unwrap());
    assert!(on_beta.parts.len() == 8 && on_beta.time() < on_ate.time());
    // the paper: 1.86 times as fast as the optimal ate pairing on one core
    assert!(on_ate.alone / on_beta.time() > 1.86, "{}", on_ate.alone / on_beta.time());
    let pairs = pairs(&beta);
    let parallel = beta.parallel(threads(2)).unwrap();
    assert_eq!(parallel.partition().unwrap().parts.len(), 4);
    for (p, q) in &pairs {
        assert_eq!(parallel.pair(p, q), beta.pair(p, q));
        let [of_beta, of_alpha] = [&beta, &alpha].map(|s| s.pair(p, q));
        assert!(of_beta != of_alpha && of_beta != ate.pair(p, q));
        // prepared arguments
        for s in [&beta, &alpha] {
            let fixed = s.prepare(Side::Q, q).unwrap();
            assert_eq!(Batch::new(s.clone()).pair_prepared(&fixed, &[p.as_ref()])[0], Ok(s.pair(p, q)));
        }
    }
}

#[test]
fn many_threads_use_one_pool() {
    let s = shipped("bn-254n").on(Engine::Mont).unwrap();
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
fn a_batch_of_one_at_a_time_reads_a_row_and_gives_its_value() {
    let s = shipped("bn-254n").on(Engine::Mont).unwrap();
    let batch = Batch::new(s.clone()).one_at_a_time().threads(threads(2)).unwrap();
    let (pairs, read) = (pairs(&s), Cell::new(0));
    let infinity = s.infinity(Group::G1);
    let rows = [
        (pairs[0].0.as_ref(), pairs[0].1.as_ref()),
        (PointRef::Bytes(&[1, 2, 3]), pairs[0].1.as_ref()),
        (infinity.as_ref(), pairs[1].1.as_ref()),
        (pairs[1].0.as_ref(), PointRef::Bytes(pairs[1].1.bytes().unwrap())),
    ];
    let counted = rows.iter().inspect(|_| read.set(read.get() + 1)).copied();
    for (i, value) in batch.stream(counted).enumerate() {
        assert_eq!(read.get(), i + 1);
        match i {
            1 => assert!(value.is_err_and(|error| (error.row, error.side) == (1, Side::P))),
            2 => assert_eq!(value, Ok(s.gt_one())),
            _ => assert_eq!(value, Ok(s.pair(&pairs[i / 3].0, &pairs[i / 3].1))),
        }
    }
    assert_eq!(read.get(), rows.len());
    assert_eq!(batch.pair(&rows)[3], Batch::new(s.clone()).pair(&rows)[3]);
}

fn for_research(name: &str, pairing: Option<PairingKind>) -> System {
    let research = Some(Research::knowing_it_is_broken());
    System::with(&Curve::named(name).unwrap(), Options { pairing, research, ..Options::default() }).unwrap()
}

/// Also on equal points, and on opposite ones.
#[test]
fn eta_in_up_to_sixteen_parts_is_that_in_one() {
    let mut random = Random(1223);
    for name in ["ss2-271", "ss2-353", "ss2-379", "ss2-1223", "ss3-97", "ss3-193"] {
        let s = for_research(name, None);
        let (loops, mut pairs) = (loops(&s), pairs(&s));
        let (p, q) = pairs[0].clone();
        let of_p = pairs.drain(1..).map(|(_, q)| (p.clone(), q)).collect::<Vec<_>>();
        pairs.extend([(p.clone(), p.clone()), (p.clone(), s.neg(&p)), (s.add(&p, &q), q.clone())]);
        pairs.extend(of_p);
        for count in 1..=16 {
            let pair = &pairs[count % pairs.len()..][..1];
            check(&s, pair, &random.parts(&loops, count), false);
            let partition = s.loop_partition(count).unwrap();
            let parts: Vec<LoopPart> = partition.parts.iter().map(|part| part.part).collect();
            check(&s, pair, &parts, false);
        }
        check(&s, &pairs, &until(&[1, 2, loops[0] - 1, loops[0]]), true);
        let parallel = s.parallel(threads(3)).unwrap();
        assert_eq!(parallel.partition().unwrap().parts.len(), 3);
        assert_eq!(parallel.pair(&s.infinity(Group::G1), &q), s.gt_one());
        assert_eq!(parallel.pair(&p, &s.infinity(Group::G1)), s.gt_one());
        let wrong = s.parallel_in(threads(1), &until(&[loops[0] + 1]), false);
        assert!(wrong.map(|_| ()).unwrap_err().to_string().ends_with(&format!("the loops have [{}] steps", loops[0])));
    }
    for name in ["ss2-271", "ss3-97"] {
        let s = for_research(name, Some(PairingKind::Tate));
        check(&s, &pairs(&s), &until(&[20, loops(&s)[0]]), false);
        let portable = s.on(Engine::Portable).unwrap();
        check(&portable, &pairs(&s), &until(&[7, 9, loops(&s)[0]]), false);
    }
}

/// Parts have no squarings for each other: only the final exponentiation does not shrink.
#[test]
fn partitions_of_eta_have_equal_parts() {
    for name in ["ss2-271", "ss2-1223", "ss3-97", "ss3-509"] {
        let s = for_research(name, None);
        let mut before = 1.0;
        for cores in [1, 2, 3, 5, 8, 16] {
            let partition = s.loop_partition(cores).unwrap();
            assert!(
                partition.parts.len() == cores || cores > 5 && partition.parts.len() < cores,
                "{name}: {partition:?}"
            );
            assert!(partition.parts.iter().all(|part| part.squarings == 0) && !partition.delayed);
            let lengths: Vec<usize> = partition.parts.iter().map(|part| part.part.end - part.part.first).collect();
            assert!(lengths.iter().max().unwrap() - lengths.iter().min().unwrap() <= 1, "{lengths:?}");
            assert!(
                partition.speed_up() >= before && partition.speed_up() <= cores as f64,
                "{name} on {cores} cores: {partition:?}"
            );
            before = partition.speed_up();
        }
    }
}

#[test]
fn the_loop_of_genus_2_is_not_partitioned() {
    let s = for_research("hss2-367", None);
    assert_eq!(s.loop_partition(4), None);
    let parallel = s.parallel(threads(2)).unwrap();
    let (p, q) = pairs(&s).remove(0);
    assert_eq!((parallel.partition(), parallel.pair(&p, &q)), (None, s.pair(&p, &q)));
}
