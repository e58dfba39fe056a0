//! The shipped curves: they are valid in full, have the sizes that their names say, come from the sources that they
//! state, and are written back as they were read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bilinear_params::security::Attack;
use bilinear_params::{Curve, Description, Error, Factors, Family, Layout, Supersingular, SupersingularKind};
use crypto_primes::{Flavor, is_prime};
use num_bigint::BigUint;
use sha2::{Digest, Sha512};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn curves() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("curves")
}

fn parameters(curve: &Curve) -> &Supersingular {
    match curve.family() {
        Family::Supersingular(s) => s,
        other => panic!("{other:?}"),
    }
}

/// The shipped curves of types A and A1.
fn supersingular() -> impl Iterator<Item = &'static str> {
    Curve::names().filter(|name| matches!(Curve::named(name).unwrap().family(), Family::Supersingular(_)))
}

#[test]
fn the_list_is_the_folder() {
    let files: BTreeSet<String> = fs::read_dir(curves())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(files, Curve::names().chain(Curve::research_names()).map(str::to_owned).collect());
}

/// Compares the sizes of curves over F_2^m with PARI/GP 2.15.2, and checks that files and fingerprints work as for
/// other curves.
#[test]
fn curves_for_research_pass_all_checks() {
    let sizes = [
        ("ss2-271", 271, 253),
        ("ss2-353", 353, 353),
        ("ss2-379", 379, 380),
        ("ss2-1223", 1223, 1221),
        ("hss2-367", 367, 698),
        ("hss2-439", 439, 875),
        ("ss3-97", 97, 151),
        ("ss3-193", 193, 306),
        ("ss3-509", 509, 804),
    ];
    assert!(Curve::research_names().eq(sizes.map(|(name, ..)| name)));
    let mut fingerprints = BTreeSet::new();
    for (name, m, bits) in sizes {
        let curve = Curve::named(name).unwrap();
        curve.verify().unwrap();
        let loaded = Description::load(curves().join(format!("{name}.toml"))).unwrap();
        assert!(loaded.curve == curve && curve.is_for_research() && curve.note().contains("RESEARCH ONLY"), "{name}");
        let degree = match curve.family() {
            Family::Binary(s) => s.m(),
            Family::Ternary(s) => s.m(),
            _ => panic!("{name}"),
        };
        let field = if name.starts_with("ss3") { BigUint::from(3u32).pow(m as u32).bits() } else { m };
        let sizes = (degree, curve.family().field_bits(), curve.family().order().bits(), curve.security().bits);
        assert_eq!(sizes, (m, field, bits, 59), "{name}");
        assert_eq!(Description::from_toml(&curve.to_toml(), "copy.toml").unwrap().curve, curve, "{name}");
        assert!(matches!(curve.clone().with_generator(BigUint::ZERO, BigUint::ZERO), Err(Error::WrongFamily { .. })));
        assert!(matches!(curve.clone().with_g2(vec![], vec![]), Err(Error::WrongFamily { .. })));
        fingerprints.insert(curve.fingerprint());
    }
    assert_eq!(fingerprints.len(), 9);
}

/// The error message for polynomials whose reduction takes too long.
const SLOW: &str =
    "a polynomial that reduces in at most 256 shifts, such as a trinomial or pentanomial with low exponents";

