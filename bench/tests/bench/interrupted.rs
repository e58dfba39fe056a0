//! Tests that `scripts/test.sh` and `scripts/secrets.sh` leave nothing behind when they are interrupted, with a fake
//! cargo and other fake programs.

use crate::root;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

/// Records its process number, and does not end by itself.
const LONG: &str = "echo $$ >>\"$PROCESSES\"\nexec sleep 300";

fn script(path: &Path, body: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Returns true if there is such a process and it has not ended.
fn runs(process: &str) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|text| !text.contains(") Z "))
}

/// Waits until a condition holds, for half a minute at most.
fn comes(what: impl Fn() -> bool) -> bool {
    for _ in 0..600 {
        if what() {
            return true;
        }
        sleep(Duration::from_millis(50));
    }
    false
}

fn interrupt(script: &Child) {
    assert!(Command::new("kill").args(["-INT", &script.id().to_string()]).status().unwrap().success());
}

/// Interrupts a script once this number of processes has started, with this fake cargo. All processes must end, and the
/// folder of temporary files must be empty.
fn leaves_nothing(name: &str, cargo: &str, processes: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in [name, "beside.sh"] {
        fs::create_dir_all(path("scripts")).unwrap();
        fs::copy(root().join("scripts").join(name), path("scripts").join(name)).unwrap();
    }
    for package in ["schemes", "field"] {
        fs::create_dir_all(path("crates").join(package)).unwrap();
    }
    for prepares in ["rtl/prepare.sh", "crates/python/prepare.sh", "crates/python/prepare_spark.sh"] {
        script(&path(prepares), "");
    }
    let list = "if [ \"$1\" = --list ]; then echo secrets::a: test; exit; fi";
    script(&path("program"), &format!("{list}\n{LONG}"));
    script(&path("bin/valgrind"), LONG);
    script(&path("bin/cargo"), &format!("folder={}\n{cargo}\n{LONG}", folder.path().display()));
    fs::create_dir(path("tmp")).unwrap();

    let begun = path("begun");
    let mut paths = vec![path("bin")];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut run = Command::new(path("scripts").join(name));
    run.env("PATH", std::env::join_paths(paths).unwrap()).env("TMPDIR", path("tmp")).env("PROCESSES", &begun);
    run.env_remove("BOCHS").env("CARGO_TERM_QUIET", "true").env("CARGO_TERM_COLOR", "always");
    let mut run = run.spawn().unwrap();
    let all = || fs::read_to_string(&begun).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
    let enough = comes(|| all().len() >= processes);
    interrupt(&run);
    let ended = comes(|| !runs(&run.id().to_string()));
    // a script that does not end must not outlive this test
    let _ = run.kill();
    let status = run.wait().unwrap().code();
    let gone = comes(|| !all().iter().any(|process| runs(process)));
    for process in all().iter().filter(|process| runs(process)) {
        let _ = Command::new("kill").arg(process).status();
    }
    let files = fs::read_dir(path("tmp")).unwrap().count();
    assert!(enough && ended, "{name}: {:?}", all());
    assert_eq!((status, gone, files), (Some(130), true, 0), "{name}");
}

#[test]
fn tests_that_are_interrupted_end() {
    // while programs are compiled, and while two of them and the examples in the documentation run
    leaves_nothing("test.sh", "", 1);
    let program = r#"{"manifest_path":"%s/Cargo.toml","profile":{"test":true},"executable":"%s/program"}\n"#;
    let two = format!("printf '{program}{program}' \"$folder\" \"$folder\" \"$folder\" \"$folder\"; exit");
    leaves_nothing("test.sh", &format!("case $* in *--no-run*) {two} ;; esac"), 3);
}

#[test]
fn checks_of_secrets_that_are_interrupted_end() {
    if cfg!(not(target_arch = "x86_64")) {
        return;
    }
    // while programs are compiled, and while jobs run: one or, with two processors, two of them, and the check of lanes
    leaves_nothing("secrets.sh", "", 1);
    let line = |name: &str| format!("echo \"  Executable tests/{name}.rs ($folder/program)\"");
    let told = format!("{}; {}; exit", line("secrets"), line("secrets_of_fields"));
    let read = "[ \"$CARGO_TERM_QUIET $CARGO_TERM_COLOR\" = 'false never' ] || exit 1";
    leaves_nothing("secrets.sh", &format!("{read}\ncase $* in *--no-run*) {told} ;; esac"), 2);
}
