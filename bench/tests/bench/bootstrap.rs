//! Tests `scripts/bootstrap.sh` with fake tools, in a PATH that holds nothing else.

use crate::root;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The Unix tools that the script needs.
const UNIX: [&str; 15] = [
    "sh", "sed", "awk", "mktemp", "uname", "dirname", "rm", "cat", "grep", "mkdir", "chmod", "cp", "env", "sleep",
    "head",
];

/// Returns the version in `rust-toolchain.toml`.
fn wanted() -> String {
    let text = fs::read_to_string(root().join("rust-toolchain.toml")).unwrap();
    text.split_once("channel = \"").unwrap().1.split('"').next().unwrap().to_owned()
}

/// A machine: its tools, and a home folder.
struct Machine(TempDir);

impl Machine {
    /// Creates a machine with the system packages that the script asks for, and without Rust.
    fn new() -> Self {
        let machine = Machine(tempfile::tempdir().unwrap());
        for name in ["bin", "later", "home"] {
            fs::create_dir(machine.path(name)).unwrap();
        }
        let path = std::env::var_os("PATH").unwrap();
        for tool in UNIX {
            let found = std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|file| file.exists());
            symlink(found.unwrap(), machine.path("bin").join(tool)).unwrap();
        }
        for tool in ["cc", "m4", "g++", "make", "python3", "valgrind"] {
            machine.tool("bin", tool, "exit 0");
        }
        machine.tool("bin", "id", "echo 1000");
        // no network
        machine.tool("bin", "curl", "exit 6");
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn tool(&self, folder: &str, name: &str, body: &str) {
        write_tool(&self.path(folder).join(name), body);
    }

    /// Adds a cargo and a rustc of this version.
    fn rust(&self, folder: &str, version: &str) {
        for tool in ["cargo", "rustc"] {
            self.tool(folder, tool, &says_version(tool, version));
        }
    }

    /// Runs the script with a command, and returns its status, standard output and standard error.
    fn bootstrap(&self, variables: &[(&str, &str)], command: &[&str]) -> (Option<i32>, String, String) {
        let path = std::env::join_paths([self.path("bin"), self.path("later")]).unwrap();
        let mut run = Command::new(self.path("bin").join("sh"));
        run.arg(root().join("scripts/bootstrap.sh")).args(command).env_clear();
        run.env("PATH", path).env("HOME", self.path("home")).envs(variables.iter().copied());
        let output = run.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }
}

fn write_tool(path: &Path, body: &str) {
    fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn says_version(tool: &str, version: &str) -> String {
    format!("echo '{tool} {version} (0123456 2026-01-01)'")
}

/// Returns a rustup that has the requested toolchain.
fn rustup(version: &str) -> String {
    format!("case \"$*\" in *--version*) echo 'rustc {version} (0123456)' ;; esac")
}

#[test]
fn an_old_rust_is_called_too_old() {
    let machine = Machine::new();
    machine.rust("bin", "1.63.0");
    let (status, stdout, stderr) = machine.bootstrap(&[], &["cargo", "--version"]);
    assert_eq!((status, stdout.as_str()), (Some(1), ""), "{stderr}");
    let cargo = machine.path("bin/cargo");
    let reason = format!("{} is Rust 1.63.0, which is too old: Rust {} or later is needed", cargo.display(), wanted());
    assert!(stderr.contains(&reason), "{stderr}");
    assert!(stderr.contains("https://rustup.rs") && !stderr.contains("no Rust"), "{stderr}");
}

#[test]
fn an_old_rustc_beside_a_new_cargo_is_too_old() {
    let machine = Machine::new();
    machine.rust("bin", &wanted());
    machine.tool("bin", "rustc", &says_version("rustc", "1.94.1"));
    let (status, _, stderr) = machine.bootstrap(&[], &["cargo", "--version"]);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("bin/rustc is Rust 1.94.1, which is too old"), "{stderr}");
}

#[test]
fn without_any_rust_none_is_called_old() {
    let (status, _, stderr) = Machine::new().bootstrap(&[], &["cargo", "--version"]);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("no Rust. Install Rust") && !stderr.contains("too old"), "{stderr}");
}

