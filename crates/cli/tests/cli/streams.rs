//! Output to standard output and other open descriptors.

use crate::support::*;
use std::fs::File;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// As with `-`, output is appended after what the file holds already.
#[test]
fn what_goes_to_an_open_descriptor_is_written_to_it() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(2));
    symlink("/dev/stdout", folder.path("link")).unwrap();
    let (pair, asm) = (format!("pair --params {TOY} --in in.jsonl --quiet"), format!("asm --params {TOY}"));
    let hash = format!("points hash-lines --params {TOY} --dst T --message m");
    for (command, options) in [(&pair, "--out-format jsonl"), (&hash, "--out-format jsonl"), (&asm, "")] {
        let wanted = format!("kept\n{}", folder.run(command).ends(0).stdout);
        for (out, to) in [("/dev/stdout", ""), ("/dev/fd/1", ""), ("link", ""), ("/dev/fd/3", "3")] {
            folder.write("log", "kept\n");
            let program = env!("CARGO_BIN_EXE_bilinear");
            let line = format!("exec {program} {command} {options} --out {out} {to}>>log");
            let output = Command::new("sh").current_dir(folder.path("")).args(["-c", &line]).output().unwrap();
            Run::of(&output).ends(0);
            assert_eq!(folder.text("log"), wanted, "{command} to {out}");
        }
    }
    assert_eq!(folder.names(), ["in.jsonl", "link", "log"]);
    let run = folder.run(&format!("{pair} --out /dev/stdout --out-format jsonl --resume")).ends(2);
    run.says("--resume needs a file for --in and a file for --out");
    folder.run(&format!("{pair} --out /dev/fd/77 --out-format jsonl")).ends(2).says("/dev/fd/77: cannot open: ");
}

/// The command would read what it writes, without end; the limit on the file's size ends it if it does.
#[test]
fn what_is_read_is_not_appended_to() {
    let folder = Folder::new();
    let hash = format!("points hash-lines --params {TOY} --dst T");
    for (command, from, option) in [
        (format!("pair --params {TOY} --in log.jsonl"), "", "log.jsonl: it is read (--in)"),
        (format!("pair --params {TOY}"), "<log.jsonl", "/dev/stdin: it is read (standard input)"),
        (format!("{hash} --in log.jsonl"), "", "log.jsonl: it is read (--in)"),
        (format!("{hash} --in -"), "<log.jsonl", "/dev/stdin: it is read (standard input)"),
    ] {
        folder.write("log.jsonl", rows(2));
        let line = format!("ulimit -f 100; exec {} {command} {from} >>log.jsonl", env!("CARGO_BIN_EXE_bilinear"));
        let output = Command::new("sh").current_dir(folder.path("")).args(["-c", &line]).output().unwrap();
        Run::of(&output).ends(2).says(&format!("error: {option}, and standard output would change it"));
        assert_eq!(folder.text("log.jsonl"), rows(2), "{command}");
    }
}

/// `bilinear curves | head -0`: the exit status shows that output is missing, and there is no message.
#[test]
fn a_text_that_nobody_reads_ends_the_command_quietly() {
    let folder = Folder::new();
    folder.run("key generate --out key").ends(0);
    for command in [
        "curves",
        "params show --curve a-512",
        "ops --curve a-512",
        "program --curve a-512",
        "asm --curve a-512",
        "man",
        "completions bash",
        "key public --variant min-pk --key key",
        "points random --curve a-512",
        "--help",
        "--version",
        "pair --help",
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let run = Run::of(&folder.command(command).stdout(writer).output().unwrap()).ends(141);
        assert_eq!(run.stderr, "", "{command}");
    }
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = Folder::new();
    for command in ["--help", "pair --help", "--version"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = folder.command(command).stdout(full).output().unwrap();
        Run::of(&output).ends(2).says("error: standard output: cannot write: No space left on device");
    }
}
