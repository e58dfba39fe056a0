//! Products of pairings.

use crate::columnar::{batch, read_parquet, write_arrow, write_parquet};
use crate::support::*;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, BinaryArray, DictionaryArray, Int32Array, StringArray};
use bilinear_engine::Gt;
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns the product of e(P_a, P_b) over pairs of indices.
fn product(pairs: &[(usize, usize)]) -> String {
    let one = SYSTEM.gt_one();
    let value: Gt = pairs.iter().fold(one, |f, (a, b)| SYSTEM.gt_mul(&f, &SYSTEM.pair(&point(*a), &point(*b))));
    hex(value.bytes())
}

fn row(group: Value, a: usize, b: usize) -> Value {
    json!({"group": group, "p": text(&point(a)), "q": text(&point(b))})
}

/// Runs the command on rows, and checks that the records do not depend on the chunks.
#[track_caller]
fn run(rows: &str, options: &str, status: i32) -> Vec<Value> {
    let folder = Folder::new();
    folder.write("in.jsonl", rows);
    let whole = folder.pair(&format!("--in in.jsonl --product-by group {options}")).ends(status);
    for chunk in [1, 2, 3, 5] {
        let other = folder.pair(&format!("--in in.jsonl --product-by group {options} --chunk {chunk}")).ends(status);
        assert_eq!(other.stdout, whole.stdout, "chunk {chunk}");
        // compares the line after the warning that this curve is weak
        assert_eq!(other.stderr.lines().nth(1), whole.stderr.lines().nth(1));
    }
    whole.records()
}

#[test]
fn groups_of_every_length() {
    let rows: Vec<_> = [
        row(json!("a"), 0, 1),
        row(json!("b"), 2, 3),
        row(json!("b"), 4, 5),
        row(json!(1), 6, 7),
        row(json!("1"), 0, 2),
        row(json!("1"), 0, 3),
        row(json!("1"), 0, 4),
        row(json!("1"), 5, 5),
        row(json!("1"), 6, 6),
    ]
    .into();
    let wanted = [
        json!({"group": "a", "rows": 1, "gt": product(&[(0, 1)])}),
        json!({"group": "b", "rows": 2, "gt": product(&[(2, 3), (4, 5)])}),
        json!({"group": 1, "rows": 1, "gt": product(&[(6, 7)])}),
        json!({"group": "1", "rows": 5, "gt": product(&[(0, 2), (0, 3), (0, 4), (5, 5), (6, 6)])}),
    ];
    assert_eq!(run(&lines(&rows), "", 0), wanted);
    assert_eq!(run(&lines(&rows), "--threads 1", 0), wanted);
}

/// The integer 1 and the text "1" are two groups, which a column of texts cannot distinguish.
#[test]
fn groups_in_columns_are_of_one_type() {
    let folder = Folder::new();
    let table = |groups: &[Value]| lines(&groups.iter().map(|group| row(group.clone(), 0, 1)).collect::<Vec<_>>());
    folder.write("texts.jsonl", table(&[json!("a"), json!("b"), json!(1), json!("c"), json!("1")]));
    folder.write("integers.jsonl", table(&[json!(1), json!(2), json!("1"), json!(3)]));
    let wanted = |names: [Option<&str>; 5]| names.map(|name| name.map(str::to_owned)).to_vec();
    for (input, groups, errors) in [
        ("texts", wanted([Some("a"), Some("b"), None, Some("c"), Some("1")]), vec!["json"; 3]),
        ("integers", wanted([Some("1"), Some("2"), None, Some("3"), None])[..4].to_vec(), vec!["json"; 3]),
    ] {
        for chunk in [1, 2, 100] {
            let pair = format!("--in {input}.jsonl --product-by group --chunk {chunk}");
            folder.pair(&pair).ends(0);
            folder.pair(&format!("{pair} --out {input}.parquet")).ends(1);
            let batch = &read_parquet(&folder, &format!("{input}.parquet"))[0];
            let texts = |name: &str| {
                let column = batch[name].as_string::<i32>();
                column.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
            };
            assert_eq!(texts("group"), groups, "{input}");
            assert_eq!(texts("error").into_iter().flatten().collect::<Vec<_>>(), errors, "{input}");
            assert!(batch["group"].is_null(2));
            let message = texts("message")[2].clone().unwrap();
            assert!(message.starts_with(&format!("{input}.jsonl: row 2 (line 3), field group: ")), "{message}");
        }
    }
}

