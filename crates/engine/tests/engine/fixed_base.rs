//! Sums from tables against sums of multiples, on every shipped curve and on edge cases of scalars and points.

use crate::common::shipped;
use bilinear_engine::{Batch, BigUint, Curve, Engine, FixedBase, Group, Point, PointRef, System, Validate};
use bilinear_params::Family;

/// The seed of the generators.
const SEED: u64 = 0x0f1e_2d3c;

/// Returns SplitMix64's bytes.
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) >> 40) as u8
    };
    (0..len).map(|_| next()).collect()
}

fn padded(k: &BigUint, len: usize) -> Vec<u8> {
    let k = k.to_bytes_be();
    [vec![0; len.saturating_sub(k.len())], k].concat()
}

/// Compares both sides of each sum.
fn compare(batch: &Batch, group: Group, sums: &[Vec<(Vec<u8>, &FixedBase)>], what: &str) {
    let found = batch.fixed_sums(group, sums);
    for (sum, found) in sums.iter().zip(&found) {
        let terms: Vec<(&[u8], Point)> = sum.iter().map(|(k, base)| (&k[..], base.point().clone())).collect();
        let multiples = batch.mul_secret(group, &terms);
        let want = batch.sums(group, &multiples, &[0..multiples.len()]).remove(0);
        let ks: Vec<&Vec<u8>> = sum.iter().map(|(k, _)| k).collect();
        assert_eq!(*found, want, "{ks:02x?}, {group}, {what}, seed {SEED:#x}");
    }
}

/// A few digits on every curve: 0, 1, all ones, 16 and −16 alternately, arbitrary ones; equal and opposite multiples
/// are added.
#[test]
fn sums_are_those_of_multiples_on_every_curve() {
    for name in Curve::names() {
        let system = shipped(name);
        let batch = Batch::new(system.clone()).on_this_thread();
        let groups: &[Group] = if system.is_symmetric() { &[Group::G1] } else { &Group::ALL };
        for group in groups.iter().copied() {
            let p = system.generator(group);
            let points = [p.clone(), system.neg(&p), system.mul(&5u32.into(), &p)];
            let bases = batch.fixed_bases(group, &points, 2);
            assert!(bases.iter().all(|base| base.has_tables() && base.byte_len() == 2), "{name}");
            let scalars = [vec![0, 0], vec![0, 1], vec![0xff, 0xff], vec![0x3e, 0x10], vec![0x80, 0], bytes(SEED, 2)];
            let mut sums: Vec<Vec<(Vec<u8>, &FixedBase)>> = vec![];
            for (i, k) in scalars.iter().enumerate() {
                let other = scalars[(i + 1) % scalars.len()].clone();
                sums.push(vec![(k.clone(), &bases[0]), (k.clone(), &bases[1]), (other, &bases[2])]);
            }
            sums.extend([vec![(vec![7], &bases[0]), (vec![0xff], &bases[2])], vec![], vec![(vec![], &bases[0])]]);
            compare(&batch, group, &sums, name);
        }
    }
}

/// The six bits of the second digit in every combination: each digit from −16 to 16.
#[test]
fn every_digit() {
    let system = shipped("a-512");
    let batch = Batch::new(system.clone()).on_this_thread();
    let bases = batch.fixed_bases(Group::G1, &[system.generator(Group::G1)], 2);
    let sums: Vec<_> = (0..64u16).map(|y| vec![((y << 4).to_be_bytes().to_vec(), &bases[0])]).collect();
    compare(&batch, Group::G1, &sums, "every digit");
}

/// Scalars as long as the order, on a curve of each family, by both engines of a system, in batches and alone.
#[test]
fn long_scalars_at_the_edges() {
    for name in ["a-512", "d-159", "e", "bls12-381", "alt-bn128"] {
        let system = shipped(name);
        let r = system.order().clone();
        let len = r.bits().div_ceil(8) as usize + 1;
        let one = BigUint::from(1u32);
        let turns = (0..r.bits() / 10).map(|i| BigUint::from(0b01111_10000u32) << (10 * i)).sum::<BigUint>();
        let mut scalars = vec![BigUint::ZERO, one.clone(), &r - 1u32, r.clone(), &r + 1u32, turns];
        scalars.extend([4u64, 5, 79, r.bits() - 1].map(|bit| &one << bit));
        scalars.extend((0..4).map(|i| BigUint::from_bytes_be(&bytes(SEED + i, len))));
        let p = system.hash_to_curve(Group::G1, b"base", b"BILINEAR-TEST").unwrap();
        let batch = Batch::new(system.clone()).threads(2.try_into().unwrap()).unwrap();
        let bases = batch.fixed_bases(Group::G1, &[p.clone(), system.generator(Group::G1)], len);
        let sum = |k: &BigUint| vec![(padded(k, len), &bases[0]), (padded(&(&r - k % &r), len), &bases[1])];
        let sums: Vec<_> = scalars.iter().map(sum).collect();
        compare(&batch, Group::G1, &sums, name);
        compare(&batch, Group::G1, &sums[..1], &format!("{name}, one"));
    }
}

