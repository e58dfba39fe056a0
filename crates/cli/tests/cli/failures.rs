//! Jobs that cannot run: exit status 2, and a message that names the file and the reason.

use crate::columnar::{batch, write_arrow, write_stream};
use crate::support::*;
use arrow_array::{ArrayRef, BinaryArray};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

#[test]
fn bad_arguments() {
    let folder = Folder::new();
    for (arguments, words) in [
        ("pair", "--curve"),
        ("pair --curve a-512 --params x", "cannot be used with"),
        ("pair --curve nonsense", "no curve is named \"nonsense\"; known: a-512"),
        ("pair --curve BLS12-318", "no curve is named \"BLS12-318\" (did you mean bls12-381"),
        ("pear", "some similar subcommands exist: 'params', 'search', 'pair'"),
        (
            "pair --curve a-512 --engine abacus",
            "no engine is called \"abacus\": choose one of mont, ifma, portable, hmm, rns, rows, cuda, auto, reference",
        ),
        ("pair --curve a-512 --threads 0", "0 is not allowed: at least 1"),
        ("bench --curve a-512 --samples 0", "0 is not allowed: at least 1"),
        ("bench --curve a-512 --samples 100001", "at most 100000"),
        ("ops --curve a-512 --cores 0", "0 is not allowed: at least 1"),
        ("bench --curve a-512 --threads 5000", "5000 threads: a batch takes at most 1024"),
        ("sim a-512 --registers 1", "1 is not in 2..=1024"),
        ("sim a-512 --engine cuda", "cuda has no field for the simulator to compute in: choose one of mont"),
        ("pair --curve a-512 --threads 20000", "20000 threads: a batch takes at most 1024"),
        ("pair --curve a-512 --chunk 0", "0 is not allowed: at least 1"),
        ("pair --curve a-512 --expect-col wanted", "--check"),
        ("sim a-512 --p abc", "--p: "),
        ("verify --variant min-pk --scheme pop --proof-col proof", "--proof-col: proofs are read for aggregates"),
        (
            "verify --variant min-pk --scheme basic --aggregate --proof-col proof",
            "--proof-col: proofs are read in the scheme pop only",
        ),
        (
            "verify --variant min-pk --scheme pop --aggregate --proofs-verified --proof-col proof",
            "--proof-col: proofs are read in the scheme pop only",
        ),
        (
            "params new a1 --primes 64,64 --insecure --out q.toml --factors-out q.toml",
            "q.toml: the public and the secret file need different names",
        ),
        (
            "pair --curve a-512 --fixed-p -",
            "standard input cannot be the fixed points and the table: --in FILE, or a file for --fixed-p",
        ),
        ("check --curve a-512 --in - --fixed-q -", "or a file for --fixed-q"),
        ("pair --curve a-512 --format csv", "possible values: jsonl, parquet, arrow"),
        ("nonsense", "unrecognized subcommand"),
    ] {
        folder.run(arguments).ends(2).says(words);
    }
}

/// With a driver and a GPU the same rows are computed.
#[test]
fn without_a_gpu_the_processor_computes() {
    let folder = Folder::new();
    folder.run("points random --curve a-512 --pairs --n 2 --out rows.jsonl").ends(0);
    let values = folder.run("pair --curve a-512 --in rows.jsonl").ends(0).stdout;
    let driver = bilinear_engine::cuda::Driver::new(0);
    for (engine, there) in [("cuda", "cuda (mont below"), ("auto", " of 2 Miller values on a device")] {
        let run = folder.run(&format!("pair --curve a-512 --in rows.jsonl --engine {engine}")).ends(0);
        assert_eq!(run.stdout, values, "{engine}");
        match &driver {
            Err(reason) => run.says(&format!(", no device: {reason}")),
            Ok(_) => run.says(there),
        };
    }
    let Err(reason) = &driver else { return };
    folder.write("in.jsonl", "{\"message\":\"00\"}\n");
    folder.run("key generate --out key").ends(0);
    for command in [
        "points random --curve a-512 --engine cuda",
        "params new a --r-bits 40 --q-bits 96 --insecure --engine auto --out a.toml",
        "bench --curve a-512 --engine cuda --jobs batch --samples 1 --threads 1",
        "sign --variant min-pk --scheme basic --engine cuda --key key --in in.jsonl",
    ] {
        folder.run(command).ends(0).says(&format!("no device: {reason}"));
    }
}

