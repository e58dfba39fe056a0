//! Answers of PARI and PBC on shipped curves, from `vectors/`.

use crate::common::vectors;
use crate::{pbc, sextic};
use bilinear_engine::{Batch, Group, PairingKind, PointRef, System, Validate};
use num_bigint::BigUint;
use serde_json::Value;

/// Curves for which PARI's answers have the coefficients in the order of points and values.
const FLAT: [(&str, &str); 21] = [
    ("a-512", "A_512"),
    ("a-1024", "A_1024"),
    ("a-1536", "A_1536"),
    ("ss1536", "SS1536_RELIC"),
    ("a1-pbc", "A1_PBC"),
    ("a1-2x512", "A1_2x512"),
    ("a1-2x1024", "A1_2x1024"),
    ("a1-3x342", "A1_3x342"),
    ("a1-3x512", "A1_3x512"),
    ("a1-4x256", "A1_4x256"),
    ("a1-4x512", "A1_4x512"),
    ("d-159", "D_d159"),
    ("d-179", "D_179gen"),
    ("d-201", "D_d201"),
    ("d-224", "D_d224"),
    ("d-105171-196-185", "D_d105171-196-185"),
    ("d-277699-175-167", "D_d277699-175-167"),
    ("d-278027-190-181", "D_d278027-190-181"),
    ("g-149", "G_g149"),
    ("e", "E_PBC"),
    ("e", "E_PBC_self"),
];
/// Symmetric pairings of PBC.
const PBC: [(&str, &str); 3] =
    [("a-512", "a512"), ("a1-2x512-friendly", "a1-2x512-friendly"), ("a1-2x1024-friendly", "a1-2x1024-friendly")];

/// P, Q and the value of a pairing.
type Answer = [Vec<u8>; 3];

/// Encodes coefficients of `len` bytes each, from decimal numbers in arbitrarily nested lists.
fn residues(value: &Value, len: usize) -> Vec<u8> {
    match value {
        Value::Array(values) => values.iter().flat_map(|value| residues(value, len)).collect(),
        value => {
            let bytes = value.as_str().unwrap().parse::<BigUint>().unwrap().to_bytes_be();
            [vec![0; len - bytes.len()], bytes].concat()
        }
    }
}

fn flat(file: &str, key: &str, len: usize) -> Vec<Answer> {
    let text = std::fs::read_to_string(vectors().join(format!("oracle/{file}.jsonl"))).unwrap();
    let answer = |line| {
        let v: Value = serde_json::from_str(line).unwrap();
        let q = if v["Q_twist"].is_null() { &v["Q"] } else { &v["Q_twist"] };
        [&v["P"], q, &v[key]].map(|value| residues(value, len))
    };
    text.lines().map(answer).collect()
}

/// Lists the files of PARI.
pub fn files() -> Vec<String> {
    let mut files: Vec<String> = FLAT.iter().chain(&sextic::CURVES).map(|(_, file)| format!("{file}.jsonl")).collect();
    files.sort();
    files
}

/// Compares a system with all answers to its pairing, for a curve with this name in `vectors/` or a shipped one.
pub fn check(system: &System, name: &str) {
    let (curve, len) = (system.curve(), system.point_len(Group::G1) / 2);
    let key = match system.pairing() {
        PairingKind::OptAte => "optate",
        PairingKind::Ate => "ate",
        _ => "tate",
    };
    // other tests cover invalid points
    let batch = Batch::new(system.clone()).validate(Validate::OnCurve);
    let check = |batch: &Batch, file: &str, answers: Vec<Answer>| {
        let rows: Vec<_> = answers.iter().map(|[p, q, _]| (PointRef::Bytes(p), PointRef::Bytes(q))).collect();
        for (i, (value, [_, _, want])) in batch.pair(&rows).into_iter().zip(&answers).enumerate() {
            assert_eq!(value.unwrap().bytes(), want, "{file}, line {}, {name}", i + 1);
        }
    };
    let of = |(curve, file): &(&str, &'static str)| (*curve == name).then_some(*file);
    FLAT.iter().filter_map(of).for_each(|file| check(&batch, file, flat(file, key, len)));
    sextic::CURVES.iter().filter_map(of).for_each(|file| check(&batch, file, sextic::answers(curve, file, key)));
    let by_pbc = PBC.iter().chain(&pbc::CURVES).filter_map(of);
    by_pbc.for_each(|file| check(&batch, file, pbc::answers(file, len)));
    for file in pbc::OUTSIDE.iter().filter_map(of) {
        check(&batch.clone().allow_q_outside_g2().unwrap(), file, pbc::answers(file, len));
    }
}
