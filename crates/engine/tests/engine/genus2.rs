//! The optimal η pairing and the Tate pairing of genus 2 over F_2^m: laws, groups, encodings of divisors, and
//! rejected input. Values of small fields are compared with a slow reference in
//! `crates/pairing/tests/pairing/genus2`.

use crate::common::small_characteristic::{self, laws, options, system};
use bilinear_engine::{
    Batch, BigUint, Curve, Engine, EngineError, Group, GtError, MapError, Options, PairingKind, Point, PointError,
    PointRef, Power, Side, System, SystemError, Validate,
};

const CURVES: [&str; 2] = ["hss2-367", "hss2-439"];

/// Returns a divisor of degree 1 of the curve, in general outside the group, and the sum of that divisor and another
/// one.
fn outside(system: &System) -> [Point; 2] {
    let len = system.point_len(Group::G1) / 4;
    let decode = |x: u8| {
        let bytes = [&vec![0; 2 * len - 1][..], &[x, 4]].concat();
        system.decode(Group::G1, PointRef::Bytes(&bytes), Validate::OnCurve).ok()
    };
    let mut found = (2..=u8::MAX).filter_map(decode);
    let (p, q) = (found.next().unwrap(), found.next().unwrap());
    let sum = system.add(&p, &q);
    [p, sum]
}

#[test]
fn laws_and_edges() {
    for name in CURVES {
        let system = system(name, options());
        assert_eq!(system.pairing(), PairingKind::OptEta);
        let [p, q] = laws(name, &system);
        // fixed bases without tables
        let batch = Batch::new(system.clone()).on_this_thread();
        let bases = batch.fixed_bases(Group::G1, &[p.clone(), q.clone()], 8);
        assert!(bases.iter().all(|base| !base.has_tables()), "{name}");
        let (first, second) = (77u64.to_be_bytes(), u64::MAX.to_be_bytes());
        let found = batch.fixed_sums(Group::G1, &[vec![(&first, &bases[0]), (&second, &bases[1])]]);
        let want = [(77, &p), (u64::MAX, &q)].map(|(k, p)| system.mul(&BigUint::from(k), p));
        assert_eq!(found, [system.add(&want[0], &want[1])], "{name}");
    }
}

/// Divisors of degree 1 and 2, in both arguments, on both engines, prepared or not; the Tate pairing is a power.
#[test]
fn kinds_of_divisors() {
    for name in CURVES {
        let system = system(name, options());
        let tate = self::system(name, Options { pairing: Some(PairingKind::Tate), ..options() });
        let portable = self::system(name, Options { engine: Some(Engine::Portable), ..options() });
        let batch = Batch::new(system.clone()).on_this_thread().validate(Validate::OnCurve);
        let [p, sum] = outside(&system);
        let divisors = [p.clone(), sum, system.generator(Group::G1), system.random(Group::G1).unwrap()];
        let (m, two) = (system.curve().family().field_bits(), BigUint::from(2u32));
        // 2^m + U + 1 with σ = 1 on both
        let exponent = two.pow(m as u32) + two.pow((m as u32).div_ceil(2)) + 1u32;
        for (i, d) in divisors.iter().enumerate() {
            for e in &divisors {
                let value = system.pair(d, e);
                assert_eq!(system.pair(&system.mul(&two, d), e), system.gt_mul(&value, &value), "{name}");
                assert_eq!(system.pair(e, d), value, "{name}");
                let point = PointRef::Bytes(e.bytes().unwrap());
                let found = batch.pair_prepared(&system.prepare(Side::P, d).unwrap(), &[point]);
                assert_eq!(found[0].as_ref(), Ok(&value), "{name}");
                let own = [d, e].map(|d| tate.decode(Group::G1, d.as_ref(), Validate::OnCurve).unwrap());
                let want = system.gt_pow(&value, &exponent);
                assert_eq!(tate.pair(&own[0], &own[1]).bytes(), want.bytes(), "{name}");
            }
            // code for every processor is slow
            if i == 3 {
                let [own, base] = [d, &p].map(|d| portable.decode(Group::G1, d.as_ref(), Validate::OnCurve).unwrap());
                assert_eq!(portable.pair(&own, &base).bytes(), system.pair(d, &p).bytes(), "{name}");
            }
        }
    }
}

