//! PBC's types d, e, f, g and i: PBC's own values through the public interface, byte for byte.

use crate::common::{shipped, vectors};
use bilinear_engine::{
    Batch, Group, Options, OutsideG2Error, PairingKind, Point, PointError, PointRef, Research, Side, System, Validate,
};
use bilinear_params::{Curve, Description};
use num_bigint::BigUint;
use serde_json::Value;

/// Curves, shipped or as PBC's parameter files, and PBC's values on them.
pub(crate) const CURVES: [(&str, &str); 11] = [
    ("d-159", "d159-rtors"),
    ("d-201", "d201-rtors"),
    ("d-224", "d224-rtors"),
    ("pbc/d159.param", "d159-rtors"),
    ("g-149", "g149-rtors"),
    ("e", "e"),
    ("f", "f158-rtors"),
    ("pbc/f256.param", "f254-rtors"),
    ("ss3-97", "i"),
    ("pbc/i.param", "i"),
    ("pbc/i-193.param", "i-193"),
];

/// Curves and PBC's values with second points from all of the twist.
pub(crate) const OUTSIDE: [(&str, &str); 6] = [
    ("d-159", "d159"),
    ("d-201", "d201"),
    ("d-224", "d224"),
    ("g-149", "g149"),
    ("f", "f158"),
    ("pbc/f256.param", "f254"),
];

/// Returns a curve with the default options.
fn system(name: &str) -> System {
    let curve = if name.ends_with(".param") { Curve::load(vectors().join(name)) } else { Curve::named(name) };
    let curve = curve.unwrap();
    if !curve.is_for_research() && !name.ends_with(".param") {
        return shipped(name);
    }
    let research = Some(Research::knowing_it_is_broken());
    System::with(&curve, Options { research, ..Options::default() }).unwrap()
}

/// Reads P, Q and e(P, Q) as bytes; a coefficient takes `len`.
pub(crate) fn answers(file: &str, len: usize) -> Vec<[Vec<u8>; 3]> {
    let residue = |v: &Value| {
        let hex = format!("{:0>1$}", v.as_str().unwrap(), 2 * len);
        (0..len).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect::<Vec<_>>()
    };
    let text = std::fs::read_to_string(vectors().join(format!("pbc/{file}.jsonl"))).unwrap();
    text.lines()
        .map(|line| {
            let v: Value = serde_json::from_str(line).unwrap();
            let bytes = |keys: &[&str]| -> Vec<u8> {
                keys.iter().flat_map(|key| v[*key].as_array().unwrap().iter().flat_map(residue)).collect()
            };
            [bytes(&["Px", "Py"]), bytes(&["Qx", "Qy"]), bytes(&["e"])]
        })
        .collect()
}

#[test]
fn values_are_pbcs_bytes() {
    for (name, file) in CURVES {
        let system = system(name);
        let answers = answers(file, system.point_len(Group::G1) / 2);
        assert!(answers.len() > 2, "{file}");
        let rows: Vec<_> = answers.iter().map(|[p, q, _]| (PointRef::Bytes(p), PointRef::Bytes(q))).collect();
        let batch = Batch::new(system.clone());
        let mut product = system.gt_one();
        for (row, [_, _, want]) in batch.pair(&rows).into_iter().zip(&answers) {
            let row = row.unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(row.bytes(), want, "{name}");
            assert_eq!(system.decode_gt(want).unwrap(), row);
            product = system.gt_mul(&product, &row);
        }
        let whole = 0..rows.len();
        assert_eq!(batch.product(&rows, std::slice::from_ref(&whole)).remove(0).unwrap(), product, "{name}");
        let [p, q, want] = &answers[0];
        let p = system.decode(Group::G1, PointRef::Bytes(p), Validate::Subgroup).unwrap();
        let prepared = system.prepare(Side::P, &p).unwrap();
        let value = batch.pair_prepared(&prepared, &[PointRef::Bytes(q)]).remove(0).unwrap();
        assert_eq!(value.bytes(), want, "{name}, prepared");
    }
}

