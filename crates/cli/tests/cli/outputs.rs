//! An output replaces no file that the job reads, and appears only when it is complete.

use crate::search::{HIDDEN, encrypted, keys, table, token};
use crate::support::*;
use serde_json::Value;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Returns the content of each file.
fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    folder.names().into_iter().map(|name| (name.clone(), folder.read(&name))).collect()
}

/// Runs commands that must be refused, each with the file that it would replace and the option that names the
/// file.
#[track_caller]
fn refused(folder: &Folder, commands: &[(String, &str, &str)]) {
    let before = contents(folder);
    for (command, file, option) in commands {
        let words = format!("error: {file}: it is read ({option}), and --out would replace it");
        folder.run(command).ends(2).says(&words);
        assert_eq!(contents(folder), before, "{command}");
    }
}

#[test]
fn no_file_that_is_read_is_replaced() {
    let folder = Folder::new();
    fs::copy(TOY, folder.path("toy.toml")).unwrap();
    folder.write("in.jsonl", rows(2));
    folder.write("x.jsonl.part", rows(2));
    folder.write("fixed.jsonl", text(&point(1)) + "\n");
    folder.write("messages.jsonl", "{\"message\":\"00\"}\n");
    folder.run("key generate --out key.jsonl").ends(0);
    let program = folder.run(&format!("asm --params {TOY}")).ends(0).stdout;
    folder.write("toy.pasm", format!("; a comment\n{program}"));
    let toy = "--params toy.toml";
    let suite = "--variant min-pk --scheme basic";
    refused(
        &folder,
        &[
            (format!("pair {toy} --in in.jsonl --out ./in.jsonl"), "in.jsonl", "--in"),
            (format!("pair {toy} --in x.jsonl.part --in-format jsonl --out x.jsonl"), "x.jsonl.part", "--in"),
            (format!("pair {toy} --in in.jsonl --fixed-p fixed.jsonl --out fixed.jsonl"), "fixed.jsonl", "--fixed-p"),
            (format!("check {toy} --in in.jsonl --fixed-q fixed.jsonl --out fixed.jsonl"), "fixed.jsonl", "--fixed-q"),
            (format!("pair {toy} --in in.jsonl --out toy.toml --out-format jsonl"), "toy.toml", "--params"),
            (format!("gt check {toy} --in in.jsonl --out toy.toml --out-format jsonl"), "toy.toml", "--params"),
            (format!("points add {toy} --in in.jsonl --out toy.toml --out-format jsonl"), "toy.toml", "--params"),
            (format!("points random {toy} --out toy.toml --out-format jsonl"), "toy.toml", "--params"),
            (format!("points hash-lines {toy} --dst T --in in.jsonl --out in.jsonl"), "in.jsonl", "--in"),
            (format!("sign {suite} --key key.jsonl --in messages.jsonl --out key.jsonl"), "key.jsonl", "--key"),
            (
                format!("sign {suite} --key key.jsonl --in messages.jsonl --out messages.jsonl"),
                "messages.jsonl",
                "--in",
            ),
            (format!("verify {suite} --in messages.jsonl --out messages.jsonl"), "messages.jsonl", "--in"),
            ("asm toy.pasm --out toy.pasm".to_owned(), "toy.pasm", "FILE"),
            (format!("asm {toy} --out toy.toml"), "toy.toml", "--params"),
        ],
    );
}

/// A shell has opened the file, so the command does not know its name.
#[test]
fn a_file_that_is_standard_input_is_not_replaced() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(2));
    folder.write("in.part", rows(2));
    folder.write("fixed.jsonl", text(&point(1)) + "\n");
    let before = contents(&folder);
    let words = "error: /dev/stdin: it is read (standard input), and --out would replace it";
    let (pair, hash) = (format!("pair --params {TOY}"), format!("points hash-lines --params {TOY} --dst T --in -"));
    let fixed = format!("{pair} --in in.jsonl --fixed-p -");
    // records for the output `in` are written to `in.part` first
    for (command, out, opened) in [
        (&pair, "in.jsonl", "in.jsonl"),
        (&pair, "in", "in.part"),
        (&hash, "in.jsonl", "in.jsonl"),
        (&fixed, "fixed.jsonl", "fixed.jsonl"),
    ] {
        let mut command = folder.command(&format!("{command} --out {out} --out-format jsonl"));
        let command = command.stdin(fs::File::open(folder.path(opened)).unwrap());
        Run::of(&command.output().unwrap()).ends(2).says(words);
        assert_eq!(contents(&folder), before, "{opened} as {out}");
    }
}

