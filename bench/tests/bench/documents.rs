//! Tests that the files named in documents exist, and that files are short.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose files are named by their whole path.
const FOLDERS: [&str; 7] = ["crates/", "bench/", "docs/", "examples/", "fuzz/", "scripts/", "vectors/"];

fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// Returns all Rust source files below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    of_kinds(folder, &["rs"])
}

/// Returns all files below a folder with one of these extensions.
fn of_kinds(folder: &Path, kinds: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { of_kinds(&path, kinds) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|kind| kinds.iter().any(|wanted| kind == *wanted))).collect()
}

/// The exceptions are the headers that C programs include, each of which is one file.
#[test]
fn files_stay_below_500_lines() {
    let kinds = ["rs", "py", "pyi", "sh", "c", "h", "cu", "sv", "v"];
    let folders = ["crates", "bench", "scripts", "examples", "rtl", "fuzz/targets"];
    let all: Vec<PathBuf> = folders.iter().flat_map(|folder| of_kinds(&root().join(folder), &kinds)).collect();
    assert!(all.len() > 800, "{}", all.len());
    let is_long = |path: &PathBuf| fs::read_to_string(path).unwrap().lines().count() >= 500;
    let long: Vec<PathBuf> = all.into_iter().filter(is_long).collect();
    let headers = ["bilinear.h", "bilinear_pbc.h"].map(|name| root().join("crates/capi/include").join(name));
    assert!(long.iter().all(|path| headers.contains(path)), "{long:?}");
}

#[test]
fn files_that_documents_name_exist() {
    let root = root();
    let sources: Vec<PathBuf> = ["crates", "bench", "fuzz"].iter().flat_map(|f| sources(&root.join(f))).collect();
    let mut named = 0;
    for file in ["", "docs", "docs/engines"].iter().flat_map(|folder| documents(&root.join(folder))) {
        // the changelog names files that have moved since
        if file.ends_with("CHANGELOG.md") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for word in text.split('`').skip(1).step_by(2).flat_map(str::split_whitespace) {
            let path = word.split(['*', '<', ':', '(']).next().unwrap().trim_end_matches([',', '.', ')', ';']);
            let exists = match FOLDERS.iter().any(|folder| path.starts_with(folder)) {
                true => root.join(path).exists(),
                // matches the end of the path
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
