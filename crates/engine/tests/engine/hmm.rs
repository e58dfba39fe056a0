//! The engine `hmm`: BN curves whose seed is close to a power of two; every operation agrees with `mont`.

use bilinear_engine::{
    Batch, Curve, Engine, Group, Options, PairingKind, PointRef, Power, Side, System, SystemError, Validate,
};
use num_bigint::BigUint;

const CURVE: &str = "bn-258";

#[test]
fn everything_is_as_on_mont() {
    let curve = Curve::named(CURVE).unwrap();
    for pairing in [PairingKind::OptAte, PairingKind::RAte, PairingKind::Ate, PairingKind::Tate] {
        for power in [Power::Exact, Power::Fast] {
            let options =
                |engine| Options { engine: Some(engine), pairing: Some(pairing), power, ..Options::default() };
            let [hmm, mont] = [Engine::Hmm, Engine::Mont].map(|engine| System::with(&curve, options(engine)).unwrap());
            assert_eq!(hmm.engine(), Engine::Hmm);
            let what = format!("{pairing}, {power:?}");
            let hash = |s: &System, group, i: usize| {
                s.hash_to_curve(group, format!("point {i}").as_bytes(), b"BILINEAR-TEST").unwrap()
            };
            let ps: Vec<_> = (0..3).map(|i| hash(&mont, Group::G1, i)).collect();
            let qs: Vec<_> = (0..3).map(|i| hash(&mont, Group::G2, i)).collect();
            for i in 0..3 {
                assert_eq!(
                    [hash(&hmm, Group::G1, i), hash(&hmm, Group::G2, i)],
                    [ps[i].clone(), qs[i].clone()],
                    "{what}"
                );
            }
            let rows: Vec<_> = ps.iter().zip(&qs).map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
            let of = |s: &System| {
                let batch = Batch::new(s.clone()).validate(Validate::Subgroup);
                let values = batch.product(&rows, &[0..1, 0..3, 1..1]);
                let values: Vec<_> = values.into_iter().map(Result::unwrap).collect();
                let fixed = s.prepare(s.fixed_side(), if s.fixed_side() == Side::P { &ps[0] } else { &qs[0] }).unwrap();
                let other = if s.fixed_side() == Side::P { qs[1].as_ref() } else { ps[1].as_ref() };
                let prepared = batch.pair_prepared(&fixed, &[other])[0].clone().unwrap();
                let k = BigUint::from(0xfeed_beefu32).pow(5);
                let secret = k.to_bytes_be();
                let multiples = [s.mul(&k, &ps[0]), s.mul_secret(&secret, &qs[0]), s.add(&ps[1], &ps[2])];
                let powers = [s.gt_pow(&values[0], &k), s.gt_pow_secret(&values[0], &secret)];
                let compressed = s.compressed(&ps[0]).unwrap();
                let decoded = s.decode(Group::G1, PointRef::Bytes(&compressed), Validate::Subgroup).unwrap();
                (values, prepared, multiples, powers, decoded)
            };
            assert_eq!(of(&hmm), of(&mont), "{what}");
        }
    }
}

#[test]
fn its_ranges_are_proved() {
    let report = System::with_engine(&Curve::named(CURVE).unwrap(), Engine::Hmm).unwrap().bounds().unwrap();
    assert_eq!(report.violations, Vec::<String>::new());
    assert!(report.operations > 1_000, "{}", report.operations);
}

#[test]
fn other_moduli_are_refused_with_the_reason() {
    for (name, reason) in [("alt-bn128", "leaves room for carries"), ("bls12-381", "is not 36z^4")] {
        let refused = System::with_engine(&Curve::named(name).unwrap(), Engine::Hmm).err().unwrap();
        assert!(matches!(refused, SystemError::Engine { .. }), "{refused:?}");
        let text = refused.to_string();
        assert!(text.contains("hmm") && text.contains(reason), "{text}");
    }
}