#[test]
fn no_key_token_or_kept_table_is_replaced() {
    let folder = Folder::new();
    folder.run("params new a1 --insecure --primes 80,80 --out curve.toml --factors-out factors.toml").ends(0);
    keys(&folder, "--params curve.toml --factors factors.toml", HIDDEN, "t");
    token(&folder, "t", "tt.token", "*").ends(0);
    folder.write("e.jsonl", lines(&encrypted(&folder, "t", &table(2))));
    folder.write("kept.parquet", "the user's own");
    let scan = "search scan --token tt.token --in e.jsonl --out-format parquet";
    refused(
        &folder,
        &[
            (
                "search encrypt --public t.public --in e.jsonl --out t.public --out-format jsonl".to_owned(),
                "t.public",
                "--public",
            ),
            (
                "points project --params curve.toml --factors factors.toml --factor 0 --in e.jsonl --out factors.toml \
                 --out-format jsonl"
                    .to_owned(),
                "factors.toml",
                "--factors",
            ),
            (format!("{scan} --out tt.token"), "tt.token", "--token"),
        ],
    );
    // a table whose rows are kept must have as many rows as the searched one
    folder.run("search scan --token tt.token --in e.jsonl --result bitmap --out kept.parquet").ends(0);
    refused(
        &folder,
        &[(format!("{scan} --result rows --rows-of kept.parquet --out kept.parquet"), "kept.parquet", "--rows-of")],
    );
}

/// A file called `-` is not standard input or output.
#[test]
fn a_file_named_like_standard_output_is_left_alone() {
    let folder = Folder::new();
    folder.write("-", "a file\n");
    let values = folder.pair_prepared(&rows(2), "").ends(0).records();
    assert_eq!(values.len(), 2);
    folder.run("points random --curve a-512").ends(0);
    let none = "-: this goes to a new file, not to standard output";
    for command in [
        "key generate --out -",
        "params new a --r-bits 40 --q-bits 96 --insecure --name x --out -",
        "params new a1 --primes 40,41 --insecure --out x --factors-out -",
        "search keygen --curve a1-2x512 --schema x --public x --secret -",
        "search token --secret x --out - *",
    ] {
        folder.run(command).ends(2).says(none);
    }
    assert_eq!(contents(&folder), [("-".to_owned(), b"a file\n".to_vec())]);
}

#[test]
fn points_appear_when_they_are_complete() {
    let folder = Folder::new();
    folder.write("words", b"apple\npear\n\xff\n");
    let hash = format!("points hash-lines --params {TOY} --dst T --in words --out");
    for out in ["h.jsonl", "h.parquet", "h.arrow"] {
        folder.run(&format!("{hash} {out}")).ends(2).says("words: line 3: not UTF-8 text");
    }
    assert_eq!(folder.names(), ["words"]);
    // an existing file stays unchanged
    folder.write("old.jsonl", "old\n");
    folder.run(&format!("{hash} old.jsonl")).ends(2);
    assert_eq!((folder.text("old.jsonl").as_str(), folder.names().len()), ("old\n", 2));
    // a device takes the points as they are written
    folder.run(&format!("points random --params {TOY} --out /dev/null --out-format jsonl")).ends(0);
    folder
        .run(&format!("points random --params {TOY} --out absent/p.jsonl"))
        .ends(2)
        .says("cannot create: No such file");
    fs::create_dir(folder.path("d.jsonl")).unwrap();
    folder.run(&format!("points random --params {TOY} --out d.jsonl")).ends(2).says("d.jsonl: cannot write: ");
}

