//! Tests the output and the status of `scripts/emulate.sh`, with a fake emulator and fake packages.

use crate::root;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Writes an executable file.
fn script(path: &Path, body: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the script on the program `true`. The emulated machine writes `console` to its console.
fn emulated(console: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let packages = path("emulated");
    for name in ["boot/vmlinuz-6", "usr/lib/ISOLINUX/isolinux.bin", "usr/lib/syslinux/modules/bios/ldlinux.c32"] {
        script(&packages.join(name), "");
    }
    // the packages that the script asks for are there
    let text = fs::read_to_string(root().join("scripts/emulate.sh")).unwrap();
    let asked = text.split_once("apt.sh\" emulated ").unwrap().1.split_once(')').unwrap().0;
    fs::write(packages.join("unpacked"), asked).unwrap();
    script(&packages.join("bin/busybox"), "cat >/dev/null");
    script(&packages.join("usr/bin/xorriso"), "");
    // the emulator gets its files from a configuration file, which is its last argument
    let said = r#"said=$(sed -n 's/^com2: .*dev=//p' "$3") console=$(sed -n 's/^com1: .*dev=//p' "$3")"#;
    script(&path("bochs"), &format!("{said}\necho 'test a ... ok' >\"$said\"\nprintf '{console}' >\"$console\""));
    let mut run = Command::new(root().join("scripts/emulate.sh"));
    run.arg("/bin/true").env("BOCHS", path("bochs")).env("CARGO_TARGET_DIR", folder.path());
    run.output().unwrap()
}

#[test]
fn what_a_program_says_and_its_status_come_out_of_the_machine() {
    for (console, status) in [("status 0\\n", 0), ("booted\\nstatus 101\\n", 101)] {
        let ended = emulated(console);
        assert_eq!(ended.status.code(), Some(status), "{ended:?}");
        assert_eq!(String::from_utf8_lossy(&ended.stdout), "test a ... ok\n");
    }
}

#[test]
fn machines_that_stop_or_have_no_lanes_are_errors() {
    let ended = emulated("Kernel panic\\n");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("stopped before") && said.contains("Kernel panic"), "{said}");
    assert_eq!(ended.status.code(), Some(2));
    let ended = emulated("no AVX-512 IFMA\\n");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("emulates no AVX-512 IFMA"));
    assert_eq!(ended.status.code(), Some(2));
}

#[test]
fn a_missing_emulator_is_named() {
    let ended = Command::new(root().join("scripts/emulate.sh"))
        .arg("/bin/true")
        .env("BOCHS", "/nowhere/bochs")
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&ended.stderr).contains("/nowhere/bochs: there is no such emulator"));
    assert_eq!(ended.status.code(), Some(2));
}