#[test]
fn points_at_infinity_are_factors_of_one() {
    let rows = [
        row(json!(1), 0, 1),
        json!({"group": 1, "p": "inf", "q": text(&point(1))}),
        json!({"group": 2, "p": "inf", "q": "inf"}),
    ];
    let records = run(&lines(&rows), "", 0);
    assert_eq!(gt(&records[0]), product(&[(0, 1)]));
    assert_eq!(gt(&records[1]), product(&[]));
}

#[test]
fn a_bad_row_spoils_its_group_only() {
    let rows = [
        row(json!(1), 0, 1),
        row(json!(2), 0, 1),
        json!({"group": 2, "p": "00", "q": text(&point(1))}),
        json!({"group": 2, "p": "zz", "q": text(&point(1))}),
        row(json!(2), 0, 1),
        row(json!(3), 0, 1),
    ];
    let records = run(&lines(&rows), "", 1);
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["", "length", ""], "the first bad row counts");
    let message = records[1]["message"].as_str().unwrap();
    assert!(message.starts_with("in.jsonl: row 2 (line 3), field p: "), "{message}");
    assert_eq!(records[1]["group"], 2);
    let rows = [row(json!(1), 0, 1), json!({"group": 1, "p": text(&point(1)), "q": "00"}), row(json!(2), 0, 1)];
    let records = run(&lines(&rows), "", 1);
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["length", ""]);
    assert!(records[0]["message"].as_str().unwrap().starts_with("in.jsonl: row 1 (line 2), field q: "));
}

#[test]
fn a_group_that_comes_back_is_split() {
    let rows = [row(json!("a"), 0, 1), row(json!("b"), 0, 2), row(json!("a"), 0, 3), row(json!("c"), 0, 4)];
    let records = run(&lines(&rows), "", 1);
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["", "", "group_split", ""]);
    assert!(
        records[2]["message"]
            .as_str()
            .unwrap()
            .starts_with("in.jsonl: row 2 (line 3), field group: earlier rows belong to this group")
    );
    assert_eq!(gt(&records[0]), product(&[(0, 1)]));
}

/// A line whose group cannot be read may belong to either neighbour, so neither group may be reported as
/// complete.
#[test]
fn a_row_without_a_group_makes_its_neighbours_doubtful() {
    let input = lines(&[row(json!(1), 0, 1), row(json!(2), 0, 1)])
        + "nonsense\n"
        + &lines(&[row(json!(3), 0, 1), row(json!(3), 0, 2), row(json!(4), 0, 1)]);
    let records = run(&input, "", 1);
    let seen: Vec<_> = records.iter().map(|record| (record["group"].clone(), code(record))).collect();
    let wanted = [(json!(1), ""), (json!(2), "json"), (json!(null), "json"), (json!(3), "json"), (json!(4), "")];
    assert_eq!(seen, wanted);
    for record in &records[1..4] {
        assert!(record["message"].as_str().unwrap().starts_with("in.jsonl: row 2 (line 3): "), "{record}");
    }
    // within a group such a line splits the group, and both halves fail
    let input = lines(&[row(json!(1), 0, 1)]) + "{}\n" + &lines(&[row(json!(1), 0, 1)]);
    let records = run(&input, "", 1);
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["missing", "missing", "missing"]);
}

#[test]
fn fixed_points_meet_the_rows_of_each_group_in_order() {
    let fixed = [7, 8, 9].map(|i| text(&point(i)) + "\n").concat();
    let folder = Folder::new();
    folder.write("fixed", fixed);
    let path = folder.path("fixed").display().to_string();
    let q = |group: i32, b: usize| json!({"group": group, "q": text(&point(b))});
    let rows =
        [q(1, 0), q(1, 1), q(1, 2), q(2, 3), q(2, 4), q(2, 5), q(3, 0), q(3, 0), q(4, 0), q(4, 0), q(4, 0), q(4, 0)];
    let records = run(&lines(&rows), &format!("--fixed-p {path}"), 1);
    assert_eq!(gt(&records[0]), product(&[(7, 0), (8, 1), (9, 2)]));
    assert_eq!(gt(&records[1]), product(&[(7, 3), (8, 4), (9, 5)]));
    let message = |index: usize| (code(&records[index]), records[index]["message"].as_str().unwrap());
    let few = "in.jsonl: row 7 (line 8), field group: the group has fewer rows (2) than there are fixed points (3)";
    assert_eq!(message(2), ("fixed_count", few));
    let many = "in.jsonl: row 11 (line 12), field group: the group has more rows than there are fixed points (3)";
    assert_eq!(message(3), ("fixed_count", many));
    // points in the rows must be the fixed points at their positions
    let both = |group: i32, a: usize| json!({"group": group, "p": text(&point(a)), "q": text(&point(0))});
    let rows = [both(1, 7), both(1, 8), both(1, 9), both(2, 7), both(2, 7), both(2, 9)];
    let records = run(&lines(&rows), &format!("--fixed-p {path}"), 1);
    assert_eq!(gt(&records[0]), product(&[(7, 0), (8, 0), (9, 0)]));
    assert_eq!(code(&records[1]), "fixed_point");
    assert!(
        records[1]["message"].as_str().unwrap().contains("row 4 (line 5), field p: the point differs"),
        "{}",
        records[1]
    );
}

