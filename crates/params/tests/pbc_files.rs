//! PBC `.param` files: those of `vectors/pbc`, and one test for each way to be wrong.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use bilinear_params::pbc::{Parameters, parse};
use bilinear_params::{Description, Error, Family, Kind, MAX_FILE_BYTES};
use num_bigint::BigUint;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/pbc").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap()
}

/// The error for a file with one line replaced, and the text of that error.
fn broken(name: &str, from: &str, to: &str) -> (Error, String) {
    let text = text(name);
    assert!(text.contains(from), "{from:?} is not in {name}");
    let error = Description::from_pbc(&text.replacen(from, to, 1), name).unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with(name), "{message}");
    (error, message)
}

#[test]
fn types_a_and_a1_become_curves() {
    for (name, kind, q_bits, primes) in [
        ("a", Kind::A, 512, 1),
        ("a1-1024", Kind::A1, 1034, 2),
        ("a1-2048", Kind::A1, 2056, 2),
        ("a1-3p-1026", Kind::A1, 1036, 3),
        ("a1-3p-1536", Kind::A1, 1548, 3),
        ("a1-shipped", Kind::A1, 1033, 0),
    ] {
        let Description { curve, factors } = Description::load(file(&format!("{name}.param"))).unwrap();
        let Family::Supersingular(s) = curve.family() else { panic!() };
        assert_eq!(curve.name(), name);
        assert_eq!((s.kind(), s.q().bits()), (kind, q_bits), "{name}");
        assert_eq!(s.generator(), None);
        let factors = factors.map(|factors| factors.to_biguints()).unwrap_or_default();
        assert_eq!(factors.len(), primes, "{name}");
        if primes > 0 {
            assert_eq!(factors.iter().product::<BigUint>(), *s.order(), "{name}");
            assert_eq!(s.prime_bits().unwrap(), factors.iter().map(BigUint::bits).collect::<Vec<_>>(), "{name}");
        }
        // lines n0, n1, ... are not a permission to publish
        assert!(!curve.is_test_only());
        assert_eq!(s.factors().is_some(), kind == Kind::A);
        let public = curve.to_toml();
        assert!(kind == Kind::A || factors.iter().all(|p| !public.contains(&p.to_string())));
        assert_eq!(Description::from_toml(&public, "copy").unwrap().curve, curve, "{name}");
    }
}

#[test]
fn other_types_are_parsed_then_refused_by_name() {
    let unsupported = |name: &str, said: &str| {
        let error = Description::load(file(name)).unwrap_err();
        assert!(matches!(error, Error::UnsupportedPbcType { .. }), "{error}");
        assert!(error.to_string().ends_with(said), "{error}");
        parse(&text(name), name)
    };
    let Parameters::D(d) = unsupported("d159.param", "PBC type d (MNT) is parsed but not supported yet").unwrap()
    else {
        panic!()
    };
    assert_eq!((d.k, d.coefficients.len(), &d.h * &d.r), (6, 3, d.n.clone()));
    let Parameters::E(e) = unsupported("e.param", "PBC type e (k = 1) is parsed but not supported yet").unwrap() else {
        panic!()
    };
    assert_eq!(e.q, &e.h * &e.r * &e.r + 1u8);
    assert_eq!((e.form.exp2, e.form.exp1, e.form.sign1, e.form.sign0), (159, 135, 1, 1));
    let said = "PBC type f (Barreto-Naehrig) is parsed but not supported yet";
    let Parameters::F(f) = unsupported("f.param", said).unwrap() else { panic!() };
    assert!(f.beta < f.q && f.alpha0 < f.q && f.alpha1 < f.q && f.b < f.q && f.r < f.q);
    let said = "PBC type g (Freeman) is parsed but not supported yet";
    let Parameters::G(g) = unsupported("g149.param", said).unwrap() else { panic!() };
    assert_eq!((g.k, g.coefficients.len(), &g.hk * &g.r * &g.r), (10, 5, g.nk.clone()));
    let said = "PBC type i (eta_T in characteristic 3) is recognised but not supported yet";
    assert!(matches!(unsupported("i.param", said), Err(Error::UnsupportedPbcType { .. })));
}

#[test]
fn every_key_of_every_type_is_needed_and_an_integer() {
    for name in ["a.param", "a1-shipped.param", "d159.param", "e.param", "f.param", "g149.param"] {
        let text = text(name);
        for line in text.lines().filter(|line| !line.starts_with("type")) {
            let (key, value) = line.split_once(' ').unwrap();
            let without = text.replacen(&format!("{line}\n"), "", 1);
            match parse(&without, name).unwrap_err() {
                Error::MissingKey { at } => assert_eq!((at.key.as_str(), at.file.as_str()), (key, name)),
                error => panic!("{name} {key}: {error}"),
            }
            let wrong = text.replacen(&format!("{key} {value}"), &format!("{key} {value}x"), 1);
            match parse(&wrong, name).unwrap_err() {
                Error::NotAnInteger { at } | Error::BadSign { at } => assert_eq!(at.key, key),
                error => panic!("{name} {key}: {error}"),
            }
        }
    }
}

