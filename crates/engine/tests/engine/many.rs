//! Hashes, multiples, powers and elements of the target group by the batch: the values are those of one at a time, in
//! order, on any number of threads and on every engine.

use crate::common::{system, vectors};
use bilinear_engine::{
    Batch, Engine, FactorsError, Group, Gt, GtEncoding, GtError, HashError, Point, PointRef, System, Validate,
};
use serde_json::Value;
use std::num::NonZeroUsize;
use std::ops::Range;

const TAG: &[u8] = b"BILINEAR-TEST";
/// None, one, fewer than a vector of lanes, a vector, one more, and several tasks.
const COUNTS: [usize; 6] = [0, 1, 3, 8, 9, 27];

fn on_threads(system: &System, n: usize) -> Batch {
    Batch::new(system.clone()).threads(NonZeroUsize::new(n).unwrap()).unwrap()
}

fn batches(system: &System) -> Vec<Batch> {
    [1, 2, 3].map(|n| on_threads(system, n)).into()
}

/// The batches to run, with the number of values in a call: every count on every number of threads on one curve, a
/// vector and one more and several tasks on the others.
fn calls(name: &str, system: &System) -> Vec<(usize, Batch)> {
    let all = COUNTS.into_iter().flat_map(|count| [1, 2, 3].map(|n| (count, n)));
    let some = [(9, 1), (27, 3)].into_iter();
    let of = |(count, n)| (count, on_threads(system, n));
    if name == "d-159" { all.map(of).collect() } else { some.map(of).collect() }
}

/// Returns a system with the engine for single values only, so that batches of other systems are compared with values
/// of another engine.
fn word_system(name: &str) -> System {
    system(name).on(Engine::Mont).unwrap()
}

const CURVES: [&str; 8] = ["a-512", "a1-2x512", "alt-bn128", "bls12-381", "kss18-508", "bls24-315", "d-159", "e"];

fn messages(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| vec![i as u8; i * 7]).collect()
}

/// Returns a scalar of any length: empty, 0, short, as long as the order, above it, longer.
fn scalar(system: &System, i: usize) -> Vec<u8> {
    let order = system.order().to_bytes_be();
    match i % 7 {
        0 => order,
        1 => vec![],
        2 => vec![0; 3],
        3 => (system.order() - 1u32).to_bytes_be(),
        4 => vec![0xa5; order.len() + 9],
        _ => (system.order() / (i + 2)).to_bytes_be(),
    }
}

#[test]
fn hashes_are_those_of_single_messages() {
    for name in CURVES {
        let (s, single) = (system(name), word_system(name));
        for group in Group::ALL {
            let all = messages(27);
            let hashed: Vec<Point> = all.iter().map(|m| single.hash_to_curve(group, m, TAG).unwrap()).collect();
            let encoded: Vec<Point> = all.iter().map(|m| single.encode_to_curve(group, m, TAG).unwrap()).collect();
            for (count, batch) in calls(name, &s) {
                let few: Vec<&[u8]> = all[..count].iter().map(|m| &m[..]).collect();
                let what = format!("{count} messages on {name}");
                assert_eq!(batch.hash_to_curve(group, &few, TAG).unwrap(), hashed[..count], "{what}");
                assert_eq!(batch.encode_to_curve(group, &few, TAG).unwrap(), encoded[..count], "{what}");
            }
        }
    }
    let batch = &batches(&system("a-512"))[1];
    assert_eq!(batch.hash_to_curve(Group::G1, &[b"m", b"n"], b""), Err(HashError::EmptyTag));
    assert_eq!(batch.hash_to_curve(Group::G1, &[], b""), Ok(vec![]));
}

#[test]
fn the_suites_of_rfc_9380_in_batches() {
    let s = system("bls12-381");
    let point = |v: &Value| {
        let hex: Vec<String> =
            ["x", "y"].iter().flat_map(|c| v[c].as_str().unwrap().split(',')).map(String::from).collect();
        hex.iter()
            .flat_map(|c| num_bigint::BigUint::parse_bytes(&c.as_bytes()[2..], 16).map(padded))
            .flatten()
            .collect::<Vec<u8>>()
    };
    for (group, suite) in [(Group::G1, "G1"), (Group::G2, "G2")] {
        for kind in ["RO", "NU"] {
            let file = format!("BLS12381{suite}_XMD_SHA-256_SSWU_{kind}_.json");
            let text = std::fs::read_to_string(vectors().join("rfc9380").join(&file)).unwrap();
            let v: Value = serde_json::from_str(&text).unwrap();
            let cases = v["vectors"].as_array().unwrap();
            assert_eq!(cases.len(), 5);
            let messages: Vec<&[u8]> = cases.iter().map(|case| case["msg"].as_str().unwrap().as_bytes()).collect();
            let tag = v["dst"].as_str().unwrap().as_bytes();
            let batch = Batch::new(s.clone());
            let points = match kind {
                "RO" => batch.hash_to_curve(group, &messages, tag),
                _ => batch.encode_to_curve(group, &messages, tag),
            };
            for (p, case) in points.unwrap().iter().zip(cases) {
                assert_eq!(p.bytes().unwrap(), point(&case["P"]), "{file}: {}", case["msg"]);
            }
        }
    }
}

