//! The signers of the tests: Ethereum's cases (bls12-381-tests 0.1.1), of the suite min-pk with proofs of
//! possession, and blst in every suite.

use crate::support::*;
use blst::{min_pk, min_sig};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

/// Returns the cases of a folder of Ethereum's tests, sorted by name.
pub(crate) fn ethereum(folder: &str, count: usize) -> Vec<Value> {
    let entries = fs::read_dir(vectors().join("bls12-381-tests-v0.1.1").join(folder)).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert_eq!(paths.len(), count);
    paths.iter().map(|path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()).collect()
}

/// Writes a file that only its owner can read.
pub(crate) fn write_key(folder: &Folder, name: &str, key: impl AsRef<[u8]>) {
    folder.write(name, key);
    fs::set_permissions(folder.path(name), Permissions::from_mode(0o600)).unwrap();
}

/// The suites: variant, scheme, group of signatures, and the scheme's name in the tag.
pub(crate) const SUITES: [(&str, &str, &str, &str); 6] = [
    ("min-pk", "basic", "G2", "NUL"),
    ("min-pk", "aug", "G2", "AUG"),
    ("min-pk", "pop", "G2", "POP"),
    ("min-sig", "basic", "G1", "NUL"),
    ("min-sig", "aug", "G1", "AUG"),
    ("min-sig", "pop", "G1", "POP"),
];

/// A function that signs a message.
pub(crate) type Sign = dyn Fn(&[u8]) -> String;

/// A secret key, its public key and proof of possession, and a function that signs, all by blst.
pub(crate) struct Signer {
    pub(crate) secret: String,
    pub(crate) public: String,
    pub(crate) proof: String,
    pub(crate) sign: Box<Sign>,
}

impl Signer {
    pub(crate) fn new(variant: &str, scheme: &str, seed: u8) -> Signer {
        let (_, _, group, tag) = SUITES.into_iter().find(|s| (s.0, s.1) == (variant, scheme)).unwrap();
        let tag_of = |purpose: &str, tag: &str| format!("BLS_{purpose}_BLS12381{group}_XMD:SHA-256_SSWU_RO_{tag}_");
        let (sig, pop) = (tag_of("SIG", tag), tag_of("POP", "POP"));
        let is_aug = scheme == "aug";
        macro_rules! of {
            ($peer:ident) => {{
                let key = $peer::SecretKey::key_gen(&[seed; 32], b"").unwrap();
                let public = key.sk_to_pk().to_bytes();
                Signer {
                    secret: hex(&key.to_bytes()),
                    public: hex(&public),
                    proof: hex(&key.sign(&public, pop.as_bytes(), b"").to_bytes()),
                    sign: Box::new(move |message| {
                        hex(&key.sign(message, sig.as_bytes(), if is_aug { &public } else { b"" }).to_bytes())
                    }),
                }
            }};
        }
        if variant == "min-pk" { of!(min_pk) } else { of!(min_sig) }
    }
}