fn cofactor(family: &Family) -> BigUint {
    match family {
        Family::Supersingular(family) => family.cofactor().clone(),
        Family::QuadraticTwist(family) => family.h().clone(),
        _ => unreachable!("no curve of this test"),
    }
}

/// Points of small odd orders above 15 have tables, which hold no O: additions meet O and equal points all the time.
#[test]
fn bases_of_small_order() {
    for (name, order) in [("a-512", 17u32), ("d-179", 31)] {
        let system = shipped(name);
        let batch = Batch::new(system.clone()).on_this_thread().validate(Validate::OnCurve);
        let len = system.point_len(Group::G1) / 2;
        let small = (1..100u8).find_map(|x| {
            let compressed = [&vec![0; len - 1][..], &[x, 0]].concat();
            let p = system.decode(Group::G1, PointRef::Bytes(&compressed), Validate::OnCurve).ok()?;
            let multiple = system.order() * cofactor(system.curve().family()) / order;
            Some(system.mul(&multiple, &p)).filter(|small| !small.is_infinity())
        });
        let small = small.unwrap_or_else(|| panic!("{name}: no point of order {order}"));
        assert!(system.mul(&order.into(), &small).is_infinity(), "{name}");
        let bases = batch.fixed_bases(Group::G1, &[small.clone(), system.neg(&small)], 2);
        assert!(bases.iter().all(FixedBase::has_tables), "{name}");
        let sums: Vec<_> = (0..2 * order)
            .map(|k| vec![(padded(&k.into(), 2), &bases[0]), (bytes(SEED + u64::from(k), 2), &bases[1])])
            .collect();
        compare(&batch, Group::G1, &sums, &format!("{name}, order {order}"));
    }
}

/// Without tables, or with a scalar that is too long, sums are those of multiples too.
#[test]
fn bases_without_tables() {
    let system = shipped("a-512");
    let batch = Batch::new(system.clone()).on_this_thread();
    // (0, 0), of order 2
    let zeros = vec![0; system.point_len(Group::G1)];
    let two = system.decode(Group::G1, PointRef::Bytes(&zeros), Validate::OnCurve).unwrap();
    let points = [two, system.infinity(Group::G1), system.generator(Group::G1)];
    let bases = batch.fixed_bases(Group::G1, &points, 3);
    assert_eq!(bases.iter().map(FixedBase::has_tables).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(FixedBase::table_len(&system, Group::G1, 3), 5 * 16 * 3 * 64);
    assert_eq!(FixedBase::table_len(&shipped("d-159"), Group::G1, 3), 5 * 16 * 2 * 20);
    let sums = [vec![3, 1, 2], vec![4, 0, 0], vec![0, 7, 0]];
    let sum = |ks: &Vec<u8>| ks.iter().zip(&bases).map(|(k, base)| (vec![*k], base)).collect::<Vec<_>>();
    let mut sums: Vec<Vec<(Vec<u8>, &FixedBase)>> = sums.iter().map(sum).collect();
    sums.push(vec![(vec![1, 2, 3, 4], &bases[2])]);
    compare(&batch, Group::G1, &sums, "without tables");
}

/// A single sum in lanes has places for a limited number of digits only.
#[test]
fn long_sums_on_rows_are_made_in_parts() {
    let Ok(system) = shipped("g-149").on(Engine::Rows) else { return };
    let batch = Batch::new(system.clone()).on_this_thread();
    let len = system.scalar_len();
    let points = [system.generator(Group::G2), system.random(Group::G2).unwrap()];
    let bases = batch.fixed_bases(Group::G2, &points, len);
    let sum = |seed| bases.iter().zip(seed..).map(|(base, seed)| (bytes(seed, len), base)).collect();
    compare(&batch, Group::G2, &[sum(SEED), sum(SEED + 2)], "on rows");
}

#[test]
#[should_panic(expected = "a base with tables for engine portable was handed to engine mont")]
fn bases_of_another_engine() {
    let curve = Curve::named("a-512").unwrap();
    let [mont, portable] = [Engine::Mont, Engine::Portable].map(|e| System::with_engine(&curve, e).unwrap());
    let bases = Batch::new(portable.clone()).fixed_bases(Group::G1, &[portable.generator(Group::G1)], 1);
    Batch::new(mont).fixed_sums(Group::G1, &[vec![([1u8], &bases[0])]]);
}
