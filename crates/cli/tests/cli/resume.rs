//! Interrupted runs.

use crate::support::*;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Returns rows in groups of 1 to 13, with some faults of every kind.
fn grouped(count: usize) -> String {
    let mut group = 0;
    let mut left = 1;
    let mut out = String::new();
    for (index, line) in rows(count).lines().enumerate() {
        if left == 0 {
            group += 1;
            left = 1 + group * 7 % 13;
        }
        left -= 1;
        match index % 509 {
            300 => out.push_str("nonsense\n"),
            401 => out.push_str(&format!("{{\"group\":{group},\"p\":\"00\",\"q\":null}}\n")),
            // a row of an earlier group
            450 => out.push_str(&format!("{{\"group\":{},{}\n", group / 2, &line[1..])),
            _ => out.push_str(&format!("{{\"group\":{group},{}\n", &line[1..])),
        }
    }
    out
}

/// Returns the number of finished rows according to the checkpoint.
pub(crate) fn rows_done(folder: &Folder, out: &str) -> u64 {
    let Ok(text) = fs::read(folder.path(&format!("{out}.resume"))) else { return 0 };
    let checkpoint: Value = serde_json::from_slice(text.split(|byte| *byte == b'\n').next().unwrap()).unwrap();
    checkpoint["tally"]["rows"].as_u64().unwrap()
}

/// Waits until more than `rows` rows are finished, then sends a signal that ends the process in the middle of its work.
fn kill_after(mut child: Child, folder: &Folder, out: &str, rows: u64, signal: &str) {
    let started = Instant::now();
    while rows_done(folder, out) <= rows {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "the run ended before it could be interrupted: {ended:?}");
        assert!(started.elapsed() < Duration::from_secs(120), "no checkpoint appeared");
        sleep(Duration::from_millis(1));
    }
    let id = child.id().to_string();
    // uses the shell's built-in `kill`, since a minimal system has no other
    let kill = Command::new("sh").args(["-c", "kill \"$0\" \"$1\"", signal, &id]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success());
    if signal != "-KILL" {
        let words = format!("interrupted: {out} is not complete; the same command with --resume goes on from there");
        Run::of(&output).ends(130).says(&words);
    }
}

#[test]
fn killed_runs_end_with_the_same_bytes() {
    let folder = Folder::new();
    folder.write("in.jsonl", grouped(2000));
    for (out, options) in [
        ("rows.jsonl", ""),
        ("rows.parquet", ""),
        ("groups.jsonl", "--product-by group"),
        ("groups.arrow", "--product-by group"),
    ] {
        let whole = format!("whole-{out}");
        let reference = folder.pair(&format!("--in in.jsonl --out {whole} {options}")).ends(1);
        // one row a chunk keeps the run busy long enough to be interrupted twice, after a fault of every kind
        let command = format!("pair --params {TOY} --in in.jsonl --out {out} --chunk 1 {options}");
        kill_after(folder.spawn(&command), &folder, out, 460, "-KILL");
        assert!(!folder.exists(out), "an unfinished file must not have the name of a finished one");
        let first = rows_done(&folder, out);
        kill_after(folder.spawn(&format!("{command} --resume")), &folder, out, first + 100, "-KILL");
        // a torn record follows the last checkpoint
        let mut part = folder.read(&format!("{out}.part"));
        part.extend_from_slice(b"{\"row\":12");
        folder.write(&format!("{out}.part"), part);
        let second = rows_done(&folder, out);
        assert!(second > first && second < 2000);
        let resumed = folder.pair(&format!("--in in.jsonl --out {out} {options} --resume")).ends(1);
        let resumed = resumed.says(&format!(", {second} of them before this run"));
        assert!(folder.read(out) == folder.read(&whole), "{out} differs from an uninterrupted run");
        // the summary counts the whole job
        assert_eq!(resumed.stderr.lines().nth(2), reference.stderr.lines().nth(2));
        assert!(!folder.exists(&format!("{out}.part")) && !folder.exists(&format!("{out}.resume")));
    }
}

#[test]
fn interrupted_runs_say_how_to_resume() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(6000));
    // signals that are ignored here are ignored in the child too, for instance if the tests run under `nohup`
    let heeded = [("-INT", 2), ("-TERM", 15), ("-HUP", 1)].into_iter().filter(|(_, number)| !is_ignored(*number));
    let mut names = vec!["in.jsonl".to_owned()];
    for (signal, _) in heeded {
        let out = format!("out{signal}.jsonl");
        let command = format!("pair --params {TOY} --in in.jsonl --out {out} --chunk 1");
        kill_after(folder.spawn(&command), &folder, &out, 20, signal);
        folder.pair(&format!("--in in.jsonl --out {out} --resume")).ends(0);
        names.push(out);
    }
    names.sort();
    assert_eq!(folder.names(), names);
    assert!(names.len() > 1, "all signals are ignored");
}

