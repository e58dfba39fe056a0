//! The files of an output: their modes, links, and what remains of a job that is interrupted and cannot be
//! resumed.

use crate::resume::is_ignored;
use crate::signers::write_key;
use crate::support::*;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

fn mode(folder: &Folder, name: &str) -> u32 {
    fs::metadata(folder.path(name)).unwrap().mode() & 0o7777
}

fn set_mode(folder: &Folder, name: &str, mode: u32) {
    fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).unwrap();
}

#[test]
fn companions_follow_no_links() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(3));
    folder.write("precious", "kept");
    let link = |name: &str| symlink("precious", folder.path(name)).unwrap();
    link("out.jsonl.part");
    let run = folder.pair("--in in.jsonl --out out.jsonl").ends(2);
    run.says("out.jsonl.part: records are written here, and it is not a regular file");
    fs::remove_file(folder.path("out.jsonl.part")).unwrap();
    // a link to a file that does not exist creates no file there
    symlink("absent", folder.path("out.jsonl.part")).unwrap();
    folder.pair("--in in.jsonl --out out.jsonl").ends(2).says("it is not a regular file");
    assert!(!folder.exists("absent"));
    // files that are created anew replace the link
    link("out.parquet.resume.part");
    link("out.parquet.assembly.part");
    folder.pair("--in in.jsonl --out out.parquet").ends(0);
    assert_eq!(folder.text("precious"), "kept");
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl.part", "out.parquet", "precious"]);
}

/// The longest companion name is used last.
#[test]
fn names_that_are_too_long_for_companions_are_refused_first() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(3));
    for (length, ending) in [(242, ".parquet"), (243, ".parquet"), (242, ".jsonl"), (249, ".jsonl"), (250, ".jsonl")] {
        let name = "n".repeat(length - ending.len()) + ending;
        for command in [format!("pair --params {TOY} --in in.jsonl"), format!("points random --params {TOY}")] {
            let run = folder.run(&format!("{command} --out {name}")).ends(2);
            run.says(&format!("{ending}.assembly.part: cannot create: File name too long"));
            assert_eq!(folder.names(), ["in.jsonl"]);
        }
    }
    let name = "n".repeat(241 - 6) + ".jsonl";
    folder.pair(&format!("--in in.jsonl --out {name}")).ends(0);
}

#[test]
fn an_error_is_told_though_not_all_files_can_be_removed() {
    let folder = Folder::new();
    folder.write("in.jsonl", "");
    fs::create_dir(folder.path("out.jsonl.assembly.part")).unwrap();
    let run = folder.check("--in in.jsonl --out out.jsonl").ends(2).says("error: in.jsonl: no rows");
    run.says("note: out.jsonl.assembly.part: cannot remove: ");
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl.assembly.part"]);
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(5));
    for name in ["out.jsonl", "out.parquet", "out.arrow"] {
        for wanted in [0o600, 0o640, 0o604] {
            folder.write(name, "an earlier one");
            set_mode(&folder, name, wanted);
            folder.pair(&format!("--in in.jsonl --out {name}")).ends(0);
            assert_eq!(mode(&folder, name), wanted, "{name}");
            assert!(folder.read(name) != b"an earlier one");
        }
    }
    // other users may not read the records of the unfinished output either
    folder.write("in.jsonl", rows(5) + "nonsense\n" + &rows(5));
    set_mode(&folder, "out.jsonl", 0o600);
    folder.pair("--in in.jsonl --out out.jsonl --strict --chunk 2").ends(1);
    assert_eq!(["out.jsonl.part", "out.jsonl.resume"].map(|name| mode(&folder, name)), [0o600; 2]);
}

/// Nothing has to be kept or removed.
#[test]
fn without_a_file_a_signal_ends_the_command_at_once() {
    if is_ignored(15) {
        return;
    }
    let folder = Folder::new();
    let mut command = folder.command(&format!("pair --params {TOY} --chunk 1"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut table = child.stdin.take().unwrap();
    table.write_all(rows(1).as_bytes()).unwrap();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    terminate(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(15));
    assert!(!Run::of(&output).stderr.contains("interrupted"));
}

/// The signatures take one chunk that lasts far longer than this test, and the table of the other job comes
/// from a pipe that does not end.
#[test]
fn an_interruption_leaves_nothing_of_what_cannot_be_resumed() {
    if is_ignored(15) {
        return;
    }
    let folder = Folder::new();
    write_key(&folder, "a.key", "5e".repeat(32));
    folder.write("messages.jsonl", "{\"message\":\"00\"}\n".repeat(200_000));
    let sign = "sign --variant min-pk --scheme pop --key a.key --in messages.jsonl --out out.jsonl --chunk 200000";
    let pair = format!("pair --params {TOY} --in - --out out.jsonl");
    for command in [sign, &pair] {
        let mut command = folder.command(command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // keeps the pipe of the table open
        let mut table = child.stdin.take().unwrap();
        table.write_all(rows(1).as_bytes()).unwrap();
        folder.wait_for("out.jsonl.part");
        terminate(&child);
        let run = Run::of(&child.wait_with_output().unwrap()).ends(130);
        run.says("interrupted: out.jsonl is not complete; nothing is kept");
        assert_eq!(folder.names(), ["a.key", "messages.jsonl"]);
    }
}
