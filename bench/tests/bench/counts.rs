//! Tests the last lines of `scripts/test.sh`, with a fake cargo that has compiled one test program, and on machines
//! with and without lanes, Verilator, the Python packages for the tests, and Spark.

use crate::root;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// The combined output of a test program and of cargo, which tests the examples in the documentation.
const REPORT: &str = "\
test a ... ok
test b ... ok
test lanes ... ignored
test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.00s
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

/// The result of a run of the script.
struct Ended {
    status: Option<i32>,
    /// The last line, and the one before.
    last: [String; 2],
    /// The arguments of the test program.
    program: String,
}

/// Runs a copy of the script that reads about its machine from a temporary folder. The test program prints this report,
/// and the compiler returns this status. Without a report, cargo names no program.
fn ended(flags: &str, report: &str, compiled: u8) -> Ended {
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
    fs::copy(root().join("scripts/beside.sh"), path("scripts/beside.sh")).unwrap();
    tool("rtl/prepare.sh", format!("exit {}", u8::from(!flags.contains("verilator"))));
    tool("crates/python/prepare.sh", format!("exit {}", u8::from(!flags.contains("pypi"))));
    tool("crates/python/prepare_spark.sh", format!("exit {}", u8::from(!flags.contains("spark"))));
    let (first, rest) = report.split_at(report.find("\ntest result").map_or(0, |at| at + 1));
    let (result, doc) = rest.split_at(rest.find('\n').map_or(0, |at| at + 1));
    for (name, text) in [("report", [first, result].concat()), ("doc", doc.to_owned())] {
        fs::write(path(name), text).unwrap();
    }
    let here = folder.path().display();
    // the program fails if one of its tests has failed
    fs::create_dir(path("a package")).unwrap();
    tool(
        "a program",
        format!(
            "pwd >'{here}/place'\necho \"$@\" >'{here}/arguments'\ncat '{here}/report'\n! grep -q FAILED '{here}/report'"
        ),
    );
    let message = |program: &str, test: bool| {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"{here}/a package/Cargo.toml","target":{{"test":true}},"profile":{{"opt_level":"1","test":{test}}},"features":[],"executable":"{here}/{program}"}}"#
        )
    };
    let program = message("a program", !report.is_empty());
    fs::write(path("messages"), [message("none", false), program].join("\n")).unwrap();
    let cargo = format!(
        "case \"$*\" in\n*--no-run*) [ {compiled} -ne 0 ] || cat '{here}/messages'; exit {compiled} ;;\n*--doc*) cat '{here}/doc' ;;\nesac"
    );
    tool("cargo", cargo);
    let tools = std::env::var_os("PATH").unwrap();
    let tools = [folder.path().to_owned()].into_iter().chain(std::env::split_paths(&tools));
    let run = Command::new("sh")
        .arg(path("scripts/test.sh"))
        .env("PATH", std::env::join_paths(tools).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let mut lines = text.lines().rev().map(str::to_owned);
    let last = [(); 2].map(|()| lines.next().unwrap_or_default());
    let words = fs::read_to_string(path("arguments")).unwrap_or_default();
    if let Ok(place) = fs::read_to_string(path("place")) {
        assert!(place.trim_end().ends_with("a package"), "{place}");
    }
    let program = words.split_whitespace().collect::<Vec<_>>().join(" ");
    Ended { status: run.status.code(), last, program }
}

#[test]
fn machines_with_every_tool_test_everything() {
    let Ended { status, last: [counts, machine], program } = ended("avx512ifma verilator pypi spark", REPORT, 0);
    assert_eq!((status, &*counts), (Some(0), "5 passed, 0 failed, 1 skipped"));
    let everything = "lanes were tested (AVX-512 IFMA); RTL was co-simulated (Verilator); the Python package was tested; Spark was tested";
    assert_eq!(machine, format!("A processor: {everything}"));
    assert_eq!(program, "");
}

/// Tests that are left out by their names count as skipped, and the output says so.
#[test]
fn machines_without_something_skip_its_tests() {
    let [lanes, no_lanes_reason] = ["lanes were tested (AVX-512 IFMA)", "lanes were NOT tested: no AVX-512 IFMA"];
    let [hardware, no_hardware] = ["RTL was co-simulated (Verilator)", "RTL was NOT co-simulated: no Verilator"];
    let [python, no_python] = ["the Python package was tested", "the Python package was NOT tested: no PyPI"];
    let [spark, no_spark] = ["Spark was tested", "Spark was NOT tested: no PyPI"];
    for (flags, says, skips) in [
        ("verilator pypi spark", [no_lanes_reason, hardware, python, spark], "--skip lanes --skip ifma"),
        (
            "avx512ifma_but_another verilator pypi spark",
            [no_lanes_reason, hardware, python, spark],
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
            [no_lanes_reason, no_hardware, no_python, no_spark],
            "--skip lanes --skip ifma --skip cosimulated --skip python_package --skip searches_in_spark",
        ),
    ] {
        let Ended { status, last: [counts, machine], program } = ended(flags, REPORT, 0);
        assert_eq!((status, &*counts), (Some(0), "5 passed, 0 failed, 5 skipped"), "{flags}");
        assert_eq!(machine, format!("A processor: {}", says.join("; ")));
        assert_eq!(program, skips);
    }
}

#[test]
fn failures_and_empty_runs_fail() {
    let failed = "test a ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let everything = "avx512ifma verilator pypi spark";
    let Ended { status, last: [counts, before], .. } = ended(everything, failed, 0);
    assert_eq!((status, &*counts, &*before), (Some(1), "2 passed, 1 failed, 0 skipped", "  a"));
    let Ended { status, last: [counts, before], .. } = ended(everything, "FAILED to start\n", 0);
    assert_eq!((status, &*counts), (Some(1), "0 passed, 0 failed, 0 skipped"));
    assert_eq!(before, "a test program stopped: see the first error above");
    let Ended { status, program, .. } = ended(everything, REPORT, 101);
    assert_eq!((status, &*program), (Some(101), ""), "nothing was compiled");
    assert_eq!(ended(everything, "no test\n", 0).status, Some(1), "no test ran");
    let Ended { status, last: [says, _], program } = ended(everything, "", 0);
    assert_eq!((status, &*program), (Some(1), ""));
    assert!(says.starts_with("cargo named no test program"), "{says}");
}
