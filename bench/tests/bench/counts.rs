//! What `scripts/test.sh` says at its end, of a cargo that reports what it is told, and of machines with and without lanes, Verilator, what the
//! Python package is tested with, and Spark.

use crate::root;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// What cargo prints of two programs of tests.
const REPORT: &str = "\
test a ... ok
test b ... ok
test lanes ... ignored
test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.00s
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

/// Runs a copy of the script that reads of its machine here; its status, its last line and the one before, and cargo's arguments.
fn ended(flags: &str, report: &str, status: u8, arguments: &[&str]) -> (Option<i32>, [String; 2], String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let tool = |name: &str, body: String| {
        fs::write(path(name), format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(path(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    ["scripts", "rtl", "crates/python"].iter().for_each(|name| fs::create_dir_all(path(name)).unwrap());
    fs::write(path("cpuinfo"), format!("model name\t: A processor\nflags\t\t: fpu {flags} sse2\n")).unwrap();
    let script = fs::read_to_string(root().join("scripts/test.sh")).unwrap();
    assert_eq!(script.matches("/proc/cpuinfo").count(), 2);
    fs::write(path("scripts/test.sh"), script.replace("/proc/cpuinfo", path("cpuinfo").to_str().unwrap())).unwrap();
    tool("rtl/prepare.sh", format!("exit {}", u8::from(!flags.contains("verilator"))));
    tool("crates/python/prepare.sh", format!("exit {}", u8::from(!flags.contains("pypi"))));
    tool("crates/python/prepare_spark.sh", format!("exit {}", u8::from(!flags.contains("spark"))));
    fs::write(path("report"), report).unwrap();
    let here = folder.path().display();
    tool("cargo", format!("echo \"$@\" >{here}/arguments\ncat {here}/report\nexit {status}"));
    let tools = std::env::var_os("PATH").unwrap();
    let tools = [folder.path().to_owned()].into_iter().chain(std::env::split_paths(&tools));
    let run = Command::new("sh")
        .arg(path("scripts/test.sh"))
        .args(arguments)
        .env("PATH", std::env::join_paths(tools).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let mut lines = text.lines().rev().map(str::to_owned);
    let last = [lines.next().unwrap(), lines.next().unwrap()];
    let words = fs::read_to_string(path("arguments")).unwrap();
    (run.status.code(), last, words.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn machines_with_everything_test_it() {
    let (status, [counts, machine], arguments) = ended("avx512ifma verilator pypi spark", REPORT, 0, &[]);
    assert_eq!((status, &*counts), (Some(0), "5 passed, 0 failed, 1 skipped"));
    let everything = "lanes were tested (AVX-512 IFMA); RTL was co-simulated (Verilator); the Python package was tested; Spark was tested";
    assert_eq!(machine, format!("A processor: {everything}"));
    assert_eq!(arguments, "test --workspace --locked --no-fail-fast");
}

/// What is left out for its name is skipped, and said to be.
#[test]
fn machines_without_something_skip_its_tests() {
    let [lanes, no_lanes] = ["lanes were tested (AVX-512 IFMA)", "lanes were NOT tested: no AVX-512 IFMA"];
    let [hardware, no_hardware] = ["RTL was co-simulated (Verilator)", "RTL was NOT co-simulated: no Verilator"];
    let [python, no_python] = ["the Python package was tested", "the Python package was NOT tested: no PyPI"];
    let [spark, no_spark] = ["Spark was tested", "Spark was NOT tested: no PyPI"];
    for (flags, says, skips) in [
        ("verilator pypi spark", [no_lanes, hardware, python, spark], "--skip lanes --skip ifma"),
        (
            "avx512ifma_but_another verilator pypi spark",
            [no_lanes, hardware, python, spark],
            "--skip lanes --skip ifma",
        ),
        ("avx512ifma pypi spark", [lanes, no_hardware, python, spark], "--skip cosimulated"),
        ("avx512ifma verilator pypi", [lanes, hardware, python, no_spark], "--skip searches_in_spark"),
        (
            "avx512ifma verilator",
            [lanes, hardware, no_python, no_spark],
            "--skip python_package --skip searches_in_spark",
        ),
        (
            "",
            [no_lanes, no_hardware, no_python, no_spark],
            "--skip lanes --skip ifma --skip cosimulated --skip python_package --skip searches_in_spark",
        ),
    ] {
        let (status, [counts, machine], arguments) = ended(flags, REPORT, 0, &[]);
        assert_eq!((status, &*counts), (Some(0), "5 passed, 0 failed, 5 skipped"), "{flags}");
        assert_eq!(machine, format!("A processor: {}", says.join("; ")));
        assert_eq!(arguments, format!("test --workspace --locked --no-fail-fast -- {skips}"));
    }
    let (_, _, arguments) = ended("verilator pypi spark", REPORT, 0, &["-p", "x", "--", "name"]);
    assert_eq!(arguments, "test --workspace --locked --no-fail-fast -p x -- name --skip lanes --skip ifma");
}

#[test]
fn failures_and_empty_runs_fail() {
    let failed = "test a ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let everything = "avx512ifma verilator pypi spark";
    let (status, [counts, _], _) = ended(everything, failed, 101, &[]);
    assert_eq!((status, &*counts), (Some(101), "2 passed, 1 failed, 0 skipped"));
    let (status, [counts, before], _) = ended(everything, "error: could not compile\n", 101, &[]);
    assert_eq!((status, &*counts), (Some(101), "0 passed, 0 failed, 0 skipped"));
    assert!(before.starts_with("cargo test stopped with status 101"), "{before}");
    assert_eq!(ended(everything, "", 0, &[]).0, Some(1), "no test ran");
}
