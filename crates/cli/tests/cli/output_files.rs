//! The files of an output: their modes, links, and what remains of a job that is interrupted and cannot be
//! resumed.

use crate::resume::is_ignored;
use crate::signers::write_key;
use crate::support::*;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
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
    run.says("out.jsonl.part: records are written here, and it is no regular file");
    fs::remove_file(folder.path("out.jsonl.part")).unwrap();
    // a link to a file that does not exist creates no file there
    symlink("absent", folder.path("out.jsonl.part")).unwrap();
    folder.pair("--in in.jsonl --out out.jsonl").ends(2).says("it is no regular file");
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
    for length in [242, 243] {
        let name = "n".repeat(length - 8) + ".parquet";
        let run = folder.pair(&format!("--in in.jsonl --out {name}")).ends(2);
        run.says(".parquet.assembly.part: cannot create: File name too long");
        assert_eq!(folder.names(), ["in.jsonl"]);
    }
    let name = "n".repeat(243 - 6) + ".jsonl";
    folder.pair(&format!("--in in.jsonl --out {name}")).ends(0);
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
    assert_eq!(mode(&folder, "out.jsonl.part"), 0o600);
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
