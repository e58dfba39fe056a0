//! Public multiples, sums of few of them and public powers, which are computed by digits, against the constant-time
//! programs.

use crate::common::system;
use bilinear_engine::{Engine, Group, Point, PointRef, System, Validate};
use num_bigint::BigUint;

/// Returns small scalars, scalars around multiples of the order n, powers of two, and some with long runs or without
/// pattern.
fn scalars(n: &BigUint) -> Vec<BigUint> {
    let mut all: Vec<BigUint> = (0..6u32).map(BigUint::from).collect();
    all.extend([n - 2u32, n - 1u32, n.clone(), n + 1u32, n * 3u32 - 1u32, n >> 1u32, (n >> 1u32) + 1u32]);
    let half = (BigUint::from(1u32) << (n.bits() / 2)) - 1u32;
    all.extend([half.clone() << 3u32, half * 5u32 + 1u32, BigUint::from(1u32) << (n.bits() - 2), n / 3u32]);
    let mut x = n / 7u32;
    all.extend((0..6).map(|_| {
        x = (&x * &x * 3u32 + 1u32) % n;
        x.clone()
    }));
    all
}

fn unknown(s: &System, p: &Point) -> Point {
    s.decode(p.group(), PointRef::Bytes(p.bytes().unwrap()), Validate::OnCurve).unwrap()
}

/// Checks a system, with a point known to be in the group and with one that is not.
fn check(s: &System, what: &str) {
    // longer than the scalar of any program
    let long = (BigUint::from(1u32) << 20_000) + 7u32;
    let rest = &long % s.order();
    for group in Group::ALL {
        let p = s.hash_to_curve(group, b"public multiples", b"BILINEAR-TEST").unwrap();
        for known in [p.clone(), unknown(s, &p)] {
            let all = scalars(s.order());
            for k in &all {
                let want = s.mul_secret(&k.to_bytes_be(), &p);
                assert_eq!(s.mul(k, &known), want, "{k} on {what} {group}");
            }
            let k = &all[all.len() - 1];
            let minus = s.order() - k;
            // sums that double, vanish, and vanish on the way
            let of = |terms: &[(&BigUint, &Point)]| {
                s.msm(group, &terms.iter().map(|(k, p)| ((*k).clone(), (*p).clone())).collect::<Vec<_>>())
            };
            assert_eq!(of(&[(k, &known), (k, &known)]), s.mul_secret(&(k * 2u32).to_bytes_be(), &p), "{what} {group}");
            assert!(of(&[(k, &known), (&minus, &known)]).is_infinity(), "{what} {group}");
            assert_eq!(of(&[(&long, &known), (k, &known)]), s.mul(&(&rest + k), &p), "{what} {group}");
            assert_eq!(of(&[(k, &known), (k, &s.neg(&known)), (&minus, &known)]), s.mul(&minus, &p), "{what} {group}");
        }
    }
    let x = s.pair(&s.generator(Group::G1), &s.generator(Group::G2));
    for e in scalars(s.order()) {
        assert_eq!(s.gt_pow(&x, &e), s.gt_pow_secret(&x, &e.to_bytes_be()), "{e} on {what}");
    }
    assert_eq!(s.gt_pow(&x, &long), s.gt_pow(&x, &rest), "{what}");
    assert_eq!(s.gt_pow(&s.gt_one(), &(s.order() / 3u32)), s.gt_one(), "{what}");
}

#[test]
fn public_multiples_are_the_secret_ones_on_every_family() {
    for name in
        ["a-512", "a1-2x512", "d-159", "e", "bn-254n", "bls12-381", "bls24-315", "bls24-509", "kss18-508", "bls12-377"]
    {
        check(&system(name), name);
    }
}

#[test]
fn public_multiples_are_the_secret_ones_on_every_engine() {
    for engine in [Engine::Mont, Engine::Portable, Engine::Ifma, Engine::Rows, Engine::Hmm, Engine::Reference] {
        let Ok(s) = system("bn-254n").on(engine) else { continue };
        check(&s, &format!("bn-254n on {engine}"));
    }
}

