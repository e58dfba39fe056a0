//! The hash maps: the isogenies of RFC 9380, appendix E, from kernel and scale, and one test for each possible fault.

use bilinear_params::{Curve, Description, Error, Family, Sextic};
use num_bigint::BigUint;

fn sextic(curve: &Curve) -> &Sextic {
    match curve.family() {
        Family::Sextic(s) => s,
        other => panic!("{other:?}"),
    }
}

fn hex(text: &str) -> BigUint {
    BigUint::parse_bytes(text.as_bytes(), 16).unwrap()
}

#[test]
fn the_isogenies_of_the_rfc() {
    let curve = Curve::named("bls12-381").unwrap();
    curve.verify().unwrap();
    let suite = sextic(&curve).g1_suite().unwrap();
    let [x, y, f] = [suite.x_numerator(), suite.y_numerator(), suite.kernel()];
    assert_eq!((x.len(), y.len(), f.len()), (12, 16, 6));
    // k_(1,0), k_(1,11), k_(3,0), k_(3,15), and k_(2,9) = 2 f_4
    let expected = [
        (&x[0], "11a05f2b1e833340b809101dd99815856b303e88a2d7005ff2627b56cdb4e2c85610c2d5f2e62d6eaeac1662734649b7"),
        (&x[11], "6e08c248e260e70bd1e962381edee3d31d79d7e22c837bc23c0bf1bc24c6b68c24b1b80b64d391fa9c8ba2e8ba2d229"),
        (&y[0], "90d97c81ba24ee0259d1f094980dcfa11ad138e48a869522b52af6c956543d3cd0c7aee9b3ba3c2be9845719707bb33"),
        (&y[15], "15e6be4e990f03ce4ea50b3b42df2eb5cb181d8f84965a3957add4fa95af01b2b665027efec01c7704b456be69c8b604"),
    ];
    for (coefficient, text) in expected {
        assert_eq!(*coefficient, [hex(text)]);
    }
    let k29 = hex("95fc13ab9e92ad4476d6e3eb3a56680f682b4ee96f7d03776df533978f31c1593174e4b4b7865002d6384d168ecdd0a");
    assert_eq!(&f[4][0] * 2u8 % sextic(&curve).p(), k29);
    let suite = sextic(&curve).g2_suite().unwrap();
    let [x, y] = [suite.x_numerator(), suite.y_numerator()];
    assert_eq!((x.len(), y.len(), suite.kernel().len()), (4, 4, 2));
    // k_(1,1), k_(3,3)
    let k11 = "11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71a";
    let k33 = "124c9ad43b6cf79bfbf7043de3811ad0761b0f37a1e26286b0e977c69aa274524e79097a56dc4bd9e1b371c71c718b10";
    assert_eq!(x[1], [BigUint::ZERO, hex(k11)]);
    assert_eq!(y[3], [hex(k33), BigUint::ZERO]);
    assert_eq!(Description::from_toml(&curve.to_toml(), "copy.toml").unwrap().curve, curve);
    assert!(sextic(&Curve::named("alt-bn128").unwrap()).g1_suite().is_none());
}

/// Returns the error for BLS12-381 with one line of a suite replaced.
fn broken(table: &str, key: &str, value: &str) -> Error {
    let text = Curve::named("bls12-381").unwrap().to_toml();
    let (before, rest) = text.split_once(&format!("[hash.{table}]\n")).unwrap();
    let mut lines: Vec<String> = rest.lines().map(str::to_owned).collect();
    let line = lines.iter_mut().find(|line| line.starts_with(&format!("{key} = "))).unwrap();
    *line = if value.is_empty() { String::new() } else { format!("{key} = {value}") };
    Description::from_toml(&format!("{before}[hash.{table}]\n{}\n", lines.join("\n")), "broken.toml").unwrap_err()
}

macro_rules! assert_broken {
    ($variant:ident, $table:literal, $key:literal, $value:literal) => {{
        let error = broken($table, $key, $value);
        assert!(matches!(error, Error::$variant { .. }), "{error:?}");
        let place = concat!("hash.", $table, ".", $key);
        assert!(error.to_string().starts_with("broken.toml") && error.to_string().contains(place), "{error}");
    }};
}

#[test]
fn every_fault_is_named() {
    assert_broken!(MissingKey, "g1", "z", "");
    assert_broken!(WrongType, "g1", "z", "\"11\"");
    assert_broken!(NotASignedInteger, "g2", "a", "[\"x\", \"1\"]");
    assert_broken!(CoefficientCount, "g1", "z", "[\"1\", \"2\"]");
    assert_broken!(CoefficientCount, "g2", "scale", "[\"1\"]");
    assert_broken!(ZeroCoefficient, "g2", "a", "[\"0\", \"0\"]");
    assert_broken!(ZeroCoefficient, "g1", "scale", "[\"0\"]");
    assert_broken!(KernelLength, "g2", "kernel", "[\"1\"]");
    assert_broken!(KernelLength, "g1", "kernel", "[]");
    let long = format!("[{}]", vec!["\"1\""; 16].join(", "));
    assert!(matches!(broken("g1", "kernel", &long), Error::KernelLength { .. }));
    // 4 is a square; -1 is not, but excluded
    assert_broken!(NotANonResidue, "g1", "z", "[\"4\"]");
    assert_broken!(BadMapConstant, "g1", "z", "[\"-1\"]");
    assert_broken!(NotAnIsogeny, "g2", "kernel", "[\"6\", \"6\"]");
    // the scale belongs to the isogeny
    assert!(matches!(broken("g1", "scale", "[\"1\"]"), Error::NotAnIsogeny { .. }));
    let large = format!("[\"{}\"]", sextic(&Curve::named("bls12-381").unwrap()).p());
    assert!(matches!(broken("g1", "a", &large), Error::CoefficientRange { .. }));
    let text = Curve::named("bls12-381").unwrap().to_toml();
    let other = text.replace("[hash.g1]", "[hash.gt]");
    assert!(matches!(Description::from_toml(&other, "x.toml"), Err(Error::UnknownKey { .. })));
    let elsewhere = Curve::named("a-512").unwrap().to_toml() + "[hash.g1]\nz = [\"1\"]\n";
    assert!(matches!(Description::from_toml(&elsewhere, "x.toml"), Err(Error::UnknownKey { .. })));
}
