//! η_T and the Tate pairing over F_2^m and F_3^m: known answers (over F_3^m those of PBC, `pbc.rs`), laws, groups,
//! encodings, and rejected input.

use crate::common::small_characteristic::{self, laws, options, system};
use crate::common::vectors;
use bilinear_engine::params::Family;
use bilinear_engine::{
    Batch, BigUint, Curve, Engine, EngineError, FixedBase, Group, GtError, MapError, Options, PairingKind, PointError,
    PointRef, Power, Side, System, SystemError, Validate,
};
use num_traits::One;
use serde_json::Value;

const CURVES: [(&str, &str); 4] =
    [("ss2-271", "SS2_271_b0"), ("ss2-353", "SS2_353_b1"), ("ss2-379", "SS2_379_b1"), ("ss2-1223", "SS2_1223_b0")];

/// The curves over F_2^m, and two over F_3^m.
const ALL: [&str; 6] = ["ss2-271", "ss2-353", "ss2-379", "ss2-1223", "ss3-97", "ss3-193"];

/// Encodes coordinates or coefficients, each big-endian in `len` bytes.
fn bytes(value: &Value, len: usize) -> Vec<u8> {
    let coefficient = |c: &Value| {
        let digits = c.as_str().unwrap().strip_prefix("0x").unwrap();
        let short = BigUint::parse_bytes(digits.as_bytes(), 16).unwrap().to_bytes_be();
        [vec![0; len - short.len()], short].concat()
    };
    value.as_array().unwrap().iter().flat_map(coefficient).collect()
}

