//! Notes the compiler's version for the record.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.ok().and_then(|o| String::from_utf8(o.stdout).ok()).unwrap_or_default();
    let version = version.trim();
    println!("cargo::rustc-env=BENCH_RUSTC={}", if version.is_empty() { "unknown" } else { version });
}