/// An editor may put an invisible byte-order mark before a text.
#[test]
fn texts_with_a_byte_order_mark() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(1));
    let mark = "\u{feff}";
    folder.write("fixed", format!("{mark}{}\n", text(&point(1))));
    folder.write("schema", format!("{mark}hidden vector\ncity text\n"));
    folder.write("toy.toml", format!("{mark}# a toy\n{}", std::fs::read_to_string(TOY).unwrap()));
    let keygen = "search keygen --curve a1-2x512 --schema schema --public p --secret s";
    let pair = format!("pair --params {TOY} --in in.jsonl --fixed-p fixed");
    for (command, place) in [
        (&*pair, "fixed: line 1: "),
        (keygen, "schema: line 1: "),
        ("pair --params toy.toml --in in.jsonl", "toy.toml: "),
    ] {
        folder.run(command).ends(2).says(place).says("begins with a byte-order mark: save it as UTF-8 without one");
    }
    folder.write("schema", b"hidden vector\n\xff text\n");
    folder.run(keygen).ends(2).says("schema: cannot read: not UTF-8 text");
}

#[test]
fn unreadable_inputs() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.jsonl")).unwrap();
    folder.pair("--in absent.jsonl").ends(2).says("error: absent.jsonl: cannot open: No such file");
    folder.pair("--in absent.parquet").ends(2).says("error: absent.parquet: cannot open: No such file");
    folder.pair("--in folder.jsonl").ends(2).says("error: folder.jsonl: cannot open: ").says("directory");
    folder.run("pair --params absent.toml").ends(2).says("absent.toml");
    folder.write("bad.toml", "name = 1");
    folder.run("pair --params bad.toml").ends(2).says("bad.toml");
}

/// A table in another format is reported once, not for every row.
#[test]
fn other_formats_in_place_of_lines() {
    let folder = Folder::new();
    for (bytes, words) in [
        (&b"\xef\xbb\xbf{\"p\": \"00\"}\n"[..], "byte-order mark"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "gzip"),
        (b"\xff\xfe{\0\"\0", "UTF-16"),
        (b"{\0\"\0p\0", "UTF-16"),
        (b"BZh91AY", "bzip2"),
        (b"PAR1\x15\x04", "--in-format parquet"),
        (b"ARROW1\0\0\xff\xff\xff\xff", "--in-format arrow"),
        (b"\xff\xff\xff\xff\x10\0", "an Arrow stream"),
        (b"p,q,group\n00,01,1\n", "CSV"),
        (b"\"p\";\"q\"\r\n", "CSV"),
        (b"[{\"p\": \"00\", \"q\": \"01\"}]", "one JSON array"),
    ] {
        folder.write("in.jsonl", bytes);
        let run = folder.pair("--in in.jsonl").ends(2).says("in.jsonl: not a readable JSON Lines file: ");
        assert_eq!(run.says(words).stdout, "");
    }
    // a bad first line is an error of its row
    folder.write("in.jsonl", "nonsense\n");
    folder.pair("--in in.jsonl").ends(1);
}

#[test]
fn other_formats_in_place_of_columns() {
    let folder = Folder::new();
    for (name, format, bytes, words) in [
        ("in.arrow", "Arrow", &b"{\"p\": "[..], "it is text, not Arrow"),
        ("in.arrow", "Arrow", b"FEA1\0\0\0", "Feather of version 1"),
        ("in.arrow", "Arrow", b"PAR1\x15\x04", "a Parquet file"),
        ("in.parquet", "Parquet", b"{\"p\": ", "it is text, not Parquet"),
        ("in.parquet", "Parquet", b"ARROW1\0\0", "an Arrow file: --in-format arrow"),
        ("in.parquet", "Parquet", b"\xff\xff\xff\xff", "an Arrow stream: --in-format arrow"),
    ] {
        folder.write(name, bytes);
        let run = folder.pair(&format!("--in {name}")).ends(2);
        run.says(&format!("{name}: not a readable {format} file: it is ")).says(words);
    }
}

/// The end of a stream need not be marked, but that of a file is: what is cut between two batches has lost rows.
#[test]
fn an_arrow_file_in_a_pipe_that_is_cut() {
    let folder = Folder::new();
    let p: ArrayRef = Arc::new(BinaryArray::from_iter_values([point(1).bytes().unwrap(); 2]));
    let table = batch(vec![("p", p.clone()), ("q", p)]);
    let both = [table.clone(), table];
    write_stream(&folder, "t.ipc", &both[..1]);
    let one = folder.read("t.ipc").len() - 8;
    write_stream(&folder, "t.ipc", &both);
    write_arrow(&folder, "t.arrow", &both);
    for (name, status) in [("t.ipc", 0), ("t.arrow", 2)] {
        let whole = folder.read(name);
        // in a file the same messages follow the magic word; the first begins with a marker
        let begin = (0..whole.len()).find(|at| whole[*at..].starts_with(&[0xff; 4])).unwrap();
        folder.write(name, &whole[..begin + one]);
        let mut command = folder.command(&format!("pair --params {TOY} --in-format arrow"));
        let run = Run::of(&command.stdin(File::open(folder.path(name)).unwrap()).output().unwrap()).ends(status);
        assert_eq!(run.records().len(), 2);
        assert_eq!(run.stderr.contains("the length of a message is cut off"), status == 2, "{}", run.stderr);
    }
}

