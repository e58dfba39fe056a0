//! BLS signatures against Ethereum's tests (bls12-381-tests 0.1.1) and against blst, another implementation, on both variants.
#![allow(clippy::unwrap_used)]

use bilinear_engine::{Encoding, Group, System, Validate};
use bilinear_params::Curve;
use bilinear_schemes::bls::{
    BatchError, Bls, EmptyAggregateError, ProofOfPossessionError, PublicKey, PublicKeyError, RepeatedMessageError,
    Scheme, SecretKey, SecretKeyError, Signature, Signed, Variant,
};
use serde_json::Value;
use std::num::NonZeroUsize;
use std::path::PathBuf;

fn unhex(v: &Value) -> Vec<u8> {
    let text = v.as_str().unwrap();
    let text = text.strip_prefix("0x").unwrap_or(text);
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn list(v: &Value) -> Vec<Vec<u8>> {
    v.as_array().unwrap().iter().map(unhex).collect()
}

/// Runs every case of a folder; `None` means that the input is rejected.
fn cases(folder: &str, count: usize, run: impl Fn(&Value) -> Option<Value>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/bls12-381-tests-v0.1.1").join(folder);
    let mut seen = 0;
    for entry in std::fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        let case: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let got = run(&case["input"]);
        let refused = if case["output"].is_null() { Value::Null } else { Value::Bool(false) };
        assert_eq!(got.unwrap_or(refused), case["output"], "{}", path.display());
        seen += 1;
    }
    assert_eq!(seen, count, "{folder}");
}

fn ethereum() -> Bls {
    Bls::new(Variant::MinPk, Scheme::ProofOfPossession).unwrap()
}

fn written(bls: &Bls, signature: &Signature) -> Value {
    let hex: String = bls.signature_bytes(signature).iter().map(|b| format!("{b:02x}")).collect();
    Value::String(format!("0x{hex}"))
}

#[test]
fn ethereum_tests() {
    let bls = ethereum();
    assert_eq!(bls.dst(), "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_");
    let signature = |v: &Value| bls.read_signature(&unhex(v)).ok();
    let keys = |v: &Value| list(v).iter().map(|bytes| bls.read_public_key(bytes).ok()).collect::<Option<Vec<_>>>();
    cases("sign", 10, |input| {
        let key = SecretKey::from_bytes(&unhex(&input["privkey"])).ok()?;
        Some(written(&bls, &bls.sign(&key, &unhex(&input["message"]))))
    });
    cases("verify", 29, |input| {
        let key = bls.read_public_key(&unhex(&input["pubkey"])).ok()?;
        Some(bls.verify(&key, &unhex(&input["message"]), &signature(&input["signature"])?).into())
    });
    cases("aggregate", 6, |input| {
        let signatures: Option<Vec<_>> = input.as_array().unwrap().iter().map(signature).collect();
        Some(written(&bls, &bls.aggregate(&signatures?).ok()?))
    });
    cases("aggregate_verify", 5, |input| {
        let (keys, messages) = (keys(&input["pubkeys"])?, list(&input["messages"]));
        assert_eq!(keys.len(), messages.len());
        let signed: Vec<_> = keys.iter().zip(messages.iter().map(Vec::as_slice)).collect();
        Some(bls.aggregate_verify(&signed, &signature(&input["signature"])?).into())
    });
    cases("fast_aggregate_verify", 12, |input| {
        let (keys, message) = (keys(&input["pubkeys"])?, unhex(&input["message"]));
        Some(bls.fast_aggregate_verify(&keys, &message, &signature(&input["signature"])?).unwrap().into())
    });
    cases("batch_verify", 2, |input| {
        let (keys, messages) = (keys(&input["pubkeys"])?, list(&input["messages"]));
        let signatures: Option<Vec<_>> = input["signatures"].as_array().unwrap().iter().map(signature).collect();
        let signatures = signatures?;
        let signed: Vec<_> = (0..keys.len())
            .map(|i| Signed { key: &keys[i], message: &messages[i], signature: &signatures[i] })
            .collect();
        Some(bls.batch_verify(&signed).unwrap().into())
    });
    let system = System::new(&Curve::named("bls12-381").unwrap()).unwrap();
    cases("hash_to_G2", 4, |input| {
        let tag = b"QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_RO_";
        let point = system.hash_to_curve(Group::G2, input["msg"].as_str().unwrap().as_bytes(), tag).unwrap();
        let parts: Vec<String> = point
            .bytes()
            .unwrap()
            .chunks(48)
            .map(|c| format!("0x{}", c.iter().map(|b| format!("{b:02x}")).collect::<String>()))
            .collect();
        Some(serde_json::json!({"x": parts[..2].join(","), "y": parts[2..].join(",")}))
    });
}

