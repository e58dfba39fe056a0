//! BN, BLS12, BLS24 and KSS18 curves, PBC's type F: known answers of PARI through the public interface, and the groups.

use crate::common::{self, system, with_pairing};
use bilinear_engine::{Batch, Group, PairingKind, Point, PointError, PointRef, Side, System, Validate};
use bilinear_params::{Curve, Family, Sextic};
use num_bigint::BigUint;
use serde_json::Value;
use std::num::NonZeroUsize;

/// Shipped curves and the files of their answers.
pub(crate) const CURVES: [(&str, &str); 16] = [
    ("bn-254n", "BN254N"),
    ("bn-258", "BN258_Fan"),
    ("alt-bn128", "alt_bn128"),
    ("bn-462", "BN462"),
    ("bn-638", "BN638"),
    ("bn-638-b257", "BN638_b257"),
    ("bls12-377", "BLS12_377"),
    ("bls12-381", "BLS12_381"),
    ("bls12-461", "BLS12_461"),
    ("bls12-461-b4", "BLS12_461_b4"),
    ("bls12-638", "BLS12_638"),
    ("kss18-508", "KSS18_508"),
    ("bls24-315", "BLS24_315"),
    ("bls24-477", "BLS24_477"),
    ("bls24-509", "BLS24_509"),
    ("f", "F_PBC"),
];

fn family(curve: &Curve) -> &Sextic {
    let Family::Sextic(s) = curve.family() else { panic!("{} has a sextic twist", curve.name()) };
    s
}

fn numbers(v: &Value) -> Vec<BigUint> {
    v.as_array().unwrap().iter().map(|x| x.as_str().unwrap().parse().unwrap()).collect()
}

/// Encodes big-endian residues of ⌈bits(p)/8⌉ bytes.
fn encode(s: &Sextic, values: &[BigUint]) -> Vec<u8> {
    let residue = |x: &BigUint| {
        let bytes = x.to_bytes_be();
        [vec![0; s.p().bits().div_ceil(8) as usize - bytes.len()], bytes].concat()
    };
    values.iter().flat_map(residue).collect()
}

/// Returns an element of E from its coefficients in powers of ξ = w^6, which is a + ci (k = 12), j (18) or v with
/// v² = a + ci (24).
fn nested(s: &Sextic, powers: &[BigUint]) -> Vec<BigUint> {
    let p = s.p();
    let lift = |x0: &BigUint, x1: &BigUint| {
        let [a, c] = s.tower().unwrap().xi_mod(p).unwrap();
        [(x0 + a * x1) % p, c * x1 % p]
    };
    match powers {
        [x0, x1] => lift(x0, x1).to_vec(),
        [_, _, _] => powers.to_vec(),
        [x0, x1, x2, x3] => [lift(x0, x2), lift(x1, x3)].concat(),
        _ => panic!("an element of E"),
    }
}

/// Encodes an element of F_p^k from the flat basis 1, w, …, w^(k−1).
fn value(curve: &Curve, flat: &Value) -> Vec<u8> {
    let (s, flat) = (family(curve), numbers(flat));
    let nested_order = [0, 2, 4, 1, 3, 5];
    let order = if curve.layout() == bilinear_params::Layout::Pbc { [0, 1, 2, 3, 4, 5] } else { nested_order };
    let coefficient = |j: &usize| nested(s, &flat.iter().skip(*j).step_by(6).cloned().collect::<Vec<_>>());
    encode(s, &order.iter().flat_map(coefficient).collect::<Vec<_>>())
}

fn point(system: &System, group: Group, bytes: &[u8]) -> Point {
    system.decode(group, PointRef::Bytes(bytes), Validate::Subgroup).unwrap()
}

/// Reads the lines of an answer file: P, Q and the value of a pairing.
pub(crate) fn answers(curve: &Curve, file: &str, key: &str) -> Vec<[Vec<u8>; 3]> {
    let s = family(curve);
    let text = std::fs::read_to_string(common::vectors().join(format!("oracle/{file}.jsonl"))).unwrap();
    text.lines()
        .map(|line| {
            let v: Value = serde_json::from_str(line).unwrap();
            let p = [0, 1].map(|i| numbers(&v["P"][i])).concat();
            // for k = 12 in terms of i, else in powers of ξ
            let twisted = |i: usize| {
                let x = numbers(&v["Q_twist"][i]);
                if x.len() == 2 { x } else { nested(s, &x) }
            };
            let q = [0, 1].map(twisted).concat();
            [encode(s, &p), encode(s, &q), value(curve, &v[key])]
        })
        .collect()
}

