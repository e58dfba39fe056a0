//! Curves described by family and seed alone: their pairings are pairings.

use bilinear_engine::{Engine, Group, Point, PointRef, System, SystemError, Validate};
use bilinear_params::{Curve, Description, Family};
use num_bigint::BigUint;

/// The curve of a family and a seed.
fn seed_only(family: &str, u: &str) -> Curve {
    let text = format!("name = \"mine\"\nfamily = \"{family}\"\n[parameters]\nu = \"{u}\"\n");
    Description::from_toml(&text, "mine.toml").unwrap().curve
}

/// Groups of order r that are recognised, a bilinear map that is not degenerate, of values of order r.
fn is_a_pairing(curve: &Curve) {
    let (what, system) = (curve.to_toml(), System::new(curve).unwrap());
    let r = system.order();
    let killed = |point: &Point| system.mul(r, point).is_infinity();
    let [p, q] = Group::ALL.map(|group| {
        let generator = system.generator(group);
        let hashed = system.hash_to_point(group, b"a message", b"QUUX-V01-CS02").unwrap();
        for point in [&generator, &hashed] {
            assert!(!point.is_infinity() && killed(point), "{group}: {what}");
            let bytes = PointRef::Bytes(point.bytes().unwrap());
            assert_eq!(system.decode(group, bytes, Validate::Subgroup).as_ref(), Ok(point), "{group}: {what}");
        }
        assert_ne!(system.mul(&5u32.into(), &generator), generator);
        [generator, hashed]
    });
    let (a, b) = (BigUint::from(1_000_003u32), r - 5u32);
    for (p, q) in [(&p[0], &q[0]), (&p[1], &q[0]), (&p[0], &q[1])] {
        let value = system.pair(p, q);
        assert_ne!(value, system.gt_one(), "{what}");
        assert_eq!(system.gt_pow(&value, r), system.gt_one(), "{what}");
        assert_eq!(system.pair(&system.mul(&a, p), &system.mul(&b, q)), system.gt_pow(&value, &(&a * &b)), "{what}");
        assert_eq!(system.decode_gt(value.bytes()).unwrap(), value, "{what}");
    }
}

#[test]
fn seeds_of_shipped_curves() {
    for name in Curve::names() {
        let known = Curve::named(name).unwrap();
        let Family::Sextic(s) = known.family() else { continue };
        is_a_pairing(&seed_only(known.family().name(), &s.u().to_string()));
    }
}

/// Sizes from 166 to 641 bits, p = 1 and 3 mod 4, seeds of both signs; found by counting up or down to the next seed.
#[test]
fn other_seeds() {
    for (family, seeds) in [
        ("bn", ["0x1000000014c", "4965661367192848995", "-0x3ffffffffffffffffffffdd8"]),
        ("bls12", ["0x1000004ec", "-0x6008204000000020001", "-0x7ffffffffffffffffffffffe2ff"]),
        ("bls24", ["0x1000057", "3640758733", "-0xfffffffffffddf0"]),
        ("kss18", ["0x40024220", "13246820031074", "-0xfffffffffffffff5d2f2"]),
    ] {
        seeds.iter().for_each(|u| is_a_pairing(&seed_only(family, u)));
    }
}

/// What is not shipped is not taken on trust: an engine that the analysis does not cover is left out, or refused by name.
#[test]
fn ranges_of_a_users_curve_are_proved() {
    // i² = −7 and four levels above it: columns of 315 bits have no room for such sums
    let curve = seed_only("bls24", "-3348192863");
    let refused = System::with_engine(&curve, Engine::Ifma).err().unwrap().to_string();
    let why = "curve mine: engine ifma cannot be shown to keep its values in range: columns of ";
    assert!(refused.starts_with(why), "{refused}");
    assert_eq!(System::new(&curve).unwrap().bulk_engine(), None);
    is_a_pairing(&curve);
    let covered = seed_only("bls12", "0x1000004ec");
    assert!(!matches!(System::with_engine(&covered, Engine::Ifma), Err(SystemError::Ranges { .. })));
    assert_eq!(System::new(&covered).unwrap().bulk_engine().is_some(), Engine::Ifma.is_available());
}