/// One chunk takes far longer than this test: nothing is kept when the signal comes, and the message promises
/// no resumption.
#[test]
fn before_the_first_checkpoint_no_resumption_is_promised() {
    if is_ignored(15) {
        return;
    }
    let folder = Folder::new();
    let line = rows(1);
    folder.write("in.jsonl", line.repeat(100_000));
    let child =
        folder.spawn(&format!("pair --params {TOY} --in in.jsonl --out out.jsonl --chunk 100000 --engine reference"));
    folder.wait_for("out.jsonl.part");
    terminate(&child);
    let run = Run::of(&child.wait_with_output().unwrap()).ends(130);
    let run = run.says("interrupted: out.jsonl is not complete; nothing is kept");
    assert!(!run.stderr.contains("--resume"), "{}", run.stderr);
    assert_eq!(folder.names(), ["in.jsonl"]);
}

/// A group does not end: its checkpoints have no records, so none is kept.
#[test]
fn a_checkpoint_without_records_is_not_kept() {
    if is_ignored(15) {
        return;
    }
    let folder = Folder::new();
    folder.write("in.jsonl", rows(1).replace('{', "{\"group\":1,").repeat(100_000));
    let arguments = "--in in.jsonl --out out.jsonl --chunk 1 --product-by group";
    let child = folder.spawn(&format!("pair --params {TOY} {arguments} --engine reference"));
    folder.wait_for("out.jsonl.resume");
    terminate(&child);
    Run::of(&child.wait_with_output().unwrap()).ends(130).says("out.jsonl is not complete; nothing is kept");
    assert_eq!(folder.names(), ["in.jsonl"]);
}

/// Returns true if this process, and so its children, ignores the signal.
pub(crate) fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1)
}

/// `nohup` ignores hang-ups, and a shell ignores interrupts of background processes. Programs that they start
/// inherit this.
#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(1000));
    for name in ["HUP", "INT"] {
        let out = format!("out-{name}.jsonl");
        let program = env!("CARGO_BIN_EXE_bilinear");
        let command = format!("pair --params {TOY} --in in.jsonl --out {out} --chunk 1");
        let script = format!("trap '' {name}; exec {program} {command}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path(""));
        let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let started = Instant::now();
        while rows_done(&folder, &out) <= 20 {
            assert!(started.elapsed() < Duration::from_secs(120), "no checkpoint appeared");
            sleep(Duration::from_millis(1));
        }
        let id = child.id().to_string();
        let mut kill = Command::new("sh");
        let kill = kill.args(["-c", "kill \"-$0\" \"$1\"", name, &id]).status();
        assert!(kill.unwrap().success());
        Run::of(&child.wait_with_output().unwrap()).ends(0).says("rows: 1000");
    }
    assert_eq!(folder.names(), ["in.jsonl", "out-HUP.jsonl", "out-INT.jsonl"]);
}

/// Leaves a strict run of `in.jsonl` to `out.jsonl` that stopped at a bad row in the middle.
fn interrupted(options: &str) -> Folder {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(10) + "nonsense\n" + &rows(10));
    folder.write("fixed", text(&point(1)) + "\n");
    folder.pair(&format!("--in in.jsonl --out out.jsonl --strict --chunk 2 {options}")).ends(1);
    assert_eq!(rows_done(&folder, "out.jsonl"), 10);
    folder
}

#[test]
fn another_job_is_refused() {
    let folder = interrupted("");
    let refused = |options: &str, words: &str| {
        let part = folder.read("out.jsonl.part");
        folder
            .pair(&format!("--in in.jsonl --out out.jsonl --resume {options}"))
            .ends(2)
            .says("cannot resume: ")
            .says(words);
        assert_eq!(folder.read("out.jsonl.part"), part, "what is there stays");
    };
    refused("--trusted", "option --trusted has changed: yes now, not given before");
    refused("--check", "option --check has changed");
    refused("--p-col q", "option --p-col has changed: q now, p before");
    refused("--product-by q", "option --product-by has changed: q now, not given before");
    refused("--fixed-p fixed", "option --fixed-p has changed");
    refused("--out-format parquet", "option --out-format has changed: Parquet now, JSON Lines before");
    let other = folder.run("pair --curve a-512 --in in.jsonl --out out.jsonl --resume").ends(2);
    other.says("cannot resume: the curve is another one");
    folder.write("copy.jsonl", folder.read("in.jsonl"));
    let other = folder.pair("--in copy.jsonl --out out.jsonl --resume").ends(2);
    other.says("cannot resume: the input is copy.jsonl and was in.jsonl");
    folder.write("in.jsonl", rows(10) + "nonsensE\n" + &rows(10));
    refused("", "the content of the input in.jsonl has changed");
    folder.write("in.jsonl", rows(22));
    refused("", "the input in.jsonl has changed: ");
    folder.write("out.jsonl.resume", "{}");
    refused("", "not a checkpoint");
}

