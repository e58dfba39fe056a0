//! Types D, G and E: derived numbers against PARI/GP's, what is accepted, and one test for each possible fault.

use crate::common::{assert_error, broken, read};
use std::path::Path;

use bilinear_params::{Curve, Error, Family, Layout, QuadraticKind, QuadraticTwist, Solinas};
use num_bigint::{BigInt, BigUint};

// 14 points over F_17, and 7 * 682 on the twist over F_17[x]/(x^3 + 3x + 1)
const D: &str = "name = \"toy\"\nfamily = \"d\"\n[parameters]\nq = \"17\"\nn = \"14\"\nh = \"2\"\nr = \"7\"\na = \"1\"\nb = \"4\"\ncoefficients = [\"1\", \"3\", \"0\"]\nnqr = \"3\"\n[g1]\nx = \"4\"\ny = \"2\"\n[g2]\nx = [\"3\", \"8\", \"16\"]\ny = [\"4\", \"12\", \"7\"]\n";
// 18 points over F_19, among them all nine of order 3
const E: &str = "name = \"toy\"\nfamily = \"e\"\n[parameters]\nq = \"19\"\nr = \"3\"\nh = \"2\"\na = \"3\"\nb = \"12\"\nexp2 = 2\nexp1 = 1\nsign1 = -1\nsign0 = 1\n[g1]\nx = \"2\"\ny = \"8\"\n[g2]\nx = \"10\"\ny = \"4\"\n";

#[test]
fn generators_of_type_e_are_in_two_subgroups() {
    assert!(read(E).is_ok());
    for y in ["8", "11"] {
        let text = E.replace("x = \"10\"\ny = \"4\"", &format!("x = \"2\"\ny = \"{y}\""));
        let message = assert_error!(read(&text).unwrap_err(), WrongOrder at "g2.x", Some(17));
        assert!(message.contains("the generators are in one subgroup"), "{message}");
    }
    assert!(Curve::named("e").unwrap().verify().is_ok());
}

fn quadratic(curve: &Curve) -> &QuadraticTwist {
    match curve.family() {
        Family::QuadraticTwist(s) => s,
        other => panic!("{other:?}"),
    }
}

#[test]
fn derived_numbers() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/params/quadratic_twist.json");
    let vectors: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let vectors = vectors["curves"].as_array().unwrap();
    let of_family = |name: &&str| matches!(Curve::named(name).unwrap().family(), Family::QuadraticTwist(_));
    assert_eq!(vectors.len(), Curve::names().filter(of_family).count());
    for vector in vectors {
        let text = |key: &str| vector[key].as_str().unwrap();
        let natural = |key: &str| text(key).parse::<BigUint>().unwrap();
        let curve = Curve::named(text("name")).unwrap();
        let s = quadratic(&curve);
        assert_eq!((s.q(), s.n(), s.r()), (&natural("q"), &natural("n"), &natural("r")), "{}", curve.name());
        assert_eq!(*s.t(), text("t").parse::<BigInt>().unwrap(), "{}", curve.name());
        assert_eq!((s.h(), s.h2()), (&natural("h1"), &natural("h2")), "{}", curve.name());
        assert_eq!(s.coefficients().len() as u32, s.k() / 2);
    }
}

#[test]
fn toy_curves() {
    let curve = read(D).unwrap().curve;
    let s = quadratic(&curve);
    assert_eq!((s.kind(), s.k(), s.t()), (QuadraticKind::D, 6, &BigInt::from(4)));
    assert_eq!((s.h2(), s.nqr()), (&BigUint::from(682u32), &BigUint::from(3u8)));
    assert_eq!((curve.layout(), read(&curve.to_toml()).unwrap().curve), (Layout::Nested, curve.clone()));
    let pbc = read(&D.replace("family", "layout = \"pbc\"\nfamily")).unwrap().curve;
    assert_eq!((pbc.layout(), read(&pbc.to_toml()).unwrap().curve), (Layout::Pbc, pbc.clone()));
    assert_eq!(pbc.fingerprint(), curve.fingerprint());

    let curve = read(E).unwrap().curve;
    let Family::DegreeOne(s) = curve.family() else { panic!() };
    assert_eq!((s.k(), s.form()), (1, Some(Solinas { exp2: 2, exp1: 1, sign1: -1, sign0: 1 })));
    assert_eq!(s.g2(), Some((&BigUint::from(10u8), &BigUint::from(4u8))));
    assert_eq!(read(&curve.to_toml()).unwrap().curve, curve);
    let formless = read(&E.replace("exp2 = 2\nexp1 = 1\nsign1 = -1\nsign0 = 1\n", "")).unwrap().curve;
    let Family::DegreeOne(s) = formless.family() else { panic!() };
    assert_eq!((s.form(), formless.fingerprint()), (None, curve.fingerprint()));
    assert_eq!(read(&formless.to_toml()).unwrap().curve, formless);
}

