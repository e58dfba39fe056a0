//! The shipped curves: valid in full, of the sizes their names say, from where they say they come, and written back
//! as they were read.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bilinear_params::security::Attack;
use bilinear_params::{Curve, Description, Error, Factors, Family, Kind, Supersingular};
use crypto_primes::{Flavor, is_prime};
use num_bigint::BigUint;
use sha2::{Digest, Sha512};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn parameters(curve: &Curve) -> &Supersingular {
    match curve.family() {
        Family::Supersingular(s) => s,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_list_is_the_folder() {
    let files: BTreeSet<String> = fs::read_dir(repository().join("params"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(files, Curve::names().map(str::to_owned).collect());
}

#[test]
fn all_are_valid_in_full() {
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        assert_eq!(curve.name(), name);
        curve.verify().unwrap();
        // the path that users' files take agrees with the embedded text
        let loaded = Description::load(repository().join("params").join(format!("{name}.toml"))).unwrap();
        assert_eq!(loaded.curve, curve);
        assert_eq!(loaded.factors.is_some(), parameters(&curve).factors().is_some());
        assert!(parameters(&curve).generator().is_some(), "{name}");
        assert!(!curve.source().is_empty() && !curve.note().is_empty(), "{name}");
    }
}

#[test]
fn sizes_and_levels() {
    // name, kind, bits of q, bits of the order, bits of each prime, security
    type Row = (&'static str, Kind, u64, u64, &'static [u64], u32);
    let expected: [Row; 11] = [
        ("a-512", Kind::A, 512, 160, &[160], 80),
        ("a-1024", Kind::A, 1024, 224, &[224], 112),
        ("a-1536", Kind::A, 1536, 256, &[256], 128),
        ("ss1536", Kind::A, 1536, 256, &[256], 128),
        ("a1-2x512", Kind::A1, 1036, 1024, &[512; 2], 80),
        ("a1-2x1024", Kind::A1, 2059, 2048, &[1024; 2], 112),
        ("a1-3x342", Kind::A1, 1037, 1026, &[342; 3], 80),
        ("a1-3x512", Kind::A1, 1544, 1536, &[512; 3], 98),
        ("a1-4x256", Kind::A1, 1034, 1024, &[256; 4], 69),
        ("a1-4x512", Kind::A1, 2060, 2048, &[512; 4], 102),
        ("a1-pbc", Kind::A1, 1033, 1022, &[], 80),
    ];
    assert!(Curve::names().eq(expected.iter().map(|row| row.0)));
    for (name, kind, q, order, primes, level) in expected {
        let curve = Curve::named(name).unwrap();
        let s = parameters(&curve);
        assert_eq!((s.kind(), s.q().bits(), s.order().bits()), (kind, q, order), "{name}");
        assert_eq!(s.byte_len() as u64, q.div_ceil(8), "{name}");
        assert_eq!(s.q() + 1u8, s.order() * s.cofactor(), "{name}");
        assert_eq!(s.prime_bits().unwrap_or_default(), primes, "{name}");
        let security = curve.security();
        assert_eq!(security.bits, level, "{name}: {security}");
        // a note that states a level states this one
        assert!(curve.note().contains(&format!("{level} bits")), "{name}");
        assert_eq!(security.assumes_two_primes, name == "a1-pbc");
    }
}

#[test]
fn limiting_attacks() {
    let limit = |name| Curve::named(name).unwrap().security().limit;
    assert_eq!(limit("a1-2x1024"), Attack::Factoring { bits: 2048 });
    assert_eq!(limit("a1-4x256"), Attack::EllipticCurveMethod { bits: 256 });
}

#[test]
fn published_factors_are_loudly_for_tests() {
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        let published = parameters(&curve).kind() == Kind::A1 && name != "a1-pbc";
        assert_eq!(curve.is_test_only(), published, "{name}");
        assert_eq!(curve.security().test_only, published, "{name}");
        assert_eq!(curve.note().starts_with("TEST ONLY"), published || name == "a1-pbc", "{name}");
        let factors = Factors::public(&curve).map(|factors| factors.to_biguints());
        assert_eq!(factors.as_deref(), parameters(&curve).factors(), "{name}");
        assert_eq!(factors.is_some(), name != "a1-pbc", "{name}");
        if let Some(factors) = factors {
            assert_eq!(factors.iter().product::<BigUint>(), *parameters(&curve).order());
        }
    }
}

#[test]
fn names_and_aliases() {
    assert_eq!(Curve::named("a1-1024").unwrap(), Curve::named("a1-2x512").unwrap());
    assert_eq!(Curve::named("a1-2048").unwrap(), Curve::named("a1-2x1024").unwrap());
    let error = Curve::named("a1-4096").unwrap_err();
    assert!(matches!(&error, Error::UnknownCurve { name, .. } if name == "a1-4096"));
    assert!(error.to_string().contains("a1-2x512"));
    let mut all: Vec<String> = Curve::names().map(str::to_owned).collect();
    for name in Curve::names() {
        all.extend(Curve::named(name).unwrap().aliases().iter().cloned());
    }
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "a name is taken twice");
}

#[test]
fn fingerprints_differ_and_ignore_texts() {
    let all: BTreeSet<String> = Curve::names().map(|name| Curve::named(name).unwrap().fingerprint()).collect();
    assert_eq!(all.len(), Curve::names().count());
    assert!(all.iter().all(|f| f.len() == 64 && f.bytes().all(|b| b.is_ascii_hexdigit())));
    let text = Curve::named("a-512").unwrap().to_toml().replace("\"a-512\"", "\"other\"");
    let renamed = Description::from_toml(&text, "other.toml").unwrap().curve;
    assert_eq!(renamed.fingerprint(), Curve::named("a-512").unwrap().fingerprint());
}

#[test]
fn written_as_read() {
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        let text = curve.to_toml();
        assert_eq!(Description::from_toml(&text, "copy.toml").unwrap().curve, curve, "{text}");
    }
}

