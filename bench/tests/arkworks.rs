//! Checks that `vectors/arkworks` holds what arkworks computes on random inputs: encodings of points, pairing values,
//! and points of the tori. Tests of the engine compare the engine with these vectors, so that arkworks itself is
//! compiled only here, with the feature `ark`:
//!
//!     cargo test --release -p bilinear-bench --features ark --test arkworks
//!
//! With `BILINEAR_WRITE_VECTORS` set, the test writes the files.
//!
//! ark-ec raises to a multiple of the exact exponent (p^k − 1)/r: 3 for BLS12 (Hayashida, Hayasaka and Teruya, ePrint 2020/875),
//! 2u(6u² + 3u + 1) for BN (Fuentes-Castañeda, Knapp and Rodríguez-Henríquez, SAC 2011).
#![allow(clippy::unwrap_used)]

use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{BigInteger, Field, PrimeField};
use ark_serialize::CanonicalSerialize;
use serde_json::{Value, json};
use std::path::Path;

/// The number of pairs of points.
const PAIRS: usize = 12;

/// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn hex(bytes: &[u8]) -> Value {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

fn compressed(x: &impl CanonicalSerialize) -> Value {
    let mut bytes = vec![];
    x.serialize_compressed(&mut bytes).unwrap();
    hex(&bytes)
}

fn uncompressed(x: &impl CanonicalSerialize) -> Value {
    let mut bytes = vec![];
    x.serialize_uncompressed(&mut bytes).unwrap();
    hex(&bytes)
}

/// Returns the coefficients of an element of F_p^k over the tower, each of them big-endian.
fn coefficients<F: Field>(x: &F) -> Vec<u8> {
    x.to_base_prime_field_elements().flat_map(|c| c.into_bigint().to_bytes_be()).collect()
}

/// Returns the coefficients that can be other than 0 of the points of x on the tori: of cw = (x − 1)/(x + 1), and of m
/// = w(x + 1)/(x − 1), where w has the first of the odd coefficients.
fn on_the_tori<F: Field>(x: &F) -> [Vec<u8>; 2] {
    let place = F::extension_degree() as usize / 2;
    let basis = (0..2 * place).map(|i| F::BasePrimeField::from(u64::from(i == place)));
    let w = F::from_base_prime_field_elems(basis).unwrap();
    let cw = (*x - F::ONE) / (*x + F::ONE);
    let m = w * cw.inverse().unwrap();
    let (cw, m) = (coefficients(&cw), coefficients(&m));
    assert!(cw[..cw.len() / 2].iter().chain(&m[m.len() / 2..]).all(|byte| *byte == 0));
    [cw[cw.len() / 2..].to_vec(), m[m.len() / 6..m.len() / 2].to_vec()]
}

/// Returns the line for a pair a·G1, b·G2: the points, their pairing and its encodings.
fn line<E: Pairing>(a: E::ScalarField, b: E::ScalarField) -> Value {
    let (p, q) = ((E::G1::generator() * a).into_affine(), (E::G2::generator() * b).into_affine());
    let value = E::pairing(p, q).0;
    let mut line = json!({
        "a": a.to_string(),
        "b": b.to_string(),
        "p": { "compressed": compressed(&p), "uncompressed": uncompressed(&p) },
        "q": { "compressed": compressed(&q), "uncompressed": uncompressed(&q) },
        "value": hex(&coefficients(&value)),
    });
    if !p.is_zero() && !q.is_zero() {
        let [torus2, torus6] = on_the_tori(&value);
        line["torus2"] = hex(&torus2);
        line["torus6"] = hex(&torus6);
    }
    line
}

fn compare<E: Pairing>(name: &str) {
    let mut random = SplitMix(0x5eed_2026_1122_0001);
    let mut scalar = || {
        let words: Vec<u8> = (0..4).flat_map(|_| random.next().to_le_bytes()).collect();
        E::ScalarField::from_le_bytes_mod_order(&words)
    };
    let mut lines = vec![line::<E>(0u32.into(), 0u32.into())];
    lines.extend((0..PAIRS).map(|_| line::<E>(scalar(), scalar())));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../vectors/arkworks/{name}.jsonl"));
    if std::env::var_os("BILINEAR_WRITE_VECTORS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    assert!(std::fs::read_to_string(&file).unwrap() == text, "{} is not what arkworks computes", file.display());
}

#[test]
fn bls12_381() {
    compare::<ark_bls12_381::Bls12_381>("bls12-381");
}

#[test]
fn alt_bn128() {
    compare::<ark_bn254::Bn254>("alt-bn128");
}