/// Breaks each rule of the family `ss2`.
#[test]
fn descriptions_over_f2m_are_checked() {
    let read = |polynomial: &str, b: i32, h: &str| {
        let text =
            format!("name = \"x\"\nfamily = \"ss2\"\n[parameters]\npolynomial = {polynomial}\nb = {b}\nh = \"{h}\"\n");
        Description::from_toml(&text, "x.toml").map(|made| made.curve)
    };
    // 2^7 − 2^4 + 1 = 113, 2^7 + 2^4 + 1 = 5·29
    assert_eq!(read("[7, 1, 0]", 1, "1").unwrap().family().order(), &BigUint::from(113u32));
    assert_eq!(read("[7, 1, 0]", 0, "5").unwrap().family().order(), &BigUint::from(29u32));
    let must_be = |made: Result<Curve, Error>, words: &str| match made {
        Err(error @ Error::WrongType { .. }) => error.to_string().ends_with(&format!(": must be {words}")),
        _ => false,
    };
    for bad in [
        "[]",
        "[7]",
        "[7, 0]",
        "[7, 3, 1, 0]",
        "[7, 3, 1]",
        "[1, 7, 0]",
        "[7, 7, 0]",
        "[2, 1, 0]",
        "[3, 1, 0]",
        "[9, 1, 0]",
    ] {
        let words = "the exponents of an odd number of terms, from a prime above 3 down to 0";
        assert!(must_be(read(bad, 0, "5"), words), "{bad}");
    }
    assert!(must_be(read("[1283, 1, 0]", 0, "5"), "of degree at most 1280"));
    // 18 folds by 16 terms, and 639 by two
    let dense: String = (228..243).rev().map(|exponent| format!("{exponent}, ")).collect();
    for slow in [&format!("[257, {dense}0]"), "[1279, 1277, 0]"] {
        assert!(must_be(read(slow, 0, "5"), SLOW), "{slow}");
    }
    assert!(matches!(read("[7, 2, 0]", 0, "5"), Err(Error::Reducible { .. })), "(x² + x + 1)(x⁵ + x⁴ + x² + x + 1)");
    for b in [2, -1] {
        assert!(must_be(read("[7, 1, 0]", b, "1"), "0 or 1"), "{b}");
    }
    let in_pbcs_order = read("[7, 1, 0]", 1, "1").unwrap().to_toml().replace("family", "layout = \"pbc\"\nfamily");
    assert!(matches!(Description::from_toml(&in_pbcs_order, "x.toml"), Err(Error::BadLayout { .. })));
    for (b, h) in [(1, "0"), (1, "2"), (1, "113"), (0, "7"), (0, "145")] {
        assert!(matches!(read("[7, 1, 0]", b, h), Err(Error::OrderCofactor { .. })), "{b} {h}");
    }
    assert!(matches!(read("[7, 1, 0]", 0, "1"), Err(Error::OrderComposite { .. })));
}

/// Breaks each rule of the family `ss3`, over F_3^m.
#[test]
fn descriptions_over_f3m_are_checked() {
    let read = |polynomial: &str, coefficients: &str, b: i32, h: &str| {
        let text = format!(
            "name = \"x\"\nfamily = \"ss3\"\n[parameters]\npolynomial = {polynomial}\ncoefficients = {coefficients}\nb = {b}\nh = \"{h}\"\n"
        );
        Description::from_toml(&text, "x.toml").map(|made| made.curve)
    };
    // 3^7 − 3^4 + 1 = 7^2·43, 3^7 + 3^4 + 1 = 2269; 3^5 + 3^3 + 1 = 271, 3^5 − 3^3 + 1 = 7·31
    let good = ("[7, 2, 0]", "[1, 1, 2]");
    assert_eq!(read(good.0, good.1, -1, "1").unwrap().family().order(), &BigUint::from(2269u32));
    assert_eq!(read(good.0, good.1, 1, "49").unwrap().family().order(), &BigUint::from(43u32));
    assert_eq!(read("[5, 1, 0]", "[1, 2, 1]", -1, "1").unwrap().family().order(), &BigUint::from(271u32));
    let must_be = |made: Result<Curve, Error>, words: &str| match made {
        Err(error @ Error::WrongType { .. }) => error.to_string().ends_with(&format!(": must be {words}")),
        _ => false,
    };
    for bad in ["[]", "[7]", "[7, 2, 1]", "[2, 7, 0]", "[7, 7, 0]", "[4, 1, 0]", "[9, 1, 0]", "[1, 0]"] {
        let words = "the exponents of a polynomial, from one that is prime to 6 down to 0";
        assert!(must_be(read(bad, good.1, 1, "49"), words), "{bad}");
    }
    for bad in ["[]", "[1, 1]", "[1, 1, 3]", "[1, 0, 2]", "[2, 1, 2]", "[1, 1, 2, 1]"] {
        assert!(must_be(read(good.0, bad, 1, "49"), "1 or 2 for each exponent, and 1 for the first"), "{bad}");
    }
    assert!(must_be(read("[521, 1, 0]", good.1, 1, "7"), "of degree at most 512"));
    assert!(must_be(read("[509, 508, 0]", good.1, 1, "7"), SLOW));
    assert!(matches!(read("[7, 1, 0]", good.1, 1, "49"), Err(Error::Reducible { .. })));
    for b in [0, 2, -2] {
        assert!(must_be(read(good.0, good.1, b, "1"), "1 or -1"), "{b}");
    }
    for (b, h) in [(-1, "0"), (-1, "2"), (-1, "2269"), (1, "7"), (1, "43"), (1, "48")] {
        assert!(
            matches!(read(good.0, good.1, b, h), Err(Error::OrderCofactor { .. } | Error::OrderComposite { .. })),
            "{b} {h}"
        );
    }
    assert!(matches!(read(good.0, good.1, 1, "1"), Err(Error::OrderComposite { .. })));
}