/// (0, 2) of order 3 on y² = x³ + 4, alone and with a point of the group: table entries that are O, and chords
/// without slope.
#[test]
fn public_multiples_of_a_point_of_order_three() {
    let s = system("bls12-381").on(Engine::Mont).unwrap();
    let mut bytes = vec![0; s.point_len(Group::G1)];
    bytes[s.point_len(Group::G1) - 1] = 2;
    let three = s.decode(Group::G1, PointRef::Bytes(&bytes), Validate::OnCurve).unwrap();
    let both = s.add(&three, &s.generator(Group::G1));
    for k in (0..40u32).map(BigUint::from).chain(scalars(s.order())) {
        for p in [&three, &both] {
            assert_eq!(s.mul(&k, p), s.mul_secret(&k.to_bytes_be(), p), "{k}");
        }
        let want = match u32::try_from(&k % 3u32).unwrap() {
            0 => s.infinity(Group::G1),
            1 => three.clone(),
            _ => s.neg(&three),
        };
        assert_eq!(s.mul(&k, &three), want, "{k}");
    }
    // among points whose tables are valid
    let g = unknown(&s, &s.generator(Group::G1));
    for k in scalars(s.order()) {
        let sum = s.msm(Group::G1, &[(k.clone(), g.clone()), (k.clone(), three.clone()), (k.clone(), g.clone())]);
        let [of_three, of_g] = [(&k, &three), (&(&k * 2u32), &g)].map(|(k, p)| s.mul_secret(&k.to_bytes_be(), p));
        assert_eq!(sum, s.add(&of_three, &of_g), "{k}");
    }
}

/// (0, 0) on type A, whose double is O.
#[test]
fn public_multiples_of_a_point_of_order_two() {
    let s = system("a-512");
    let two = s.decode(Group::G1, PointRef::Bytes(&vec![0; s.point_len(Group::G1)]), Validate::OnCurve).unwrap();
    for k in scalars(s.order()) {
        let want = if k.bit(0) { two.clone() } else { s.infinity(Group::G1) };
        assert_eq!(s.mul(&k, &two), want, "{k}");
    }
}

/// Returns a point of a group's curve that is not in the group.
fn outside(s: &System, group: Group) -> Point {
    let mut bytes = vec![0; s.compressed_len(group)];
    let len = s.curve().family().field().bits().div_ceil(8) as usize;
    let decode = |bytes: &[u8], validate| s.decode(group, PointRef::Bytes(bytes), validate);
    let found = (1..=240).find_map(|x| {
        bytes.chunks_exact_mut(len).zip(x..).for_each(|(c, x)| c[len - 1] = x);
        let point = decode(&bytes, Validate::OnCurve).ok()?;
        decode(&bytes, Validate::Subgroup).is_err().then_some(point)
    });
    found.unwrap()
}

/// Scalars longer than the number of points, which are reduced before they are used.
#[test]
fn long_multiples_of_points_outside_the_groups() {
    for (name, groups) in [
        ("a-512", &[Group::G1][..]),
        ("a1-2x512", &[Group::G1]),
        ("d-159", &Group::ALL[1..]),
        ("e", &Group::ALL),
        ("bn-254n", &[Group::G2]),
        ("bls12-381", &Group::ALL),
        ("bls24-315", &Group::ALL),
        ("kss18-508", &Group::ALL),
    ] {
        let s = system(name).on(Engine::Mont).unwrap();
        for group in groups {
            let p = outside(&s, *group);
            let k: Vec<u8> = (0..s.point_len(*group) / 2 + 2 * s.scalar_len()).map(|i| 255 - i as u8).collect();
            let all = BigUint::from_bytes_be(&k);
            assert_eq!(s.mul(&all, &p), s.mul_secret(&k, &p), "{name} {group}");
        }
    }
    // buckets for all bits of such scalars would take gigabytes; the curve has q + 1 points
    let s = system("a-512");
    let k = ((s.curve().family().field() + 1u32) << 8_000_000) + 3u32;
    let p = outside(&s, Group::G1);
    assert_eq!(s.msm(Group::G1, &vec![(k, p.clone()); 16]), s.mul(&BigUint::from(48u32), &p));
}
