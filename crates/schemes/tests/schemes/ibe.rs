//! Boneh and Franklin: messages to identities, the equations one by one, and encodings.

use crate::small::{batch, damaged, resealed};
use bilinear_engine::params::Curve;
use bilinear_engine::{Batch, Engine, Group, PointRef, System, Validate};
use bilinear_schemes::bgn;
use bilinear_schemes::ibe::{DecodeErrorReason, IbeError, MasterKey, ObjectKind, PrivateKey, PublicKey, setup};
use bilinear_schemes::predicate::{self, Pattern, Scheme};
use hkdf::Hkdf;
use sha2::Sha256;

fn on(name: &str) -> Batch {
    Batch::new(System::new(&Curve::named(name).unwrap()).unwrap()).on_this_thread()
}

fn refs(rows: &[Vec<u8>]) -> Vec<&[u8]> {
    rows.iter().map(Vec::as_slice).collect()
}

#[test]
fn messages_reach_their_identities_alone() {
    for name in ["bls12-381", "a-512", "alt-bn128"] {
        let batch = on(name);
        let (public, master) = setup(&batch).unwrap();
        let messages: Vec<Vec<u8>> = (0..10).map(|i| vec![i; 17 * usize::from(i)]).collect();
        let names = [&b"ann"[..], b"", b"bob"];
        let rows: Vec<(&[u8], &[u8])> = messages.iter().enumerate().map(|(i, m)| (names[i % 3], &m[..])).collect();
        let sealed = public.encrypt(&batch, &rows).unwrap();
        for (i, name) in names.iter().enumerate() {
            let key = master.extract(&batch, name).unwrap();
            for (j, opened) in key.decrypt(&batch, &refs(&sealed)).into_iter().enumerate() {
                let wanted = (j % 3 == i).then(|| messages[j].clone());
                assert_eq!(opened.unwrap().map(|m| m.to_vec()), wanted, "{name:?}");
            }
        }
        let engine = Batch::new(System::with_engine(batch.system().curve(), Engine::Mont).unwrap());
        let key = master.extract(&engine, b"ann").unwrap();
        assert_eq!(key.decrypt(&engine, &[&sealed[9]])[0].as_ref().unwrap().as_ref().unwrap()[..], messages[9][..]);
    }
}

/// Recomputes σ, r and the message from the equations and HKDF alone.
#[test]
fn the_equations_hold_one_by_one() {
    let batch = on("bls12-381");
    let system = batch.system();
    let (public, master) = setup(&batch).unwrap();
    let sealed = public.encrypt(&batch, &[(b"ann", b"message")]).unwrap().remove(0);
    let point = |group, bytes| system.decode(group, PointRef::Bytes(bytes), Validate::Subgroup).unwrap();
    let public_bytes = public.to_bytes();
    let s = point(Group::G1, &public_bytes[23..23 + 96]);
    let (key, secret) = (master.extract(&batch, b"ann").unwrap(), master.to_bytes());
    let q = system.hash_to_curve(Group::G2, b"ann", b"BILINEAR-IBE-V01-CS01-H1").unwrap();
    let d = system.mul_secret(&secret[39..39 + 48], &q);
    assert_eq!(d.bytes().unwrap(), &key.to_bytes()[39..39 + 192]);
    assert_eq!(s, system.mul_secret(&secret[39..39 + 48], &system.generator(Group::G1)));
    let (u, v, w) = (&sealed[39..39 + 96], &sealed[135..167], &sealed[171..178]);
    let stream = |key: &[u8], info: &[u8], bytes: &[u8]| -> Vec<u8> {
        let mut stream = vec![0; bytes.len()];
        Hkdf::<Sha256>::new(None, key).expand(info, &mut stream).unwrap();
        bytes.iter().zip(stream).map(|(a, b)| a ^ b).collect()
    };
    let u = point(Group::G1, u);
    let sigma = stream(system.pair(&u, &d).bytes(), b"identity H2 \0\0\0\0\0\0\0\0", v);
    let message = stream(&sigma, b"identity H4 \0\0\0\0\0\0\0\0", w);
    assert_eq!(message, b"message");
    let mut r = [0; 48];
    let material = [&sigma[..], &message].concat();
    Hkdf::<Sha256>::new(None, &material).expand(b"identity r \0\0\0\0\0\0\0\0", &mut r).unwrap();
    assert_eq!(u, system.mul_secret(&r, &system.generator(Group::G1)));
    // e(U, d) = e(S, Q)^r
    assert_eq!(system.pair(&u, &d), system.gt_pow_secret(&system.pair(&s, &q), &r));
}