#[test]
fn generators_are_optional_and_can_be_set() {
    for (text, count) in [(D, 3), (E, 1)] {
        let full = read(text).unwrap().curve;
        let bare = read(text.split("[g1]").next().unwrap()).unwrap().curve;
        let (g1, g2) = match full.family() {
            Family::QuadraticTwist(s) => {
                let ((x, y), (x2, y2)) = (s.g1().unwrap(), s.g2().unwrap());
                ((x.clone(), y.clone()), (x2.to_vec(), y2.to_vec()))
            }
            Family::DegreeOne(s) => {
                let ((x, y), (x2, y2)) = (s.g1().unwrap(), s.g2().unwrap());
                ((x.clone(), y.clone()), (vec![x2.clone()], vec![y2.clone()]))
            }
            other => panic!("{other:?}"),
        };
        assert_ne!(bare, full);
        let made = bare.clone().with_generator(g1.0, g1.1).unwrap().with_g2(g2.0.clone(), g2.1.clone()).unwrap();
        assert_eq!(made, full);
        let error = bare.clone().with_g2(g2.0.clone(), vec![0u8.into(); count + 1]).unwrap_err();
        assert!(matches!(error, Error::CoefficientCount { .. }), "{error}");
        let error = bare.clone().with_g2(g2.0, vec![7u8.into(); count]).unwrap_err();
        assert!(matches!(error, Error::GeneratorOffCurve { .. }), "{error}");
        assert!(matches!(bare.with_generator(0u8.into(), 3u8.into()), Err(Error::GeneratorOffCurve { .. })));
    }
}

#[test]
fn quadratic_mathematics() {
    let no_points = D.split("[g1]").next().unwrap();
    assert_error!(broken(D, "q = \"17\"", "q = \"3\""), FieldTooSmall at "parameters.q", Some(4));
    assert_error!(broken(D, "q = \"17\"", "q = \"18\""), FieldEven at "parameters.q", Some(4));
    assert_error!(broken(D, "a = \"1\"", "a = \"17\""), CoefficientRange at "parameters.a", Some(8));
    assert_error!(broken(D, "b = \"4\"", "b = \"18\""), CoefficientRange at "parameters.b", Some(9));
    // 4 * 14^3 + 27 * 2^2 = 4 * (-27) + 108 = 0
    let singular = no_points.replace("a = \"1\"", "a = \"14\"");
    assert_error!(broken(&singular, "b = \"4\"", "b = \"2\""), SingularCurve at "parameters.b", Some(9));
    let text = assert_error!(broken(D, "h = \"2\"", "h = \"3\""), OrderMismatch at "parameters.h", Some(6));
    assert!(text.contains("h * r is not n"), "{text}");
    // |17 + 1 - 28| = 10 > 2 sqrt(17)
    let far = D.replace("n = \"14\"", "n = \"28\"");
    assert_error!(broken(&far, "h = \"2\"", "h = \"4\""), HasseBound at "parameters.n", Some(5));
    // 17^2 - 17 + 1 = 3 * 7 * 13
    let other = D.replace("n = \"14\"", "n = \"22\"");
    let text = assert_error!(broken(&other, "r = \"7\"", "r = \"11\""), EmbeddingDegree at "parameters.r", Some(7));
    assert!(text.contains("is not 6"), "{text}");
    let three = D.replace("n = \"14\"", "n = \"12\"").replace("h = \"2\"", "h = \"4\"");
    assert_error!(broken(&three, "r = \"7\"", "r = \"3\""), EmbeddingDegree at "parameters.r", Some(7));
    assert_error!(broken(D, "\"d\"", "\"g\""), EmbeddingDegree at "parameters.r", Some(7));
    assert_error!(broken(D, "\"3\", \"0\"]", "\"3\"]"), CoefficientCount at "parameters.coefficients", Some(10));
    assert_error!(broken(D, "\"0\"]", "\"17\"]"), CoefficientRange at "parameters.coefficients", Some(10));
    assert_error!(broken(D, "nqr = \"3\"", "nqr = \"20\""), CoefficientRange at "parameters.nqr", Some(11));
    for square in ["0", "1", "4"] {
        let error = broken(no_points, "nqr = \"3\"", &format!("nqr = \"{square}\""));
        assert_error!(error, NotANonResidue at "parameters.nqr", Some(11));
    }
    // x^3 + 1 = (x + 1)(x^2 - x + 1)
    assert_error!(broken(no_points, "\"3\", \"0\"]", "\"0\", \"0\"]"), Reducible at "parameters.coefficients", Some(10));
    // 33^2 - 33 + 1 = 7 * 151 and 42 = 6 * 7 is within 33 + 1 +- 11, but 33 = 3 * 11
    let composite = no_points.replace("n = \"14\"", "n = \"42\"").replace("h = \"2\"", "h = \"6\"");
    assert_error!(broken(&composite, "q = \"17\"", "q = \"33\""), FieldComposite at "parameters.q", Some(4));
    // 17^2 - 17 + 1 = 13 * 21: a composite r
    let composite = no_points.replace("n = \"14\"", "n = \"21\"").replace("h = \"2\"", "h = \"1\"");
    assert_error!(broken(&composite, "r = \"7\"", "r = \"21\""), OrderComposite at "parameters.r", Some(7));
    for key in ["q", "n", "h", "r", "a", "b", "coefficients", "nqr"] {
        let line = D.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap();
        let Error::MissingKey { at } = broken(D, &format!("{line}\n"), "") else { panic!("{key}") };
        assert_eq!(at.key, format!("parameters.{key}"));
    }
    assert_error!(broken(D, "nqr", "nk = \"1\"\nnqr"), UnknownKey at "parameters.nk", Some(11));
    assert_error!(broken(D, "[g1]", "[tower]\n[g1]"), UnknownKey at "tower", Some(12));
}

