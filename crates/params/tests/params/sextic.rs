//! Curves with a sextic twist: derived numbers against PARI/GP's, what is accepted, and one test for each possible
//! fault.

use crate::common::{assert_error, broken, read};
use std::path::Path;

use bilinear_params::{Curve, Error, Family, Layout, Sextic, SexticKind, Twist};
use num_bigint::{BigInt, BigUint};

// u = 1: p = 103, r = 97; E: y^2 = x^3 + 5 and its twist y^2 = x^3 + 5 / (2 + i) have 97 and 97 * 109 points
const BN: &str = "name = \"toy\"\nfamily = \"bn\"\n[parameters]\nu = \"1\"\nb = \"5\"\ntwist = \"D\"\n[tower]\nbeta = \"-1\"\nxi = [\"2\", \"1\"]\n[g1]\nx = \"2\"\ny = \"42\"\n[g2]\nx = [\"42\", \"98\"]\ny = [\"15\", \"56\"]\n";
const SEED_ONLY: &str = "name = \"toy\"\nfamily = \"bn\"\n[parameters]\nu = \"1\"\n";

fn sextic(curve: &Curve) -> &Sextic {
    match curve.family() {
        Family::Sextic(s) => s,
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_of_the_seeds() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/params/sextic.json");
    let vectors: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let vectors = vectors["curves"].as_array().unwrap();
    let shipped = Curve::names().filter(|name| matches!(Curve::named(name).unwrap().family(), Family::Sextic(_)));
    assert_eq!(vectors.len(), shipped.count());
    for vector in vectors {
        let text = |key: &str| vector[key].as_str().unwrap();
        let (natural, integer) =
            (|key: &str| text(key).parse::<BigUint>().unwrap(), |key: &str| text(key).parse::<BigInt>().unwrap());
        let curve = Curve::named(text("name")).unwrap();
        let s = sextic(&curve);
        assert_eq!(*s.u(), integer("u"), "{}", curve.name());
        assert_eq!((s.p(), s.r(), s.t()), (&natural("p"), &natural("r"), &integer("t")), "{}", curve.name());
        assert_eq!((s.h1(), s.h2()), (&natural("h1"), &natural("h2")), "{}", curve.name());
        assert_eq!(s.k(), curve.family().embedding_degree());
        let (x, y) = s.g2().unwrap();
        assert_eq!((x.len() as u32, y.len() as u32), (s.k() / 6, s.k() / 6), "{}", curve.name());
    }
}

#[test]
fn a_toy_curve_in_full() {
    let curve = read(BN).unwrap().curve;
    let s = sextic(&curve);
    assert_eq!((s.kind(), s.k()), (SexticKind::Bn, 12));
    let values = [s.p(), s.r(), s.h1(), s.h2()].map(|v| u64::try_from(v).unwrap());
    assert_eq!((values, s.t()), ([103, 97, 1, 109], &BigInt::from(7)));
    assert_eq!((s.b(), s.twist()), (Some(&BigUint::from(5u8)), Some(Twist::D)));
    let tower = s.tower().unwrap();
    assert_eq!((&tower.beta, tower.beta_mod(s.p())), (&BigInt::from(-1), BigUint::from(102u8)));
    assert_eq!((tower.beta_least(s.p()), tower.xi_least(s.p())), ((-1).into(), Some([2.into(), 1.into()])));
    assert_eq!(tower.xi_mod(s.p()), Some([2u8.into(), 1u8.into()]));
    assert_eq!(curve.layout(), Layout::Nested);
    // the same residues written differently: another text, the same groups
    let other = BN.replace("\"5\"", "\"-98\"").replace("\"-1\"", "\"0x66\"").replace("[\"2\"", "[\"-101\"");
    let other = read(&other).unwrap().curve;
    assert_ne!(other, curve);
    let least = |s: &Sextic| (s.tower().unwrap().beta_least(s.p()), s.tower().unwrap().xi_least(s.p()));
    assert_eq!(least(sextic(&other)), least(s));
    assert_eq!((sextic(&other).b(), other.fingerprint()), (s.b(), curve.fingerprint()));
    for copy in [curve, other] {
        assert_eq!(read(&copy.to_toml()).unwrap().curve, copy);
    }
}

#[test]
fn keys_that_need_others() {
    let tower = "[tower]\nbeta = \"-1\"\nxi = [\"2\", \"1\"]\n";
    let with = |lines: &str| read(&format!("{SEED_ONLY}{lines}"));
    with("b = \"5\"\n").unwrap();
    with(tower).unwrap();
    with(&format!("twist = \"D\"\n{tower}")).unwrap();
    assert_error!(with(&format!("twist = \"M\"\n{tower}")).unwrap_err(), WrongOrder at "parameters.twist", Some(5));
    assert_error!(with("b = \"1\"\n").unwrap_err(), WrongOrder at "parameters.b", Some(5));
    let g1 = "[g1]\nx = \"2\"\ny = \"42\"\n";
    let g2 = "[g2]\nx = [\"42\", \"98\"]\ny = [\"15\", \"56\"]\n";
    let text = assert_error!(with("twist = \"M\"\n").unwrap_err(), NeedsKey at "parameters.twist", Some(5));
    assert!(text.contains("only together with `tower`"), "{text}");
    assert_error!(with(g1).unwrap_err(), NeedsKey at "g1.x", Some(6));
    let without_b = with(&format!("twist = \"D\"\n{tower}{g2}"));
    assert_error!(without_b.unwrap_err(), NeedsKey at "g2.x", Some(10));
    assert_error!(with(&format!("b = \"5\"\n{g2}")).unwrap_err(), NeedsKey at "g2.x", Some(7));
    assert_error!(with(&format!("b = \"5\"\n{tower}{g2}")).unwrap_err(), NeedsKey at "g2.x", Some(10));
    assert_error!(broken(BN, "beta = \"-1\"\n", ""), MissingKey at "tower.beta", None);
    assert_error!(broken(BN, "xi = [\"2\", \"1\"]\n", ""), MissingKey at "tower.xi", None);
    assert_error!(broken(BN, "u = \"1\"\n", ""), MissingKey at "parameters.u", None);
    assert_error!(broken(BN, "u = ", "p = \"103\"\nu = "), UnknownKey at "parameters.p", Some(4));
    let text = assert_error!(broken(BN, "\"D\"", "\"d\""), WrongType at "parameters.twist", Some(6));
    assert!(text.ends_with("must be \"D\" or \"M\""), "{text}");
}

#[test]
fn seeds() {
    let with = |family: &str, u: &str| {
        let text = SEED_ONLY.replace("\"bn\"", &format!("\"{family}\"")).replace("\"1\"", &format!("\"{u}\""));
        read(&text).unwrap_err()
    };
    let text = assert_error!(with("bls12", "3"), SeedCongruence at "parameters.u", Some(4));
    assert!(text.contains("p(u) is not an integer: its numerator is not divisible by 3"), "{text}");
    assert_error!(with("bls24", "-3"), SeedCongruence at "parameters.u", Some(4));
    // u = 14 mod 21 is needed: 13 is wrong for p, 7 for h1 only
    let text = assert_error!(with("kss18", "13"), SeedCongruence at "parameters.u", Some(4));
    assert!(text.contains("p(u)") && text.contains("21"), "{text}");
    let text = assert_error!(with("kss18", "7"), SeedCongruence at "parameters.u", Some(4));
    assert!(text.contains("h1(u)") && text.contains("by 3"), "{text}");
    // p = 1 or r = 1
    for (family, u) in [("bn", "0"), ("bls12", "1"), ("bls24", "1")] {
        assert_error!(with(family, u), SeedTooSmall at "parameters.u", Some(4));
    }
    // p = 37, r = 13: the smallest possible
    read(&SEED_ONLY.replace("\"bn\"", "\"bls12\"").replace("\"1\"", "\"-2\"")).unwrap();
    for u in [format!("0x1{}", "0".repeat(256)), format!("-0x1{}", "0".repeat(1000))] {
        let text = assert_error!(with("bn", &u), SeedTooLarge at "parameters.u", Some(4));
        assert!(text.contains("4096 bits"), "{text}");
    }
    assert_error!(with("bn", &"9".repeat(1300)), TooManyBits at "parameters.u", Some(4));
    for bad in ["", "-", "--1", "+1", "-0x", "1.0", "- 1"] {
        assert_error!(with("bn", bad), NotASignedInteger at "parameters.u", Some(4));
    }
    // 36 * 16 + 36 * 8 + 24 * 4 + 12 + 1 = 973 = 7 * 139
    assert_error!(with("bn", "2"), FieldComposite at "parameters.u", Some(4));
    let (u, r) = prime_field_composite_order();
    let text = assert_error!(with("bn", &u.to_string()), OrderComposite at "parameters.u", Some(4));
    assert!(text.contains("order is not prime"), "u = {u}, r = {r}: {text}");
}

/// The least positive u for which p(u) is prime and r(u) is not, by trial division.
fn prime_field_composite_order() -> (u64, u64) {
    let is_prime = |n: u64| n > 1 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    (1u64..)
        .map(|u| (u, ((36 * u + 36) * u + 24) * u * u + 6 * u + 1, ((36 * u + 36) * u + 18) * u * u + 6 * u + 1))
        .find(|(_, p, r)| is_prime(*p) && !is_prime(*r))
        .map(|(u, _, r)| (u, r))
        .unwrap()
}

#[test]
fn constant_and_tower() {
    assert_error!(broken(BN, "\"5\"", "\"0\""), SingularCurve at "parameters.b", Some(5));
    assert_error!(broken(BN, "\"5\"", "\"103\""), CoefficientRange at "parameters.b", Some(5));
    assert_error!(broken(BN, "\"5\"", "\"-103\""), CoefficientRange at "parameters.b", Some(5));
    assert_error!(broken(BN, "\"-1\"", "\"103\""), CoefficientRange at "tower.beta", Some(8));
    assert_error!(broken(BN, "[\"2\", \"1\"]", "[\"2\", \"-103\"]"), CoefficientRange at "tower.xi", Some(9));
    let text = assert_error!(broken(BN, "[\"2\", \"1\"]", "[\"2\"]"), CoefficientCount at "tower.xi", Some(9));
    assert!(text.contains("the number of coefficients is 1, not 2"), "{text}");

    let no_g2 = BN.split("[g2]").next().unwrap();
    for beta in ["1", "0", "4"] {
        let text =
            assert_error!(broken(no_g2, "\"-1\"", &format!("\"{beta}\"")), NotANonResidue at "tower.beta", Some(8));
        assert!(text.contains("square in F_p,"), "{text}");
    }
    // squares and cubes of F_103(i), found by raising to the powers (103^2 - 1) / 2 and / 3
    for (xi, power) in [("[\"1\", \"1\"]", "square"), ("[\"3\", \"1\"]", "cube"), ("[\"2\", \"0\"]", "square")] {
        let text = assert_error!(broken(no_g2, "[\"2\", \"1\"]", xi), NotANonResidue at "tower.xi", Some(9));
        assert!(text.contains(&format!("{power} in F_p^2")), "{text}");
    }
}

#[test]
fn the_tower_of_degree_18() {
    let text = Curve::named("kss18-508").unwrap().to_toml();
    assert_error!(broken(&text, "beta = \"2\"", "beta = \"2\"\nxi = [\"1\", \"1\"]"), UnknownKey at "tower.xi", Some(13));
    let no_g2 = text.split("[g2]").next().unwrap();
    // a square, and a non-square that is a cube
    let error = assert_error!(broken(no_g2, "beta = \"2\"", "beta = \"4\""), NotANonResidue at "tower.beta", Some(12));
    assert!(error.contains("square"), "{error}");
    let error = assert_error!(broken(no_g2, "beta = \"2\"", "beta = \"8\""), NotANonResidue at "tower.beta", Some(12));
    assert!(error.contains("cube"), "{error}");
    assert_error!(broken(&text, "family", "layout = \"pbc\"\nfamily"), BadLayout at "layout", Some(2));
}

#[test]
fn generators() {
    assert_error!(broken(BN, "\"42\"", "\"145\""), GeneratorRange at "g1.y", Some(12));
    let text = assert_error!(broken(BN, "\"42\"", "\"43\""), GeneratorOffCurve at "g1.y", Some(12));
    assert!(text.contains("y^2 = x^3 + b"), "{text}");
    assert_error!(broken(BN, "[\"42\", \"98\"]", "[\"42\", \"103\"]"), GeneratorRange at "g2.x", Some(14));
    assert_error!(broken(BN, "[\"15\", \"56\"]", "[\"15\"]"), CoefficientCount at "g2.y", Some(15));
    let text = assert_error!(broken(BN, "[\"15\", \"56\"]", "[\"56\", \"15\"]"), GeneratorOffCurve at "g2.y", Some(15));
    assert!(text.contains("b / w^6"), "{text}");
    let text = assert_error!(broken(BN, "\"D\"", "\"M\""), GeneratorOffCurve at "g2.y", Some(15));
    assert!(text.contains("b w^6"), "{text}");
    // a point of the other twist: (7 i, 58 + 77 i) with y^2 = x^3 + 5 (2 + i)
    let other = BN.replace("\"D\"", "\"M\"").replace("[\"42\", \"98\"]", "[\"0\", \"7\"]");
    let other = read(&other.replace("[\"15\", \"56\"]", "[\"58\", \"77\"]"));
    assert_error!(other.unwrap_err(), WrongOrder at "g2.x", Some(14));
    // on the right twist, of the order 97 * 109
    let whole = BN.replace("[\"42\", \"98\"]", "[\"0\", \"8\"]").replace("[\"15\", \"56\"]", "[\"90\", \"95\"]");
    assert_error!(read(&whole).unwrap_err(), WrongOrder at "g2.x", Some(14));
    // the same by the library, and a point of order 3
    let [x, y] = [[0u8, 8], [90, 95]].map(|v| v.map(BigUint::from).to_vec());
    assert_error!(read(BN).unwrap().curve.with_g2(x, y).unwrap_err(), WrongOrder at "g2.x", None);
    let of_order_3 = Curve::named("bls12-381").unwrap().with_generator(0u8.into(), 2u8.into());
    assert_error!(of_order_3.unwrap_err(), WrongOrder at "g1.x", None);
    // every shipped generator of G2 fails with one coefficient changed
    for name in ["bn-462", "bls12-377", "bls12-381", "kss18-508", "bls24-315", "bls24-477", "f"] {
        let curve = Curve::named(name).unwrap();
        let (x, y) = sextic(&curve).g2().unwrap();
        for i in 0..y.len() {
            let mut wrong = y.to_vec();
            wrong[i] = sextic(&curve).p() - &wrong[i] - 1u8;
            let error = curve.clone().with_g2(x.to_vec(), wrong).unwrap_err();
            assert!(matches!(error, Error::GeneratorOffCurve { .. }), "{name}: {error}");
        }
    }
}