/// Compares one variant with blst's, behind the calls that both have.
macro_rules! against_blst {
    ($name:ident, $module:ident, $variant:expr, $key_group:expr) => {
        #[test]
        fn $name() {
            use blst::$module as peer;
            let system = System::new(&Curve::named("bls12-381").unwrap()).unwrap();
            for scheme in [Scheme::Basic, Scheme::MessageAugmentation, Scheme::ProofOfPossession] {
                let bls = Bls::new($variant, scheme).unwrap();
                let tag = bls.dst();
                let mut all: Vec<(PublicKey, Vec<u8>, Signature)> = vec![];
                for i in 0..4u8 {
                    let (secret, info) = ([i.wrapping_mul(61); 40], vec![i; 3 * usize::from(i)]);
                    let theirs = peer::SecretKey::key_gen(&secret, &info).unwrap();
                    let key = SecretKey::generate(&secret, &info).unwrap();
                    assert_eq!(key.to_bytes()[..], theirs.to_bytes()[..], "key {i}");
                    let text: String = theirs.to_bytes().iter().map(|b| format!("{b:02x}")).collect();
                    assert_eq!(key.to_hex()[..], *text.as_bytes());
                    assert_eq!(SecretKey::from_hex(text.to_uppercase().as_bytes()).unwrap().to_bytes(), key.to_bytes());
                    assert_eq!(*SecretKey::from_bytes(&theirs.to_bytes()).unwrap().to_bytes(), *key.to_bytes());
                    let (public, their_public) = (bls.public_key(&key), theirs.sk_to_pk());
                    let bytes = bls.public_key_bytes(&public);
                    assert_eq!(bytes, their_public.to_bytes());
                    let message = vec![i; 1 + 20 * usize::from(i)];
                    let aug = if scheme == Scheme::MessageAugmentation { &bytes[..] } else { b"" };
                    let signature = bls.sign(&key, &message);
                    let their_signature = theirs.sign(&message, tag.as_bytes(), aug);
                    assert_eq!(bls.signature_bytes(&signature), their_signature.to_bytes(), "{scheme:?} {i}");
                    assert_eq!(bls.read_signature(&their_signature.to_bytes()), Ok(signature.clone()));
                    assert_eq!(bls.read_public_key(&their_public.to_bytes()), Ok(public.clone()));
                    let verdict = their_signature.verify(true, &message, tag.as_bytes(), aug, &their_public, true);
                    assert_eq!(verdict, blst::BLST_ERROR::BLST_SUCCESS);
                    assert!(bls.verify(&public, &message, &signature));
                    assert!(!bls.verify(&public, b"another", &signature));
                    // uncompressed points in both directions
                    let point = system.decode_as($key_group, Encoding::Zcash, &bytes, Validate::Subgroup).unwrap();
                    let long = system.encode_as(Encoding::ZcashUncompressed, &point).unwrap();
                    assert_eq!(long, their_public.serialize());
                    all.push((public, message, signature));
                }
                many_at_once(&bls, &all);
                let signatures: Vec<Signature> = all.iter().map(|(_, _, s)| s.clone()).collect();
                let sum = bls.aggregate(&signatures).unwrap();
                let theirs: Vec<peer::Signature> =
                    signatures.iter().map(|s| peer::Signature::from_bytes(&bls.signature_bytes(s)).unwrap()).collect();
                let theirs = peer::AggregateSignature::aggregate(&theirs.iter().collect::<Vec<_>>(), true).unwrap();
                assert_eq!(bls.signature_bytes(&sum), theirs.to_signature().to_bytes());
                let signed: Vec<_> = all.iter().map(|(key, message, _)| (key, &message[..])).collect();
                assert!(bls.aggregate_verify(&signed, &sum));
                assert!(!bls.aggregate_verify(&signed[1..], &sum));
                assert!(!bls.aggregate_verify(&signed, &signatures[0]) && !bls.aggregate_verify(&[], &sum));
                let mut batch: Vec<_> =
                    all.iter().map(|(key, message, signature)| Signed { key, message, signature }).collect();
                assert!(bls.batch_verify(&batch).unwrap() && bls.batch_verify(&[]).unwrap());
                batch[1].signature = &all[2].2;
                assert!(!bls.batch_verify(&batch).unwrap());
                // errors that cancel in a sum do not cancel in a batch
                batch[2].signature = &all[1].2;
                assert!(!bls.batch_verify(&batch).unwrap());
            }
        }
    };
}