/// Breaks each rule of the family `hss2`, of genus 2.
#[test]
fn descriptions_of_genus_2_are_checked() {
    let read = |polynomial: &str, d: i32, h: &str| {
        let text =
            format!("name = \"x\"\nfamily = \"hss2\"\n[parameters]\npolynomial = {polynomial}\nd = {d}\nh = \"{h}\"\n");
        Description::from_toml(&text, "x.toml").map(|made| made.curve)
    };
    // 2^14 + 2^7 + 1 + 2^11 + 2^4 = 18577 = 13·1429, 2^14 + 2^7 + 1 − 2^11 − 2^4 = 14449
    assert_eq!(read("[7, 1, 0]", 0, "13").unwrap().family().order(), &BigUint::from(1429u32));
    assert_eq!(read("[7, 1, 0]", 1, "1").unwrap().family().order(), &BigUint::from(14449u32));
    for bad in ["[]", "[7]", "[7, 0]", "[7, 3, 1, 0]", "[7, 3, 1]", "[5, 2, 0]", "[11, 2, 0]", "[25, 3, 0]"] {
        let error = read(bad, 0, "13").unwrap_err();
        assert!(matches!(error, Error::WrongType { .. }) && error.to_string().contains("1 modulo 6"), "{bad}: {error}");
    }
    assert!(read("[1297, 1, 0]", 0, "13").unwrap_err().to_string().ends_with(": must be of degree at most 1280"));
    assert!(matches!(read("[7, 2, 0]", 0, "13"), Err(Error::Reducible { .. })));
    assert!(matches!(read("[7, 1, 0]", 2, "13"), Err(Error::WrongType { .. })));
    for (d, h) in [(0, "0"), (0, "2"), (0, "18577"), (1, "13")] {
        assert!(matches!(read("[7, 1, 0]", d, h), Err(Error::OrderCofactor { .. })), "{d} {h}");
    }
    assert!(matches!(read("[7, 1, 0]", 0, "1"), Err(Error::OrderComposite { .. })));
}

#[test]
fn shipped_curves_pass_all_checks() {
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        assert_eq!(curve.name(), name);
        curve.verify().unwrap();
        // reading as a user's file agrees with the embedded text
        let loaded = Description::load(curves().join(format!("{name}.toml"))).unwrap();
        assert_eq!(loaded.curve, curve);
        assert_eq!(loaded.factors.is_some(), Factors::public(&curve).is_some());
        let generators = match curve.family() {
            Family::Supersingular(s) => (s.generator().is_some(), true),
            Family::Sextic(s) => {
                assert!(s.b().is_some() && s.twist().is_some() && s.tower().is_some(), "{name}");
                (s.g1().is_some(), s.g2().is_some())
            }
            Family::QuadraticTwist(s) => (s.g1().is_some(), s.g2().is_some()),
            Family::DegreeOne(s) => (s.g1().is_some(), s.g2().is_some()),
            other => panic!("{other:?}"),
        };
        assert_eq!(generators, (true, true), "{name}");
        assert!(!curve.source().is_empty() && !curve.note().is_empty(), "{name}");
    }
}

