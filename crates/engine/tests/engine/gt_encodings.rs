//! Encodings of the target group, on every shipped curve.

use crate::common::shipped;
use bilinear_engine::{EncodingError, Group, Gt, GtEncoding, GtError, System};
use bilinear_params::{Curve, Family};
use num_bigint::BigUint;

/// e(P, Q) of the generators and some of its powers.
fn values(system: &System) -> Vec<Gt> {
    let one = system.pair(&system.generator(Group::G1), &system.generator(Group::G2));
    let power = |e: &BigUint| system.gt_pow(&one, e);
    let exponents = [1u32.into(), 2u32.into(), system.order() - 1u32, BigUint::from(0x0123_4567_89ab_cdefu64).pow(3)];
    exponents.iter().map(power).collect()
}

/// Returns the factors by which the encodings of a curve are smaller.
fn factors(curve: &Curve) -> Vec<(GtEncoding, usize)> {
    let (plain, half, third) = ((GtEncoding::Plain, 1), (GtEncoding::Torus2, 2), (GtEncoding::Torus6, 3));
    match curve.family() {
        Family::Sextic(_) => vec![plain, half, third],
        Family::DegreeOne(_) => vec![plain],
        _ => vec![plain, half],
    }
}

#[test]
fn every_encoding_round_trips() {
    for name in Curve::names() {
        let system = shipped(name);
        let known = factors(system.curve());
        for encoding in GtEncoding::ALL {
            assert_eq!(encoding.name().parse(), Ok(encoding));
            let Some((_, factor)) = known.iter().find(|(has, _)| *has == encoding) else {
                let none = EncodingError { curve: system.curve().name().to_owned(), encoding: encoding.name() };
                assert_eq!(system.gt_encoded_len(encoding), Err(none.clone()), "{name}");
                assert_eq!(system.encode_gt_as(encoding, &system.gt_one()), Err(none));
                assert_eq!(system.decode_gt_as(encoding, &[]), Err(GtError::Encoding(encoding)));
                continue;
            };
            let len = system.gt_len() / factor;
            assert_eq!(system.gt_encoded_len(encoding), Ok(len), "{name} {encoding}");
            for value in values(&system) {
                let bytes = system.encode_gt_as(encoding, &value).unwrap();
                assert_eq!(bytes.len(), len);
                assert_eq!(system.decode_gt_as(encoding, &bytes), Ok(value), "{name} {encoding}");
            }
            // 1 has no exceptional encoding
            let one = system.encode_gt_as(encoding, &system.gt_one()).unwrap();
            assert_eq!(system.decode_gt_as(encoding, &one), Ok(system.gt_one()), "{name} {encoding}");
            assert_eq!(one.iter().all(|byte| *byte == 0), encoding != GtEncoding::Plain, "{name} {encoding}");
        }
    }
}

#[test]
fn bad_bytes_are_refused_for_their_reason() {
    for name in ["a-512", "a1-2x512", "d-159", "g-149", "f", "alt-bn128", "bls12-381", "kss18-508", "bls24-315"] {
        let curve = Curve::named(name).unwrap();
        let system = System::new(&curve).unwrap();
        let q = curve.family().field();
        let size = q.bits().div_ceil(8) as usize;
        for (encoding, _) in factors(&curve) {
            let good = system.encode_gt_as(encoding, &values(&system)[0]).unwrap();
            let refused = |bytes: &[u8]| system.decode_gt_as(encoding, bytes).unwrap_err();
            let wanted = good.len();
            for given in [0, wanted - 1, wanted + 1] {
                assert_eq!(refused(&vec![0; given]), GtError::Length { given, wanted }, "{name} {encoding}");
            }
            // q in place of the last coefficient
            let mut bad = good.clone();
            bad[wanted - size..].copy_from_slice(&q.to_bytes_be());
            assert!(
                matches!(refused(&bad), GtError::Coefficient { coefficient, .. } if coefficient == wanted / size - 1),
                "{name} {encoding}"
            );
            // on the torus, but not in the group: every c is an element of norm 1, of which GT is a small part
            for i in 0..wanted / size {
                let mut bad = good.clone();
                bad[(i + 1) * size - 1] ^= 1;
                if BigUint::from_bytes_be(&bad[i * size..(i + 1) * size]) < *q {
                    assert_eq!(refused(&bad), GtError::NotInGroup, "{name} {encoding} {i}");
                }
            }
            if encoding == GtEncoding::Torus6 {
                // a1 = 0 without a2 = 0
                let mut bad = vec![0; wanted];
                bad[wanted - 1] = 1;
                assert_eq!(refused(&bad), GtError::NotInGroup, "{name}");
            }
        }
    }
}

/// Checks the equation of T2 with big integers for k = 2: c = b/(1 + a) for x = a + bi.
#[test]
fn types_a_and_a1_by_hand() {
    for name in ["a-512", "a1-2x512"] {
        let curve = Curve::named(name).unwrap();
        let system = System::new(&curve).unwrap();
        let q = curve.family().field();
        for value in values(&system) {
            let (a, b) = value.bytes().split_at(value.bytes().len() / 2);
            let [a, b] = [a, b].map(BigUint::from_bytes_be);
            let c = b * (a + 1u32).modpow(&(q - 2u32), q) % q;
            let bytes = system.encode_gt_as(GtEncoding::Torus2, &value).unwrap();
            assert_eq!(BigUint::from_bytes_be(&bytes), c, "{name}");
        }
    }
}
