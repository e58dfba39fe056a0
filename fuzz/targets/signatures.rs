//! Keys, signatures and proofs of BLS12-381 in bytes and in hexadecimal. Encoding an accepted object gives the bytes
//! that were read.
//!
//! The first byte chooses a suite and what the remaining bytes are.
#![no_main]

use bilinear_schemes::bls::{Bls, Scheme, SecretKey, Variant};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SUITES: LazyLock<Vec<Bls>> = LazyLock::new(|| {
    let variants = [Variant::MinPk, Variant::MinSig].into_iter();
    variants.map(|variant| Bls::new(variant, Scheme::ProofOfPossession).unwrap_or_else(|e| panic!("{e}"))).collect()
});

fuzz_target!(|data: &[u8]| {
    let [choice, bytes @ ..] = data else { return };
    let bls = &SUITES[usize::from(choice & 1)];
    match choice >> 1 & 7 {
        0 => {
            let Ok(key) = bls.read_public_key(bytes) else { return };
            assert_eq!(bls.public_key_bytes(&key), bytes);
        }
        1 => {
            let Ok(signature) = bls.read_signature(bytes) else { return };
            assert_eq!(bls.signature_bytes(&signature), bytes);
        }
        2 => {
            let Ok(proof) = bls.read_possession(bytes) else { return };
            assert_eq!(bls.possession_bytes(&proof), bytes);
        }
        3 => {
            let Ok(key) = SecretKey::from_bytes(bytes) else { return };
            assert_eq!(key.to_bytes()[..], *bytes);
            let again = SecretKey::from_hex(&key.to_hex()[..]).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(again.to_bytes()[..], *bytes);
        }
        4 => {
            let Ok(key) = SecretKey::from_hex(bytes) else { return };
            assert!(key.to_hex().eq_ignore_ascii_case(bytes));
        }
        5 => {
            let (secret, info) = bytes.split_at(bytes.len().min(40));
            let Ok(key) = SecretKey::generate(secret, info) else { return };
            assert!(SecretKey::from_bytes(&key.to_bytes()[..]).is_ok());
        }
        // a key, a signature of this or of another message, and the message
        6 => {
            let lengths =
                [bls.public_key_bytes(&bls.public_key(&one())).len(), bls.signature_bytes(&signed(bls)).len()];
            let Some((key, rest)) = bytes.split_at_checked(lengths[0]) else { return };
            let Some((signature, message)) = rest.split_at_checked(lengths[1]) else { return };
            let (Ok(key), Ok(signature)) = (bls.read_public_key(key), bls.read_signature(signature)) else { return };
            let is_right = bls.verify(&key, message, &signature);
            assert_eq!(is_right, bls.aggregate_verify(&[(&key, message)], &signature));
        }
        _ => {
            let keys: Vec<&[u8]> = bytes.chunks(48).collect();
            for (one, read) in keys.iter().zip(bls.read_public_keys(&keys)) {
                assert_eq!(read, bls.read_public_key(one));
            }
        }
    }
});

fn one() -> SecretKey {
    let mut bytes = [0; 32];
    bytes[31] = 1;
    SecretKey::from_bytes(&bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn signed(bls: &Bls) -> bilinear_schemes::bls::Signature {
    bls.sign(&one(), b"")
}
