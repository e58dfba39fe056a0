//! RELIC's parameters, points and pairing values (`vectors/relic`), on shipped curves and on curves described by
//! RELIC's data.
//!
//! RELIC raises to a multiple of the exact exponent (p^k − 1)/r, which its files name: 3 for BLS12 and BLS24,
//! 2u(6u² + 3u + 1) for BN, 3u²/49 mod r for KSS18. KSS16 is not a family of this library; KSS18-638, in
//! another tower, is in `relic_tower.rs`.

use crate::common;
use bilinear_engine::{Group, Point, PointRef, Power, System, Validate};
use bilinear_engine::{Options, PairingKind};
use bilinear_params::{Curve, Description, Family, Sextic};
use num_bigint::{BigInt, BigUint};
use serde_json::Value;

/// The files by name, and the shipped curve that each is about.
const FILES: [(&str, &str, Option<&str>); 8] = [
    ("bn254", "bn", Some("bn-254n")),
    ("bn638", "bn", Some("bn-638")),
    ("bls12-381", "bls12", Some("bls12-381")),
    ("bls12-446", "bls12", None),
    ("bls12-638", "bls12", Some("bls12-638")),
    ("bls24-317", "bls24", None),
    ("bls24-509", "bls24", Some("bls24-509")),
    ("kss18-354", "kss18", None),
];