#[test]
fn mixed_objects_are_refused_and_bytes_round_trip() {
    let (batch, other_curve) = (on("bls12-381"), on("a-512"));
    let (public, master) = setup(&batch).unwrap();
    let (other, _) = setup(&batch).unwrap();
    assert!(matches!(public.encrypt(&other_curve, &[]), Err(IbeError::Curve(_))));
    assert!(matches!(master.extract(&other_curve, b"ann"), Err(IbeError::Curve(_))));
    let long = vec![0; (1 << 24) + 1];
    assert!(matches!(public.encrypt(&batch, &[(b"a", b""), (b"a", &long)]), Err(IbeError::Message { row: 1, .. })));
    let sealed = public.encrypt(&batch, &[(b"ann", b"message")]).unwrap().remove(0);
    let foreign = other.encrypt(&batch, &[(b"ann", b"message")]).unwrap().remove(0);
    let key = PrivateKey::from_bytes(&batch, &master.extract(&batch, b"ann").unwrap().to_bytes()).unwrap();
    assert_eq!(PublicKey::from_bytes(&batch, &public.to_bytes()).unwrap(), public);
    let again = MasterKey::from_bytes(&batch, &master.to_bytes()).unwrap();
    assert_eq!(again.extract(&batch, b"ann").unwrap().to_bytes(), key.to_bytes());
    assert_eq!([key.id(), again.id()], [public.id(); 2]);
    // each row has its own outcome
    let found = key.decrypt(&batch, &[b"nonsense", &sealed, &foreign, &key.to_bytes(), &sealed]);
    for i in [1, 4] {
        assert_eq!(found[i].as_ref().unwrap().as_ref().unwrap()[..], b"message"[..]);
    }
    let reasons: Vec<_> = [0, 2, 3].map(|i| found[i].as_ref().unwrap_err().reason).to_vec();
    assert_eq!(
        reasons,
        [DecodeErrorReason::Length { given: 8, wanted: 39 }, DecodeErrorReason::Key, DecodeErrorReason::Kind(3)]
    );
    assert!([0, 2, 3].iter().all(|i| found[*i].as_ref().unwrap_err().what == ObjectKind::Ciphertext));
    // every change is rejected, also with a corrected checksum
    for (what, changed) in damaged(&sealed) {
        assert!(key.decrypt(&batch, &[&changed])[0].is_err(), "{what}");
    }
    let forged: Vec<Vec<u8>> = (0..sealed.len() - 16)
        .map(|i| {
            let mut changed = sealed.clone();
            changed[i] ^= 1 << (i % 8);
            resealed(changed)
        })
        .collect();
    let opened = key.decrypt(&batch, &refs(&forged));
    assert!(opened.iter().all(|outcome| matches!(outcome, Err(_) | Ok(None))));
    for (what, changed) in damaged(&public.to_bytes()) {
        assert!(PublicKey::from_bytes(&batch, &changed).is_err(), "{what}");
    }
    for (what, changed) in damaged(&master.to_bytes()) {
        assert!(MasterKey::from_bytes(&batch, &changed).is_err(), "{what}");
    }
    for (what, changed) in damaged(&key.to_bytes()) {
        assert!(PrivateKey::from_bytes(&batch, &changed).is_err(), "{what}");
    }
    assert_eq!(format!("{master:?} {key:?}"), "MasterKey(…) PrivateKey(…)");
}

/// Every scheme has a byte of its own in headers, and none reads the bytes of another.
#[test]
fn schemes_are_told_apart() {
    let (prime, two, three) = (on("bls12-381"), batch(2), batch(3));
    let ((public, master), (bgn, _)) = (setup(&prime).unwrap(), bgn::setup(&two).unwrap());
    let predicates = [
        (Scheme::InnerProductOnly, &three),
        (Scheme::InnerProduct, &three),
        (Scheme::HiddenVector, &two),
        (Scheme::DualSpaces, &prime),
        (Scheme::Matrices, &prime),
    ]
    .map(|(scheme, batch)| predicate::setup(batch, scheme, 1).unwrap());
    let keys = predicates.iter().map(|(public, _)| public.to_bytes()).chain([bgn.to_bytes(), public.to_bytes()]);
    assert_eq!(keys.map(|bytes| bytes[5]).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 16, 17]);
    let user = master.extract(&prime, b"ann").unwrap();
    for ((key, secret), byte) in predicates[3..].iter().zip([4, 5]) {
        let token = secret.token(&prime, &Pattern::InnerProduct(vec![1.into()])).unwrap();
        let row = key.encrypt(&prime, &[(&[1.into()], b"message")]).unwrap().remove(0);
        let errors = [
            PublicKey::from_bytes(&prime, &key.to_bytes()).unwrap_err(),
            MasterKey::from_bytes(&prime, &secret.to_bytes()).unwrap_err(),
            PrivateKey::from_bytes(&prime, &token.to_bytes()).unwrap_err(),
            *user.decrypt(&prime, &[&row])[0].as_ref().unwrap_err(),
            bgn::PublicKey::from_bytes(&prime, &key.to_bytes()).unwrap_err(),
            bgn::SecretKey::from_bytes(&prime, &secret.to_bytes()).unwrap_err(),
        ];
        assert!(
            errors.iter().all(|error| (error.at, error.reason) == (5, DecodeErrorReason::Scheme(byte))),
            "{errors:?}"
        );
    }
    let refused = predicate::Token::from_bytes(&prime, &user.to_bytes()).unwrap_err();
    assert_eq!((refused.at, refused.reason), (5, DecodeErrorReason::Scheme(17)));
}