fn answers(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(vectors().join(format!("oracle/{file}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns N, the number of points.
fn points_of(system: &System) -> BigUint {
    let Family::Binary(s) = system.curve().family() else { panic!("over F_2^m") };
    s.r() * s.h()
}

#[test]
fn known_answers() {
    let mut seen = 0;
    for (name, file) in CURVES {
        for engine in [Engine::Mont, Engine::Portable] {
            for (pairing, key) in [(PairingKind::EtaT, "etaT"), (PairingKind::Tate, "tate")] {
                let system = system(name, Options { engine: Some(engine), pairing: Some(pairing), ..options() });
                let len = system.gt_len() / 4;
                // points of order N; r is not the order of all of them
                let batch = Batch::new(system.clone()).on_this_thread().validate(Validate::OnCurve);
                // code for every processor is a hundred times slower
                let answers = answers(file).into_iter().take(if engine == Engine::Mont { 5 } else { 1 });
                for answer in answers {
                    let [p, q, value] = ["P", "Q", key].map(|key| bytes(&answer[key], len));
                    let [p, q] = [&p, &q].map(|point| PointRef::Bytes(point));
                    let found = batch.pair(&[(p, q), (q, p)]);
                    for found in &found {
                        assert_eq!(found.as_ref().unwrap().bytes(), value, "{name} {pairing} {engine}");
                    }
                    let decoded = system.decode(Group::G1, p, Validate::OnCurve).unwrap();
                    for side in [Side::P, Side::Q] {
                        let prepared = system.prepare(side, &decoded).unwrap();
                        assert_eq!(
                            batch.pair_prepared(&prepared, &[q])[0],
                            found[0],
                            "{name} {pairing} {engine}, prepared"
                        );
                    }
                    let is_prime = system.order() == &points_of(&system);
                    assert!(!is_prime || system.decode_gt(&value).as_ref() == Ok(found[0].as_ref().unwrap()));
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 2 * (5 + 5 + 5 + 2 + 4));
}

#[test]
fn laws_and_edges() {
    for name in ALL {
        let system = system(name, options());
        let [p, q] = laws(name, &system);
        let batch = Batch::new(system.clone()).on_this_thread();
        let bases = batch.fixed_bases(Group::G1, &[p.clone(), q.clone()], 8);
        assert!(bases.iter().all(FixedBase::has_tables), "{name}");
        for k in [0u64, 1, 16, 17, u64::MAX] {
            let (first, second) = (k.to_be_bytes(), (!k).to_be_bytes());
            let found = batch.fixed_sums(Group::G1, &[vec![(&first, &bases[0]), (&second, &bases[1])]]);
            let want = [(k, &p), (!k, &q)].map(|(k, p)| system.mul(&BigUint::from(k), p));
            assert_eq!(found, [system.add(&want[0], &want[1])], "{name} {k}");
        }
    }
}

#[test]
fn batches_and_products() {
    for name in ["ss2-271", "ss3-97"] {
        small_characteristic::batches_and_products(&system(name, options()), 9, &[1, 2, 3]);
    }
}

/// A point outside the group is found where N is not prime, is accepted on request, and its multiples are correct.
#[test]
fn points_outside_the_group() {
    for (name, cofactor) in [("ss2-271", 487_805u32), ("ss2-1223", 5), ("ss3-97", 7)] {
        let system = system(name, options());
        let len = system.point_len(Group::G1) / 2;
        // a point outside the group, over the first such x: its order is h or a multiple of r
        let mut outside = None;
        // the points over 0 and 1 have order 5, or over F_3 order 7
        for x in 3u8..40 {
            let compressed = [&vec![0; len - 1][..], &[x, 0]].concat();
            let reference = PointRef::Bytes(&compressed);
            match system.decode(Group::G1, reference, Validate::Subgroup) {
                Err(PointError::NotInSubgroup) => {
                    outside = Some(system.decode(Group::G1, reference, Validate::OnCurve).unwrap());
                    break;
                }
                other => assert!(matches!(other, Ok(_) | Err(PointError::NotOnCurve)), "{name} {x}: {other:?}"),
            }
        }
        let p = outside.unwrap_or_else(|| panic!("{name}: all points are in the group"));
        let h = BigUint::from(cofactor);
        // a point of an order that divides h: its small multiples include O where h is 5 or 7
        let small = system.mul(system.order(), &p);
        assert!(!small.is_infinity(), "{name}");
        assert!(
            system.mul(&h, &small).is_infinity() && system.mul_secret(&h.to_bytes_be(), &small).is_infinity(),
            "{name}"
        );
        for k in 0u32..40 {
            let by_sums = (0..k % cofactor).fold(system.infinity(Group::G1), |sum, _| system.add(&sum, &small));
            assert_eq!(system.mul(&BigUint::from(k), &small), by_sums, "{name} {k}");
            assert_eq!(system.mul_secret(&k.to_be_bytes(), &small), by_sums, "{name} {k}");
        }
        let batch = Batch::new(system.clone()).on_this_thread().validate(Validate::OnCurve);
        let base = batch.fixed_bases(Group::G1, std::slice::from_ref(&small), 2).remove(0);
        assert_eq!(base.has_tables(), cofactor > 16, "{name}: a table would hold O");
        let found = batch.fixed_sums(Group::G1, &[vec![(&[1u8, 7], &base)]]);
        assert_eq!(found, [system.mul(&BigUint::from(263u32), &small)], "{name}");
        let inside = system.mul(&h, &p);
        assert!(
            system.decode(Group::G1, PointRef::Bytes(inside.bytes().unwrap()), Validate::Subgroup).is_ok(),
            "{name}"
        );
        // a value of order h is not in the target group
        let value = system.pair(&small, &small);
        let checked = system.decode_gt(value.bytes());
        assert_eq!(checked.is_ok(), value == system.gt_one(), "{name}");
    }
}

#[test]
fn encodings() {
    for name in ALL {
        let system = system(name, options());
        let p = system.hash_to_curve(Group::G1, b"message", b"ETA-TEST").unwrap();
        let full = p.bytes().unwrap().to_vec();
        let len = full.len() / 2;
        let decode = |bytes: &[u8]| system.decode(Group::G1, PointRef::Bytes(bytes), Validate::Subgroup);
        for point in [&p, &system.neg(&p), &system.generator(Group::G1)] {
            let compressed = system.compressed(point).unwrap();
            assert_eq!((compressed.len(), decode(&compressed).as_ref()), (len + 1, Ok(point)), "{name}");
            assert_eq!(decode(point.bytes().unwrap()).as_ref(), Ok(point), "{name}");
        }
        let changed = |at: usize, bit: u8| {
            let mut bytes = full.clone();
            bytes[at] ^= bit;
            decode(&bytes)
        };
        // no coordinate uses all bits of its bytes
        let above = 0x80;
        assert_eq!(changed(0, above), Err(PointError::NotCanonical('x')), "{name}");
        assert_eq!(changed(len, above), Err(PointError::NotCanonical('y')), "{name}");
        assert_eq!(changed(2 * len - 2, 1), Err(PointError::NotOnCurve), "{name}");
        assert_eq!(changed(len - 2, 1).unwrap_err(), PointError::NotOnCurve, "{name}");
        let refused = decode(&full[1..]);
        assert!(matches!(refused, Err(PointError::Length { full: given, .. }) if given == 2 * len), "{name}");
        let mut sign = system.compressed(&p).unwrap();
        sign[len] = 2;
        assert_eq!(decode(&sign), Err(PointError::Sign(2)), "{name}");
        // the target group
        let value = system.pair(&p, &p);
        let mut bytes = value.bytes().to_vec();
        assert!(system.decode_gt(&bytes).is_ok());
        *bytes.last_mut().unwrap() ^= 1;
        assert_eq!(system.decode_gt(&bytes), Err(GtError::NotInGroup), "{name}");
        bytes[0] ^= above;
        assert!(matches!(system.decode_gt(&bytes), Err(GtError::Coefficient { coefficient: 0, .. })), "{name}");
        assert_eq!(system.decode_gt(&vec![0; system.gt_len()]), Err(GtError::NotInGroup), "{name}");
        assert!(matches!(system.decode_gt(&bytes[1..]), Err(GtError::Length { .. })), "{name}");
        // hashing
        let hash = |message: &[u8]| system.hash_to_curve(Group::G1, message, b"ETA-TEST").unwrap();
        assert_eq!(hash(b"message"), p, "{name}");
        assert_ne!(hash(b"other"), p, "{name}");
        assert_eq!(decode(hash(b"other").bytes().unwrap()).as_ref(), Ok(&hash(b"other")), "{name}");
        assert_ne!(system.encode_to_curve(Group::G1, b"message", b"ETA-TEST").unwrap(), p, "{name}");
        let q = system.curve().family().field();
        assert_eq!(system.map_to_curve(Group::G1, std::slice::from_ref(q)), Err(MapError::NotCanonical(0)), "{name}");
        let (even, odd) = (BigUint::from(6u32), BigUint::from(7u32));
        let [even, odd] = [even, odd].map(|u| system.map_to_curve(Group::G1, &[u]).unwrap());
        if name.starts_with("ss2") {
            assert_eq!(system.neg(&even), odd, "{name}: u and u + 1 have opposite points");
        }
    }
}

#[test]
fn what_is_refused() {
    let curve = Curve::named("ss2-353").unwrap();
    assert!(curve.is_for_research() && !Curve::names().any(|name| name.starts_with("ss2")));
    let error = System::new(&curve).err().unwrap();
    assert!(
        matches!(error, SystemError::Research { .. }) && error.to_string().contains("option research (--research)"),
        "{error}"
    );
    let refused = |options: Options| System::with(&curve, options).err().unwrap();
    for engine in [Engine::Ifma, Engine::Hmm, Engine::Rns, Engine::Reference] {
        let error = refused(Options { engine: Some(engine), ..options() });
        assert!(
            matches!(error, SystemError::Engine { reason: EngineError::Characteristic(e), .. } if e == engine),
            "{error}"
        );
    }
    for pairing in [PairingKind::Ate, PairingKind::OptAte, PairingKind::RAte] {
        assert!(matches!(refused(Options { pairing: Some(pairing), ..options() }), SystemError::Pairing { .. }));
    }
    assert!(matches!(refused(Options { power: Power::Fast, ..options() }), SystemError::Power { .. }));
    let bls = Curve::named("bls12-381").unwrap();
    let error = System::with(&bls, Options { pairing: Some(PairingKind::EtaT), ..Options::default() }).err().unwrap();
    assert!(matches!(error, SystemError::Pairing { .. }), "{error}");
    assert!(matches!(bilinear_engine::programs(&curve, options()), Err(SystemError::NotRecorded { .. })));
    // another engine gives the same values
    let (a, b) = (system("ss2-353", options()), system("ss2-353", options()).on(Engine::Portable).unwrap());
    let p = a.generator(Group::G1);
    assert_eq!((a.pair(&p, &p), b.engine()), (b.pair(&p, &p), Engine::Portable));
    assert!(a.batch_engine().is_none() && a.order().bits() == 353 && !a.order().is_one());
}
