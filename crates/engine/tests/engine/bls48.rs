//! BLS48-581: the value of draft-irtf-cfrg-pairing-friendly-curves. For this curve the draft uses the cube of
//! f^((p^48 − 1)/r), as Hayashida, Hayasaka and Teruya's chain computes it; for BLS12-381 and BN462 it uses the exact
//! power.
//!
//! The draft's tower is u² = −1, v² = −1 − u, w² = −v, z³ = −w, s² = −z. With i = −u, v = −v' and w = −s' it is the
//! tower of this library, v'² = −1 + i and s'² = v'; ω = us has ω^6 = s', so that s = iω and z = ω².

use crate::common;
use bilinear_engine::{Group, Options, PointRef, Power, System, Validate};
use bilinear_params::Curve;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Reads the integers of BLS48_581 by name: `name:` and, on the next line, `: 0x…`.
fn numbers() -> BTreeMap<String, BigUint> {
    let text = std::fs::read_to_string(common::vectors().join("ietf-pfc/vectors.txt")).unwrap();
    let (_, rest) = text.split_once("\nBLS48_581:\n").unwrap();
    let lines: Vec<&str> = rest.lines().filter(|line| !line.is_empty()).collect();
    let pairs = lines.chunks(2).map_while(|pair| {
        let value = pair.get(1)?.strip_prefix(":   0x")?;
        Some((pair[0].strip_suffix(':')?.to_owned(), BigUint::parse_bytes(value.as_bytes(), 16)?))
    });
    pairs.collect()
}

#[test]
fn the_value_at_the_base_points() {
    let numbers = numbers();
    assert_eq!(numbers.len(), 2 + 16 + 48);
    let curve = Curve::named("bls48-581").unwrap();
    let p = curve.family().field();
    let element = |key: &str| numbers[key].clone();
    let encoded = |x: &BigUint| {
        let bytes = x.to_bytes_be();
        [vec![0; 73 - bytes.len()], bytes].concat()
    };
    let signed = |x: BigUint, odd: bool| if odd && x != BigUint::ZERO { p - x } else { x };
    let odd = |i: usize| i.count_ones() % 2 == 1;
    let g1: Vec<u8> = ["x", "y"].iter().flat_map(|c| encoded(&element(&format!("Input {c} value")))).collect();
    let twisted =
        |c: &str| (0..8).flat_map(|i| encoded(&signed(element(&format!("{c}'_{i}")), odd(i)))).collect::<Vec<_>>();
    let g2 = [twisted("x"), twisted("y")].concat();
    // e_i has the position i = a + 2b + 4c + 8d + 24e of u^a v^b w^c z^d s^e
    let mut wanted = Vec::new();
    for (e, d) in (0..2).flat_map(|e| (0..3).map(move |d| (e, d))) {
        for i in 0..8 {
            let (from, negative) = match e {
                0 => (i, odd(i)),
                // (−i)^a·i is i for a = 0, 1 for a = 1
                _ => (i ^ 1, odd(i >> 1)),
            };
            wanted.extend(encoded(&signed(element(&format!("e_{}", from + 8 * d + 24 * e)), negative)));
        }
    }
    let s = System::new(&curve).unwrap();
    let p = s.decode(Group::G1, PointRef::Bytes(&g1), Validate::Subgroup).unwrap();
    let q = s.decode(Group::G2, PointRef::Bytes(&g2), Validate::Subgroup).unwrap();
    assert_eq!([&p, &q], [&s.generator(Group::G1), &s.generator(Group::G2)], "the base points");
    let value = s.pair(&p, &q);
    assert!(s.gt_pow(&value, &3u32.into()).bytes() == wanted, "e(BP, BP')³");
    let fast = System::with(&curve, Options { power: Power::Fast, ..Options::default() }).unwrap();
    assert!(fast.pair(&p, &q).bytes() == wanted, "the fast power");
    assert_eq!(s.gt_pow(&value, s.order()), s.gt_one());
}
