//! The fuzz targets have a lock file of their own, since they are not part of the workspace.

use crate::root;
use std::collections::BTreeSet;
use std::fs;

/// Packages that only fuzz targets depend on.
const OWN: [&str; 3] = ["arbitrary", "bilinear-fuzz", "libfuzzer-sys"];

/// Returns the packages of a lock file, with their versions.
fn packages(file: &str) -> BTreeSet<(String, String)> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let quoted = |line: &str, key: &str| Some(line.strip_prefix(key)?.trim_matches('"').to_owned());
    let lines: Vec<&str> = text.lines().collect();
    lines.windows(2).filter_map(|two| Some((quoted(two[0], "name = ")?, quoted(two[1], "version = ")?))).collect()
}

#[test]
fn fuzz_targets_are_built_with_the_versions_of_the_workspace() {
    let (workspace, fuzz) = (packages("Cargo.lock"), packages("fuzz/Cargo.lock"));
    let others: Vec<_> = fuzz.difference(&workspace).filter(|(name, _)| !OWN.contains(&name.as_str())).collect();
    assert!(fuzz.len() > 100 && others.is_empty(), "in fuzz/Cargo.lock alone: {others:?}");
}
