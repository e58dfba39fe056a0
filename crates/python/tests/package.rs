//! Runs the tests of the Python package: tests/python and the examples of docs/python.md, with pytest, over the extension module that
//! Cargo has built with this program. Needs Python 3.11 and PyPI, from which `crates/python/prepare.sh` installs pytest, numpy,
//! pyarrow and duckdb.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that `prepare.sh` prints.
fn environment(crate_root: &Path) -> PathBuf {
    let output = Command::new(crate_root.join("prepare.sh")).output().unwrap();
    assert!(output.status.success(), "crates/python/prepare.sh: {}", String::from_utf8_lossy(&output.stderr));
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

#[test]
fn python_package_passes_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = environment(root).join("bin/python");
    let module = std::env::current_exe().unwrap().parent().unwrap().join("lib_bilinear.so");
    // the package as a wheel holds it
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    let package = site.join("bilinear");
    if package.exists() {
        fs::remove_dir_all(&package).unwrap();
    }
    fs::create_dir_all(&package).unwrap();
    for entry in fs::read_dir(root.join("python/bilinear")).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), package.join(entry.file_name())).unwrap();
        }
    }
    fs::copy(&module, package.join("_bilinear.abi3.so")).unwrap();
    // beside the folder of programs of tests, where the tests of the command have it built
    let command = module.parent().unwrap().with_file_name("bilinear");
    let output = Command::new(python)
        .envs(command.exists().then_some(("BILINEAR", command)))
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-glob=*.md"])
        .args(["tests/python", "../../docs/python.md"])
        .current_dir(root)
        .env("PYTHONPATH", &site)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}