/// PBC's own files hold the same integers.
#[test]
fn pbc_curves_are_those_of_pbc() {
    for (name, file) in [("a-512", "a.param"), ("a1-pbc", "a1-shipped.param")] {
        let shipped = Curve::named(name).unwrap();
        let theirs = Description::load(repository().join("vectors/pbc").join(file)).unwrap().curve;
        let (ours, theirs) = (parameters(&shipped), parameters(&theirs));
        assert_eq!((ours.q(), ours.order(), ours.cofactor()), (theirs.q(), theirs.order(), theirs.cofactor()));
        assert_eq!(
            shipped.fingerprint(),
            Description::load(repository().join("vectors/pbc").join(file)).unwrap().curve.fingerprint()
        );
    }
}

/// The factors of the test curves come from SHA-512 of a label as their `source` says, so nobody chose them.
#[test]
fn test_factors_come_from_their_seeds() {
    for (count, bits) in [(2, 512usize), (2, 1024), (3, 342), (3, 512), (4, 256), (4, 512)] {
        let curve = Curve::named(&format!("a1-{count}x{bits}")).unwrap();
        let factors = Factors::public(&curve).unwrap();
        for (i, factor) in (1..).zip(factors.to_biguints()) {
            let mut bytes = Vec::new();
            for c in 0..bits.div_ceil(512) {
                bytes.extend(Sha512::digest(format!("pairing-anchors/A1/{count}/{bits}/{i}/{c}")));
            }
            let mut seed = BigUint::from_bytes_be(&bytes) >> (bytes.len() * 8 - bits);
            seed.set_bit(bits as u64 - 1, true);
            seed.set_bit(bits as u64 - 2, true);
            assert!(factor > seed && &factor - &seed < BigUint::from(4096u32), "factor {i} of {}", curve.name());
            // it is the first prime above the seed
            let mut candidate = seed + 1u8;
            while candidate < factor {
                let boxed = crypto_bigint::BoxedUint::from_be_slice_vartime(&candidate.to_bytes_be());
                assert!(!is_prime(Flavor::Any, &boxed), "factor {i} of {}", curve.name());
                candidate += 1u8;
            }
        }
        // l is the smallest: no smaller multiple of 4 gives a prime
        let s = parameters(&curve);
        let mut l = BigUint::from(4u8);
        while l < *s.cofactor() {
            let q = s.order() * &l - 1u8;
            let boxed = crypto_bigint::BoxedUint::from_be_slice_vartime(&q.to_bytes_be());
            let small = [3u8, 5, 7, 11, 13, 17, 19, 23].iter().any(|p| (&q % *p) == BigUint::ZERO);
            assert!(small || !is_prime(Flavor::Any, &boxed), "l of {}", curve.name());
            l += 4u8;
        }
    }
}
