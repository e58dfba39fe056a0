//! TOML descriptions: what is accepted, and one test for each possible fault.

use crate::common::{assert_error, broken, read};
use bilinear_params::{Curve, Description, Error, Family, MAX_FILE_BYTES, SupersingularKind};
use num_bigint::BigUint;

// toy curves: 7 * 12 = 83 + 1, 35 * 4 = 139 + 1
const A: &str = "name = \"toy\"\nfamily = \"a\"\n[parameters]\nr = \"7\"\nh = \"12\"\n[g1]\nx = \"49\"\ny = \"81\"\n";
const A1: &str = "name = \"toy\"\nfamily = \"a1\"\n[parameters]\nn = \"35\"\nl = \"4\"\n";

#[test]
fn toy_curves_load() {
    let made = read(A).unwrap();
    let Family::Supersingular(s) = made.curve.family() else { panic!() };
    assert_eq!((s.kind(), s.q()), (SupersingularKind::A, &BigUint::from(83u8)));
    assert_eq!(s.generator(), Some((&BigUint::from(49u8), &BigUint::from(81u8))));
    assert_eq!(made.factors.unwrap().to_biguints(), [BigUint::from(7u8)]);

    let made = read(A1).unwrap();
    let Family::Supersingular(s) = made.curve.family() else { panic!() };
    assert_eq!(
        (s.kind(), s.q(), s.factors(), s.prime_bits()),
        (SupersingularKind::A1, &BigUint::from(139u8), None, None)
    );
    assert!(made.factors.is_none());

    let text = A1.replace("l = \"4\"", "l = \"4\"\nprime_bits = [3, 3]");
    let Family::Supersingular(s) = read(&text).unwrap().curve.family().clone() else { panic!() };
    assert_eq!(s.prime_bits(), Some([3, 3].as_slice()));
}

#[test]
fn field_or_cofactor_or_both_in_either_base() {
    let expected = read(A).unwrap().curve;
    for integers in ["q = \"83\"\nr = \"7\"", "q = \"0x53\"\nr = \"0x7\"\nh = \"0x0C\"", "r = \"007\"\nh = \"12\""] {
        assert_eq!(read(&A.replace("r = \"7\"\nh = \"12\"", integers)).unwrap().curve, expected, "{integers}");
    }
}

#[test]
fn syntax() {
    let text = assert_error!(broken(A, "r = ", "r == "), Syntax at "", Some(4));
    assert!(text.contains("not TOML"), "{text}");
    assert_error!(broken(A, "h = ", "r = "), Syntax at "", Some(5));
    for text in [format!("\u{feff}{A}"), format!("\u{feff}# a comment first\n{A}")] {
        let text = assert_error!(read(&text).unwrap_err(), Syntax at "", None);
        assert!(text.contains("byte-order mark"), "{text}");
    }
}

#[test]
fn missing_unknown_and_mistyped_keys() {
    assert_error!(broken(A, "name = \"toy\"\n", ""), MissingKey at "name", None);
    assert_error!(broken(A, "family = \"a\"\n", ""), MissingKey at "family", None);
    assert_error!(broken(A, "[parameters]", "[g2]"), UnknownKey at "g2", Some(3));
    assert_error!(broken(A, "r = \"7\"\n", ""), MissingKey at "parameters.r", None);
    assert_error!(broken(A, "h = \"12\"\n", ""), MissingField at "parameters.q", None);
    assert_error!(broken(A, "y = \"81\"\n", ""), MissingKey at "g1.y", None);
    assert_error!(broken(A, "h = ", "exp2 = \"3\"\nh = "), UnknownKey at "parameters.exp2", Some(5));
    // factors belong to a1 only
    assert_error!(broken(A, "h = ", "factors = [\"7\"]\nh = "), UnknownKey at "parameters.factors", Some(5));
    assert_error!(broken(A, "\"7\"", "7"), WrongType at "parameters.r", Some(4));
    assert_error!(broken(A, "[parameters]\nr = \"7\"\nh = \"12\"", "parameters = 1"), WrongType at "parameters", Some(3));
    assert_error!(broken(A, "family", "aliases = [1]\nfamily"), WrongType at "aliases", Some(2));
    assert_error!(broken(A1, "l = \"4\"", "l = \"4\"\nprime_bits = [-3, 3]"), WrongType at "parameters.prime_bits", Some(6));
    assert_error!(broken(A1, "l = \"4\"", "l = \"4\"\nfactors_public = 1"), WrongType at "parameters.factors_public", Some(6));
}

