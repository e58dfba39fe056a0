//! Tests `scripts/apt.sh` with a fake `apt-get` and a fake `dpkg-deb`.

use crate::root;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

fn tool(path: &Path, body: &str) {
    fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Asks the script for packages. Returns the files in its folder afterwards, and whether some packages were fetched.
fn asked(target: &Path, packages: &[&str]) -> (Vec<String>, bool) {
    let mut paths = vec![target.join("bin")];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut script = Command::new(root().join("scripts/apt.sh"));
    script.args(["tools/a", "amd64"]).args(packages).env("CARGO_TARGET_DIR", target);
    let output = script.env("PATH", std::env::join_paths(paths).unwrap()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let files = fs::read_dir(target.join("tools/a")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut files: Vec<String> =
        files.map(|name| name.into_string().unwrap()).filter(|name| name != "unpacked").collect();
    files.sort();
    (files, said.contains("unpacking"))
}

#[test]
fn packages_are_those_that_were_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    // the fake `apt-get` leaves an archive for each word behind `install`, and `dpkg-deb` unpacks each to a file of its
    // name
    let archives = "archives=$(echo \"$*\" | sed 's/.*Dir::Cache=\\([^ ]*\\).*/\\1/')/archives";
    let install = "all=$*; case $all in *' install '*) for name in ${all##* install }; do : >\"$archives/$name.deb\"; done ;; esac";
    tool(&bin.join("apt-get"), &format!("{archives}\n{install}"));
    tool(&bin.join("dpkg-deb"), ": >\"$3/$(basename \"$2\" .deb)\"");
    let both = vec!["one".to_owned(), "two".to_owned()];
    assert_eq!(asked(folder.path(), &["one"]), (both[..1].to_vec(), true));
    assert_eq!(asked(folder.path(), &["one"]), (both[..1].to_vec(), false));
    assert_eq!(asked(folder.path(), &["one", "two"]), (both.clone(), true));
    assert_eq!(asked(folder.path(), &["one", "two"]), (both.clone(), false));
    assert_eq!(asked(folder.path(), &["two"]), (both[1..].to_vec(), true));
}