/// PBC accepts second arguments from all of the twist; the Tate pairing is defined there, and the subgroup is not
/// checked.
#[test]
fn values_outside_g2_are_pbcs_bytes() {
    for (name, file) in OUTSIDE {
        let system = system(name);
        let answers = answers(file, system.point_len(Group::G1) / 2);
        let rows: Vec<_> = answers.iter().map(|[p, q, _]| (PointRef::Bytes(p), PointRef::Bytes(q))).collect();
        let outside = rows.iter().filter(|(_, q)| system.decode(Group::G2, *q, Validate::Subgroup).is_err()).count();
        assert!(outside > 3, "{file}: {outside} points outside G2");
        let values = Batch::new(system.clone()).allow_q_outside_g2().unwrap().pair(&rows);
        for (value, [_, _, want]) in values.into_iter().zip(&answers) {
            assert_eq!(value.unwrap().bytes(), want, "{name}");
        }
        // an ate pairing is not defined there
        let options = Options { pairing: Some(PairingKind::Ate), ..Options::default() };
        let ate = System::with(system.curve(), options).unwrap();
        let (curve, pairing) = (ate.curve().name().to_owned(), PairingKind::Ate);
        assert_eq!(Batch::new(ate).allow_q_outside_g2().err(), Some(OutsideG2Error::Pairing { curve, pairing }));
    }
    for name in ["a-512", "e"] {
        let refused = Batch::new(shipped(name)).allow_q_outside_g2().err();
        assert!(matches!(refused, Some(OutsideG2Error::OneGroup { .. })), "{name}");
    }
}

#[test]
fn the_groups_are_groups_of_order_r() {
    for (name, _) in CURVES {
        let system = system(name);
        for group in Group::ALL {
            let points: [Point; 3] = [
                system.generator(group),
                system.hash_to_curve(group, b"a message", b"QUUX-V01-CS02").unwrap(),
                system.random(group).unwrap(),
            ];
            for point in points {
                assert!(!point.is_infinity() && system.mul(system.order(), &point).is_infinity(), "{name} {group}");
                for bytes in [point.bytes().unwrap().to_vec(), system.compressed(&point).unwrap()] {
                    let decoded = system.decode(group, PointRef::Bytes(&bytes), Validate::Subgroup);
                    assert_eq!(decoded, Ok(point.clone()), "{name} {group}");
                }
            }
            let good = system.generator(group).bytes().unwrap().to_vec();
            let mut bad = good.clone();
            *bad.last_mut().unwrap() ^= 1;
            let refused = system.decode(group, PointRef::Bytes(&bad), Validate::Subgroup);
            assert_eq!(refused, Err(PointError::NotOnCurve), "{name} {group}");
        }
        let (p, q) = (system.random(Group::G1).unwrap(), system.random(Group::G2).unwrap());
        let (k, one) = (BigUint::from(1_000_003u32), system.pair(&p, &q));
        assert_eq!(system.pair(&system.mul(&k, &p), &q), system.gt_pow(&one, &k), "{name}");
        assert_eq!(system.pair(&p, &system.mul(&k, &q)), system.gt_pow(&one, &k), "{name}");
        assert_eq!(system.gt_mul(&one, &system.gt_inv(&one)), system.gt_one(), "{name}");
    }
}

/// Both groups of type E are on one curve, and the Weil pairing of a point with itself is 1: a file without
/// generators gets two that are independent.
#[test]
fn generators_of_type_e_that_are_sought_are_independent() {
    let curve = Curve::load(vectors().join("pbc/e.param")).unwrap();
    for pairing in [PairingKind::Tate, PairingKind::Weil] {
        let system = System::with(&curve, Options { pairing: Some(pairing), ..Options::default() }).unwrap();
        let [p, q] = Group::ALL.map(|group| system.generator(group));
        assert_ne!(p.bytes(), q.bytes());
        assert_ne!(system.pair(&p, &q), system.gt_one(), "{pairing:?}");
    }
}

/// The first r has the lowest digit −1, the second has digits −1 at higher positions; the order of the shipped curve has
/// none.
#[test]
fn prepared_arguments_of_type_e_have_digits_of_both_signs() {
    for (q, r, h) in [
        (1_755_360_290_166_652_069_385_086_669u128, 1_099_511_627_803u64, 1452),
        (816_024_928_268_571_946_411_874_701, 1_649_267_441_693, 300),
    ] {
        let text = format!(
            "name = \"small\"\nfamily = \"e\"\n[parameters]\nq = \"{q}\"\nr = \"{r}\"\nh = \"{h}\"\na = \"0\"\nb = \"1\"\n"
        );
        let curve = Description::from_toml(&text, "small.toml").unwrap().curve;
        for pairing in [PairingKind::Tate, PairingKind::Weil] {
            let s = System::with(&curve, Options { pairing: Some(pairing), ..Options::default() }).unwrap();
            let (p, q) = (s.generator(Group::G1), s.generator(Group::G2));
            let fixed = s.prepare(Side::P, &p).unwrap();
            assert_ne!(s.pair(&p, &q), s.gt_one(), "{r}, {pairing}");
            for k in (0..8).chain(r - 8..r) {
                let other = s.mul(&k.into(), &q);
                assert_eq!(s.pair_prepared(&fixed, &other), s.pair(&p, &other), "{r}, {pairing}, {k}");
            }
        }
    }
}