#[test]
fn known_answers_are_reproduced() {
    for (name, file) in CURVES {
        let curve = Curve::named(name).unwrap();
        for (pairing, key) in [(PairingKind::OptAte, "optate"), (PairingKind::Tate, "tate")] {
            let system = with_pairing(name, pairing).unwrap();
            let answers = answers(&curve, file, key);
            assert!(answers.len() > 3, "{name}");
            let rows: Vec<_> = answers.iter().map(|[p, q, _]| (PointRef::Bytes(p), PointRef::Bytes(q))).collect();
            let batch = Batch::new(system.clone());
            let mut product = system.gt_one();
            for (row, [_, _, want]) in batch.pair(&rows).into_iter().zip(&answers) {
                let row = row.unwrap();
                assert_eq!(row.bytes(), want, "{name} {key}");
                assert_eq!(system.decode_gt(want).unwrap(), row);
                product = system.gt_mul(&product, &row);
            }
            let whole = 0..rows.len();
            assert_eq!(batch.product(&rows, std::slice::from_ref(&whole)).remove(0).unwrap(), product, "{name} {key}");
            // with one argument prepared
            let [p, q, want] = &answers[0];
            let side = system.fixed_side();
            let (fixed, other) = if side == Side::P { (p, q) } else { (q, p) };
            let prepared = system.prepare(side, &point(&system, side.group(), fixed)).unwrap();
            let value = batch.pair_prepared(&prepared, &[PointRef::Bytes(other)]).remove(0).unwrap();
            assert_eq!(value.bytes(), want, "{name} {key}, prepared");
        }
    }
}

#[test]
fn every_pairing_is_bilinear() {
    use PairingKind::{AlphaWeil, Ate, BetaWeil, EtaT, OptAte, OptEta, RAte, Tate, Weil};
    for name in ["bn-254n", "bls12-381", "kss18-508", "bls24-315", "e"] {
        for pairing in PairingKind::ALL {
            let system = with_pairing(name, pairing);
            let expected = match pairing {
                Tate => true,
                OptAte | Ate => name != "e",
                RAte => name == "bn-254n",
                BetaWeil | AlphaWeil => matches!(name, "bn-254n" | "bls12-381"),
                Weil => name == "e",
                EtaT | OptEta => false,
            };
            assert_eq!(system.is_some(), expected, "{name} {pairing}");
            let Some(system) = system else { continue };
            let (p, q) = (system.random(Group::G1).unwrap(), system.random(Group::G2).unwrap());
            let (a, b) = (BigUint::from(1_000_003u32), system.order() - 5u32);
            let one = system.pair(&p, &q);
            assert_ne!(one, system.gt_one(), "{name} {pairing}");
            let left = system.pair(&system.mul(&a, &p), &system.mul(&b, &q));
            assert_eq!(left, system.gt_pow(&one, &(a * b)), "{name} {pairing}");
            assert_eq!(system.gt_pow_secret(&one, &[3]), system.gt_pow(&one, &3u32.into()));
        }
    }
}

#[test]
fn the_groups_are_groups_of_order_r() {
    for (name, _) in CURVES {
        let system = system(name);
        for group in Group::ALL {
            let hashed = system.hash_to_curve(group, b"a message", b"QUUX-V01-CS02").unwrap();
            for point in [system.generator(group), hashed, system.random(group).unwrap()] {
                assert!(!point.is_infinity(), "{name} {group}");
                assert!(system.mul(system.order(), &point).is_infinity(), "{name} {group}");
                let bytes = point.bytes().unwrap();
                assert_eq!(system.decode(group, PointRef::Bytes(bytes), Validate::Subgroup), Ok(point.clone()));
                let short = system.compressed(&point).unwrap();
                assert_eq!(short.len(), system.compressed_len(group));
                assert_eq!(system.decode(group, PointRef::Bytes(&short), Validate::Subgroup), Ok(point.clone()));
                assert_eq!(system.mul_secret(&[7], &point), system.mul(&7u32.into(), &point));
            }
        }
    }
}

