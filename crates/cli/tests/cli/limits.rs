//! Limits of the system: threads, and the size of files.
#![cfg(target_os = "linux")]

use crate::support::*;
use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{self, Command, Output};

/// Builds the command that runs under a shell's limit.
fn limited(folder: &Folder, limit: &str, command: &str) -> Command {
    let line = format!("{limit}; exec {} {command}", env!("CARGO_BIN_EXE_bilinear"));
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path("")).args(["-c", &line]);
    shell
}

/// A stack of this size cannot be allocated, so no thread can be started.
#[test]
fn threads_that_cannot_be_started() {
    let folder = Folder::new();
    folder.run("points random --curve a-512 --pairs --n 2 --out in.jsonl").ends(0);
    let stack = &(1_u64 << 50).to_string();
    for (options, words) in [
        ("--threads 2", "error: cannot start 2 threads: "),
        ("--threads 1", "error: cannot start 2 threads: Resource temporarily unavailable"),
        ("--threads 1 --out out.jsonl", "error: signals: cannot handle: Resource temporarily unavailable"),
    ] {
        let mut command = folder.command(&format!("pair --curve a-512 --in in.jsonl {options}"));
        Run::of(&command.env("RUST_MIN_STACK", stack).output().unwrap()).ends(2).says(words);
        assert_eq!(folder.names(), ["in.jsonl"]);
    }
    // a terminal shows progress without a thread of its own
    let line = format!("{} pair --curve a-512 --in in.jsonl --threads 1", env!("CARGO_BIN_EXE_bilinear"));
    let mut terminal = Command::new("script");
    terminal.current_dir(folder.path("")).args(["-qec", &line, "/dev/null"]).env("RUST_MIN_STACK", stack);
    if let Ok(output) = terminal.output() {
        assert!(Run::of(&output).ends(2).stdout.contains("error: cannot start 2 threads: "));
    }
}

/// The command runs as a user of its own, who may have only one, two or three threads, while it needs four.
#[test]
fn a_run_that_lacks_threads_leaves_no_files() {
    let folder = Folder::new();
    folder.run("points random --curve a-512 --pairs --n 2 --out in.jsonl").ends(0);
    set_permissions(folder.path(""), Permissions::from_mode(0o777)).unwrap();
    let run = |threads: u32| {
        // the option's name depends on the shell
        let limit = format!("ulimit -p {threads} 2>/dev/null || ulimit -u {threads}");
        let command = "pair --curve a-512 --in in.jsonl --out out.jsonl --threads 1";
        limited(&folder, &limit, command).uid(1_000_000 + process::id()).output()
    };
    let is_run = |output: &Output| output.status.success();
    if !run(4).is_ok_and(|output| is_run(&output)) || run(1).is_ok_and(|output| is_run(&output)) {
        // the test does not run as the superuser, or the system does not count threads
        return;
    }
    std::fs::remove_file(folder.path("out.jsonl")).unwrap();
    for (threads, words) in
        [(1, "signals: cannot handle: "), (2, "cannot start 2 threads"), (3, "cannot start 2 threads")]
    {
        Run::of(&run(threads).unwrap()).ends(2).says(words);
        assert_eq!(folder.names(), ["in.jsonl"]);
    }
}

#[test]
fn files_beyond_the_size_limit() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(200));
    let pair = format!("pair --params {TOY} --in in.jsonl --out out.jsonl");
    for (blocks, command, words) in [
        (2, &*format!("{pair} --chunk 200"), "out.jsonl.part: cannot write: File too large"),
        (2, "points random --curve a-512 --n 100 --out out.jsonl", "out.jsonl: cannot write: File too large"),
        (0, "key generate --out key", "key: cannot write: File too large"),
        (0, "asm --curve a-512 --out out.pasm", "out.pasm: cannot write: File too large"),
        (0, "params new a --r-bits 40 --q-bits 96 --insecure --out a.toml", "a.toml: cannot write: File too large"),
    ] {
        let output = limited(&folder, &format!("ulimit -f {blocks}"), command).output().unwrap();
        Run::of(&output).ends(2).says(words);
        assert_eq!(folder.names(), ["in.jsonl"], "{command}");
    }
    // the records that could be written are kept
    let output = limited(&folder, "ulimit -f 8", &format!("{pair} --chunk 1")).output().unwrap();
    Run::of(&output).ends(2).says("with --resume goes on from there");
    folder.pair("--in in.jsonl --out out.jsonl --resume").ends(0).says("of them before this run");
    assert_eq!(folder.text("out.jsonl"), folder.pair("--in in.jsonl").ends(0).stdout);
}