#[test]
fn batches_and_products() {
    small_characteristic::batches_and_products(&system("hss2-367", options()), 4, &[1, 2]);
}

#[test]
fn encodings() {
    for name in CURVES {
        let system = system(name, options());
        let g = system.hash_to_curve(Group::G1, b"message", b"GENUS-2-TEST").unwrap();
        let [p, sum] = outside(&system);
        let len = system.point_len(Group::G1) / 4;
        assert_eq!((system.point_len(Group::G1), system.compressed_len(Group::G1)), (4 * len + 1, 2 * len + 1));
        let decode = |bytes: &[u8]| system.decode(Group::G1, PointRef::Bytes(bytes), Validate::OnCurve);
        for point in [&g, &system.neg(&g), &p, &system.neg(&p), &sum, &system.neg(&sum), &system.generator(Group::G1)] {
            let compressed = system.compressed(point).unwrap();
            assert_eq!((compressed.len(), decode(&compressed).as_ref()), (2 * len + 1, Ok(point)), "{name}");
            assert_eq!(decode(point.bytes().unwrap()).as_ref(), Ok(point), "{name}");
        }
        // the group
        let inside = |point: &Point| system.decode(Group::G1, point.as_ref(), Validate::Subgroup);
        assert_eq!(inside(&g).as_ref(), Ok(&g), "{name}");
        for point in [&p, &sum] {
            let bytes = PointRef::Bytes(point.bytes().unwrap());
            assert_eq!(system.decode(Group::G1, bytes, Validate::Subgroup), Err(PointError::NotInSubgroup), "{name}");
        }
        // every byte matters
        let above = 1u8 << (system.curve().family().field_bits() % 8);
        for (at, letter) in [(0, 'u'), (len, 'u'), (2 * len, 'v'), (3 * len, 'v')] {
            let mut bytes = g.bytes().unwrap().to_vec();
            bytes[at] ^= above;
            assert_eq!(decode(&bytes), Err(PointError::NotCanonical(letter)), "{name} {at}");
            bytes[at] ^= above;
            bytes[at + len - 1] ^= 1;
            let opposite = at == 3 * len;
            assert_eq!(
                decode(&bytes),
                if opposite { Ok(system.neg(&g)) } else { Err(PointError::NotOnCurve) },
                "{name} {at}"
            );
        }
        let changed = |point: &Point, at: usize, byte: u8| {
            let mut bytes = point.bytes().unwrap().to_vec();
            bytes[at] = byte;
            decode(&bytes)
        };
        assert_eq!(changed(&g, 4 * len, 1), Err(PointError::Coefficients), "{name}");
        assert_eq!(changed(&p, 4 * len, 2), Err(PointError::NotOnCurve), "{name}");
        assert_eq!(changed(&p, len - 1, 1), Err(PointError::Coefficients), "{name}");
        assert_eq!(changed(&p, 3 * len - 1, 1), Err(PointError::Coefficients), "{name}");
        for byte in [0, 3, 255] {
            assert_eq!(changed(&g, 4 * len, byte), Err(PointError::Degree(byte)), "{name}");
        }
        let mut compressed = system.compressed(&p).unwrap();
        compressed[len - 1] = 1;
        assert_eq!(decode(&compressed), Err(PointError::Coefficients), "{name}");
        compressed[2 * len] = 6;
        assert_eq!(decode(&compressed), Err(PointError::Degree(6)), "{name}");
        let refused = decode(&g.bytes().unwrap()[1..]);
        assert_eq!(refused, Err(PointError::Length { given: 4 * len, full: 4 * len + 1, compressed: 2 * len + 1 }));
        // u1 = 0: a double point has one encoding
        let twice = system.add(&p, &p);
        let mut compressed = system.compressed(&twice).unwrap();
        assert_eq!(decode(&compressed).as_ref(), Ok(&twice), "{name}");
        compressed[2 * len] ^= 2;
        assert_eq!(decode(&compressed), Err(PointError::NotOnCurve), "{name}");
        // the target group
        let value = system.pair(&g, &g);
        let mut bytes = value.bytes().to_vec();
        assert_eq!((bytes.len(), system.decode_gt(&bytes).is_ok()), (12 * len, true));
        bytes[12 * len - 1] ^= 1;
        assert_eq!(system.decode_gt(&bytes), Err(GtError::NotInGroup), "{name}");
        bytes[0] ^= above;
        assert!(matches!(system.decode_gt(&bytes), Err(GtError::Coefficient { coefficient: 0, .. })), "{name}");
        assert_eq!(system.decode_gt(&vec![0; 12 * len]), Err(GtError::NotInGroup), "{name}");
        assert!(matches!(system.decode_gt(&bytes[1..]), Err(GtError::Length { .. })), "{name}");
        assert_eq!(system.decode_gt(system.pair(&p, &p).bytes()), Err(GtError::NotInGroup), "{name}: order N");
        // hashing
        let hash = |message: &[u8]| system.hash_to_curve(Group::G1, message, b"GENUS-2-TEST").unwrap();
        assert_eq!(hash(b"message"), g, "{name}");
        assert_ne!(hash(b"other"), g, "{name}");
        assert_ne!(system.encode_to_curve(Group::G1, b"message", b"GENUS-2-TEST").unwrap(), g, "{name}");
        let q = system.curve().family().field();
        assert_eq!(system.map_to_curve(Group::G1, std::slice::from_ref(q)), Err(MapError::NotCanonical(0)), "{name}");
        let count = system.map_to_curve(Group::G1, &[BigUint::ZERO, BigUint::ZERO]);
        assert_eq!(count, Err(MapError::Count { given: 2, wanted: 1 }), "{name}");
        let [even, odd] = [6u32, 7].map(|u| system.map_to_curve(Group::G1, &[BigUint::from(u)]).unwrap());
        assert_eq!(system.neg(&even), odd, "{name}: u and u + 1 have opposite points");
    }
}

