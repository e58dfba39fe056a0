//! Runs the tests of the Python package with pytest: tests/python, the examples of docs/python.md, and the short test
//! of tests/spark. They use the extension module that Cargo has built together with this program. Needs Python 3.11 and
//! PyPI, from which `crates/python/prepare.sh` installs pytest, numpy, pyarrow and duckdb, and `prepare_spark.sh` Spark
//! and Java.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs a script and returns the folder that it prints.
fn environment(script: &str) -> PathBuf {
    let output = Command::new(Path::new(ROOT).join(script)).output().unwrap();
    assert!(output.status.success(), "crates/python/{script}: {}", String::from_utf8_lossy(&output.stderr));
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

/// Returns the folder of the extension module, which is also that of this program.
fn built() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// Runs pytest in an environment. The package is laid out as in a wheel, in a folder called `name`.
fn passes(environment: &Path, name: &str, arguments: &[&str], variables: &[(&str, PathBuf)]) {
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let package = site.join("bilinear");
    if package.exists() {
        fs::remove_dir_all(&package).unwrap();
    }
    fs::create_dir_all(&package).unwrap();
    for entry in fs::read_dir(Path::new(ROOT).join("python/bilinear")).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), package.join(entry.file_name())).unwrap();
        }
    }
    fs::copy(built().join("lib_bilinear.so"), package.join("_bilinear.abi3.so")).unwrap();
    let output = Command::new(environment.join("bin/python"))
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .args(arguments)
        .current_dir(ROOT)
        .envs(variables.iter().cloned())
        .env("PYTHONPATH", &site)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn python_package_passes_its_tests() {
    // in the parent of the folder of test programs: the tests of the command have built it there
    let command = built().with_file_name("bilinear");
    let variables = if command.exists() { vec![("BILINEAR", command)] } else { Vec::new() };
    let tests = ["--doctest-glob=*.md", "tests/python", "../../docs/python.md"];
    passes(&environment("prepare.sh"), "site", &tests, &variables);
}

#[test]
fn python_package_searches_in_spark() {
    let environment = environment("prepare_spark.sh");
    let java = environment.join("java");
    passes(&environment, "spark", &["tests/spark/test_short.py"], &[("JAVA_HOME", java)]);
}
