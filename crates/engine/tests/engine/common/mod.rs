//! Systems and points for the tests.
#![allow(unreachable_pub)]

pub mod everything;
pub mod known;
pub mod replay;
pub mod small_characteristic;

use bilinear_engine::{Group, Options, PairingKind, Point, System};
use bilinear_params::Curve;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

pub fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Decodes bytes in hexadecimal.
pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// Returns a shipped curve on the best engines. Its programs are recorded once for all tests, since that is most of
/// the tests' time.
pub fn shipped(name: &str) -> System {
    static KNOWN: Mutex<BTreeMap<String, System>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    known.entry(name.to_owned()).or_insert_with(|| System::new(&Curve::named(name).unwrap()).unwrap()).clone()
}

/// Returns a shipped curve with one of its pairings; `None` if it has no such pairing.
pub fn with_pairing(name: &str, pairing: PairingKind) -> Option<System> {
    static KNOWN: Mutex<BTreeMap<(String, &str), Option<System>>> = Mutex::new(BTreeMap::new());
    if shipped(name).pairing() == pairing {
        return Some(shipped(name));
    }
    let options = Options { pairing: Some(pairing), ..Options::default() };
    let new = || System::with(&Curve::named(name).unwrap(), options).ok();
    KNOWN.lock().unwrap().entry((name.to_owned(), pairing.name())).or_insert_with(new).clone()
}

/// Returns a shipped curve, or one of `vectors/`.
pub fn system(name: &str) -> System {
    if name.ends_with(".param") {
        System::new(&Curve::load(vectors().join(name)).unwrap()).unwrap()
    } else {
        shipped(name)
    }
}

/// Returns points that differ from call to call only in their label.
pub fn points(system: &System, label: &str, n: usize) -> Vec<Point> {
    (0..n)
        .map(|i| system.hash_to_curve(Group::G1, format!("{label} {i}").as_bytes(), b"BILINEAR-TEST").unwrap())
        .collect()
}

/// Encodes hexadecimal integers as big-endian bytes, each padded to `len`, concatenated.
fn bytes(values: &[&Value], len: usize) -> Vec<u8> {
    let padded = |v: &&Value| {
        let hex = format!("{:0>1$}", v.as_str().unwrap(), 2 * len);
        (0..len).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect::<Vec<u8>>()
    };
    values.iter().flat_map(padded).collect()
}

/// Reads P, Q and e(P, Q) of PBC's vectors, in PBC's own encoding.
pub fn pbc(system: &System, file: &str) -> Vec<[Vec<u8>; 3]> {
    let text = std::fs::read_to_string(vectors().join("pbc").join(file)).unwrap();
    let len = system.point_len(Group::G1) / 2;
    let row = |line: &str| {
        let v: Value = serde_json::from_str(line).unwrap();
        let point = |x: &str, y: &str| bytes(&[&v[x][0], &v[y][0]], len);
        [point("Px", "Py"), point("Qx", "Qy"), bytes(&[&v["e"][0], &v["e"][1]], len)]
    };
    text.lines().map(row).collect()
}
