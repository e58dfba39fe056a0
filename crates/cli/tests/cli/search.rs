//! `bilinear search`: keys, encrypted tables, tokens, and the rows that they find.

use crate::support::*;
use bilinear_schemes::predicate::language::{Predicate, Schema, Value as Plain};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};

pub(crate) const HIDDEN: &str = "hidden vector\ncity text\nstars integer 1 5\nstate choice 'new' 'paid'\n";
const INNER: &str = "inner product\ncity text\nstars integer 1 5 most 2\n";

/// Returns rows with three attributes and a message; some values are null.
pub(crate) fn table(count: usize) -> Vec<Value> {
    let row = |i: usize| {
        let city = [json!("Lyon"), json!("Paris"), json!("Zürich"), Value::Null][i % 4].clone();
        let stars = if i == 6 { Value::Null } else { json!(i / 2 % 5 + 1) };
        json!({"city": city, "stars": stars, "state": (["new", "paid"][i % 2]), "note": format!("row {i} é")})
    };
    (0..count).map(row).collect()
}

/// Returns true if a predicate holds for a row in the clear.
fn holds(schema: &str, predicate: &str, row: &Value) -> bool {
    let schema: Schema = schema.parse().unwrap();
    let value = |name: &str| match &row[name] {
        Value::String(text) => Plain::text(text),
        Value::Number(number) => Plain::Integer(number.as_i64().unwrap()),
        _ => Plain::Null,
    };
    let row: Vec<Plain> = schema.attributes().iter().map(|attribute| value(attribute.name())).collect();
    Predicate::new(&schema, predicate).unwrap().holds(&row).unwrap()
}

/// Makes keys of a schema on a curve given by options: NAME.public and NAME.secret.
pub(crate) fn keys(folder: &Folder, curve: &str, schema: &str, name: &str) {
    folder.write("schema", schema);
    let files = format!("--schema schema --public {name}.public --secret {name}.secret");
    folder.run(&format!("search keygen {curve} {files}")).ends(0).says("the secret key");
}

/// Makes a token of a predicate, which may contain spaces.
pub(crate) fn token(folder: &Folder, key: &str, out: &str, predicate: &str) -> Run {
    let mut command = folder.command(&format!("search token --secret {key}.secret --out {out}"));
    Run::of(&command.arg(predicate).output().unwrap())
}

pub(crate) fn encrypted(folder: &Folder, key: &str, rows: &[Value]) -> Vec<Value> {
    folder.write("plain.jsonl", lines(rows));
    let command = format!("search encrypt --public {key}.public --message note --text --in plain.jsonl");
    folder.run(&command).ends(0).records()
}

#[test]
fn a_search_finds_what_the_predicate_finds_in_the_clear() {
    let folder = Folder::new();
    let rows = table(12);
    let [spaces, matrices] =
        ["in dual spaces", "with matrices"].map(|kind| INNER.replacen("product", &format!("product {kind}"), 1));
    for (curve, schema, key, predicates) in [
        (
            "a1-2x512",
            HIDDEN,
            "hidden",
            &[("city = 'Lyon' AND stars >= 3", 5), ("state IN ('new')", 3), ("stars BETWEEN 2 AND 4", 5)][..],
        ),
        ("a1-3x342", INNER, "inner", &[("city = 'Paris' AND stars IN (1, 4)", 9)]),
        // over a prime order
        ("bn-254n", &spaces, "spaces", &[("city = 'Paris' AND stars IN (1, 4)", 18)]),
        ("bn-254n", &matrices, "matrices", &[("city = 'Paris' AND stars IN (1, 4)", 14), ("stars = 3", 8)]),
    ] {
        keys(&folder, &format!("--curve {curve}"), schema, key);
        let encrypted = encrypted(&folder, key, &rows);
        folder.write("encrypted.jsonl", lines(&encrypted));
        for (i, (predicate, pairings)) in predicates.iter().enumerate() {
            let name = format!("{key}{i}.token");
            token(&folder, key, &name, predicate).ends(0).says(&format!("{pairings} pairings a row"));
            let run = folder.run(&format!("search scan --token {name} --in encrypted.jsonl")).ends(0);
            let wanted = rows.iter().enumerate().map(|(row, plain)| match holds(schema, predicate, plain) {
                true => json!({"row": row, "match": true, "opened": hex(plain["note"].as_str().unwrap().as_bytes())}),
                false => json!({"row": row, "match": false}),
            });
            assert_eq!(run.records(), wanted.collect::<Vec<_>>(), "{predicate}");
            let found = run.records().iter().filter(|record| record["match"] == true).count();
            assert!((1..rows.len()).contains(&found), "{predicate}: {found}");
            run.says(&format!("found: {found} of {}", rows.len()));
        }
    }
}

