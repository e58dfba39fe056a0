//! Tests that no test is in a file of which no test program is built.

use crate::documents::sources;
use crate::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the source files of the library and of the programs whose manifest says `test = false`.
fn untested(folder: &Path) -> Vec<PathBuf> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let mut all = vec![];
    for target in manifest.split("\n[").filter(|target| target.contains("\ntest = false")) {
        let value = |key: &str| {
            let line = target.lines().find_map(|line| line.strip_prefix(key))?;
            Some(line.strip_prefix(" = ")?.trim_matches('"'))
        };
        if target.starts_with("lib]") {
            all.extend(sources(&folder.join("src")));
        } else {
            let path = value("path").map_or_else(|| format!("src/bin/{}.rs", value("name").unwrap()), str::to_owned);
            let file = folder.join(path);
            // the program can also be a folder of files
            all.extend(if file.exists() { vec![file] } else { sources(&file.with_extension("")) });
        }
    }
    all
}

#[test]
fn every_test_is_in_a_program_of_tests() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let all: Vec<PathBuf> = crates.chain([root().join("bench")]).flat_map(|folder| untested(&folder)).collect();
    for file in &all {
        let text = fs::read_to_string(file).unwrap();
        assert!(!text.contains("#[test]"), "no program of tests is built of {}", file.display());
    }
    assert!(all.len() > 10, "{all:?}");
}
