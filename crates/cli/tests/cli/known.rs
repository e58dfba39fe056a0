//! Known answers from `vectors/`, as rows of tables.

use crate::support::*;
use num_bigint::BigUint;
use serde_json::Value;

/// Reads a file of JSON.
pub(crate) fn json_file(name: &str) -> Value {
    let text = std::fs::read_to_string(vectors().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap()
}

/// Reads a file of JSON Lines.
pub(crate) fn json_lines(name: &str) -> Vec<Value> {
    parse(&std::fs::read_to_string(vectors().join(name)).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// Encodes decimal numbers as residues of `len` bytes, concatenated over all nested lists.
pub(crate) fn residues(value: &Value, len: usize) -> String {
    match value {
        Value::Array(values) => values.iter().map(|value| residues(value, len)).collect(),
        value => format!("{:0>width$}", decimal(value).to_str_radix(16), width = 2 * len),
    }
}

/// Parses a decimal number.
pub(crate) fn decimal(value: &Value) -> BigUint {
    value.as_str().unwrap().parse().unwrap()
}

/// A curve for which PARI has computed multiples P of one generator, multiples Q of another, and their
/// pairings.
pub(crate) struct Pari {
    pub(crate) curve: &'static str,
    pub(crate) order: BigUint,
    /// P = a·G, Q = b·H and e(P, Q), with a and b.
    pub(crate) answers: Vec<(String, String, String, [BigUint; 2])>,
}

/// The curve's name, the file, and the number of bytes of a residue.
const PARI: [(&str, &str, usize); 4] =
    [("a-512", "A_512", 64), ("a1-2x512", "A1_2x512", 130), ("d-159", "D_d159", 20), ("e", "E_PBC", 128)];

impl Pari {
    pub(crate) fn all() -> Vec<Self> {
        let of = |(curve, file, len): (&'static str, &str, usize)| {
            let answer = |v: &Value| {
                let q = if v["Q_twist"].is_null() { &v["Q"] } else { &v["Q_twist"] };
                let exponents = [decimal(&v["a"]), decimal(&v["b"])];
                (residues(&v["P"], len), residues(q, len), residues(&v["tate"], len), exponents)
            };
            let order = bilinear_params::Curve::named(curve).unwrap().family().order().clone();
            Self { curve, order, answers: json_lines(&format!("oracle/{file}.jsonl")).iter().map(answer).collect() }
        };
        PARI.into_iter().map(of).collect()
    }

    /// Returns the k with k·x = y modulo the order.
    pub(crate) fn quotient(&self, y: &BigUint, x: &BigUint) -> BigUint {
        y * x.modinv(&self.order).unwrap() % &self.order
    }
}