#[cfg(unix)]
#[test]
fn points_that_are_interrupted_leave_nothing() {
    let folder = Folder::new();
    let mut child = folder.spawn(&format!("points random --params {TOY} --n 1000000000 --out p.jsonl"));
    let started = Instant::now();
    while !fs::metadata(folder.path("p.jsonl.part")).is_ok_and(|part| part.len() > 0) {
        assert!(child.try_wait().unwrap().is_none());
        assert!(started.elapsed() < Duration::from_secs(120), "no part file appeared");
        sleep(Duration::from_millis(1));
    }
    folder
        .run(&format!("points random --params {TOY} --out p.jsonl"))
        .ends(2)
        .says("another run is writing this output");
    terminate(&child);
    let words = "interrupted: p.jsonl is not complete; nothing is kept";
    Run::of(&child.wait_with_output().unwrap()).ends(130).says(words);
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// A strict job would end at the same row again.
#[test]
fn a_strict_job_is_resumed_without_being_strict() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(4) + "nonsense\n" + &rows(2));
    let strict = folder.pair("--in in.jsonl --out out.jsonl --strict --chunk 2").ends(1);
    strict.says("the same command with --resume and without --strict goes on from there");
    folder.pair("--in in.jsonl --out out.jsonl --resume --chunk 2").ends(1);
    assert_eq!(parse(&folder.text("out.jsonl")).iter().map(Value::is_object).collect::<Vec<_>>(), [true; 7]);
}

#[test]
fn a_checkpoint_without_its_part_file_is_ignored() {
    for options in ["", "--trusted"] {
        let folder = Folder::new();
        folder.write("in.jsonl", rows(4) + "nonsense\n");
        folder.pair("--in in.jsonl --out out.jsonl --strict --chunk 2").ends(1);
        fs::remove_file(folder.path("out.jsonl.part")).unwrap();
        let run = folder.pair(&format!("--in in.jsonl --out out.jsonl --resume {options}")).ends(1).says("rows: 5\n");
        assert!(!run.stderr.contains("before this run"), "{}", run.stderr);
        assert_eq!(folder.names(), ["in.jsonl", "out.jsonl"]);
        assert_eq!(folder.text("out.jsonl").lines().count(), 5);
    }
}

#[test]
fn an_output_that_proves_nothing_replaces_no_file() {
    let folder = Folder::new();
    folder.write("in.jsonl", "");
    for command in [
        format!("check --params {TOY}"),
        format!("check --params {TOY} --product-by group"),
        format!("gt check --params {TOY}"),
        "verify --variant min-pk --scheme basic".to_owned(),
        "verify --variant min-pk --scheme basic --aggregate".to_owned(),
        "key check --variant min-pk".to_owned(),
        "aggregate --variant min-pk".to_owned(),
    ] {
        for out in ["old.jsonl", "old.parquet"] {
            folder.write(out, "an earlier one");
            folder.run(&format!("{command} --in in.jsonl --out {out}")).ends(2).says("in.jsonl: no rows: ");
            assert_eq!(folder.text(out), "an earlier one", "{command}");
        }
        assert_eq!(folder.names(), ["in.jsonl", "old.jsonl", "old.parquet"], "{command}");
    }
}

#[test]
fn an_output_with_another_number_of_groups_replaces_no_file() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(6).replace("{\"p\"", "{\"group\":1,\"p\""));
    let check = |out: &str, options: &str| {
        folder.check(&format!("--in in.jsonl --out {out} --product-by group --expect-groups {options}"))
    };
    for out in ["old.jsonl", "old.arrow"] {
        folder.write(out, "an earlier one");
        let run = check(out, "2").ends(2).says("in.jsonl: groups found: 1; --expect-groups asks for 2");
        run.says("with --resume and another --expect-groups goes on from there");
        check(out, "3 --resume").ends(2);
        assert_eq!(folder.text(out), "an earlier one");
        check(out, "1 --resume").ends(1).says("rows: 6 in 1 group, 6 of them before this run");
        check(&format!("new-{out}"), "1").ends(1);
        assert_eq!(folder.read(out), folder.read(&format!("new-{out}")));
    }
    assert_eq!(folder.names(), ["in.jsonl", "new-old.arrow", "new-old.jsonl", "old.arrow", "old.jsonl"]);
}