#[test]
fn sizes_and_levels() {
    // name, kind, bits of q, bits of the order, bits of each prime, security
    type Row = (&'static str, SupersingularKind, u64, u64, &'static [u64], u32);
    let expected: [Row; 13] = [
        ("a-512", SupersingularKind::A, 512, 160, &[160], 80),
        ("a-1024", SupersingularKind::A, 1024, 224, &[224], 112),
        ("a-1536", SupersingularKind::A, 1536, 256, &[256], 128),
        ("ss1536", SupersingularKind::A, 1536, 256, &[256], 128),
        ("a1-2x512", SupersingularKind::A1, 1036, 1024, &[512; 2], 80),
        ("a1-2x1024", SupersingularKind::A1, 2059, 2048, &[1024; 2], 112),
        ("a1-3x342", SupersingularKind::A1, 1037, 1026, &[342; 3], 80),
        ("a1-3x512", SupersingularKind::A1, 1544, 1536, &[512; 3], 98),
        ("a1-4x256", SupersingularKind::A1, 1034, 1024, &[256; 4], 69),
        ("a1-4x512", SupersingularKind::A1, 2060, 2048, &[512; 4], 102),
        ("a1-2x512-friendly", SupersingularKind::A1, 1026, 1024, &[512; 2], 80),
        ("a1-2x1024-friendly", SupersingularKind::A1, 2050, 2048, &[1024; 2], 112),
        ("a1-pbc", SupersingularKind::A1, 1033, 1022, &[], 80),
    ];
    assert!(supersingular().eq(expected.iter().map(|row| row.0)));
    for (name, kind, q, order, primes, level) in expected {
        let curve = Curve::named(name).unwrap();
        let s = parameters(&curve);
        assert_eq!((s.kind(), s.q().bits(), s.order().bits()), (kind, q, order), "{name}");
        assert_eq!(s.q() + 1u8, s.order() * s.cofactor(), "{name}");
        assert_eq!(s.prime_bits().unwrap_or_default(), primes, "{name}");
        let security = curve.security();
        assert_eq!(security.bits, level, "{name}: {security}");
        // a note that states a level states the computed one
        assert!(curve.note().contains(&format!("{level} bits")), "{name}");
        assert_eq!(security.assumes_two_primes, name == "a1-pbc");
    }
}

