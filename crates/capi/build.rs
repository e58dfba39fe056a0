//! The name by which programs look for the shared library: it changes where the interface may, that is with the minor version before 1.0.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        let number = |name: &str| std::env::var(name).unwrap_or_default();
        let (major, minor) = (number("CARGO_PKG_VERSION_MAJOR"), number("CARGO_PKG_VERSION_MINOR"));
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libbilinear.so.{major}.{minor}");
    }
}