#[test]
fn columnar_tables_have_the_same_rows() {
    let folder = Folder::new();
    keys(&folder, "--curve a1-2x512", HIDDEN, "t");
    folder.write("plain.jsonl", lines(&table(6)));
    let encrypt = "search encrypt --public t.public --message note --text --in plain.jsonl --out";
    token(&folder, "t", "token", "city = 'Lyon'").ends(0);
    for ending in ["parquet", "arrow"] {
        folder.run(&format!("{encrypt} e.{ending}")).ends(0);
        let scan = format!("search scan --token token --in e.{ending}");
        let records = folder.run(&scan).ends(0).records();
        let found = |i: u64| json!({"row": i, "match": true, "opened": hex(format!("row {i} é").as_bytes())});
        let all = (0..6).map(|i| if i % 4 == 0 { found(i) } else { json!({"row": i, "match": false}) });
        assert_eq!(records, all.collect::<Vec<_>>());
        folder.run(&format!("{scan} --out found.{ending} --chunk 1")).ends(0);
        folder.run(&format!("{scan} --out whole.{ending} --chunk 6")).ends(0);
        assert_eq!(folder.read(&format!("found.{ending}")), folder.read(&format!("whole.{ending}")));
    }
    // the columns of a scan can be read like those of any table
    let run = folder.run("search scan --token token --ciphertext-col opened --in found.parquet").ends(1);
    assert_eq!(
        run.records().iter().map(code).collect::<Vec<_>>(),
        ["ciphertext", "null", "null", "null", "ciphertext", "null"]
    );
}

#[test]
fn a_bad_row_costs_no_other_row() {
    let folder = Folder::new();
    keys(&folder, "--curve a1-2x512", HIDDEN, "t");
    keys(&folder, "--curve a1-2x512", HIDDEN, "other");
    keys(&folder, "--curve a1-3x342", INNER, "inner");
    let good = json!({"city": "Lyon", "stars": 5, "state": "new", "note": "yes"});
    let with = |name: &str, value: Value| {
        let mut row = good.clone();
        row[name] = value;
        row
    };
    let mut missing = good.clone();
    missing.as_object_mut().unwrap().remove("city");
    let rows = [good.clone(), with("stars", json!(6)), with("state", json!("old")), missing, with("city", json!(7))];
    let more = [with("stars", json!("five")), with("stars", json!("-99999999999999999999")), with("note", Value::Null)];
    folder.write("plain.jsonl", lines(&[&rows[..], &more[..], std::slice::from_ref(&good)].concat()));
    let run = folder.run("search encrypt --public t.public --message note --text --in plain.jsonl").ends(1);
    let codes = ["", "value", "value", "missing", "json", "integer", "value", "null", ""];
    assert_eq!(run.records().iter().map(code).collect::<Vec<_>>(), codes);
    assert!(
        run.stdout.contains("plain.jsonl: row 1 (line 2): attribute stars: the value is not one of"),
        "{}",
        run.stdout
    );

    let row = |key: &str| encrypted(&folder, key, std::slice::from_ref(&good))[0].clone();
    let mine = row("t");
    let text = mine["ciphertext"].as_str().unwrap();
    let changed = |text: String| json!({"row": 0, "ciphertext": text});
    let mut table = vec![mine.clone(), row("other"), row("inner"), changed(text[..text.len() - 2].to_owned())];
    table.extend([changed(String::new()), changed("zz".to_owned()), json!({"row": 9, "gt": "00"})]);
    table.push(mine);
    folder.write("encrypted.jsonl", lines(&table));
    token(&folder, "t", "token", "stars = 5").ends(0);
    let run = folder.run("search scan --token token --in encrypted.jsonl").ends(1);
    let records = run.records();
    let yes = |i: usize| json!({"row": i, "match": true, "opened": hex(b"yes")});
    assert_eq!((&records[0], &records[table.len() - 1]), (&yes(0), &yes(table.len() - 1)));
    let codes: Vec<&str> = records[1..table.len() - 1].iter().map(code).collect();
    assert_eq!(codes, ["key", "key", "ciphertext", "ciphertext", "hex", "missing"]);
}