#[test]
fn sizes_and_levels_of_ordinary_curves() {
    // name, family, k, bits of the field, bits of the order, security, where from
    let (published, rho, sieve) = ("published estimates", "rho", "prime field");
    let expected = [
        ("bn-254n", "bn", 12, 254, 254, 102, published),
        ("bn-258", "bn", 12, 258, 258, 103, published),
        ("alt-bn128", "bn", 12, 254, 254, 102, published),
        ("bn-462", "bn", 12, 462, 462, 135, published),
        ("bn-638", "bn", 12, 638, 638, 157, published),
        ("bn-638-b257", "bn", 12, 638, 638, 157, published),
        ("bls12-377", "bls12", 12, 377, 253, 126, published),
        ("bls12-381", "bls12", 12, 381, 255, 126, published),
        ("bls12-461", "bls12", 12, 461, 308, 135, published),
        ("bls12-461-b4", "bls12", 12, 461, 308, 135, published),
        ("bls12-638", "bls12", 12, 638, 427, 152, published),
        ("kss18-508", "kss18", 18, 508, 376, 179, published),
        ("bls24-315", "bls24", 24, 315, 253, 127, rho),
        ("bls24-477", "bls24", 24, 477, 383, 189, published),
        ("bls24-509", "bls24", 24, 509, 409, 193, published),
        ("bls48-581", "bls48", 48, 581, 518, 259, rho),
        ("d-159", "d", 6, 159, 158, 65, published),
        ("d-179", "d", 6, 179, 155, 70, published),
        ("d-201", "d", 6, 201, 181, 74, published),
        ("d-224", "d", 6, 224, 224, 76, published),
        ("d-105171-196-185", "d", 6, 196, 185, 73, published),
        ("d-277699-175-167", "d", 6, 175, 167, 69, published),
        ("d-278027-190-181", "d", 6, 190, 181, 72, published),
        ("e", "e", 1, 1020, 160, 80, sieve),
        ("f", "bn", 12, 158, 158, 79, rho),
        ("g-149", "g", 10, 149, 149, 75, rho),
    ];
    assert!(Curve::names().skip(supersingular().count()).eq(expected.iter().map(|row| row.0)));
    for (name, family, k, field, order, level, limit) in expected {
        let curve = Curve::named(name).unwrap();
        let f = curve.family();
        assert_eq!((f.name(), f.embedding_degree()), (family, k), "{name}");
        assert_eq!((f.field().bits(), f.order().bits()), (field, order), "{name}");
        let security = curve.security();
        assert_eq!(security.bits, level, "{name}: {security}");
        assert!(security.to_string().contains(limit), "{name}: {security}");
        assert!(curve.note().contains(&format!("{level} bits")), "{name}");
        assert!(!security.test_only && !security.assumes_two_primes && !curve.is_test_only());
        assert_eq!(Factors::public(&curve).unwrap().to_biguints(), [f.order().clone()]);
        let is_of_pbc = ["d", "e", "g"].contains(&family) || ["f", "ss3-97"].contains(&name);
        let layout = if is_of_pbc { Layout::Pbc } else { Layout::Nested };
        assert_eq!(curve.layout(), layout, "{name}");
    }
}

#[test]
fn limiting_attacks() {
    let limit = |name| Curve::named(name).unwrap().security().limit;
    assert_eq!(limit("a1-2x1024"), Attack::Factoring { bits: 2048 });
    assert_eq!(limit("a1-4x256"), Attack::EllipticCurveMethod { bits: 256 });
}