#[test]
fn quadratic_generators() {
    let text = assert_error!(broken(D, "y = \"2\"", "y = \"3\""), GeneratorOffCurve at "g1.y", Some(14));
    assert!(text.contains("y^2 = x^3 + a x + b"), "{text}");
    assert_error!(broken(D, "x = \"4\"", "x = \"17\""), GeneratorRange at "g1.x", Some(13));
    let text = assert_error!(broken(D, "\"12\", \"7\"]", "\"11\", \"7\"]"), GeneratorOffCurve at "g2.y", Some(17));
    assert!(text.contains("nqr"), "{text}");
    assert_error!(broken(D, "\"12\", \"7\"]", "\"7\"]"), CoefficientCount at "g2.y", Some(17));
    assert_error!(broken(D, "[\"3\", \"8\", \"16\"]", "[\"3\", \"8\", \"19\"]"), GeneratorRange at "g2.x", Some(16));
}

#[test]
fn unit_mathematics() {
    let no_points = E.split("[g1]").next().unwrap();
    assert_error!(broken(E, "q = \"19\"", "q = \"3\""), FieldTooSmall at "parameters.q", Some(4));
    assert_error!(broken(E, "q = \"19\"", "q = \"20\""), FieldEven at "parameters.q", Some(4));
    assert_error!(broken(E, "r = \"3\"", "r = \"2\""), OrderNotOdd at "parameters.r", Some(5));
    assert_error!(broken(E, "r = \"3\"", "r = \"1\""), OrderNotOdd at "parameters.r", Some(5));
    let text = assert_error!(broken(E, "h = \"2\"", "h = \"3\""), UnitCofactor at "parameters.h", Some(6));
    assert!(text.contains("h * r^2 + 1 is not q"), "{text}");
    assert_error!(broken(E, "a = \"3\"", "a = \"19\""), CoefficientRange at "parameters.a", Some(7));
    // 4 * (-3)^3 + 27 * 2^2 = 0
    let singular = no_points.replace("a = \"3\"", "a = \"16\"");
    assert_error!(broken(&singular, "b = \"12\"", "b = \"2\""), SingularCurve at "parameters.b", Some(8));
    for (from, to) in [("exp2 = 2", "exp2 = 3"), ("sign1 = -1", "sign1 = 1")] {
        assert_error!(broken(E, from, to), ExponentForm at "parameters.r", Some(5));
    }
    assert_error!(broken(E, "exp1 = 1", "exp1 = -1"), WrongType at "parameters.exp1", Some(10));
    let text = assert_error!(broken(E, "sign0 = 1", "sign0 = 2"), WrongType at "parameters.sign0", Some(12));
    assert!(text.ends_with("must be 1 or -1"), "{text}");
    assert_error!(broken(E, "sign0 = 1\n", ""), MissingKey at "parameters.sign0", None);
    assert_error!(broken(E, "exp1 = 1", "exp1 = \"1\""), WrongType at "parameters.exp1", Some(10));
    // 2 * 5^2 + 1 = 51 = 3 * 17
    let bare = no_points.split("exp2").next().unwrap().replace("q = \"19\"", "q = \"51\"");
    assert_error!(broken(&bare, "r = \"3\"", "r = \"5\""), FieldComposite at "parameters.q", Some(4));
    // 2 * 9^2 + 1 = 163 is prime
    let bare = no_points.split("exp2").next().unwrap().replace("q = \"19\"", "q = \"163\"");
    assert_error!(broken(&bare, "r = \"3\"", "r = \"9\""), OrderComposite at "parameters.r", Some(5));
    assert_error!(broken(E, "y = \"8\"", "y = \"9\""), GeneratorOffCurve at "g1.y", Some(15));
    assert_error!(broken(E, "x = \"10\"", "x = \"19\""), GeneratorRange at "g2.x", Some(17));
    assert_error!(broken(E, "x = \"10\"", "x = [\"10\"]"), WrongType at "g2.x", Some(17));
}

