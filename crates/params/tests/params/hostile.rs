//! No input makes the parsers panic: arbitrary text, and valid files with a piece replaced.

use bilinear_params::{Curve, Description, Factors};
use proptest::prelude::*;
use std::sync::LazyLock;

const TOML: &str = "name = \"toy\"\nfamily = \"a1\"\n[parameters]\nn = \"35\"\nl = \"4\"\nprime_bits = [3, 3]\n[g1]\nx = \"6\"\ny = \"19\"\n";
const PBC: &str = "type a\nq 83\nr 7\nh 12\nexp2 3\nexp1 1\nsign1 -1\nsign0 1\n";

const SEXTIC: &str = "name = \"toy\"\nfamily = \"bn\"\n[parameters]\nu = \"1\"\nb = \"5\"\ntwist = \"D\"\n[tower]\nbeta = \"-1\"\nxi = [\"2\", \"1\"]\n[g1]\nx = \"2\"\ny = \"42\"\n[g2]\nx = [\"42\", \"98\"]\ny = [\"15\", \"56\"]\n";
const QUADRATIC: &str = "name = \"toy\"\nfamily = \"d\"\n[parameters]\nq = \"17\"\nn = \"14\"\nh = \"2\"\nr = \"7\"\na = \"1\"\nb = \"4\"\ncoefficients = [\"1\", \"3\", \"0\"]\nnqr = \"3\"\n[g2]\nx = [\"3\", \"8\", \"16\"]\ny = [\"4\", \"12\", \"7\"]\n";
const UNIT: &str = "name = \"toy\"\nfamily = \"e\"\n[parameters]\nq = \"19\"\nr = \"3\"\nh = \"2\"\na = \"3\"\nb = \"12\"\nexp2 = 2\nexp1 = 1\nsign1 = -1\nsign0 = 1\n[g1]\nx = \"2\"\ny = \"8\"\n";
const PBC_F: &str = "type f\nq 103\nr 97\nb 5\nbeta 102\nalpha0 82\nalpha1 62\n";

/// The curve whose factors are read. It is shared, because checking a curve takes milliseconds.
static CURVE: LazyLock<Curve> = LazyLock::new(|| Curve::named("a-512").unwrap());

fn read_all(text: &str) {
    let _ = Description::from_toml(text, "f");
    let _ = Description::from_pbc(text, "f");
    let _ = Factors::from_toml(text, "f", &CURVE);
}

/// Returns `base` with `length` bytes at `from` replaced by `piece`.
fn spliced(base: &str, from: usize, length: usize, piece: &str) -> String {
    let from = from % base.len();
    let to = (from + length).min(base.len());
    format!("{}{piece}{}", &base[..from], &base[to..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        read_all(&text);
        let _ = Curve::named(&text);
    }

    #[test]
    fn damaged_files(from in any::<usize>(), length in 0usize..12, piece in "[0-9a-fx\"\\[\\]= \\n.{}#-]{0,12}") {
        read_all(&spliced(TOML, from, length, &piece));
        for base in [PBC, PBC_F, SEXTIC, QUADRATIC, UNIT] {
            read_all(&spliced(base, from, length, &piece));
        }
    }

    #[test]
    fn arbitrary_integers(q in any::<u64>(), r in any::<u32>(), h in any::<u32>(), s in -3i8..3, e in any::<u32>()) {
        read_all(&format!("type a\nq {q}\nr {r}\nh {h}\nexp2 {e}\nexp1 {e}\nsign1 {s}\nsign0 {s}\n"));
        read_all(&format!("type a1\np {q}\nn {r}\nl {h}\nn0 {e}\nn1 {r}\n"));
        read_all(&format!("type f\nq {q}\nr {r}\nb {h}\nbeta {e}\nalpha0 {e}\nalpha1 {h}\n"));
        read_all(&format!("type e\nq {q}\nr {r}\nh {h}\na {e}\nb {e}\nexp2 {e}\nexp1 2\nsign1 {s}\nsign0 {s}\n"));
        for family in ["bn", "bls12", "bls24", "kss18"] {
            read_all(&SEXTIC.replace("\"bn\"", &format!("\"{family}\"")).replacen("\"1\"", &format!("\"-{e}\""), 1));
        }
        read_all(&QUADRATIC.replace("17", &q.to_string()).replace("\"4\"", &format!("\"{e}\"")));
        read_all(&TOML.replace("35", &r.to_string()).replace("\"4\"", &format!("\"{h}\"")));
    }
}

#[test]
fn the_undamaged_files_are_valid() {
    for text in [TOML, SEXTIC, QUADRATIC, UNIT] {
        Description::from_toml(text, "f").unwrap();
    }
    for text in [PBC, PBC_F] {
        Description::from_pbc(text, "f").unwrap();
    }
}

/// Nesting deep enough to exhaust a recursive parser's stack is rejected.
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