#[test]
fn what_is_refused() {
    let curve = Curve::named("hss2-367").unwrap();
    assert!(curve.is_for_research() && !Curve::names().any(|name| name.starts_with("hss2")));
    let error = System::new(&curve).err().unwrap();
    assert!(matches!(error, SystemError::Research { .. }) && error.to_string().contains("(--research)"), "{error}");
    let refused = |options: Options| System::with(&curve, options).err().unwrap();
    for engine in [Engine::Ifma, Engine::Hmm, Engine::Rns, Engine::Reference] {
        let error = refused(Options { engine: Some(engine), ..options() });
        assert!(
            matches!(error, SystemError::Engine { reason: EngineError::Characteristic(e), .. } if e == engine),
            "{error}"
        );
    }
    for pairing in [PairingKind::Ate, PairingKind::OptAte, PairingKind::EtaT] {
        assert!(matches!(refused(Options { pairing: Some(pairing), ..options() }), SystemError::Pairing { .. }));
    }
    assert!(matches!(refused(Options { power: Power::Fast, ..options() }), SystemError::Power { .. }));
    let elliptic = Curve::named("ss2-353").unwrap();
    let asked = Options { pairing: Some(PairingKind::OptEta), ..options() };
    assert!(matches!(System::with(&elliptic, asked).err().unwrap(), SystemError::Pairing { .. }));
    assert!(matches!(bilinear_engine::programs(&curve, options()), Err(SystemError::NotRecorded { .. })));
}