/// Each row is the same line with one bit flipped, in each byte in turn. It is an error, unless it still states the same ciphertext,
/// for instance with a digit in upper case.
#[test]
fn every_byte_of_a_row_counts() {
    let folder = Folder::new();
    keys(&folder, "--curve a1-2x512", "hidden vector\nstars integer 1 5\n", "t");
    token(&folder, "t", "token", "stars = 5").ends(0);
    let good = lines(&encrypted(&folder, "t", &[json!({"stars": 5, "note": "yes"})]));
    let line = good.trim_end().as_bytes();
    let damaged = |i: usize| {
        let mut line = line.to_vec();
        line[i] ^= 1 << (i % 8);
        line
    };
    let table: Vec<Vec<u8>> = (0..line.len()).map(damaged).collect();
    folder.write("encrypted.jsonl", table.join(&b'\n'));
    let run = folder.run("search scan --token token --in encrypted.jsonl").ends(1);
    let said = |line: &[u8]| {
        let row: Value = serde_json::from_slice(line).ok()?;
        Some(row.as_object()?.get("ciphertext")?.as_str()?.to_ascii_lowercase())
    };
    let records = run.records();
    assert_eq!(records.len(), table.len());
    let mut refused = 0;
    for (i, record) in records.iter().enumerate() {
        if said(&table[i]) == said(line) {
            assert_eq!(*record, json!({"row": i, "match": true, "opened": hex(b"yes")}), "byte {i}");
        } else {
            assert!(!code(record).is_empty(), "byte {i}: {record}");
            refused += 1;
        }
    }
    assert!(refused > line.len() * 9 / 10, "{refused} of {}", line.len());
}

/// Kills a run once its first chunk is on the disk. Returns true if the run had not completed before.
pub(crate) fn kill(folder: &Folder, command: &str, out: &str) -> bool {
    let mut child = folder.spawn(command);
    let checkpoint = format!("{out}.resume");
    while !folder.exists(&checkpoint) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    folder.exists(&checkpoint)
}

#[test]
fn interrupted_runs_can_be_resumed() {
    let folder = Folder::new();
    keys(&folder, "--curve a1-2x512", HIDDEN, "t");
    token(&folder, "t", "token", "city = 'Lyon'").ends(0);
    token(&folder, "t", "other.token", "city = 'Lyon'").ends(0);
    let rows = table(24);
    folder.write("plain.jsonl", lines(&rows));
    let encrypt = "search encrypt --public t.public --message note --text --in plain.jsonl --out e.jsonl --chunk 1";
    assert!(kill(&folder, encrypt, "e.jsonl"), "the run ended before it could be interrupted");
    let kept = folder.text("e.jsonl.part");
    folder.run(&format!("{encrypt} --resume")).ends(0).says("before this run");
    // encryption is random, so an unchanged first row is that of the first run
    assert_eq!(folder.text("e.jsonl").lines().next(), kept.lines().next());

    folder.run("search scan --token token --in e.jsonl --out whole.parquet").ends(0).says("found: 6 of 24");
    let scan = "search scan --token token --in e.jsonl --out found.parquet --chunk 1";
    assert!(kill(&folder, scan, "found.parquet"), "the run ended before it could be interrupted");
    let other = scan.replace("token token", "token other.token");
    folder.run(&format!("{other} --resume")).ends(2).says("cannot resume");
    folder.run(&format!("{scan} --resume")).ends(0).says("before this run");
    assert_eq!(folder.read("found.parquet"), folder.read("whole.parquet"));
    assert!(!folder.names().iter().any(|name| name.ends_with(".part") || name.ends_with(".resume")));
}