#[test]
fn outputs_that_cannot_be_made() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(1));
    std::fs::create_dir(folder.path("out.jsonl")).unwrap();
    let no_folder = folder.pair("--in in.jsonl --out absent/out.jsonl").ends(2);
    no_folder.says("absent/out.jsonl.part: cannot create: No such file");
    folder.pair("--in in.jsonl --out out.jsonl").ends(2).says("out.jsonl: cannot write: ").says("directory");
    // even the superuser cannot create files there
    if Path::new("/proc/self").exists() {
        folder.pair("--in in.jsonl --out /proc/out.jsonl").ends(2).says("/proc/out.jsonl.part: cannot create: ");
    }
}

#[test]
fn a_full_device() {
    if !Path::new("/dev/full").exists() {
        eprintln!("skipped: there is no /dev/full here");
        return;
    }
    let folder = Folder::new();
    folder.write("in.jsonl", rows(3000));
    for format in ["jsonl", "parquet", "arrow"] {
        let run = folder.pair(&format!("--in in.jsonl --out /dev/full --out-format {format}")).ends(2);
        run.says("error: /dev/full: cannot write: No space left on device");
    }
    let full = File::options().write(true).open("/dev/full").unwrap();
    let arguments = format!("pair --params {TOY} --in in.jsonl");
    let output = folder.command(&arguments).stdout(full.try_clone().unwrap()).output().unwrap();
    Run::of(&output).ends(2).says("error: standard output: cannot write: No space left on device");
    let output = folder.command("curves").stdout(full).output().unwrap();
    Run::of(&output).ends(2).says("error: standard output: cannot write: No space left on device");
}

/// The file system fills up in the middle of a job, which continues once there is space.
#[test]
fn a_full_disk() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("small")).unwrap();
    let small = folder.path("small");
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "none"]).arg(&small).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no file system can be mounted here");
        return;
    }
    folder.write("in.jsonl", rows(3000));
    let run = folder.pair("--in in.jsonl --out small/out.jsonl --chunk 50");
    let names = std::fs::read_dir(&small).unwrap().count();
    let remounted = Command::new("mount").args(["-o", "remount,size=4m"]).arg(&small).status().unwrap();
    let resumed = folder.pair("--in in.jsonl --out small/out.jsonl --resume");
    let result = std::fs::read_to_string(small.join("out.jsonl"));
    let unmounted = Command::new("umount").arg(&small).status().unwrap();
    assert!(remounted.success() && unmounted.success());
    let run = run.ends(2).says("cannot write: No space left on device").says("with --resume goes on");
    assert!(run.stderr.contains("small/out.jsonl."), "{}", run.stderr);
    assert!(names >= 2, "part file and checkpoint are kept");
    resumed.ends(0).says("of them before this run");
    folder.pair("--in in.jsonl --out whole.jsonl").ends(0);
    assert_eq!(result.unwrap(), folder.text("whole.jsonl"));
}

/// `bilinear pair ... | head -1` prints no message except that the curve is weak, and its status shows that
/// rows are missing.
#[test]
fn a_reader_that_goes_away_ends_the_job_quietly() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(20_000));
    let mut child = folder.spawn(&format!("pair --params {TOY} --in in.jsonl --chunk 10"));
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(141));
    assert!(errors.starts_with("warning: toy is weak: ") && errors.lines().count() == 1, "{errors}");
    assert!(line.starts_with("{\"row\":0,"));
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_stays_and_its_target_is_written() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.write("in.jsonl", rows(3));
    std::fs::create_dir(folder.path("there")).unwrap();
    folder.write("there/old.jsonl", "old\n");
    // links to an existing file, to a file not yet made, and through another link
    for (link, target, file) in [
        ("a", "there/old.jsonl", "there/old.jsonl"),
        ("b", "there/new.jsonl", "there/new.jsonl"),
        ("c", "d", "there/other.jsonl"),
    ] {
        symlink(target, folder.path(link)).unwrap();
        if link == "c" {
            symlink("there/other.jsonl", folder.path("d")).unwrap();
        }
        folder.pair(&format!("--in in.jsonl --out {link} --out-format jsonl")).ends(0);
        assert!(folder.path(link).symlink_metadata().unwrap().is_symlink(), "{link}");
        assert_eq!(folder.text(file).lines().count(), 3, "{link}");
    }
}

/// A pipe that stays open must not delay a strict job.
#[test]
fn a_strict_job_does_not_wait_for_its_pipe() {
    let folder = Folder::new();
    let arguments = format!("pair --params {TOY} --strict --chunk 1");
    let mut command = folder.command(&arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"nonsense\n").unwrap();
    let status = child.wait().unwrap();
    drop(stdin);
    assert_eq!(status.code(), Some(1));
}
