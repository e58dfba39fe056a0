//! Notes the compiler's version and the commit for the record.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    println!("cargo::rustc-env=BENCH_RUSTC={}", told(&rustc, &["--version"]));
    println!("cargo::rustc-env=BENCH_COMMIT={}", told("git", &["describe", "--always", "--tags"]));
    // a line comes here with every commit that is made or checked out
    let log = told("git", &["rev-parse", "--git-path", "logs/HEAD"]);
    if std::path::Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// What a program prints, or `unknown`.
fn told(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let text = text.trim();
    if text.is_empty() { "unknown".to_owned() } else { text.to_owned() }
}
