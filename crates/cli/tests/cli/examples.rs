//! The search that `make run` ends in, on few rows.

use std::path::Path;
use std::process::Command;

/// It finds the rows of the plain table, its rates are those of rows that were computed, and it has one of a GPU only where there is a GPU.
#[test]
fn a_search_tells_what_it_has_measured() {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/search.sh");
    let mut command = Command::new("sh");
    command.arg(script).arg(env!("CARGO_BIN_EXE_bilinear")).arg(folder.path()).args(["40", "1"]);
    let out = command.output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    let (small, large) = text.split_once("at the size of a1-1024").unwrap();
    assert!(small.contains("rows, as in the plain table: "), "{text}");
    for (part, rows) in [(small, 400), (large, 10)] {
        let rates: Vec<&str> = part.lines().filter(|line| line.contains("pairings/s")).collect();
        assert!(!rates.is_empty(), "{text}");
        for line in rates {
            let rows = if line.contains("a GPU") { 200 } else { rows };
            assert!(!line.contains('-') && line.ends_with(&format!("(extrapolated from {rows})")), "{line}");
        }
    }
    let has_gpu = !large.contains("none is here");
    assert_eq!(large.lines().any(|line| line.contains("a GPU") && line.contains("pairings/s")), has_gpu, "{text}");
    let told = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    assert_eq!(told.contains("no device"), !has_gpu, "{told}");
}