#[test]
fn expected_values_of_products() {
    let with = |mut row: Value, expect: Value| {
        row["expect"] = expect;
        row
    };
    let value = product(&[(0, 1), (2, 3)]);
    let rows = [
        with(row(json!(1), 0, 1), json!(value)),
        row(json!(1), 2, 3),
        with(row(json!(2), 0, 1), json!(null)),
        with(row(json!(2), 2, 3), json!(value.to_uppercase())),
        with(row(json!(3), 0, 1), json!(value)),
        row(json!(4), 0, 1),
        with(row(json!(5), 0, 1), json!(value)),
        with(row(json!(5), 2, 3), json!("00")),
    ];
    let records = run(&lines(&rows), "--check", 1);
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["", "", "mismatch", "missing", "mismatch"]);
    let message = |index: usize| records[index]["message"].as_str().unwrap();
    assert!(
        message(2).contains("row 4 (line 5), field expect: expected ") && message(2).contains(", got "),
        "{}",
        message(2)
    );
    assert!(message(4).contains("row 7 (line 8), field expect: the expected value differs from that in row 6"));
}

/// A fault of the last row counts before what the group lacks at its end, wherever the chunk ends.
#[test]
fn what_a_group_lacks_counts_last() {
    let folder = Folder::new();
    folder.write("fixed", [7, 8].map(|i| text(&point(i)) + "\n").concat());
    let off = "01".repeat(text(&point(0)).len() / 2);
    let q = |group: &str, q: &str| json!({"group": group, "p": text(&point(7)), "q": q});
    let rows = lines(&[q("a", &off), q("b", &off)]);
    let missing = "--fixed-p ".to_owned() + &folder.path("fixed").display().to_string();
    for options in ["--check", &missing] {
        let records = run(&rows, options, 1);
        assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["curve"; 2], "{options}");
    }
    let one = lines(&[q("a", &text(&point(0)))]);
    let message = run(&one, &missing, 1)[0]["message"].as_str().unwrap().to_owned();
    assert!(
        message.ends_with("field group: the group has fewer rows (1) than there are fixed points (2)"),
        "{message}"
    );
}

#[test]
fn a_strict_job_stops_at_the_first_bad_group() {
    let rows = [row(json!(1), 0, 1), row(json!(2), 0, 1), row(json!(1), 0, 1), row(json!(3), 0, 1)];
    let folder = Folder::new();
    for chunk in [1, 100] {
        let options = format!("--product-by group --strict --chunk {chunk}");
        let run =
            folder.pair_prepared(&lines(&rows), &options).ends(1).says("standard input: row 2 (line 3), field group: ");
        assert_eq!(run.records().len(), 2);
    }
}

/// A name that a dictionary holds once is copied for each of its rows.
#[test]
fn a_name_that_is_too_long_is_an_error_of_its_rows() {
    let folder = Folder::new();
    let names: ArrayRef = Arc::new(StringArray::from(vec!["x".repeat(1 << 16), "y".repeat((1 << 16) + 1), "z".into()]));
    let group = DictionaryArray::<Int32Type>::new(Int32Array::from(vec![0, 0, 1, 1, 2]), names);
    let p: ArrayRef = Arc::new(BinaryArray::from_iter_values([point(1).bytes().unwrap(); 5]));
    let table = batch(vec![("group", Arc::new(group)), ("p", p)]);
    write_parquet(&folder, "t.parquet", std::slice::from_ref(&table));
    write_arrow(&folder, "t.arrow", &[table]);
    for name in ["t.parquet", "t.arrow"] {
        let records = folder.pair(&format!("--in {name} --q-col p --product-by group")).ends(1).records();
        // a row without a readable group makes its neighbours errors
        assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["value"; 4], "{name}");
        let message = records[1]["message"].as_str().unwrap();
        let reason = "the name of a group has 65537 bytes: at most 65536 are allowed";
        assert_eq!(message, format!("{name}: row 2, field group: {reason}"));
    }
}