/// Signing, decoding and verifying in lanes and on threads give the same results as one by one.
fn many_at_once(bls: &Bls, all: &[(PublicKey, Vec<u8>, Signature)]) {
    let bls = bls.clone().threads(NonZeroUsize::new(2).unwrap()).unwrap();
    let key = SecretKey::generate(&[7; 32], b"").unwrap();
    let messages: Vec<Vec<u8>> = (0..40).map(|i| vec![i; usize::from(i)]).collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let signatures = bls.sign_all(&key, &messages);
    assert!(messages.iter().zip(&signatures).all(|(message, signature)| bls.sign(&key, message) == *signature));
    assert!(bls.sign_all(&key, &[]).is_empty());
    let public = bls.public_key(&key);
    let mut signed: Vec<Signed<'_>> = messages
        .iter()
        .zip(&signatures)
        .map(|(message, signature)| Signed { key: &public, message, signature })
        .collect();
    assert_eq!(bls.verify_each(&signed).unwrap(), [true; 40]);
    // wrong signatures in one part and in several, and errors that cancel in a sum
    let mut wanted = [true; 40];
    for (i, signature) in [(3, &signatures[4]), (4, &signatures[3]), (39, &all[0].2)] {
        signed[i].signature = signature;
        wanted[i] = false;
        assert_eq!(bls.verify_each(&signed).unwrap(), wanted);
    }
    assert_eq!(bls.verify_each(&signed[..6]).unwrap(), wanted[..6]);
    assert!(bls.verify_each(&[]).unwrap().is_empty());
    // aggregates in parts
    let sum = bls.aggregate(&all.iter().map(|(_, _, s)| s.clone()).collect::<Vec<_>>()).unwrap();
    let mut verifier = bls.aggregate_verifier();
    assert!(!verifier.verify(&sum));
    for part in all.chunks(3) {
        verifier.add(&part.iter().map(|(key, message, _)| (key, &message[..])).collect::<Vec<_>>()).unwrap();
    }
    assert!(verifier.verify(&sum) && !verifier.verify(&all[0].2));
    let again = verifier.add(&[(&all[3].0, b"new"), (&all[3].0, &all[2].1)]);
    let repeated = RepeatedMessageError { first: 2, second: 5 };
    assert_eq!(again, if bls.scheme() == Scheme::Basic { Err(repeated) } else { Ok(()) });
    assert!(!verifier.verify(&sum));
    // each decoded key has its own verdict, in its place
    let good = bls.public_key_bytes(&public);
    let mut bad = good.clone();
    bad[20] ^= 1;
    let keys = bls.read_public_keys(&[&good, &bad, &good[1..]]);
    assert_eq!(keys[0], Ok(public.clone()));
    assert!(keys[1..].iter().all(|key| matches!(key, Err(PublicKeyError::Encoding(_)))));
    let mut infinity = vec![0; good.len()];
    infinity[0] = 0xc0;
    assert_eq!(bls.read_public_keys(&[&infinity]), [Err(PublicKeyError::Infinity)]);
    let bytes = bls.signature_bytes(&signatures[1]);
    assert_eq!(bls.read_signatures(&[&bytes, &bytes])[1], Ok(signatures[1].clone()));
    // possession
    let proof = bls.prove_possession(&key);
    let Ok(proof) = proof else {
        assert!(matches!(bls.verify_possessions(&[]), Err(BatchError::Scheme(ProofOfPossessionError))));
        return;
    };
    let mut proofs = vec![(&public, &proof); 20];
    assert_eq!(bls.verify_possessions(&proofs).unwrap(), [true; 20]);
    proofs[17].0 = &all[1].0;
    let wanted: Vec<bool> = (0..20).map(|i| i != 17).collect();
    assert_eq!(bls.verify_possessions(&proofs).unwrap(), wanted);
    assert_eq!(bls.read_possessions(&[&bls.possession_bytes(&proof)]), [Ok(proof)]);
}