#[test]
fn key_files() {
    let folder = Folder::new();
    keys(&folder, "--curve a1-2x512", HIDDEN, "t");
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().mode() & 0o7777;
    assert_eq!(mode("t.secret"), 0o600);
    let public = folder.text("t.public");
    assert!(public.starts_with("bilinear search public key 1\nkey 42494c4e"));
    assert!(public.contains("\nschema\nhidden vector\n\"city\" text\n\"stars\" integer 1 5\n"));
    // no file is overwritten, and no key file is left without its counterpart
    let before = (public.clone(), folder.text("t.secret"));
    let command = "search keygen --curve a1-2x512 --schema schema";
    folder.run(&format!("{command} --public t.public --secret new")).ends(2).says("t.public: cannot create");
    folder.run(&format!("{command} --public new --secret t.secret")).ends(2).says("t.secret: cannot create");
    folder.run(&format!("{command} --public new --secret absent/key")).ends(2).says("absent/key: cannot create");
    assert!(!folder.exists("new"));
    token(&folder, "t", "token", "*").ends(0);
    assert_eq!(mode("token"), 0o600);
    token(&folder, "t", "token", "*").ends(2).says("token: cannot create");
    token(&folder, "t", "t.secret", "*").ends(2).says("t.secret: cannot create");
    assert_eq!((folder.text("t.public"), folder.text("t.secret")), before);
    // schemas that are not valid, and curves that do not suit a schema
    for (curve, words) in [
        ("a1-3x342", "hidden vector encryption needs an order of 2 primes, but that of curve a1-3x342 has 3"),
        ("bls12-381", "hidden vector encryption needs an order of 2 primes, but that of curve bls12-381 has 1"),
        ("a-512", "needs an order of 2 primes"),
    ] {
        let files = "--schema schema --public p --secret s";
        folder.run(&format!("search keygen --curve {curve} {files}")).ends(2).says(words);
    }
    let many: String = (0..16).map(|i| format!("a{i} text\n")).collect();
    for (schema, words) in [
        (format!("hidden vector\n{many}"), "schema: 16 attributes: at most 15 are allowed"),
        ("hidden vector\ncity words\n".to_owned(), "schema: line 2: expected text, integer or choice"),
        (" ".repeat((1 << 19) + 1), "schema: more than 524288 bytes, the limit for a schema"),
    ] {
        folder.write("schema", schema);
        folder.run(&format!("{command} --public p --secret s")).ends(2).says(words);
    }
    assert!(!folder.exists("p") && !folder.exists("s"));
    token(&folder, "t", "x", "town = 'Lyon'").ends(2).says("character 1: no attribute is called town");
    // every file is checked for its kind and its completeness
    folder.write("in.jsonl", "");
    let encrypt = |file: &str| folder.run(&format!("search encrypt --public {file} --in in.jsonl"));
    encrypt("t.public").ends(0);
    encrypt("token").ends(2).says("token: not a public key of bilinear search: it is a token");
    encrypt("in.jsonl").ends(2).says("in.jsonl: not a public key of bilinear search");
    let scan = folder.run("search scan --token t.public --in in.jsonl").ends(2);
    scan.says("t.public: not a token of bilinear search: it is a public key");
    for at in (0..public.len()).step_by(public.len() / 40).chain(public.len() - 3..public.len()) {
        let mut bytes = public.clone().into_bytes();
        bytes[at] ^= 1;
        folder.write("flipped", &bytes);
        encrypt("flipped").ends(2).says("flipped: ");
        folder.write("flipped", &public.as_bytes()[..at]);
        encrypt("flipped").ends(2).says("flipped: ");
    }
    fs::set_permissions(folder.path("t.secret"), Permissions::from_mode(0o644)).unwrap();
    token(&folder, "t", "x", "*").ends(2).says("t.secret: its mode is 0644");
}