/// Returns x in 48 bytes.
fn padded(x: num_bigint::BigUint) -> Vec<u8> {
    let x = x.to_bytes_be();
    [vec![0; 48 - x.len()], x].concat()
}

#[test]
fn multiples_are_those_of_single_points() {
    for name in CURVES {
        let (s, single) = (system(name), word_system(name));
        for group in Group::ALL {
            let all = messages(27);
            let points: Vec<Point> = all.iter().map(|m| s.hash_to_curve(group, m, TAG).unwrap()).collect();
            // O, and points that are not known to be in the group
            let term = |(i, p): (usize, &Point)| {
                let p = match i {
                    5 | 20 => s.infinity(group),
                    9 => s.decode(group, PointRef::Bytes(p.bytes().unwrap()), Validate::OnCurve).unwrap(),
                    _ => p.clone(),
                };
                (scalar(&s, i), p)
            };
            let terms: Vec<(Vec<u8>, Point)> = points.iter().enumerate().map(term).collect();
            let want: Vec<Point> = terms.iter().map(|(k, p)| single.mul_secret(k, p)).collect();
            for ((k, p), want) in terms.iter().zip(&want).take(8) {
                assert_eq!(single.mul(&num_bigint::BigUint::from_bytes_be(k), p), *want, "{k:02x?} on {name}");
            }
            for (count, batch) in calls(name, &s) {
                assert_eq!(batch.mul_secret(group, &terms[..count]), want[..count], "{count} multiples on {name}");
            }
            // the checks that a point has passed do not change in a batch
            let mul = |p: &Point| s.mul(&3u32.into(), p);
            let multiples = batches(&s)[0].mul_secret(group, &terms);
            assert_eq!(multiples.iter().map(mul).collect::<Vec<_>>(), want.iter().map(mul).collect::<Vec<_>>());
        }
    }
}

#[test]
fn powers_and_checks_are_those_of_single_values() {
    for name in CURVES {
        let (s, single) = (system(name), word_system(name));
        let e = single.pair(&s.generator(Group::G1), &s.generator(Group::G2));
        let terms: Vec<(Gt, Vec<u8>)> =
            (0..27u32).map(|i| (single.gt_pow(&e, &(i * i).into()), scalar(&s, i as usize))).collect();
        let want: Vec<Gt> = terms.iter().map(|(x, e)| single.gt_pow_secret(x, e)).collect();
        for ((x, e), want) in terms.iter().zip(&want).take(8) {
            assert_eq!(single.gt_pow(x, &num_bigint::BigUint::from_bytes_be(e)), *want, "{e:02x?} on {name}");
        }
        let mut encoded: Vec<Vec<u8>> = terms.iter().map(|(x, _)| x.bytes().to_vec()).collect();
        encoded[3].pop();
        encoded[4][0] = 0xff;
        *encoded[6].last_mut().unwrap() ^= 1;
        encoded[8].fill(0);
        encoded[20].clear();
        let values: Vec<&[u8]> = encoded.iter().map(|x| &x[..]).collect();
        let checked: Vec<Result<Gt, GtError>> = values.iter().map(|x| single.decode_gt(x)).collect();
        assert_eq!(checked.iter().filter(|c| c.is_err()).count(), 5, "{name}");
        for (count, batch) in calls(name, &s) {
            assert_eq!(batch.gt_pow_secret(&terms[..count]), want[..count], "{count} powers on {name}");
            assert_eq!(batch.decode_gt(&values[..count]), checked[..count], "{count} values on {name}");
        }
    }
}

/// Ranges of no values, one, two, and of enough that levels of the tree have odd ends; some overlap.
const RANGES: [Range<usize>; 11] = [0..0, 3..4, 0..2, 5..7, 6..8, 0..3, 2..9, 1..27, 9..9, 4..20, 0..27];