/// Other fixed points are told by the hashes of both files, which differ in their first digits.
#[test]
fn a_refusal_tells_hashes_apart() {
    let options = "--p-col none --fixed-p fixed";
    let folder = interrupted(options);
    folder.write("fixed", text(&point(2)) + "\n");
    let run = folder.pair(&format!("--in in.jsonl --out out.jsonl --resume {options}")).ends(2);
    let hashes: Vec<&str> = run.stderr.split("points with SHA-256 ").skip(1).map(|rest| &rest[..16]).collect();
    assert!(hashes.len() == 2 && hashes[0] != hashes[1], "{}", run.stderr);
    assert!(hashes.iter().all(|hash| hash.bytes().all(|digit| digit.is_ascii_hexdigit())), "{}", run.stderr);
}

#[test]
fn an_option_is_told_by_its_own_name() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(3) + "nonsense\n");
    let add = format!("points add --params {TOY} --p-col p --q-col q --in in.jsonl --out out.jsonl");
    folder.run(&format!("{add} --strict --chunk 1")).ends(1);
    for (option, words) in [
        ("--trusted", "option --trusted has changed: yes now, not given before"),
        ("--validate on-curve", "option --validate has changed: on-curve now, not given before"),
    ] {
        folder.run(&format!("{add} --resume {option}")).ends(2).says(words);
    }
}

#[test]
fn a_checkpoint_in_which_a_bit_has_changed_is_refused() {
    let folder = interrupted("");
    let whole = folder.read("out.jsonl.resume");
    for bit in (0..8 * whole.len()).step_by(8 * whole.len() / 20 + 3) {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        folder.write("out.jsonl.resume", &changed);
        let refused = folder.pair("--in in.jsonl --out out.jsonl --resume").ends(2);
        refused.says("out.jsonl.resume: cannot resume: it is not as it was written").says("the run starts over");
    }
    folder.write("out.jsonl.resume", &whole);
    folder.pair("--in in.jsonl --out out.jsonl --resume --strict").ends(1);
}

#[test]
fn what_does_not_change_the_bytes_may_change() {
    let folder = interrupted("");
    folder.pair("--in in.jsonl --out whole.jsonl").ends(1);
    folder.pair("--in in.jsonl --out out.jsonl --resume --threads 1 --engine reference --chunk 3").ends(1);
    assert_eq!(folder.text("out.jsonl"), folder.text("whole.jsonl"));
}

#[test]
fn a_part_file_that_lacks_records_is_refused() {
    let folder = interrupted("");
    let checkpoint = folder.read("out.jsonl.resume");
    for left in ["short", ""] {
        folder.write("out.jsonl.part", left);
        let run = folder.pair("--in in.jsonl --out out.jsonl --resume").ends(2);
        run.says(&format!("out.jsonl.part: cannot resume: it has {} bytes, fewer than the ", left.len()));
        assert!(folder.text("out.jsonl.part") == left && folder.read("out.jsonl.resume") == checkpoint);
    }
}

#[test]
fn a_part_file_in_which_a_bit_has_changed_is_refused() {
    let folder = interrupted("");
    let whole = folder.read("out.jsonl.part");
    for bit in (0..8 * whole.len()).step_by(8 * whole.len() / 40 + 3) {
        let mut part = whole.clone();
        part[bit / 8] ^= 1 << (bit % 8);
        folder.write("out.jsonl.part", &part);
        let refused = folder.pair("--in in.jsonl --out out.jsonl --resume").ends(2);
        refused.says("out.jsonl.part: cannot resume: its first ").says("without --resume the run starts over");
        assert_eq!(folder.read("out.jsonl.part"), part, "what is there stays");
    }
    folder.write("out.jsonl.part", &whole);
    folder.pair("--in in.jsonl --out out.jsonl --resume --strict").ends(1);
}

#[test]
fn without_resume_a_run_starts_over() {
    let folder = interrupted("");
    folder.pair("--in in.jsonl --out out.jsonl").ends(1).says("note: starting over; ").says("rows: 21\n");
    // a run with --resume and nothing to resume starts from the beginning, too
    folder.pair("--in in.jsonl --out again.jsonl --resume").ends(1).says("rows: 21\n");
    assert_eq!(folder.text("out.jsonl"), folder.text("again.jsonl"));
}

