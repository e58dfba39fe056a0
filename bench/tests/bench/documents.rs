//! The files that the documents name exist.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose files are named by their whole path.
const FOLDERS: [&str; 7] = ["crates/", "bench/", "docs/", "examples/", "fuzz/", "scripts/", "vectors/"];

fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// All source files below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn files_that_documents_name_exist() {
    let root = root();
    let sources: Vec<PathBuf> = ["crates", "bench", "fuzz"].iter().flat_map(|f| sources(&root.join(f))).collect();
    let mut named = 0;
    for file in ["", "docs", "docs/engines"].iter().flat_map(|folder| documents(&root.join(folder))) {
        // what has changed since is no longer where it was
        if file.ends_with("CHANGELOG.md") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for word in text.split('`').skip(1).step_by(2).flat_map(str::split_whitespace) {
            let path = word.split(['*', '<', ':', '(']).next().unwrap().trim_end_matches([',', '.', ')', ';']);
            let exists = match FOLDERS.iter().any(|folder| path.starts_with(folder)) {
                true => root.join(path).exists(),
                // by its end
                false if path.ends_with(".rs") => sources.iter().any(|source| source.ends_with(path)),
                false => continue,
            };
            assert!(exists, "{}: {word}", file.display());
            named += 1;
        }
    }
    assert!(named > 20, "{named} files are named");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut links = 0;
    let folders = ["", "docs", "docs/engines", "bench", "bench/record", "vectors"];
    for file in folders.iter().flat_map(|folder| documents(&root().join(folder))) {
        let text = fs::read_to_string(&file).unwrap();
        for link in text.split("](").skip(1) {
            let path = link.split([')', '#']).next().unwrap();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            assert!(file.parent().unwrap().join(path).exists(), "{}: {path}", file.display());
            links += 1;
        }
    }
    assert!(links > 20, "{links} links");
}
