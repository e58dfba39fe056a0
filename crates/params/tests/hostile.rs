//! No input makes the parsers panic: arbitrary text, and valid files with a piece replaced.

#![allow(clippy::unwrap_used)]

use bilinear_params::{Curve, Description, Factors, pbc};
use proptest::prelude::*;

const TOML: &str = "name = \"toy\"\nfamily = \"a1\"\n[parameters]\nn = \"35\"\nl = \"4\"\nprime_bits = [3, 3]\n[g1]\nx = \"3\"\ny = \"13\"\n";
const PBC: &str = "type a\nq 83\nr 7\nh 12\nexp2 3\nexp1 1\nsign1 -1\nsign0 1\n";

fn read_all(text: &str) {
    let _ = Description::from_toml(text, "f");
    let _ = Description::from_pbc(text, "f");
    let _ = pbc::parse(text, text);
    let _ = Factors::from_toml(text, "f", &Curve::named("a-512").unwrap());
    let _ = Curve::named(text);
}

/// `base` with the characters from one place to another replaced.
fn spliced(base: &str, from: usize, length: usize, piece: &str) -> String {
    let from = from % base.len();
    let to = (from + length).min(base.len());
    format!("{}{piece}{}", &base[..from], &base[to..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_all(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn damaged_files(from in any::<usize>(), length in 0usize..12, piece in "[0-9a-fx\"\\[\\]= \\n.{}#-]{0,12}") {
        read_all(&spliced(TOML, from, length, &piece));
        read_all(&spliced(PBC, from, length, &piece));
    }

    #[test]
    fn arbitrary_integers(q in any::<u64>(), r in any::<u32>(), h in any::<u32>(), s in -3i8..3, e in any::<u32>()) {
        read_all(&format!("type a\nq {q}\nr {r}\nh {h}\nexp2 {e}\nexp1 {e}\nsign1 {s}\nsign0 {s}\n"));
        read_all(&format!("type a1\np {q}\nn {r}\nl {h}\nn0 {e}\nn1 {r}\n"));
        read_all(&TOML.replace("35", &r.to_string()).replace("\"4\"", &format!("\"{h}\"")));
    }
}

#[test]
fn the_undamaged_files_are_valid() {
    Description::from_toml(TOML, "f").unwrap();
    Description::from_pbc(PBC, "f").unwrap();
}

/// Nesting deep enough to exhaust a recursive parser's stack is refused.
#[test]
fn deep_nesting() {
    let n = 200_000;
    for text in [
        format!("name = {}", "[".repeat(n)),
        format!("name = {}", "{a=".repeat(n)),
        format!("name{} = 1", ".a".repeat(n)),
        format!("[name{}]", ".a".repeat(n)),
    ] {
        assert!(Description::from_toml(&text, "f").is_err());
        read_all(&text);
    }
}