#[test]
fn a_new_rust_is_taken_without_a_word() {
    for version in [wanted(), "1.999.0".to_owned(), "2.0.0-nightly".to_owned()] {
        let machine = Machine::new();
        machine.rust("bin", &version);
        let (status, stdout, stderr) = machine.bootstrap(&[], &["cargo", "--version"]);
        assert_eq!((status, stderr.as_str()), (Some(0), ""));
        assert!(stdout.contains(&version), "{stdout}");
    }
}

/// With a network, rustup is installed, and its cargo runs the command instead of the old one.
#[test]
fn an_old_rust_gives_way_to_rustup() {
    let machine = Machine::new();
    machine.rust("bin", "1.63.0");
    let new = machine.path("new");
    fs::create_dir(&new).unwrap();
    for tool in ["cargo", "rustc"] {
        write_tool(&new.join(tool), &says_version(tool, &wanted()));
    }
    write_tool(&new.join("rustup"), &rustup(&wanted()));
    let installer = format!("mkdir -p \"$HOME/.cargo/bin\"\ncp {}/* \"$HOME/.cargo/bin\"", new.display());
    write_tool(&machine.path("installer"), &installer);
    // curl ... -o FILE ADDRESS
    let fetch = "while [ \"$1\" != -o ]; do shift; done";
    machine.tool("bin", "curl", &format!("{fetch}\ncp {} \"$2\"", machine.path("installer").display()));
    let (status, stdout, stderr) = machine.bootstrap(&[], &["cargo", "--version"]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains(&wanted()), "{stdout}");
    assert!(stderr.contains("is Rust 1.63.0, which is too old") && stderr.contains("installing rustup"), "{stderr}");
}

#[test]
fn an_old_cargo_before_rustups_is_seen() {
    let machine = Machine::new();
    machine.rust("bin", "1.63.0");
    machine.rust("later", &wanted());
    machine.tool("later", "rustup", &rustup(&wanted()));
    let (status, stdout, stderr) = machine.bootstrap(&[], &["cargo", "--version"]);
    assert_eq!((status, stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("bin/cargo is Rust 1.63.0, which is too old"), "{stderr}");
}

#[test]
fn an_old_toolchain_that_was_asked_for_is_named() {
    let machine = Machine::new();
    machine.rust("bin", "1.80.0");
    machine.tool("bin", "rustup", &rustup("1.80.0"));
    let (status, _, stderr) = machine.bootstrap(&[("RUSTUP_TOOLCHAIN", "1.80.0")], &["cargo", "--version"]);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("too old") && stderr.contains("RUSTUP_TOOLCHAIN is 1.80.0"), "{stderr}");
}

/// A user who is not root gets the command to run.
#[test]
fn missing_packages_are_named() {
    let machine = Machine::new();
    machine.rust("bin", &wanted());
    fs::remove_file(machine.path("bin/m4")).unwrap();
    machine.tool("bin", "cc", "exit 1");
    machine.tool("bin", "apt-get", "echo 'nobody asked for this' >&2; exit 100");
    let (status, _, stderr) = machine.bootstrap(&[], &["cargo", "--version"]);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("sudo apt-get update && sudo apt-get install -y --no-install-recommends gcc libc6-dev m4"));
    assert!(!stderr.contains("nobody asked"), "{stderr}");
}

/// Scripts, which change their folder, and cargo use the same target folder.
#[test]
fn a_relative_target_folder_is_made_absolute() {
    let machine = Machine::new();
    machine.rust("bin", &wanted());
    let here = std::env::current_dir().unwrap();
    let paths = [("my target", here.join("my target")), ("/a target", "/a target".into()), ("", "".into())];
    for (given, wanted) in paths {
        let said = machine.bootstrap(&[("CARGO_TARGET_DIR", given)], &["sh", "-c", "echo \"$CARGO_TARGET_DIR\""]);
        assert_eq!(said, (Some(0), format!("{}\n", wanted.display()), String::new()));
    }
}