#[test]
fn unknown_keys_are_ignored_as_pbc_does() {
    let plain = Description::from_pbc(&text("a.param"), "a").unwrap().curve;
    let more = format!("# comment\n\n{}colour blue\r\n", text("a.param"));
    assert_eq!(Description::from_pbc(&more, "a").unwrap().curve, plain);
    // the form of r is optional as a whole, since r itself is there
    let short: String = text("a.param").lines().take(4).map(|line| format!("{line}\n")).collect();
    assert_eq!(Description::from_pbc(&short, "a").unwrap().curve, plain);
}

#[test]
fn lines() {
    let (error, message) = broken("a.param", "exp2 159", "exp2");
    assert!(matches!(error, Error::Syntax { .. }) && message.contains("line 5"), "{message}");
    let (error, message) = broken("a.param", "exp2 159", "exp2 159 160");
    assert!(matches!(error, Error::Syntax { .. }) && message.contains("line 5"), "{message}");
    let (error, message) = broken("a.param", "exp1 107", "exp2 107");
    assert!(matches!(error, Error::DuplicateKey { .. }) && message.contains("line 6: `exp2`"), "{message}");
    let (error, message) = broken("a.param", "type a", "type z");
    assert!(matches!(error, Error::UnknownPbcType { .. }) && message.contains("\"z\""), "{message}");
    let (error, message) = broken("a.param", "type a", "kind a");
    assert!(matches!(error, Error::MissingKey { .. }) && message.contains("`type`"), "{message}");
    let large = "x y\n".repeat(MAX_FILE_BYTES / 4 + 1);
    assert!(matches!(Description::from_pbc(&large, "a"), Err(Error::FileTooLarge { .. })));
}

#[test]
fn form_of_r() {
    for (from, to) in [
        ("exp2 159", "exp2 158"),
        ("exp1 107", "exp1 106"),
        ("sign1 1", "sign1 -1"),
        ("sign0 1", "sign0 -1"),
        ("exp2 159", "exp2 4294967295"),
    ] {
        let (error, message) = broken("a.param", from, to);
        assert!(matches!(error, Error::ExponentForm { .. }) && message.contains("line 4: `r`"), "{message}");
    }
    let (error, message) = broken("a.param", "sign0 1", "sign0 2");
    assert!(matches!(error, Error::BadSign { .. }) && message.contains("`sign0`"), "{message}");
    let (error, message) = broken("a.param", "sign0 1\n", "");
    assert!(matches!(error, Error::MissingKey { .. }) && message.contains("`sign0`"), "{message}");
}

#[test]
fn mathematics() {
    let (error, message) = broken("a.param", "q 878", "q 978");
    assert!(matches!(error, Error::CofactorMismatch { .. }), "{message}");
    assert!(message.contains("line 3: `h`: r * h is not q + 1"), "{message}");
    let (error, message) = broken("a1-shipped.param", "l 1340", "l 1344");
    assert!(matches!(error, Error::CofactorMismatch { .. }), "{message}");
    assert!(message.contains("n * l is not p + 1"), "{message}");
    let of = |text: &str| Description::from_pbc(text, "toy").unwrap_err();
    assert!(matches!(of("type a\nq 27\nr 7\nh 4\n"), Error::FieldComposite { .. }));
    assert!(matches!(of("type a\nq 71\nr 9\nh 8\n"), Error::OrderComposite { .. }));
    assert!(matches!(of("type a1\np 1399\nn 35\nl 40\n"), Error::CommonFactor { .. }));
    let a1 = |factors: &str| of(&format!("type a1\np 139\nn 35\nl 4\n{factors}"));
    assert!(matches!(a1("n0 5\nn1 11\n"), Error::FactorProduct { .. }));
    assert!(matches!(a1("n0 35\n"), Error::FactorComposite { index: 0, .. }));
    assert!(matches!(a1("n0 5\nn1 5\n"), Error::FactorRepeated { index: 1, .. }));
    assert!(matches!(a1("n0 5\nn1 x\n"), Error::NotAnInteger { .. }));
    // the numbering stops at the first gap
    assert!(matches!(a1("n0 5\nn2 7\n"), Error::FactorProduct { .. }));
}

#[test]
fn curves_are_named_after_files() {
    let toy = "type a1\np 139\nn 35\nl 4\n";
    for (file, name) in [("some/dir/My Curve.param", "my-curve"), ("", "unnamed"), ("é.param", "-")] {
        assert_eq!(Description::from_pbc(toy, file).unwrap().curve.name(), name);
    }
}
