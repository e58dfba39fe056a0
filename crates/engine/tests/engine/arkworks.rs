//! Points, pairing values and points of the tori as arkworks encodes them (`vectors/arkworks`). Its multiples of the
//! exponent are those of this library's fast powers.

use crate::common::{shipped, unhex, vectors};
use bilinear_engine::{Encoding, Group, GtEncoding, Options, Power, System, Validate};
use num_bigint::BigUint;
use serde_json::Value;

fn agrees(name: &str, compressed: Encoding, uncompressed: Encoding, multiple: impl Fn(&BigUint) -> BigUint) {
    let exact = shipped(name);
    let fast = System::with(exact.curve(), Options { power: Power::Fast, ..Options::default() }).unwrap();
    let text = std::fs::read_to_string(vectors().join(format!("arkworks/{name}.jsonl"))).unwrap();
    assert_eq!(text.lines().count(), 13);
    for (i, line) in text.lines().enumerate() {
        let what = format!("{name}, line {}", i + 1);
        let line: Value = serde_json::from_str(line).unwrap();
        let bytes = |value: &Value| unhex(value.as_str().unwrap());
        let [p, q] = [("a", "p", Group::G1), ("b", "q", Group::G2)].map(|(k, point, group)| {
            let ours = exact.mul(&line[k].as_str().unwrap().parse().unwrap(), &exact.generator(group));
            for (encoding, form) in [(compressed, "compressed"), (uncompressed, "uncompressed")] {
                let theirs = bytes(&line[point][form]);
                assert_eq!(exact.encode_as(encoding, &ours).as_ref(), Ok(&theirs), "{what}, {point} {form}");
                let read = exact.decode_as(group, encoding, &theirs, Validate::Subgroup);
                assert_eq!(read.as_ref(), Ok(&ours), "{what}, {point} {form}");
            }
            ours
        });
        let power = exact.gt_pow(&exact.pair(&p, &q), &multiple(exact.order()));
        assert_eq!(power.bytes(), bytes(&line["value"]), "{what}");
        assert_eq!(fast.pair(&p, &q), power, "{what}");
        for (encoding, torus) in [(GtEncoding::Torus2, "torus2"), (GtEncoding::Torus6, "torus6")] {
            if !line[torus].is_null() {
                assert_eq!(exact.encode_gt_as(encoding, &power).unwrap(), bytes(&line[torus]), "{what}, {torus}");
            }
        }
    }
}

#[test]
fn bls12_381() {
    agrees("bls12-381", Encoding::Zcash, Encoding::ZcashUncompressed, |_| 3u32.into());
}

#[test]
fn alt_bn128() {
    let u = BigUint::from(0x44e9_92b4_4a69_09f1u64);
    let multiple = |r: &BigUint| (2u32 * &u * (6u32 * &u * &u + 3u32 * &u + 1u32)) % r;
    agrees("alt-bn128", Encoding::Arkworks, Encoding::ArkworksUncompressed, multiple);
}
