//! Names of shipped curves: any case, aliases, hyphens and underscores, and the answers to unknown names.

use std::collections::BTreeSet;

use bilinear_params::{Curve, Error};

#[test]
fn names_and_aliases() {
    assert_eq!(Curve::named("a1-1024").unwrap(), Curve::named("a1-2x512").unwrap());
    assert_eq!(Curve::named("a1-2048").unwrap(), Curve::named("a1-2x1024").unwrap());
    for (alias, name) in [
        ("a1-1024-friendly", "a1-2x512-friendly"),
        ("a1-2048-friendly", "a1-2x1024-friendly"),
        ("ss1536-relic", "ss1536"),
        ("bn254n", "bn-254n"),
        ("bn258-fan", "bn-258"),
        ("alt_bn128", "alt-bn128"),
        ("bn254-snark", "alt-bn128"),
        ("bn462", "bn-462"),
        ("bn638", "bn-638"),
        ("bn638-b257", "bn-638-b257"),
        ("bls12381", "bls12-381"),
        ("bls12_381", "bls12-381"),
        ("BLS12_377", "bls12-377"),
        ("bn128", "alt-bn128"),
        ("SS512", "a-512"),
        ("d159", "d-159"),
        ("d-d159", "d-159"),
        ("d-179gen", "d-179"),
        ("d-d105171-196-185", "d-105171-196-185"),
        ("e-1020", "e"),
        ("e-pbc", "e"),
        ("f-158", "f"),
        ("f-pbc", "f"),
        ("g149", "g-149"),
        ("g-g149", "g-149"),
    ] {
        assert_eq!(Curve::named(alias).unwrap().name(), name);
    }
    // parts of names and of other texts are not aliases
    for name in ["", "d", "bls12", "PBC", "parameters"] {
        assert!(matches!(Curve::named(name), Err(Error::UnknownCurve { .. })), "{name:?}");
    }
    for (written, name) in
        [("BLS12-381", "bls12-381"), ("Alt-BN128", "alt-bn128"), ("BN254N", "bn-254n"), ("F-PBC", "f")]
    {
        assert_eq!(Curve::named(written).unwrap().name(), name);
    }
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
fn an_unknown_name_is_answered_with_those_near_it() {
    for (written, near) in [
        ("bls12-318", "bls12-381"),
        ("BLS12.381", "bls12-381"),
        ("altbn128", "alt-bn128"),
        ("bn254", "bn254n, bn258 or bn254-snark"),
        ("a1-2049", "a1-2048"),
        ("bls24", "bls24-315, bls24-477 or bls24-509"),
    ] {
        let error = Curve::named(written).unwrap_err().to_string();
        assert!(error.contains(&format!("no curve is named {written:?} (did you mean {near}")), "{error}");
    }
    let far = Curve::named("secp256k1").unwrap_err().to_string();
    assert!(far.starts_with("no curve is named \"secp256k1\"; known: a-512, "), "{far}");
}
