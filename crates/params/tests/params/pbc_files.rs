//! PBC `.param` files: those of `vectors/pbc`, and one test for each possible fault.

use std::path::{Path, PathBuf};

use bilinear_params::{
    Curve, Description, Error, Family, Layout, MAX_FILE_BYTES, SexticKind, SupersingularKind, Twist,
};
use num_bigint::{BigInt, BigUint};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/pbc").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap()
}

/// Returns the error for a file with one line replaced, and the error's message.
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
        ("a", SupersingularKind::A, 512, 1),
        ("a1-1024", SupersingularKind::A1, 1034, 2),
        ("a1-2048", SupersingularKind::A1, 2056, 2),
        ("a1-3p-1026", SupersingularKind::A1, 1036, 3),
        ("a1-3p-1536", SupersingularKind::A1, 1548, 3),
        ("a1-shipped", SupersingularKind::A1, 1033, 0),
        ("a1-2x512-friendly", SupersingularKind::A1, 1026, 2),
        ("a1-2x1024-friendly", SupersingularKind::A1, 2050, 2),
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
        // lines n0, n1, ... do not permit publishing the factors
        assert!(!curve.is_test_only());
        assert_eq!(s.factors().is_some(), kind == SupersingularKind::A);
        let public = curve.to_toml();
        assert!(kind == SupersingularKind::A || factors.iter().all(|p| !public.contains(&p.to_string())));
        assert_eq!(Description::from_toml(&public, "copy").unwrap().curve, curve, "{name}");
    }
}

/// The shipped curves are PBC's: the same groups. Only the generators differ, which PBC's files do not have; for
/// type F the least ones are taken.
#[test]
fn types_d_e_f_and_g_become_the_shipped_curves() {
    for (param, name) in
        [("d159", "d-159"), ("d201", "d-201"), ("d224", "d-224"), ("e", "e"), ("f", "f"), ("g149", "g-149")]
    {
        let Description { curve, factors } = Description::load(file(&format!("{param}.param"))).unwrap();
        let shipped = Curve::named(name).unwrap();
        assert_eq!((curve.name(), curve.layout()), (param, Layout::Pbc));
        assert_eq!(curve.fingerprint(), shipped.fingerprint(), "{name}");
        assert_eq!(factors.unwrap().to_biguints(), [shipped.family().order().clone()]);
        assert_eq!(Description::from_toml(&curve.to_toml(), "copy").unwrap().curve, curve, "{name}");
        // with the generators of the shipped curve, it is the shipped family
        let (g1, g2) = match shipped.family() {
            Family::Sextic(s) => (s.g1().unwrap(), s.g2().map(|(x, y)| (x.to_vec(), y.to_vec())).unwrap()),
            Family::QuadraticTwist(s) => (s.g1().unwrap(), s.g2().map(|(x, y)| (x.to_vec(), y.to_vec())).unwrap()),
            Family::DegreeOne(s) => (s.g1().unwrap(), s.g2().map(|(x, y)| (vec![x.clone()], vec![y.clone()])).unwrap()),
            other => panic!("{other:?}"),
        };
        let complete = curve.with_generator(g1.0.clone(), g1.1.clone()).unwrap().with_g2(g2.0, g2.1).unwrap();
        assert_eq!(complete.family(), shipped.family(), "{name}");
    }
}

#[test]
fn type_i_is_the_shipped_curve() {
    let Description { curve, factors } = Description::load(file("i.param")).unwrap();
    let shipped = Curve::named("ss3-97").unwrap();
    assert_eq!((curve.name(), curve.layout()), ("i", Layout::Pbc));
    assert_eq!(curve.layout(), shipped.layout());
    assert_eq!(curve.family(), shipped.family());
    assert_eq!(curve.fingerprint(), shipped.fingerprint());
    assert_eq!(factors.unwrap().to_biguints(), [shipped.family().order().clone()]);
    assert_eq!(Description::from_toml(&curve.to_toml(), "copy").unwrap().curve, curve);
    assert!(curve.is_for_research());
}

#[test]
fn mathematics_of_type_i() {
    let (error, message) = broken("i.param", "n 2", "n 3");
    assert!(matches!(error, Error::OrderMismatch { .. }) && message.contains("`n`"), "{message}");
    let (error, message) = broken("i.param", "n2 7", "n2 49");
    assert!(matches!(error, Error::OrderCofactor { .. }) && message.contains("`n2`"), "{message}");
    let (error, message) = broken("i.param", "t 12", "t 13");
    assert!(matches!(error, Error::Reducible { .. }) && message.contains("`t`"), "{message}");
    for (from, to) in [("m 97", "m 12"), ("m 97", "m 99"), ("m 97", "m 617"), ("t 12", "t 97"), ("t 12", "t 0")] {
        let (error, message) = broken("i.param", from, to);
        assert!(matches!(error, Error::WrongType { .. }), "{from}: {message}");
        assert!(message.contains(&format!("`{}`", &from[..1])), "{to}: {message}");
    }
}