#[test]
fn orders_of_curves_and_generators() {
    // 16 and 21 points over F_17; 19 and 20 over F_19
    for (text, from, to, line) in [
        (D, "b = \"4\"", "b = \"5\"", 9),
        (D, "a = \"1\"", "a = \"2\"", 9),
        (E, "b = \"12\"", "b = \"13\"", 8),
        (E, "a = \"3\"", "a = \"4\"", 8),
    ] {
        let bare = text.split("[g1]").next().unwrap();
        let message = assert_error!(broken(bare, from, to), WrongOrder at "parameters.b", Some(line));
        assert!(message.contains("with these a and b the curve does not have"), "{message}");
    }
    // points of order 14, 7 * 682 and 9 or 18
    let (x, y) =
        ("[\"3\", \"8\", \"16\"]\ny = [\"4\", \"12\", \"7\"]", "[\"0\", \"1\", \"2\"]\ny = [\"3\", \"16\", \"3\"]");
    assert_error!(broken(D, "x = \"4\"", "x = \"0\""), WrongOrder at "g1.x", Some(13));
    assert_error!(broken(D, x, y), WrongOrder at "g2.x", Some(16));
}

/// One point of the curve has the order r, but n is not its number of points.
#[test]
fn one_point_of_order_r_does_not_suffice() {
    let text = "name = \"toy\"\nfamily = \"d\"\n[parameters]\nq = \"16577075572495521267557530991631936827537891231825182055521\"\nn = \"16577075572495521267557530991387333592876439401768696591300\"\nh = \"315147272538105958606912530300\"\nr = \"52601044073738915380913709871\"\na = \"0\"\nb = \"13363050875965342386916550379769163496113509786387702916949\"\ncoefficients = [\"16577075572495521267557530991631936827537891231825182055519\", \"0\", \"0\"]\nnqr = \"7\"\n";
    assert_error!(read(text).unwrap_err(), WrongOrder at "parameters.b", Some(9));
}

/// A curve with 2548 = 52 * 7^2 points, of which only 7, not 49, have an order that divides 7.
#[test]
fn points_of_order_r_are_missing() {
    let text =
        "name = \"toy\"\nfamily = \"e\"\n[parameters]\nq = \"2549\"\nr = \"7\"\nh = \"52\"\na = \"43\"\nb = \"1211\"\n";
    let message = assert_error!(read(text).unwrap_err(), WrongOrder at "parameters.b", Some(8));
    assert!(message.contains("r^2 points of orders that divide r"), "{message}");
    // 109 = 12 * 3^2 + 1
    let shared = text.replace("2549", "109").replace("1211", "2").replace("\"7\"", "\"3\"").replace("\"52\"", "\"12\"");
    let message = assert_error!(read(&shared).unwrap_err(), CommonFactor at "parameters.h", Some(6));
    assert!(message.contains("the group order and the cofactor have a common factor"), "{message}");
}

/// Every shipped curve of these types with one coefficient increased by one: none of them has the stated number of
/// points.
#[test]
fn a_coefficient_off_by_one_is_refused() {
    let mut refused = 0;
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        let (a, b) = match curve.family() {
            Family::QuadraticTwist(s) => (s.a().clone(), s.b().clone()),
            Family::DegreeOne(s) => (s.a().clone(), s.b().clone()),
            _ => continue,
        };
        let text = curve.to_toml();
        let bare = text.split("[g1]").next().unwrap();
        assert!(read(bare).is_ok(), "{name}");
        for (key, value) in [("a", a), ("b", b)] {
            let changed = bare.replace(&format!("{key} = \"{value}\""), &format!("{key} = \"{}\"", value + 1u8));
            assert_ne!(changed, bare, "{name}");
            let error = read(&changed).unwrap_err();
            assert!(matches!(error, Error::WrongOrder { .. }), "{name}, {key}: {error}");
            refused += 1;
        }
    }
    assert!(refused >= 16, "{refused}");
}