fn read(name: &str) -> Value {
    let file = common::vectors().join(format!("relic/params-{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn integer(text: &str) -> BigInt {
    let (digits, negative) = text.strip_prefix('-').map_or((text, false), |digits| (digits, true));
    let value = BigInt::parse_bytes(digits.strip_prefix("0x").unwrap().as_bytes(), 16).unwrap();
    if negative { -value } else { value }
}

fn numbers(v: &Value) -> Vec<BigUint> {
    v.as_array().unwrap().iter().map(|x| integer(x.as_str().unwrap()).magnitude().clone()).collect()
}

fn sextic(curve: &Curve) -> &Sextic {
    match curve.family() {
        Family::Sextic(s) => s,
        other => panic!("{other:?}"),
    }
}

/// Returns RELIC's data of a curve as a description: b, type of twist, tower and generators, all of which loading
/// checks.
fn described(v: &Value, family: &str) -> Curve {
    let text = |key: &str| v[key].as_str().unwrap();
    let list = |values: &[BigUint]| values.iter().map(|x| format!("\"{x}\"")).collect::<Vec<_>>().join(", ");
    let [g1_x, g1_y, g2_x, g2_y, b] = ["g1_x", "g1_y", "g2_x", "g2_y", "b"].map(|key| numbers(&v[key]));
    let (lowest, xi) = match family {
        "kss18" => ("tower_gen_index_1_pow_3", String::new()),
        "bls24" => ("tower_gen_index_1_pow_2", list(&numbers(&v["tower_gen_index_2_pow_2"])[..2])),
        _ => ("tower_gen_index_1_pow_2", list(&numbers(&v["tower_gen_index_2_pow_3"])[..2])),
    };
    let xi = if xi.is_empty() { xi } else { format!("xi = [{xi}]\n") };
    let toml = format!(
        "name = \"relic\"\nfamily = \"{family}\"\n[parameters]\nu = \"{}\"\nb = \"{}\"\ntwist = \"{}\"\n[tower]\n\
         beta = \"{}\"\n{xi}[g1]\nx = {}\ny = {}\n[g2]\nx = [{}]\ny = [{}]\n",
        text("x"),
        b[0],
        text("twist_type"),
        numbers(&v[lowest])[0],
        list(&g1_x),
        list(&g1_y),
        list(&g2_x),
        list(&g2_y),
    );
    Description::from_toml(&toml, "relic.toml").unwrap().curve
}

/// Encodes big-endian residues of ⌈bits(p)/8⌉ bytes.
fn encode(s: &Sextic, values: &[BigUint]) -> Vec<u8> {
    let residue = |x: &BigUint| {
        let bytes = x.to_bytes_be();
        [vec![0; s.p().bits().div_ceil(8) as usize - bytes.len()], bytes].concat()
    };
    values.iter().flat_map(residue).collect()
}

/// Returns RELIC's coefficients in the order of this library. For k = 12 and 18 it is the same. For k = 24 RELIC has
/// F_p^24 = F_p^8(w), F_p^8 = F_p^4(u), w³ = u, so that it writes 1, w³, w, w⁴, w², w⁵ over F_p^4; this library
/// writes 1, w², w⁴, w, w³, w⁵.
fn value(s: &Sextic, v: &Value) -> Vec<u8> {
    let flat = numbers(v);
    let order: &[usize] = if s.k() == 24 { &[0, 4, 3, 2, 1, 5] } else { &[0, 1, 2, 3, 4, 5] };
    let size = flat.len() / 6;
    encode(s, &order.iter().flat_map(|j| flat[j * size..(j + 1) * size].to_vec()).collect::<Vec<_>>())
}

fn point(system: &System, s: &Sextic, group: Group, v: &Value, name: &str) -> Point {
    let xy = ["x", "y"].map(|c| numbers(&v[format!("{name}_{c}")])).concat();
    system.decode(group, PointRef::Bytes(&encode(s, &xy)), Validate::Subgroup).unwrap()
}

/// Returns RELIC's multiple of the exponent, modulo r.
fn multiple(s: &Sextic, text: &str) -> BigUint {
    let (u, r) = (s.u(), BigInt::from(s.r().clone()));
    let value: BigInt = match text {
        "3" => 3.into(),
        "2x(6x^2+3x+1)" => 2 * u * (6 * u * u + 3 * u + 1),
        "3x^2/49" => 3 * u * u * BigInt::from(49).modpow(&(&r - 2), &r),
        other => panic!("{other}"),
    };
    let value: BigInt = (value % &r + &r) % &r;
    value.magnitude().clone()
}

#[test]
fn parameters_points_and_values() {
    for (name, family, shipped) in FILES {
        let v = read(name);
        let curve = described(&v, family);
        let s = sextic(&curve);
        let natural = |key: &str| integer(v[key].as_str().unwrap()).magnitude().clone();
        assert_eq!((s.p(), s.r(), s.h1()), (&natural("p"), &natural("r"), &natural("h1")), "{name}");
        assert_eq!(u64::from(s.k()), v["k"].as_u64().unwrap(), "{name}");
        if let Some(shipped) = shipped {
            assert_eq!(curve.fingerprint(), Curve::named(shipped).unwrap().fingerprint(), "{name}");
        }
        let system = System::new(&curve).unwrap();
        let (p, q) = (system.generator(Group::G1), system.generator(Group::G2));
        let double = point(&system, s, Group::G1, &v, "g1x2");
        let triple = point(&system, s, Group::G2, &v, "g2x3");
        assert_eq!(double, system.mul(&2u32.into(), &p), "{name}");
        assert_eq!(triple, system.mul(&3u32.into(), &q), "{name}");
        let power = multiple(s, v["final_exp_multiplier_c_vs_(p^k-1)/r"][0].as_str().unwrap());
        for (p, q, key) in [(&p, &q, "e_G1_G2"), (&double, &triple, "e_2G1_3G2")] {
            let want = value(s, &v[key]);
            assert_eq!(system.gt_pow(&system.pair(p, q), &power).bytes(), want, "{name} {key}");
            assert!(system.decode_gt(&want).is_ok(), "{name} {key}");
        }
        // the fast power of BN, BLS12 and BLS24 equals RELIC's without conversion
        if family != "kss18" {
            let options = Options { power: Power::Fast, pairing: Some(PairingKind::OptAte), ..Options::default() };
            let fast = System::with(&curve, options).unwrap();
            assert_eq!(fast.pair(&p, &q).bytes(), value(s, &v["e_G1_G2"]), "{name}");
        }
    }
}
