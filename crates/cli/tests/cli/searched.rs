//! Scans of an encrypted table: answers of several tokens, bitmaps, the rows found, and the sample that is
//! evaluated again.

use crate::columnar::{batch, read_parquet, write_arrow, write_parquet};
use crate::search::{HIDDEN, encrypted, keys, kill, table, token};
use crate::support::*;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow_ipc::reader::FileReader;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

const TOKENS: [(&str, &str); 3] =
    [("lyon", "city = 'Lyon'"), ("fresh", "state = 'new' AND stars >= 2"), ("none", "city = 'Nowhere'")];

/// A curve that is fast but not secure.
const SMALL: &str = "--params curve.toml --factors factors.toml";

/// Makes keys, three tokens and `count` encrypted rows: `e.jsonl`, `e.parquet` and `e.arrow`, in which row 5 is
/// damaged.
pub(crate) fn prepared(count: usize) -> (Folder, String) {
    let folder = Folder::new();
    folder.run("params new a1 --insecure --primes 80,80 --out curve.toml --factors-out factors.toml").ends(0);
    keys(&folder, SMALL, HIDDEN, "t");
    TOKENS.iter().for_each(|(name, predicate)| drop(token(&folder, "t", &format!("{name}.token"), predicate).ends(0)));
    let mut rows = encrypted(&folder, "t", &table(count));
    let text = rows[5]["ciphertext"].as_str().unwrap().to_owned();
    rows[5]["ciphertext"] = json!(text.replacen(&text[200..202], if &text[200..202] == "00" { "01" } else { "00" }, 1));
    folder.write("e.jsonl", lines(&rows));
    let cipher: ArrayRef =
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row["ciphertext"].as_str().unwrap())));
    let id: ArrayRef = Arc::new(Int32Array::from_iter_values(100..100 + count as i32));
    let whole = batch(vec![("id", id), ("ciphertext", cipher)]);
    let parts = [whole.slice(0, 4), whole.slice(4, 0), whole.slice(4, count - 4)];
    write_parquet(&folder, "e.parquet", &parts);
    write_arrow(&folder, "e.arrow", &parts);
    let tokens = TOKENS.map(|(name, _)| format!("--token {name}.token")).join(" ");
    (folder, tokens)
}

fn read_arrow(folder: &Folder, name: &str) -> Vec<RecordBatch> {
    FileReader::try_new(File::open(folder.path(name)).unwrap(), None).unwrap().map(Result::unwrap).collect()
}

pub(crate) fn read(folder: &Folder, name: &str) -> Vec<RecordBatch> {
    if name.ends_with(".arrow") { read_arrow(folder, name) } else { read_parquet(folder, name) }
}

/// Returns the records that each token gives alone, without names of tokens.
fn alone(folder: &Folder) -> [Vec<Value>; 3] {
    TOKENS.map(|(name, _)| folder.run(&format!("search scan --token {name}.token --in e.jsonl")).ends(1).records())
}

/// Returns the rows that a token alone finds, with their messages.
fn found(records: &[Value]) -> Vec<(i64, String)> {
    let is_found = |record: &&Value| record["match"] == true;
    let row = |record: &Value| (record["row"].as_i64().unwrap(), record["opened"].as_str().unwrap().to_owned());
    records.iter().filter(is_found).map(row).collect()
}