#[test]
fn published_factors_are_marked_test_only() {
    for name in supersingular() {
        let curve = Curve::named(name).unwrap();
        let published = parameters(&curve).kind() == SupersingularKind::A1 && name != "a1-pbc";
        assert_eq!(curve.is_test_only(), published, "{name}");
        assert_eq!(curve.security().test_only, published, "{name}");
        assert_eq!(curve.security().held_by_maker, name == "a1-pbc", "{name}");
        assert_eq!(curve.security().to_string().starts_with("TEST ONLY"), published || name == "a1-pbc", "{name}");
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
fn fingerprints_differ_and_ignore_texts() {
    let all: BTreeSet<String> = Curve::names().map(|name| Curve::named(name).unwrap().fingerprint()).collect();
    assert_eq!(all.len(), Curve::names().count());
    assert!(all.iter().all(|f| f.len() == 64 && f.bytes().all(|b| b.is_ascii_hexdigit())));
    // regression: files of secret factors refer to these fingerprints
    for (name, fingerprint) in [
        ("a-512", "cc09551c6ac842d90f965efac0e4d6c224bc519cda4b05bad2e3d1e1442af7fb"),
        ("a1-2x512", "d8e901b9601794977410c4c9d673cb88e96f8e9626fa136239f55eeaef85efce"),
        ("ss1536", "f3c9dc29b96dd96fbb0332308989f4603a2159babc9f1ae57585ac7f6fb8a983"),
    ] {
        assert_eq!(Curve::named(name).unwrap().fingerprint(), fingerprint, "{name}");
    }
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
    for (name, file) in [
        ("a-512", "a.param"),
        ("a1-pbc", "a1-shipped.param"),
        ("a1-2x512-friendly", "a1-2x512-friendly.param"),
        ("a1-2x1024-friendly", "a1-2x1024-friendly.param"),
    ] {
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

/// Returns the first bits of SHA-512(label/0), SHA-512(label/1), ..., with the two top ones set.
fn hashed(label: &str, bits: usize) -> BigUint {
    let bytes: Vec<u8> = (0..bits.div_ceil(512)).flat_map(|c| Sha512::digest(format!("{label}/{c}"))).collect();
    let mut seed = BigUint::from_bytes_be(&bytes) >> (bytes.len() * 8 - bits);
    seed.set_bit(bits as u64 - 1, true);
    seed.set_bit(bits as u64 - 2, true);
    seed
}

fn prime(value: &BigUint) -> bool {
    is_prime(Flavor::Any, &crypto_bigint::BoxedUint::from_be_slice_vartime(&value.to_bytes_be()))
}

/// Asserts that the factor is the first prime above the seed.
fn assert_next_prime(seed: BigUint, factor: &BigUint, what: &str) {
    assert!(*factor > seed && factor - &seed < BigUint::from(4096u32), "{what}");
    let mut candidate = seed + 1u8;
    while candidate < *factor {
        assert!(!prime(&candidate), "{what}");
        candidate += 1u8;
    }
}

/// The factors of the test curves come from SHA-512 of a label as their `source` says, so nobody chose them.
#[test]
fn test_factors_come_from_their_seeds() {
    for (count, bits) in [(2, 512usize), (2, 1024), (3, 342), (3, 512), (4, 256), (4, 512)] {
        let curve = Curve::named(&format!("a1-{count}x{bits}")).unwrap();
        let factors = Factors::public(&curve).unwrap();
        for (i, factor) in (1..).zip(factors.to_biguints()) {
            let seed = hashed(&format!("pairing-anchors/A1/{count}/{bits}/{i}"), bits);
            assert_next_prime(seed, &factor, &format!("factor {i} of {}", curve.name()));
        }
        // l is the smallest: no smaller multiple of 4 gives a prime
        let s = parameters(&curve);
        let mut l = BigUint::from(4u8);
        while l < *s.cofactor() {
            let q = s.order() * &l - 1u8;
            let small = [3u8, 5, 7, 11, 13, 17, 19, 23].iter().any(|p| (&q % *p) == BigUint::ZERO);
            assert!(small || !prime(&q), "l of {}", curve.name());
            l += 4u8;
        }
    }
}

/// The factors of the friendly test curves come from SHA-512 as well: the second factor is the first in its residue
/// class that makes q prime.
#[test]
fn friendly_factors_come_from_their_seeds() {
    for (bits, k, steps) in [(512, 468u64, 119_299u32), (1024, 936, 235_594)] {
        let curve = Curve::named(&format!("a1-2x{bits}-friendly")).unwrap();
        let what = format!("factor of {}", curve.name());
        let s = parameters(&curve);
        assert_eq!(s.q() % (BigUint::from(1u8) << k), BigUint::from(3u8), "{what}");
        assert!(curve.source().contains(&format!("3 mod 2^{k}")), "{what}");
        let factors = Factors::public(&curve).unwrap().to_biguints();
        let [first, second] = &factors[..] else { panic!("{what}") };
        let label = format!("bilinear/A1/friendly/2/{bits}");
        assert_next_prime(hashed(&format!("{label}/1"), bits), first, &what);
        let seed = hashed(&format!("{label}/2"), bits);
        // the class has one number among 2^(k-2)
        let class = BigUint::from(1u8) << (k - 2);
        let start = second - &class * steps;
        assert!(start > seed && start <= seed + &class, "{what}");
        if bits > 512 {
            // thousands of tests at this size; nobody gains from skipping a candidate
            continue;
        }
        let small: Vec<u32> = (3..1u32 << 14).step_by(2).filter(|s| (3..128).all(|d| d >= *s || s % d != 0)).collect();
        let divided = |value: &BigUint| small.iter().any(|s| (value % *s) == BigUint::ZERO);
        for t in 0..steps {
            let p = &start + &class * t;
            let q = first * &p * 4u8 - 1u8;
            assert!(divided(&p) || divided(&q) || !prime(&p) || !prime(&q), "{what}: {t}");
        }
    }
}