#[test]
fn names_and_families() {
    assert_error!(broken(A, "toy", "Toy curve"), BadName at "name", Some(1));
    assert_error!(broken(A, "toy", ""), BadName at "name", Some(1));
    assert_error!(broken(A, "family", "aliases = [\"../x\"]\nfamily"), BadName at "aliases", Some(2));
    let text = assert_error!(broken(A, "\"a\"", "\"b\""), UnknownFamily at "family", Some(2));
    let (_, known) = text.split_once("\"b\"; known: ").unwrap();
    let known: Vec<&str> = known.split(", ").collect();
    for name in Curve::names().chain(Curve::research_names()) {
        assert!(known.contains(&Curve::named(name).unwrap().family().name()), "{name}: {text}");
    }
    let text = assert_error!(broken(A, "family", "layout = \"flat\"\nfamily"), BadLayout at "layout", Some(2));
    assert!(text.contains("must be \"nested\" or \"pbc\""), "{text}");
    assert_error!(broken(A, "[g1]", "[tower]\n[g1]"), UnknownKey at "tower", Some(6));
}

#[test]
fn integers() {
    for bad in ["", "-7", "+7", "7.0", " 7", "0x", "0xg", "seven", "1_000", "７"] {
        assert_error!(broken(A, "\"7\"", &format!("\"{bad}\"")), NotAnInteger at "parameters.r", Some(4));
    }
    for long in [format!("0x{}", "f".repeat(1025)), "9".repeat(1234), "9".repeat(100_000), format!("0x{:01025x}", 7)] {
        let result = read(&A.replacen("\"7\"", &format!("\"{long}\""), 1));
        if long.ends_with("007") {
            // leading zeros do not count
            result.unwrap();
        } else {
            assert_error!(result.unwrap_err(), TooManyBits at "parameters.r", Some(4));
        }
    }
    // each is within the limit, their product is not
    let (r, h) = (format!("0x8{}1", "0".repeat(600)), format!("0x8{}0", "0".repeat(600)));
    let text = A.replace("\"7\"", &format!("\"{r}\"")).replace("\"12\"", &format!("\"{h}\""));
    assert_error!(read(&text).unwrap_err(), TooManyBits at "parameters.q", None);
}

#[test]
fn field_and_order() {
    assert_error!(broken(A, "\"7\"", "\"8\""), OrderNotOdd at "parameters.r", Some(4));
    assert_error!(broken(A, "\"7\"", "\"1\""), OrderNotOdd at "parameters.r", Some(4));
    let text =
        assert_error!(broken(A, "h = \"12\"", "h = \"12\"\nq = \"79\""), CofactorMismatch at "parameters.h", Some(5));
    assert!(text.contains("r * h is not q + 1"), "{text}");
    let text =
        assert_error!(broken(A1, "l = \"4\"", "l = \"4\"\nq = \"79\""), CofactorMismatch at "parameters.l", Some(5));
    assert!(text.contains("n * l is not q + 1"), "{text}");
    assert_error!(broken(A, "h = \"12\"", "q = \"79\""), CofactorMismatch at "parameters.h", None);
    assert_error!(broken(A, "\"12\"", "\"0\""), CofactorMismatch at "parameters.h", Some(5));
    // 34, 13 and 27 = 3^3; 7 * 84 - 1 = 587 is prime
    assert_error!(broken(A, "\"12\"", "\"5\""), FieldEven at "parameters.q", None);
    assert_error!(broken(A, "\"12\"", "\"2\""), FieldNotThreeModFour at "parameters.q", None);
    let no_generator = A.split("[g1]").next().unwrap();
    assert_error!(broken(no_generator, "\"12\"", "\"4\""), FieldComposite at "parameters.q", None);
    assert_error!(broken(A, "\"12\"", "\"84\""), CommonFactor at "parameters.h", Some(5));
    // r = 9, 9 * 8 - 1 = 71 is prime
    let text = no_generator.replace("\"7\"", "\"9\"").replace("\"12\"", "\"8\"");
    assert_error!(read(&text).unwrap_err(), OrderComposite at "parameters.r", Some(4));
    // as type a1 the same order is accepted: its factors are not known
    let text = A1.replace("\"35\"", "\"9\"").replace("\"4\"", "\"8\"");
    read(&text).unwrap();
}

#[test]
fn factors() {
    let with = |lines: &str| broken(A1, "l = \"4\"", &format!("l = \"4\"\n{lines}"));
    assert_error!(with("factors = [\"5\", \"7\"]"), FactorsNotPublic at "parameters.factors", Some(6));
    assert_error!(with("factors_public = true"), FactorsNotPublic at "parameters.factors_public", Some(6));
    let public = |factors: &str| with(&format!("factors_public = true\nfactors = [{factors}]"));
    assert_error!(public("\"5\", \"11\""), FactorProduct at "parameters.factors", Some(7));
    assert_error!(public(""), FactorProduct at "parameters.factors", Some(7));
    assert_error!(public("\"1\", \"35\""), FactorProduct at "parameters.factors", Some(7));
    assert_error!(public("\"0\", \"35\""), FactorProduct at "parameters.factors", Some(7));
    assert_error!(public("\"5\", \"x\""), NotAnInteger at "parameters.factors", Some(7));
    assert_error!(public("\"5\", \"5\", \"7\""), FactorRepeated at "parameters.factors", Some(7));
    assert_error!(public(&vec!["\"5\""; 50_000].join(", ")), FactorProduct at "parameters.factors", Some(7));
    let text = assert_error!(public("\"35\""), FactorComposite at "parameters.factors", Some(7));
    assert!(text.contains("factor 0"), "{text}");
    for sizes in ["[]", "[0, 6]", "[1, 5]", "[2, 3]", "[3, 3, 3]", "[9223372036854775807, 9223372036854775807, 9]"] {
        assert_error!(with(&format!("prime_bits = {sizes}")), PrimeSizes at "parameters.prime_bits", Some(6));
    }
    let lines = "factors_public = true\nfactors = [\"5\", \"7\"]\nprime_bits = [2, 4]";
    assert_error!(with(lines), PrimeSizes at "parameters.prime_bits", Some(8));
}