against_blst!(keys_in_g1_against_blst, min_pk, Variant::MinPk, Group::G1);
against_blst!(keys_in_g2_against_blst, min_sig, Variant::MinSig, Group::G2);

#[test]
fn signatures_of_one_scheme_are_refused_in_others() {
    for variant in [Variant::MinPk, Variant::MinSig] {
        let [basic, augmented, possession] = [Scheme::Basic, Scheme::MessageAugmentation, Scheme::ProofOfPossession]
            .map(|s| Bls::new(variant, s).unwrap());
        let keys: Vec<SecretKey> = (1..=2).map(|i| SecretKey::generate(&[i; 32], b"").unwrap()).collect();
        let publics: Vec<PublicKey> = keys.iter().map(|key| basic.public_key(key)).collect();
        // one message twice: only the basic scheme rejects it
        for (bls, wanted) in [(&basic, false), (&augmented, true), (&possession, true)] {
            let signatures: Vec<Signature> = keys.iter().map(|key| bls.sign(key, b"same")).collect();
            let sum = bls.aggregate(&signatures).unwrap();
            let signed: Vec<_> = publics.iter().map(|key| (key, &b"same"[..])).collect();
            assert_eq!(bls.aggregate_verify(&signed, &sum), wanted, "{}", bls.dst());
        }
        let signature = basic.sign(&keys[0], b"m");
        assert!(!augmented.verify(&publics[0], b"m", &signature) && !possession.verify(&publics[0], b"m", &signature));
        // possession
        let proof = possession.prove_possession(&keys[0]).unwrap();
        assert_eq!(possession.verify_possession(&publics[0], &proof), Ok(true));
        assert_eq!(possession.verify_possession(&publics[1], &proof), Ok(false));
        assert_eq!(possession.read_possession(&possession.possession_bytes(&proof)), Ok(proof.clone()));
        let as_signature = possession.read_signature(&possession.possession_bytes(&proof)).unwrap();
        assert!(!possession.verify(&publics[0], &possession.public_key_bytes(&publics[0]), &as_signature));
        for bls in [&basic, &augmented] {
            assert_eq!(bls.prove_possession(&keys[0]), Err(ProofOfPossessionError));
            assert_eq!(bls.verify_possession(&publics[0], &proof), Err(ProofOfPossessionError));
            assert_eq!(bls.fast_aggregate_verify(&publics, b"m", &signature), Err(ProofOfPossessionError));
        }
        let sum = keys.iter().map(|key| possession.sign(key, b"m")).collect::<Vec<_>>();
        let sum = possession.aggregate(&sum).unwrap();
        assert_eq!(possession.fast_aggregate_verify(&publics, b"m", &sum), Ok(true));
        assert_eq!(possession.fast_aggregate_verify(&publics[..1], b"m", &sum), Ok(false));
        assert_eq!(possession.fast_aggregate_verify(&[], b"m", &sum), Ok(false));
        let mut parts = possession.fast_aggregate_verifier().unwrap();
        for key in publics.chunks(1) {
            assert!(!parts.verify(b"m", &sum));
            parts.add(key);
            parts.add(&[]);
        }
        assert!(parts.verify(b"m", &sum) && !parts.verify(b"n", &sum));
        assert_eq!(possession.aggregate(&[]), Err(EmptyAggregateError));
    }
}

