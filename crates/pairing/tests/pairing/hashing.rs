//! `expand_message_xmd` with SHA-256 against the vectors of RFC 9380, appendix K.1 and K.2; signs of field elements.

use crate::common::{self, Words};
use bilinear_field::tower::Complex;
use bilinear_field::{Extension, Field, Lanes};
use bilinear_pairing::hash::{HashError, expand_message_xmd, hash_to_field};
use bilinear_pairing::svdw::{sign, with_sign};
use num_bigint::BigUint;
use serde_json::Value;

#[test]
fn every_vector_of_the_rfc() {
    let mut seen = 0;
    for file in ["expand_message_xmd_SHA256_38.json", "expand_message_xmd_SHA256_256.json"] {
        let text = std::fs::read_to_string(common::folder().join("rfc9380").join(file)).unwrap();
        let suite: Value = serde_json::from_str(&text).unwrap();
        for test in suite["tests"].as_array().unwrap() {
            let len =
                usize::from_str_radix(test["len_in_bytes"].as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
            let tag = suite["DST"].as_str().unwrap().as_bytes();
            let got = expand_message_xmd(test["msg"].as_str().unwrap().as_bytes(), tag, len).unwrap();
            let hex: String = got.iter().map(|b| format!("{b:02x}")).collect();
            assert_eq!(hex, test["uniform_bytes"].as_str().unwrap(), "{file}: {}", test["msg"]);
            seen += 1;
        }
    }
    assert_eq!(seen, 20);
}

#[test]
fn limits_are_errors() {
    assert_eq!(expand_message_xmd(b"m", b"", 32), Err(HashError::EmptyTag));
    assert_eq!(expand_message_xmd(b"m", b"tag", 8161), Err(HashError::TooLong(8161)));
    assert_eq!(expand_message_xmd(b"m", b"tag", 8160).unwrap().len(), 8160);
    assert_eq!(expand_message_xmd(b"m", b"tag", 0).unwrap().len(), 0);
}

#[test]
fn field_elements_are_canonical_and_depend_on_all_input() {
    let p = (BigUint::from(1u32) << 127u32) - 1u32;
    let a = hash_to_field(b"message", b"tag", &p, 1).unwrap();
    assert!(a[0] < p);
    assert_ne!(a, hash_to_field(b"message", b"tag2", &p, 1).unwrap());
    assert_ne!(a, hash_to_field(b"message2", b"tag", &p, 1).unwrap());
}

/// The sign of RFC 9380, section 4.1: the parity of the first non-zero coefficient.
#[test]
fn the_sign_is_that_of_the_first_coefficient_other_than_0() {
    let f = Words::new(&((BigUint::from(1u32) << 127u32) - 1u32)).unwrap();
    let e = Complex::complex(f.clone());
    for (coefficients, negative) in [
        ([0u32, 0], false),
        ([1, 0], true),
        ([2, 0], false),
        ([0, 1], true),
        ([0, 2], false),
        ([0, 3], true),
        ([2, 1], false),
        ([1, 2], true),
        ([1, 1], true),
    ] {
        let x = e.element(&coefficients.map(BigUint::from));
        assert_eq!(f.lane(sign(&e, &x), 0), negative, "{coefficients:?}");
        for wanted in [false, true] {
            let y = with_sign(&e, &x, f.mask(wanted));
            let is_zero = coefficients == [0, 0];
            assert_eq!(f.lane(sign(&e, &y), 0), wanted && !is_zero, "{coefficients:?}, sign {wanted}");
        }
    }
}
