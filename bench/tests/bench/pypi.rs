//! Tests `scripts/pypi.sh` with packages of a folder in place of PyPI.

use crate::root;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Writes wheels of versions 1 and 2 of an empty package `thing`.
const WHEELS: &str = r#"
import sys, zipfile
for version in "12":
    with zipfile.ZipFile(f"{sys.argv[1]}/thing-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("thing.py", "")
        info = f"thing-{version}.dist-info/"
        wheel.writestr(info + "METADATA", f"Metadata-Version: 2.1\nName: thing\nVersion: {version}\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(info + "RECORD", f"thing.py,,\n{info}METADATA,,\n{info}WHEEL,,\n{info}RECORD,,\n")
"#;

/// Returns the output of a program, which must succeed.
fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Asks the script for this version. Returns the version in the environment afterwards, and whether the script reported
/// an installation.
fn asked(target: &Path, version: &str) -> (String, bool) {
    let mut script = Command::new(root().join("scripts/pypi.sh"));
    script.args(["tools", &format!("thing=={version}")]).env("CARGO_TARGET_DIR", target);
    script.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", target.parent().unwrap());
    let output = script.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let python = target.join("tools/venv/bin/python");
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{}\n", target.join("tools/venv").display()));
    let version = "from importlib.metadata import version; print(version('thing'))";
    (said(Command::new(python).args(["-c", version])), stderr.contains("installing thing"))
}

/// If the script kept a stamp for each request instead of one for the installed version, the third request would
/// install nothing. The last request finds an environment without Python.
#[test]
fn packages_are_those_that_were_asked_for_last() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("my target");
    said(Command::new("python3").args(["-c", WHEELS]).arg(folder.path()));
    for (version, installs) in [("1", true), ("2", true), ("1", true), ("1", false)] {
        assert_eq!(asked(&target, version), (version.to_owned(), installs));
    }
    let python = target.join("tools/venv/bin/python");
    let real = fs::read_link(&python).unwrap();
    fs::remove_file(&python).unwrap();
    symlink("/nowhere/python3", &python).unwrap();
    assert_eq!(asked(&target, "1"), ("1".to_owned(), true));
    assert_eq!(fs::read_link(&python).unwrap(), real);
}