#[test]
fn bad_points_are_refused_for_their_reason() {
    for name in ["bls12-381", "bls24-509", "kss18-508", "alt-bn128"] {
        let (curve, system) = (Curve::named(name).unwrap(), system(name));
        let s = family(&curve);
        for group in Group::ALL {
            let good = system.generator(group).bytes().unwrap().to_vec();
            let refused = |bytes: &[u8]| system.decode(group, PointRef::Bytes(bytes), Validate::Subgroup).unwrap_err();
            let (full, compressed) = (system.point_len(group), system.compressed_len(group));
            assert_eq!(refused(&good[1..]), PointError::Length { given: full - 1, full, compressed });
            let mut bad = good.clone();
            bad[..s.p().bits().div_ceil(8) as usize].copy_from_slice(&encode(s, &[s.p().clone()]));
            assert_eq!(refused(&bad), PointError::NotCanonical('x'));
            let mut bad = good.clone();
            *bad.last_mut().unwrap() ^= 1;
            assert_eq!(refused(&bad), PointError::NotOnCurve);
            let mut short = system.compressed(&system.generator(group)).unwrap();
            *short.last_mut().unwrap() = 2;
            assert_eq!(refused(&short), PointError::Sign(2));
            // the first abscissas give points on the curve, which are all in the group only if the cofactor is 1
            let trivial = group == Group::G1 && s.h1() == &BigUint::from(1u32);
            let mut outside = 0;
            for x in 1u32..40 {
                let mut short = vec![0; compressed];
                short[s.p().bits().div_ceil(8) as usize - 1] = x as u8;
                match system.decode(group, PointRef::Bytes(&short), Validate::Subgroup) {
                    Err(PointError::NotInSubgroup) => outside += 1,
                    Err(reason) => assert_eq!(reason, PointError::NotOnCurve, "{name} {group}"),
                    Ok(_) => assert!(trivial, "{name} {group}"),
                }
            }
            assert_eq!(outside == 0, trivial, "{name} {group}");
        }
    }
}

#[test]
fn engines_agree() {
    for name in ["bn-254n", "bls12-377", "kss18-508", "bls24-315"] {
        let curve = Curve::named(name).unwrap();
        let best = System::new(&curve).unwrap();
        let value = best.pair(&best.generator(Group::G1), &best.generator(Group::G2));
        for engine in [bilinear_engine::Engine::Portable, bilinear_engine::Engine::Reference] {
            let other = best.on(engine).unwrap();
            let same = other.pair(&other.generator(Group::G1), &other.generator(Group::G2));
            assert_eq!(same.bytes(), value.bytes(), "{name} on {engine}");
        }
    }
}

#[test]
fn multiples_of_points_inside_and_outside_the_groups() {
    let s = system("bls12-381");
    for group in [Group::G1, Group::G2] {
        // the first x with a point of the curve outside the group
        let x = |i: u8| [vec![0; s.compressed_len(group) - 2], vec![i, 0]].concat();
        let outside = (1..=u8::MAX).find_map(|i| {
            let point = s.decode(group, PointRef::Bytes(&x(i)), Validate::OnCurve).ok()?;
            s.decode(group, PointRef::Bytes(&x(i)), Validate::Subgroup).is_err().then_some(point)
        });
        let (outside, inside) = (outside.unwrap(), s.generator(group));
        let vouched = s.decode(group, inside.as_ref(), Validate::OnCurve).unwrap();
        assert_eq!(vouched, inside);
        let k = s.order() - 1u32;
        for p in [&outside, &inside, &vouched] {
            let multiple = s.mul(&k, p);
            assert_eq!(s.mul_secret(&k.to_bytes_be(), p), multiple);
            assert_eq!(s.add(&multiple, p), s.mul(s.order(), p));
            assert_eq!(s.mul(s.order(), p).is_infinity(), p != &outside);
        }
        // one point outside makes the whole sum a plain one, and each thread has terms of both kinds
        let points = [&outside, &inside, &vouched];
        let terms: Vec<_> = (0..100u32).map(|i| (&k / (i + 1), points[i as usize % 3].clone())).collect();
        let slow = terms.iter().fold(s.infinity(group), |sum, (k, p)| s.add(&sum, &s.mul(k, p)));
        let batch = Batch::new(s.clone()).threads(NonZeroUsize::new(3).unwrap()).unwrap();
        assert_eq!([s.msm(group, &terms), batch.msm(group, &terms)], [slow.clone(), slow]);
        assert!(s.msm(group, &[]).is_infinity());
    }
}