#[test]
fn keys_that_cancel_and_malformed_input() {
    let bls = ethereum();
    let system = System::new(&Curve::named("bls12-381").unwrap()).unwrap();
    let key = SecretKey::from_bytes(&[&[0; 31][..], &[5]].concat()).unwrap();
    let public = bls.public_key(&key);
    let point =
        system.decode_as(Group::G1, Encoding::Zcash, &bls.public_key_bytes(&public), Validate::Subgroup).unwrap();
    let minus = system.encode_as(Encoding::Zcash, &system.neg(&point)).unwrap();
    let minus = bls.read_public_key(&minus).unwrap();
    let nothing = bls.read_signature(&[&[0xc0][..], &[0; 95]].concat()).unwrap();
    assert_eq!(bls.fast_aggregate_verify(&[public, minus], b"anything", &nothing), Ok(false));
    let infinity = bls.read_public_key(&[&[0xc0][..], &[0; 47]].concat()).unwrap_err();
    assert_eq!(infinity, PublicKeyError::Infinity);
    assert!(matches!(bls.read_public_key(&[0; 47]), Err(PublicKeyError::Encoding(_))));
    let r = system.order().to_bytes_be();
    assert_eq!(SecretKey::from_bytes(&r).unwrap_err(), SecretKeyError::NotCanonical);
    assert_eq!(SecretKey::from_bytes(&[0xff; 32]).unwrap_err(), SecretKeyError::NotCanonical);
    assert_eq!(SecretKey::from_bytes(&[0; 32]).unwrap_err(), SecretKeyError::Zero);
    assert_eq!(SecretKey::from_bytes(&[1; 33]).unwrap_err(), SecretKeyError::Length(33));
    assert_eq!(SecretKey::from_hex(&[b'0'; 64]).unwrap_err(), SecretKeyError::Zero);
    assert_eq!(SecretKey::from_hex(&[b'1'; 63]).unwrap_err(), SecretKeyError::Digits(63));
    let mut text = [b'1'; 64];
    text[63] = b'g';
    assert_eq!(SecretKey::from_hex(&text).unwrap_err(), SecretKeyError::NotHexadecimal);
    assert_eq!(SecretKey::generate(&[1; 31], b"").unwrap_err(), SecretKeyError::TooShort(31));
    assert_eq!(SecretKey::generate(&[1; 32], &[0; 65536]).unwrap_err(), SecretKeyError::InfoTooLong(65536));
    // r − 1 is a key: −1
    let mut last = r;
    last[31] -= 1;
    let minus_one = bls.public_key(&SecretKey::from_bytes(&last).unwrap());
    let minus_g = system.encode_as(Encoding::Zcash, &system.neg(&system.generator(Group::G1))).unwrap();
    assert_eq!(bls.public_key_bytes(&minus_one), minus_g);
    assert_ne!(*SecretKey::random().unwrap().to_bytes(), *SecretKey::random().unwrap().to_bytes());
    assert_eq!(format!("{key:?}"), "SecretKey(…)");
}

/// No trace of a key may remain where the key was.
#[cfg(target_os = "linux")]
#[test]
fn keys_are_wiped_when_they_are_dropped() {
    use std::io::{Read, Seek, SeekFrom};
    let mut slot = Some(SecretKey::from_bytes(&[7; 32]).unwrap());
    let (mut memory, mut seen) = (std::fs::File::open("/proc/self/mem").unwrap(), [0; size_of::<Option<SecretKey>>()]);
    let at = std::ptr::from_ref(&slot).addr() as u64;
    let mut sevens = || {
        memory.seek(SeekFrom::Start(at)).unwrap();
        memory.read_exact(&mut seen).unwrap();
        seen.iter().filter(|byte| **byte == 7).count()
    };
    std::hint::black_box(&mut slot);
    assert_eq!(sevens(), 32);
    // drops the key in place
    slot = None;
    std::hint::black_box(&mut slot);
    assert_eq!(sevens(), 0);
}
