//! Passes the compiler's version and the commit to the program, for its records.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    println!("cargo::rustc-env=BENCH_RUSTC={}", told(&rustc, &["--version"]));
    println!("cargo::rustc-env=BENCH_COMMIT={}", told("git", &["describe", "--always", "--tags"]));
    // Git appends a line to this log with every commit that is made or checked out
    let log = told("git", &["rev-parse", "--git-path", "logs/HEAD"]);
    if std::path::Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// Returns the output of a program, or `unknown` if it fails or prints nothing.
fn told(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let text = text.trim();
    if text.is_empty() { "unknown".to_owned() } else { text.to_owned() }
}
