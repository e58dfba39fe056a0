//! The search at the end of `make run`, on few rows.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Runs the script with the numbers of rows for both sizes, and returns its output. Its files remain in the
/// folder.
fn searched(bilinear: &Path, folder: &Path, rows: [&str; 2]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/search.sh");
    let mut command = Command::new("sh");
    command.arg(script).arg(bilinear).arg(folder).args(rows);
    let out = command.output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    text
}

/// The script finds the rows of the plain table. Its rates are those of the rows that were computed, which are
/// fewer than requested at the size of a1-1024. It prints a rate of a GPU only if there is one.
#[test]
fn a_search_reports_what_it_has_measured() {
    let folder = tempfile::tempdir().unwrap();
    let text = searched(Path::new(env!("CARGO_BIN_EXE_bilinear")), folder.path(), ["20", "24"]);
    let (small, large) = text.split_once("at the size of a1-1024").unwrap();
    assert!(small.contains("rows, as in the plain table: "), "{text}");
    assert!(small.ends_with("the same with 200 rows "), "{text}");
    for part in [small, large] {
        let rates: Vec<&str> =
            part.lines().filter(|line| line.contains("1 core ") || line.contains(" cores ")).collect();
        assert!(!rates.is_empty(), "{text}");
        for line in rates {
            let told = line.ends_with("(extrapolated from 200)") && !line.contains('-');
            assert!(told || line.ends_with("too short to measure: 200 rows"), "{line}");
        }
    }
    let has_gpu = !large.contains("there is none here");
    assert_eq!(large.lines().any(|line| line.contains("a GPU") && line.contains("pairings/s")), has_gpu, "{text}");
    let told = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    assert_eq!(told.contains("no device"), !has_gpu, "{told}");
}

/// The script prints no rate for a time that is too short; here a wrapped command reports such a time for every
/// job.
#[test]
fn a_search_that_is_too_short_has_no_rates() {
    let folder = tempfile::tempdir().unwrap();
    let bilinear = folder.path().join("bilinear");
    let log = folder.path().join("said");
    let (command, log) = (env!("CARGO_BIN_EXE_bilinear"), log.display());
    let body =
        format!("status=0\n'{command}' \"$@\" 2>'{log}' || status=1\nsed 's/ in [0-9.]* s)/ in 0.50 s)/' '{log}' >&2");
    fs::write(&bilinear, format!("#!/bin/sh\n{body}\nexit $status\n")).unwrap();
    fs::set_permissions(&bilinear, fs::Permissions::from_mode(0o755)).unwrap();
    let text = searched(&bilinear, &folder.path().join("search"), ["2", "1"]);
    assert!(text.contains("1 core      too short to measure: 20 rows\n"), "{text}");
    assert!(!text.contains("pairings/s"), "{text}");
}