#[test]
fn generators() {
    assert_error!(broken(A, "\"49\"", "\"132\""), GeneratorRange at "g1.x", Some(7));
    assert_error!(broken(A, "\"81\"", "\"83\""), GeneratorRange at "g1.y", Some(8));
    assert_error!(broken(A, "\"81\"", "\"80\""), GeneratorOffCurve at "g1.y", Some(8));
    // a point of order 28
    let outside = broken(A, "\"49\"\ny = \"81\"", "\"2\"\ny = \"33\"");
    let message = assert_error!(outside, WrongOrder at "g1.x", Some(7));
    assert!(message.contains("the generator is not in the group"), "{message}");

    // points of orders 5, 7 and 35, which only a holder of the factors can tell apart
    let at = |x: u8, y: u8| format!("{A1}[g1]\nx = \"{x}\"\ny = \"{y}\"\n");
    let public = |text: String| text.replace("l = \"4\"", "l = \"4\"\nfactors_public = true\nfactors = [\"5\", \"7\"]");
    for part in [at(45, 60), at(13, 60)] {
        assert!(read(&part).is_ok(), "{part}");
        let message = assert_error!(read(&public(part)).unwrap_err(), WrongOrder at "g1.x", Some(9));
        assert!(message.contains("the generator generates only a subgroup"), "{message}");
    }
    assert!(read(&public(at(6, 19))).is_ok());

    let curve = read(A).unwrap().curve;
    let point = |x: u8, y: u8| curve.clone().with_generator(x.into(), y.into());
    let Family::Supersingular(s) = point(49, 2).unwrap().family().clone() else { panic!() };
    assert_eq!(s.generator(), Some((&BigUint::from(49u8), &BigUint::from(2u8))));
    assert!(matches!(point(3, 14), Err(Error::WrongOrder { .. })));
    assert!(matches!(point(3, 15), Err(Error::GeneratorOffCurve { .. })));
    assert!(matches!(point(86, 14), Err(Error::GeneratorRange { .. })));
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    assert_eq!(Curve::load(write("toy.toml", A.as_bytes())).unwrap(), read(A).unwrap().curve);
    // content decides, not the name
    let pbc = write("toy.toml.txt", b"# a comment\ntype a1\np 139\nn 35\nl 4\n");
    assert_eq!(Curve::load(pbc).unwrap().family(), read(A1).unwrap().curve.family());

    let error = Curve::load(write("large.toml", &vec![b'#'; MAX_FILE_BYTES + 1])).unwrap_err();
    assert!(matches!(error, Error::FileTooLarge { .. }) && error.to_string().contains("large.toml"), "{error}");
    // also if the limit falls into the middle of a character
    let error = Curve::load(write("large.toml", "é".repeat(MAX_FILE_BYTES).as_bytes())).unwrap_err();
    assert!(matches!(error, Error::FileTooLarge { .. }), "{error}");
    let error = read(&"#".repeat(MAX_FILE_BYTES + 1)).unwrap_err();
    assert!(matches!(error, Error::FileTooLarge { .. }), "{error}");
    assert!(matches!(Curve::load(write("bytes.toml", &[0xff])), Err(Error::NotUtf8 { .. })));
    let error = Curve::load(folder.path().join("absent.toml")).unwrap_err();
    assert!(matches!(error, Error::Io { .. }) && error.to_string().contains("absent.toml"), "{error}");
}

#[test]
fn texts_survive_writing() {
    let note = "quotes \\\" backslash \\\\ tab \\t newline \\n bell \\u0007 é";
    let text =
        A.replace("family", &format!("source = \"{note}\"\nnote = \"{note}\"\naliases = [\"x\", \"y.z\"]\nfamily"));
    let curve = read(&text).unwrap().curve;
    assert!(curve.note().contains("quotes \" backslash \\ tab \t newline \n bell \u{7} é"));
    assert_eq!(read(&curve.to_toml()).unwrap().curve, curve);
}

/// The fingerprint of a description before the checks is the fingerprint of the curve.
#[test]
fn fingerprints_and_layouts_of_texts_are_those_of_curves() {
    for name in Curve::names().chain(Curve::research_names()) {
        let curve = Curve::named(name).unwrap();
        let found = Description::fingerprint_and_layout(&curve.to_toml(), name).unwrap();
        assert_eq!(found, (curve.fingerprint(), curve.layout()), "{name}");
    }
}