#[test]
fn tokens_in_one_pass_find_what_each_finds_alone() {
    let (folder, tokens) = prepared(12);
    let alone = alone(&folder);
    let scan = format!("search scan {tokens} --in e.jsonl");
    let run = folder.run(&scan).ends(1).says("found by lyon: 3 of 12\n").says("found by none: 0 of 12\n");
    let run = run.says("errors: 3 (ciphertext 3)").says(", 11 pairings a row,");
    let records = run.records();
    let order: Vec<(u64, &str)> =
        records.iter().map(|r| (r["row"].as_u64().unwrap(), r["token"].as_str().unwrap())).collect();
    let wanted: Vec<(u64, &str)> = (0..12).flat_map(|row| TOKENS.map(|(name, _)| (row, name))).collect();
    assert_eq!(order, wanted);
    for ((name, _), alone) in TOKENS.iter().zip(&alone) {
        let mut mine: Vec<Value> = records.iter().filter(|record| record["token"] == *name).cloned().collect();
        mine.iter_mut().for_each(|record| drop(record.as_object_mut().unwrap().remove("token")));
        assert_eq!(mine, *alone, "{name}");
        assert!(mine[5]["message"].as_str().unwrap().starts_with("e.jsonl: row 5 (line 6), field ciphertext: "));
    }
    // only the user may read the results of a search
    folder.run(&format!("{scan} --out found.jsonl")).ends(1);
    assert_eq!(fs::metadata(folder.path("found.jsonl")).unwrap().mode() & 0o7777, 0o600);
    // columnar outputs hold the same answers, whatever the chunks
    for out in ["a.parquet", "a.arrow"] {
        folder.run(&format!("{scan} --out {out} --chunk 5")).ends(1);
        let rows: Vec<(u64, String, Option<bool>)> = read(&folder, out)
            .iter()
            .flat_map(|batch| {
                let rows = batch["row"].as_primitive::<arrow_array::types::UInt64Type>();
                let (names, matches) = (batch["token"].as_string::<i32>(), batch["match"].as_boolean());
                let is_match = |i: usize| matches.is_valid(i).then(|| matches.value(i));
                (0..batch.num_rows())
                    .map(|i| (rows.value(i), names.value(i).to_owned(), is_match(i)))
                    .collect::<Vec<_>>()
            })
            .collect();
        let wanted =
            records.iter().zip(&order).map(|(r, (row, name))| (*row, (*name).to_owned(), r["match"].as_bool()));
        assert_eq!(rows, wanted.collect::<Vec<_>>());
    }
    // names and keys of tokens
    fs::create_dir(folder.path("more")).unwrap();
    fs::copy(folder.path("lyon.token"), folder.path("more/lyon.token")).unwrap();
    let twice = "search scan --token lyon.token --token more/lyon.token --in e.jsonl";
    folder.run(twice).ends(2).says("more/lyon.token: lyon.token is also called lyon");
    keys(&folder, SMALL, HIDDEN, "other");
    token(&folder, "other", "foreign.token", "*").ends(0);
    let foreign = "search scan --token lyon.token --token foreign.token --in e.jsonl";
    folder.run(foreign).ends(2).says("foreign.token: the token belongs to a different key than lyon.token");
}

