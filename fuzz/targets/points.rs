//! Decoders of points and of values of pairings. Encoding an accepted point or value gives the bytes that were read.
//!
//! The first byte chooses a curve, and the second what the remaining bytes are: a point in one of the encodings, or a
//! value.
#![no_main]

use bilinear_engine::{Curve, Encoding, Group, GtEncoding, Options, PointRef, Research, System, Validate};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// A curve of each family, and the curves for which other systems have encodings.
const CURVES: [&str; 14] = [
    "a-512",
    "a1-2x512",
    "d-159",
    "e",
    "f-158",
    "bls12-381",
    "alt-bn128",
    "bls24-509",
    "kss18-508",
    "g-149",
    "bls48-581",
    "ss2-271",
    "ss3-97",
    "hss2-367",
];

static SYSTEMS: LazyLock<Vec<System>> = LazyLock::new(|| {
    let options = Options { research: Some(Research::knowing_it_is_broken()), ..Options::default() };
    CURVES.into_iter().filter_map(|name| System::with(&Curve::named(name).ok()?, options).ok()).collect()
});

fuzz_target!(|data: &[u8]| {
    let [curve, what, bytes @ ..] = data else { return };
    assert_eq!(SYSTEMS.len(), CURVES.len());
    let system = &SYSTEMS[usize::from(*curve) % CURVES.len()];
    let group = if what & 1 == 0 { Group::G1 } else { Group::G2 };
    let validate = if what & 2 == 0 { Validate::Subgroup } else { Validate::OnCurve };
    let form = usize::from(what >> 2);
    let (encodings, values) = (Encoding::ALL.len(), GtEncoding::ALL.len());
    match form % (2 + encodings + values) {
        0..2 => {
            let Ok(point) = system.decode(group, PointRef::Bytes(bytes), validate) else { return };
            let written = point.bytes().unwrap_or_else(|| panic!("these bytes are never O"));
            let compressed = system.compressed(&point);
            assert!(written == bytes || compressed.as_deref() == Some(bytes));
            // a compressed point can be read back
            if let Some(compressed) = compressed {
                assert_eq!(system.decode(group, PointRef::Bytes(&compressed), validate).as_ref(), Ok(&point));
            }
        }
        form if form < 2 + encodings => {
            let encoding = Encoding::ALL[form - 2];
            let Ok(point) = system.decode_as(group, encoding, bytes, validate) else { return };
            assert_eq!(system.encode_as(encoding, &point).as_deref(), Ok(bytes));
        }
        form => {
            let encoding = GtEncoding::ALL[form - 2 - encodings];
            let Ok(value) = system.decode_gt_as(encoding, bytes) else { return };
            assert_eq!(system.encode_gt_as(encoding, &value).as_deref(), Ok(bytes));
        }
    }
});