#[test]
fn mathematics_of_types_d_and_g() {
    let (error, message) = broken("d159.param", "k 6", "k 10");
    assert!(matches!(error, Error::EmbeddingDegree { k: 6, .. }) && message.contains("line 8: `k`"), "{message}");
    let (error, message) = broken("g149.param", "k 10", "k 6");
    assert!(matches!(error, Error::EmbeddingDegree { k: 10, .. }) && message.contains("`k`"), "{message}");
    let (error, message) = broken("d159.param", "nk 6", "nk 7");
    assert!(matches!(error, Error::ExtensionOrder { .. }) && message.contains("line 9: `nk`"), "{message}");
    // more bits than nk has on a curve of 2731 bits
    let (error, message) = broken("d159.param", "nk 6", &format!("nk 6{}", "0".repeat(4700)));
    assert!(matches!(error, Error::ExtensionOrder { .. }), "{message}");
    let (error, message) = broken("g149.param", "hk 4", "hk 5");
    assert!(matches!(error, Error::ExtensionOrder { .. }) && message.contains("line 10: `hk`"), "{message}");
    let (error, message) = broken("d159.param", "h 3", "h 4");
    assert!(matches!(error, Error::OrderMismatch { .. }) && message.contains("line 4: `h`"), "{message}");
    let (error, message) = broken("g149.param", "coeff4 4", "coeff4 54");
    assert!(matches!(error, Error::CoefficientRange { .. }) && message.contains("`coeff4`"), "{message}");
    let (error, message) = broken("d159.param", "nqr 431211441436589568382088865288592347194866189652", "nqr 4");
    assert!(matches!(error, Error::NotANonResidue { .. }) && message.contains("line 14: `nqr`"), "{message}");
    // x^3 + c_2 x^2 + c_1 x has the root 0
    let (error, message) = broken("d159.param", "coeff0 472731500571015189154958232321864199355792223347", "coeff0 0");
    assert!(matches!(error, Error::Reducible { .. }) && message.contains("line 11: `coeff0`"), "{message}");
}

#[test]
fn mathematics_of_type_e() {
    let (error, message) = broken("e.param", "h 1356", "h 1357");
    assert!(matches!(error, Error::UnitCofactor { .. }) && message.contains("line 4: `h`"), "{message}");
    let (error, message) = broken("e.param", "exp1 135", "exp1 134");
    assert!(matches!(error, Error::ExponentForm { .. }) && message.contains("line 3: `r`"), "{message}");
}

#[test]
fn mathematics_of_type_f() {
    let toy = |text: &str| Description::from_pbc(text, "toy");
    // u = 1 and u = -1
    let Family::Sextic(s) =
        toy("type f\nq 103\nr 97\nb 5\nbeta 102\nalpha0 82\nalpha1 62\n").unwrap().curve.family().clone()
    else {
        panic!()
    };
    assert_eq!((s.u(), s.kind(), s.twist()), (&BigInt::from(1), SexticKind::Bn, Some(Twist::M)));
    let tower = s.tower().unwrap();
    assert_eq!((&tower.beta, &tower.xi), (&BigInt::from(102), &Some([21.into(), 41.into()])));
    let negative = "type f\nq 19\nr 13\nb 2\nbeta 18\nalpha0 9\nalpha1 10\n";
    let Family::Sextic(s) = toy(negative).unwrap().curve.family().clone() else { panic!() };
    assert_eq!((s.u(), s.tower().unwrap().xi.clone()), (&BigInt::from(-1), Some([10.into(), 9.into()])));
    // xi = 9 i has the norm 81
    let zero = negative.replace("alpha0 9", "alpha0 0");
    assert!(matches!(toy(&zero), Err(Error::NotANonResidue { .. })));

    for (q, r) in [(103, 98), (103, 91), (97, 103), (104, 98), (102, 97)] {
        let text = format!("type f\nq {q}\nr {r}\nb 5\nbeta 2\nalpha0 1\nalpha1 1\n");
        let error = toy(&text).unwrap_err();
        assert!(matches!(error, Error::NotBarretoNaehrig { .. }), "{q} {r}: {error}");
        assert!(error.to_string().contains("line 2: `q`: no u gives q = 36u^4"), "{error}");
    }
    let (error, message) = broken("f.param", "beta 115334401956802802075595682801335644058796914268", "beta 4");
    assert!(matches!(error, Error::NotANonResidue { .. }) && message.contains("line 5: `beta`"), "{message}");
    let (error, message) = broken("f.param", "alpha0 191", "alpha0 991");
    assert!(matches!(error, Error::CoefficientRange { .. }) && message.contains("line 6: `alpha0`"), "{message}");
    let (error, message) = broken("f.param", "alpha1 71445317903696340296199556072836940741717506375", "alpha1 0");
    assert!(matches!(error, Error::NotANonResidue { .. }) && message.contains("line 6: `alpha0`"), "{message}");
    let (error, message) = broken("f.param", "b 40", "b 940");
    assert!(matches!(error, Error::CoefficientRange { .. }) && message.contains("line 4: `b`"), "{message}");
}

#[test]
fn every_key_of_every_type_is_needed_and_an_integer() {
    for name in
        ["a.param", "a1-shipped.param", "d159.param", "d201.param", "d224.param", "e.param", "f.param", "g149.param"]
    {
        let text = text(name);
        for line in text.lines().filter(|line| !line.starts_with("type")) {
            let (key, value) = line.split_once(' ').unwrap();
            let without = text.replacen(&format!("{line}\n"), "", 1);
            match Description::from_pbc(&without, name).unwrap_err() {
                Error::MissingKey { at } => assert_eq!((at.key.as_str(), at.file.as_str()), (key, name)),
                error => panic!("{name} {key}: {error}"),
            }
            let wrong = text.replacen(&format!("{key} {value}"), &format!("{key} {value}x"), 1);
            match Description::from_pbc(&wrong, name).unwrap_err() {
                Error::NotAnInteger { at } | Error::WrongType { at, .. } => assert_eq!(at.key, key),
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
    assert!(matches!(error, Error::WrongType { .. }) && message.contains("`sign0`: must be 1 or -1"), "{message}");
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