#[test]
fn bitmaps_and_rows_agree_with_the_answers() {
    let (folder, tokens) = prepared(12);
    let alone = alone(&folder);
    // a companion table in the clear, with types that are not read otherwise
    let note: ArrayRef = Arc::new(StringArray::from_iter((0..12).map(|i| (i != 4).then(|| format!("note {i}")))));
    let id: ArrayRef = Arc::new(Int32Array::from_iter_values(100..112));
    let plain = batch(vec![("note", note), ("id", id)]);
    write_parquet(&folder, "plain.parquet", &[plain.slice(0, 7), plain.slice(7, 5)]);
    write_arrow(&folder, "plain.arrow", std::slice::from_ref(&plain));
    for (input, ending) in [("e.jsonl", "parquet"), ("e.parquet", "arrow"), ("e.arrow", "parquet")] {
        let damaged = if input == "e.jsonl" { "row 5 (line 6), field ciphertext" } else { "row 5, field ciphertext" };
        let bits = format!("bits.{ending}");
        let scan = format!("search scan {tokens} --in {input} --chunk 5 --result");
        folder.run(&format!("{scan} bitmap --out {bits}")).ends(1).says(damaged);
        let columns: Vec<Vec<Option<bool>>> = TOKENS
            .map(|(name, _)| {
                read(&folder, &bits).iter().flat_map(|b| b[name].as_boolean().iter().collect::<Vec<_>>()).collect()
            })
            .into();
        let wanted: Vec<Vec<Option<bool>>> =
            alone.iter().map(|all| all.iter().map(|r| r["match"].as_bool()).collect()).collect();
        assert_eq!(columns, wanted);

        let companion = if ending == "arrow" { "--rows-of plain.arrow" } else { "--rows-of plain.parquet" };
        let own = if input == "e.jsonl" { companion } else { "" };
        for (tokens, rows_of) in [("--token fresh.token", own), (&tokens[..], companion)] {
            let rows = format!("rows.{ending}");
            let scan = format!("search scan {tokens} --in {input} --result rows {rows_of} --out {rows} --chunk 3");
            folder.run(&scan).ends(1).says(damaged);
            let batches = read(&folder, &rows);
            let kept: Vec<i64> = batches
                .iter()
                .flat_map(|b| b["id"].as_primitive::<arrow_array::types::Int32Type>().values().to_vec())
                .map(|id| i64::from(id) - 100)
                .collect();
            let names: Vec<(String, Vec<(i64, String)>)> = match rows_of == companion && tokens.len() > 20 {
                true => {
                    TOKENS.iter().zip(&alone).map(|((name, _), all)| (format!("opened_{name}"), found(all))).collect()
                }
                false => vec![("opened".to_owned(), found(&alone[1]))],
            };
            let mut some: Vec<i64> = names.iter().flat_map(|(_, found)| found.iter().map(|(row, _)| *row)).collect();
            some.sort_unstable();
            some.dedup();
            assert_eq!(kept, some, "{scan}");
            for (column, found) in &names {
                let opened = batches
                    .iter()
                    .flat_map(|b| b[&**column].as_binary::<i32>().iter().map(|m| m.map(hex)).collect::<Vec<_>>());
                let opened: Vec<(i64, String)> =
                    kept.iter().zip(opened).filter_map(|(row, m)| Some((*row, m?))).collect();
                assert_eq!(opened, *found, "{scan}: {column}");
            }
            if !rows_of.is_empty() {
                let notes: Vec<Option<String>> = batches
                    .iter()
                    .flat_map(|b| (0..b.num_rows()).map(|i| text_at(&b["note"], i)).collect::<Vec<_>>())
                    .collect();
                let wanted = kept.iter().map(|row| (*row != 4).then(|| format!("note {row}")));
                assert_eq!(notes, wanted.collect::<Vec<_>>());
            }
        }
    }
    // combinations that are refused
    let scan = "search scan --token lyon.token --in e.jsonl --result";
    folder.write("e.other", "");
    write_parquet(&folder, "short.parquet", &[plain.slice(0, 11)]);
    write_parquet(&folder, "opened.parquet", &[batch(vec![("opened", plain["note"].clone())])]);
    for (rest, words) in [
        ("rows --out r.parquet", "e.jsonl: a table in JSON Lines has no columns that could be kept"),
        ("rows --rows-of e.jsonl --out r.parquet", "e.jsonl: a table in JSON Lines has no columns"),
        ("rows --rows-of short.parquet --out r.parquet", "short.parquet has 11 rows, e.jsonl has 12"),
        ("rows --rows-of opened.parquet --out r.parquet", "there is a column \"opened\""),
        ("rows --rows-of absent.parquet --out r.parquet", "absent.parquet: cannot open"),
        ("rows --rows-of e.other --out r.parquet", "e.other: the name of the table of --rows-of must show its format"),
        ("rows --rows-of plain.parquet", "--result rows is written in columns"),
        ("bitmap --out b.jsonl", "--result bitmap is written in columns"),
        (
            "bitmap --rows-of plain.parquet --out b.parquet",
            "--rows-of names the table that --result rows keeps rows of",
        ),
        ("answers --rows-of plain.parquet", "--rows-of names the table"),
    ] {
        folder.run(&format!("{scan} {rest}")).ends(2).says(words);
    }
    folder
        .run("search scan --token lyon.token --result rows --out r.parquet")
        .ends(2)
        .says("--result rows needs a file for --in");
}

/// Returns the text of a row: Arrow gives views, Parquet plain texts.
fn text_at(array: &ArrayRef, index: usize) -> Option<String> {
    let text = match array.as_string_opt::<i32>() {
        Some(texts) => texts.value(index),
        None => array.as_string_view().value(index),
    };
    array.is_valid(index).then(|| text.to_owned())
}

