//! Tests of `install.sh`, on files that stand for libraries, with a fake `id` and a fake `ldconfig`.

use crate::toolchain::root;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Creates an empty folder.
fn empty(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

/// Installs from a folder that has the libraries in `built`, with these variables and as this user, and returns the
/// output of the script. The fake ldconfig leaves a file.
fn installed(folder: &Path, variables: &[(&str, &str)], user: &str) -> String {
    let path = |name: &str| folder.join(name);
    for name in ["built", "bin"] {
        fs::create_dir_all(path(name)).unwrap();
    }
    for name in ["built/libbilinear.so", "built/libbilinear.a"] {
        fs::write(path(name), "").unwrap();
    }
    for (name, body) in [("id", format!("echo {user}")), ("ldconfig", format!("touch '{}'", path("found").display()))] {
        let file = path("bin").join(name);
        fs::write(&file, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut paths = vec![path("bin")];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut command = Command::new("sh");
    command.args(["-c", "umask 077 && exec \"$0\" built"]).arg(root().join("install.sh")).current_dir(folder);
    command.env_remove("PREFIX").env_remove("DESTDIR").env("PATH", std::env::join_paths(paths).unwrap());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A prefix is absolute, and escaped in what pkg-config reads. Whatever the umask is, everybody may read all files.
#[test]
fn a_prefix_is_any_folder() {
    let folder = empty("any-prefix");
    let prefix = r"a b&c|d\1#'";
    installed(&folder, &[("PREFIX", prefix)], "1000");
    let to = folder.join(prefix);
    let text = fs::read_to_string(to.join("lib/pkgconfig/bilinear.pc")).unwrap();
    assert_eq!(text.lines().next().unwrap(), format!(r"prefix={}/a\ b&c|d\\1\#\'", folder.display()));
    for (name, mode) in [
        ("", 0o755),
        ("lib", 0o755),
        ("lib/pkgconfig", 0o755),
        ("include", 0o755),
        ("lib/libbilinear.so", 0o755),
        ("lib/libbilinear.a", 0o644),
        ("lib/pkgconfig/bilinear.pc", 0o644),
        ("include/bilinear.h", 0o644),
    ] {
        let found = fs::metadata(to.join(name)).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{name}");
    }
}

#[test]
fn root_runs_ldconfig_and_others_are_told_when_it_is_needed() {
    let folder = empty("ldconfig");
    let (to, found) = (folder.join("to"), folder.join("found"));
    let to = to.to_str().unwrap();
    let said = installed(&folder, &[("PREFIX", to)], "1000");
    assert!(said.contains(&format!("{to}/lib")) && said.contains("ldconfig") && said.lines().count() == 1, "{said}");
    assert!(!found.exists());
    assert_eq!(installed(&folder, &[("DESTDIR", to)], "0"), "");
    assert!(!found.exists());
    assert_eq!(installed(&folder, &[("PREFIX", to)], "0"), "");
    assert!(found.exists());
}
