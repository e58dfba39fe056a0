//! Systems and points for the tests.
#![allow(unreachable_pub)]

pub mod everything;
pub mod known;
pub mod replay;

use bilinear_engine::{Group, Point, System};
use bilinear_params::Curve;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

pub fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// A shipped curve on the best engines. Its programs are recorded once for all tests, which is most of the time that they take.
pub fn shipped(name: &str) -> System {
    static KNOWN: Mutex<BTreeMap<String, System>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    known.entry(name.to_owned()).or_insert_with(|| System::new(&Curve::named(name).unwrap()).unwrap()).clone()
}

pub fn system(name: &str) -> System {
    let curve = if name.ends_with(".param") { Curve::load(vectors().join(name)) } else { Curve::named(name) };
    System::new(&curve.unwrap()).unwrap()
}

/// Points that differ from call to call only in their label.
pub fn points(system: &System, label: &str, n: usize) -> Vec<Point> {
    (0..n)
        .map(|i| system.hash_to_point(Group::G1, format!("{label} {i}").as_bytes(), b"BILINEAR-TEST").unwrap())
        .collect()
}

/// Big-endian bytes of hexadecimal integers, each padded to `len`, concatenated.
fn bytes(values: &[&Value], len: usize) -> Vec<u8> {
    let padded = |v: &&Value| {
        let hex = format!("{:0>1$}", v.as_str().unwrap(), 2 * len);
        (0..len).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect::<Vec<u8>>()
    };
    values.iter().flat_map(padded).collect()
}

/// P, Q and e(P, Q) of PBC's vectors, in PBC's own encoding.
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