#[test]
fn interrupted_scans_of_every_result_can_be_resumed() {
    let (folder, tokens) = prepared(24);
    let rows_of = "--result rows --out found.parquet";
    for (result, other, change) in [
        (
            "--out found.parquet",
            "--result bitmap --out found.parquet",
            "option --result has changed: bitmap now, answers before",
        ),
        ("--result bitmap --out found.parquet", rows_of, "option --result has changed: rows now, bitmap before"),
        (rows_of, "--result rows --rows-of e.arrow --out found.parquet", "option --rows-of has changed: e.arrow ("),
    ] {
        let scan = format!("search scan {tokens} --in e.parquet --chunk 1");
        folder.run(&format!("{scan} {}", result.replace("found", "whole"))).ends(1);
        assert!(
            kill(&folder, &format!("{scan} {result}"), "found.parquet"),
            "the run ended before it could be interrupted"
        );
        folder.run(&format!("{scan} {other} --resume")).ends(2).says(change);
        // fewer tokens, tokens in another order, and a token of the same name with other content
        let two = scan.replace(" --token none.token", "");
        folder.run(&format!("{two} {result} --resume")).ends(2).says("option --token has changed: lyon (");
        let turned = scan.replace("lyon.token --token fresh.token", "fresh.token --token lyon.token");
        folder.run(&format!("{turned} {result} --resume")).ends(2).says("option --token has changed: fresh (");
        fs::rename(folder.path("none.token"), folder.path("kept")).unwrap();
        token(&folder, "t", "none.token", TOKENS[2].1).ends(0);
        folder.run(&format!("{scan} {result} --resume")).ends(2).says("option --token has changed");
        fs::rename(folder.path("kept"), folder.path("none.token")).unwrap();
        // verifying a sample does not change the output
        let again = folder.run(&format!("{scan} {result} --resume --verify 3")).ends(1).says("before this run");
        again.says(" answers in this run, 0 of them differ");
        assert_eq!(folder.read("found.parquet"), folder.read("whole.parquet"), "{result}");
    }
}

#[test]
fn a_table_that_changes_while_it_is_searched_is_refused() {
    let (folder, _) = prepared(24);
    let scan =
        "search scan --token lyon.token --in e.jsonl --result rows --rows-of e.parquet --out found.parquet --chunk 1";
    let child = folder.spawn(scan);
    while !folder.exists("found.parquet.resume") {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    fs::copy(folder.path("e.arrow"), folder.path("e.parquet")).unwrap();
    let run = Run::of(&child.wait_with_output().unwrap()).ends(2);
    run.says("e.parquet: it has changed since the search began");
    assert!(!folder.exists("found.parquet"));
}

#[test]
fn a_sample_is_evaluated_again() {
    let (folder, tokens) = prepared(12);
    let matches = |run: &Run| run.records().iter().map(|record| record["match"].as_bool()).collect::<Vec<_>>();
    let plain = folder.run(&format!("search scan {tokens} --in e.jsonl")).ends(1);
    for (input, rest, rows, engine) in [
        ("e.jsonl", "--verify 4", 4, "portable"),
        ("e.parquet", "--verify 1 --verify-seed 3", 1, "portable"),
        ("e.arrow", "--verify 99 --engine portable", 12, "mont"),
    ] {
        let run = folder.run(&format!("search scan {tokens} --in {input} {rest} --chunk 5")).ends(1);
        let run = run.says(&format!("verify: {rows} of 12 rows again on {engine}; --verify "));
        let run = run.says("verify-seed ").says(" answers in this run, 0 of them differ");
        assert_eq!(matches(&run), matches(&plain), "{input}");
        // three tokens give an answer each for every row
        run.says(&format!("verified: {} answers", 3 * rows));
    }
    folder.run("search scan --token lyon.token --verify 2").ends(2).says("--verify needs a file for --in");
    folder.run("search scan --token lyon.token --in e.jsonl --verify-seed 2").ends(2).says("--verify <K>");
}