/// A table from a pipe and random points cannot be resumed. They do not leave a checkpoint of another job
/// either.
#[test]
fn records_of_an_earlier_run_are_not_discarded_without_a_word() {
    for is_table in [true, false] {
        let folder = interrupted("");
        let run = match is_table {
            true => folder.pair_prepared(&rows(2), "--out out.jsonl"),
            false => folder.run(&format!("points random --params {TOY} --out out.jsonl")),
        };
        run.ends(0).says("note: starting over; what an earlier run left in out.jsonl.part is discarded");
        assert_eq!(folder.names(), ["fixed", "in.jsonl", "out.jsonl"]);
    }
}

/// The output's name is taken by a folder while the file is being made.
#[test]
fn a_finished_job_that_cannot_be_put_in_place_is_not_lost() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(600));
    for out in ["out.jsonl", "out.parquet"] {
        let mut child = folder.spawn(&format!("pair --params {TOY} --in in.jsonl --out {out} --chunk 1"));
        while rows_done(&folder, out) == 0 {
            assert!(child.try_wait().unwrap().is_none());
            sleep(Duration::from_millis(1));
        }
        fs::create_dir(folder.path(out)).unwrap();
        let run = Run::of(&child.wait_with_output().unwrap()).ends(2).says(&format!("error: {out}: cannot write: "));
        run.says(&format!(
            "note: {out}.part holds the records so far; the same command with --resume goes on from there"
        ));
        assert_eq!(folder.names(), ["in.jsonl", out, &format!("{out}.part"), &format!("{out}.resume")]);
        fs::remove_dir(folder.path(out)).unwrap();
        let resumed = folder.pair(&format!("--in in.jsonl --out {out} --resume")).ends(0);
        resumed.says("rows: 600, 600 of them before this run");
        folder.pair(&format!("--in in.jsonl --out whole-{out}")).ends(0);
        assert!(folder.read(out) == folder.read(&format!("whole-{out}")));
        for name in [out, &format!("whole-{out}")] {
            fs::remove_file(folder.path(name)).unwrap();
        }
    }
    // records that cannot be resumed are kept all the same
    let mut command = folder.command(&format!("pair --params {TOY} --out out.jsonl"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut table = child.stdin.take().unwrap();
    table.write_all(rows(1).as_bytes()).unwrap();
    folder.wait_for("out.jsonl.part");
    fs::create_dir(folder.path("out.jsonl")).unwrap();
    table.write_all(rows(2).as_bytes()).unwrap();
    drop(table);
    let run = Run::of(&child.wait_with_output().unwrap()).ends(2);
    run.says("note: out.jsonl.part holds all records, in JSON Lines");
    assert_eq!(folder.text("out.jsonl.part").lines().count(), 3);
}

/// A run that cannot begin changes and removes nothing.
#[test]
fn a_run_that_cannot_begin_leaves_an_earlier_one_as_it_is() {
    let folder = interrupted("");
    let [part, checkpoint] = ["out.jsonl.part", "out.jsonl.resume"].map(|name| folder.read(name));
    for resume in ["", "--resume"] {
        let run = folder.pair(&format!("--in in.jsonl --out out.jsonl --threads 5000 {resume}")).ends(2);
        run.says("5000 threads: a batch takes at most 1024");
        assert_eq!(
            [folder.read("out.jsonl.part"), folder.read("out.jsonl.resume")],
            [part.clone(), checkpoint.clone()]
        );
    }
    folder.pair("--in in.jsonl --out new.jsonl --threads 5000").ends(2);
    assert!(!folder.exists("new.jsonl.part"));
    folder.pair("--in in.jsonl --out out.jsonl --resume").ends(1).says("10 of them before this run");
}

#[test]
fn streams_cannot_be_resumed() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(1));
    for options in ["--in in.jsonl", "--out out.jsonl", "--in in.jsonl --out /dev/null --format jsonl"] {
        folder.pair(&format!("{options} --resume")).ends(2).says("--resume needs a file for --in and a file for --out");
    }
}

#[test]
fn two_runs_do_not_write_one_output() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(2500));
    let mut first = folder.spawn(&format!("pair --params {TOY} --in in.jsonl --out out.jsonl --chunk 1"));
    while rows_done(&folder, "out.jsonl") == 0 {
        assert!(first.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(1));
    }
    folder.pair("--in in.jsonl --out out.jsonl").ends(2).says("another run is writing this output");
    assert!(first.wait().unwrap().success());
    assert_eq!(folder.text("out.jsonl").lines().count(), 2500);
}