#[test]
fn sums_and_products_are_those_of_single_values() {
    for name in CURVES {
        let s = system(name);
        let slow = s.on(Engine::Reference).unwrap();
        for group in Group::ALL {
            let mut points = batches(&s)[0]
                .hash_to_curve(group, &messages(27).iter().map(|m| &m[..]).collect::<Vec<_>>(), TAG)
                .unwrap();
            // a double, a point and its opposite, O, and a point that is not known to be in the group
            points[1] = points[0].clone();
            points[6] = s.neg(&points[5]);
            (points[3], points[11]) = (s.infinity(group), s.infinity(group));
            points[9] = s.decode(group, points[9].as_ref(), Validate::OnCurve).unwrap();
            let sum = |range: &Range<usize>| {
                points[range.clone()].iter().fold(slow.infinity(group), |sum, p| {
                    slow.msm(group, &[(1u32.into(), sum), (1u32.into(), p.clone())])
                })
            };
            let want: Vec<Point> = RANGES.iter().map(sum).collect();
            assert_eq!((want[0].is_infinity(), want[3].is_infinity()), (true, true));
            for batch in batches(&s) {
                assert_eq!(batch.sums(group, &points, &RANGES), want, "{name}");
                assert_eq!(batch.sums(group, &points, &RANGES[2..3]), want[2..3], "{name}");
            }
        }
        let e = slow.pair(&s.generator(Group::G1), &s.generator(Group::G2));
        let values: Vec<Gt> = (0..27u32).map(|i| slow.gt_pow(&e, &(i * i).into())).collect();
        // the exponents add up
        let power = |range: &Range<usize>| slow.gt_pow(&e, &range.clone().map(|i| i * i).sum::<usize>().into());
        let want: Vec<Gt> = RANGES.iter().map(power).collect();
        for batch in batches(&s) {
            assert_eq!(batch.gt_products(&values, &RANGES), want, "{name}");
        }
    }
}

#[test]
fn components_are_those_of_single_points() {
    let (s, single) = (system("a1-2x512"), word_system("a1-2x512"));
    let points: Vec<Point> = messages(9).iter().map(|m| s.hash_to_curve(Group::G1, m, TAG).unwrap()).collect();
    for index in [0, 1] {
        let want: Vec<Point> = points.iter().map(|p| single.project(index, p).unwrap()).collect();
        for batch in batches(&s) {
            assert_eq!(batch.project(index, &points).unwrap(), want);
        }
    }
    for points in [&points[..], &[]] {
        let error = batches(&s)[1].project(2, points).unwrap_err();
        assert!(matches!(error, FactorsError::Index { index: 2, count: 2, .. }), "{error}");
        let error = batches(&system("bls12-381"))[1].project(0, &[]).unwrap_err();
        assert!(matches!(error, FactorsError::PrimeOrder { .. }), "{error}");
    }
}

#[test]
fn encodings_of_values_are_those_of_single_ones() {
    for (name, encoding) in [("a-512", GtEncoding::Torus2), ("bls12-381", GtEncoding::Torus6), ("e", GtEncoding::Plain)]
    {
        let (s, single) = (system(name), word_system(name));
        let e = single.pair(&s.generator(Group::G1), &s.generator(Group::G2));
        let values: Vec<Gt> = (0..27u32).map(|i| single.gt_pow(&e, &i.into())).collect();
        let mut want: Vec<Vec<u8>> = values.iter().map(|x| single.encode_gt_as(encoding, x).unwrap()).collect();
        for batch in batches(&s) {
            assert_eq!(batch.encode_gt_as(encoding, &values).unwrap(), want, "{name}");
        }
        want[3].pop();
        want[4][0] = 0xff;
        *want[6].last_mut().unwrap() ^= 1;
        want[20].clear();
        let encoded: Vec<&[u8]> = want.iter().map(|x| &x[..]).collect();
        let read: Vec<Result<Gt, GtError>> = encoded.iter().map(|x| single.decode_gt_as(encoding, x)).collect();
        assert_eq!(read.iter().filter(|r| r.is_err()).count(), 4, "{name}");
        for batch in batches(&s) {
            assert_eq!(batch.decode_gt_as(encoding, &encoded), read, "{name}");
        }
    }
    let batch = &batches(&system("a-512"))[0];
    let error = batch.encode_gt_as(GtEncoding::Torus6, &[]).unwrap_err();
    assert_eq!(error.to_string(), "curve a-512 has no torus6 encoding");
    assert_eq!(batch.decode_gt_as(GtEncoding::Torus6, &[&[]]), [Err(GtError::Encoding(GtEncoding::Torus6))]);
}
