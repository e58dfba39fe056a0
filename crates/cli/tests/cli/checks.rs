//! `bilinear check`: whether products are 1.

use crate::columnar::{batch, write_arrow, write_parquet};
use crate::support::*;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BinaryArray, BooleanArray, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::DataType;
use bilinear_engine::Point;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use std::fs::File;
use std::sync::Arc;

fn row(group: Value, p: &Point, q: &Point) -> Value {
    json!({"group": group, "p": text(p), "q": text(q)})
}

/// Group 1 is the equation e(P, Q + R)·e(−P, Q)·e(−P, R) = 1; group 2 is the same without its last row.
fn equations() -> Vec<Value> {
    let (p, q, r) = (point(0), point(1), point(2));
    let (minus, sum) = (SYSTEM.neg(&p), SYSTEM.add(&q, &r));
    let mut rows = vec![row(json!(1), &p, &sum), row(json!(1), &minus, &q), row(json!(1), &minus, &r)];
    rows.extend([row(json!(2), &p, &sum), row(json!(2), &minus, &q)]);
    rows
}

#[test]
fn products_that_are_one_and_products_that_are_not() {
    let folder = Folder::new();
    folder.write("in.jsonl", lines(&equations()));
    let wanted = [json!({"group": 1, "rows": 3, "ok": true}), json!({"group": 2, "rows": 2, "ok": false})];
    for options in ["", "--chunk 1", "--chunk 2 --threads 1", "--engine reference", "--trusted --strict"] {
        let run = folder.check(&format!("--in in.jsonl --product-by group {options}")).ends(1);
        let run = run.says("rows: 5 in 2 groups\nerrors: none\ncheck: 1 of 2 are 1\n");
        assert_eq!(run.records(), wanted, "{options}");
    }
    folder.write("good.jsonl", lines(&equations()[..3]));
    let run = folder.check("--in good.jsonl --product-by group --out ok.jsonl").ends(0).says("check: 1 of 1 are 1");
    assert_eq!(run.stdout, "");
    assert_eq!(parse(&folder.text("ok.jsonl")), wanted[..1]);
}

#[test]
fn a_table_without_rows_proves_nothing() {
    let folder = Folder::new();
    folder.write("in.jsonl", "");
    for options in ["", "--product-by group", "--product-by group --out ok.jsonl", "--quiet"] {
        let run = folder.check(&format!("--in in.jsonl {options}")).ends(2);
        run.says("error: in.jsonl: no rows").says("--allow-empty");
        let allowed = folder.check(&format!("--in in.jsonl {options} --allow-empty"));
        assert_eq!(allowed.ends(0).stdout, "", "{options}");
    }
    // an empty table is not an error for `pair`
    folder.pair("--in in.jsonl").ends(0);
}

#[test]
fn a_table_with_another_number_of_groups_does_not_pass() {
    let folder = Folder::new();
    folder.write("good.jsonl", lines(&equations()[..3]));
    let check = |options: &str| folder.check(&format!("--in good.jsonl {options}"));
    check("--product-by group --expect-groups 1").ends(0);
    check("--product-by group --expect-groups 2")
        .ends(2)
        .says("good.jsonl: groups found: 1; --expect-groups asks for 2");
    check("--product-by group --expect-groups 0").ends(2).says("--expect-groups asks for 0");
    check("--expect-groups 1").ends(2).says("--product-by");
    // a group that comes back is no other group, and a row that cannot be read is none
    let split = [1, 2, 1].map(|group| row(json!(group), &point(0), &point(1)));
    folder.write("split.jsonl", lines(&split) + "nonsense\n" + &lines(&split[..1]));
    let split = folder.check("--in split.jsonl --product-by group --expect-groups 2 --out ok.jsonl").ends(1);
    split.says("rows: 5 in 2 groups\nerrors: 3 (group_split 1, json 2)\n");
    let known = "--in split.jsonl --product-by group --strict --out again.jsonl --chunk 1";
    folder.check(known).ends(1);
    folder.check(&known.replace("--strict", "--resume --expect-groups 2")).ends(1).says(" in 2 groups, ");
}

#[test]
fn without_groups_every_row_is_a_product() {
    let folder = Folder::new();
    let infinity = json!({"p": "inf", "q": text(&point(1))});
    folder.write("in.jsonl", lines(&[infinity.clone(), row(json!(0), &point(0), &point(1)), infinity.clone()]));
    for chunk in [1, 100] {
        let run = folder.check(&format!("--in in.jsonl --chunk {chunk}")).ends(1);
        let wanted = [json!({"row": 0, "ok": true}), json!({"row": 1, "ok": false}), json!({"row": 2, "ok": true})];
        assert_eq!(run.records(), wanted);
    }
    folder.write("in.jsonl", lines(&[infinity.clone(), infinity]));
    folder.check("--in in.jsonl").ends(0);
}

#[test]
fn errors_are_neither_true_nor_false() {
    let folder = Folder::new();
    let mut rows = equations();
    rows[1]["q"] = json!("00");
    rows[3]["p"] = json!(null);
    rows.truncate(4);
    rows.push(json!({"group": 3, "p": "inf", "q": "inf"}));
    folder.write("in.jsonl", lines(&rows));
    let records = folder.check("--in in.jsonl --product-by group").ends(1).records();
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["length", "null", ""]);
    assert!(records[0]["message"].as_str().unwrap().starts_with("in.jsonl: row 1 (line 2), field q: a point takes "));
    assert_eq!(records[2]["ok"], true);
    assert!(records[0].get("ok").is_none());
    folder.check("--in in.jsonl --product-by group --strict").ends(1).says("in.jsonl: row 1 (line 2), field q");
}

#[test]
fn answers_in_columns() {
    let folder = Folder::new();
    let mut rows = equations();
    rows.push(json!({"group": 3, "p": "00", "q": "inf"}));
    folder.write("in.jsonl", lines(&rows));
    folder.check("--in in.jsonl --product-by group --out ok.parquet").ends(1);
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path("ok.parquet")).unwrap()).unwrap();
    let table = reader.build().unwrap().next().unwrap().unwrap();
    let schema = table.schema();
    let fields: Vec<_> = schema.fields().iter().map(|f| (f.name().as_str(), f.data_type())).collect();
    let (text, count) = (DataType::Utf8, DataType::UInt64);
    let wanted = [("group", &text), ("rows", &count), ("ok", &DataType::Boolean), ("error", &text), ("message", &text)];
    assert_eq!(fields, wanted);
    let answers: Vec<_> = table.column(2).as_boolean().iter().collect();
    assert_eq!(answers, [Some(true), Some(false), None]);
    folder.check("--in in.jsonl --out ok.arrow").ends(1);
}

#[test]
fn either_argument_can_be_fixed_on_a_symmetric_curve() {
    let folder = Folder::new();
    let (a, b, minus) = (point(3), point(4), SYSTEM.neg(&point(3)));
    folder.write("fixed", format!("{}\n{}\n", text(&a), text(&minus)));
    for (side, other) in [("p", "q"), ("q", "p")] {
        let mut table = Vec::new();
        for (group, second) in [(1, &b), (2, &a)] {
            table.extend([&b, second].map(|point| json!({"group": group, other: text(point)})));
        }
        folder.write("in.jsonl", lines(&table));
        let run = folder.check(&format!("--in in.jsonl --product-by group --fixed-{side} fixed --chunk 1")).ends(1);
        assert_eq!(run.records().iter().map(|r| r["ok"] == true).collect::<Vec<_>>(), [true, false], "{side}");
    }
    folder.write("in.jsonl", lines(&[json!({"p": text(&b)}), json!({"p": text(&a), "q": "inf"})]));
    folder.write("fixed", "inf\n");
    folder.check("--in in.jsonl --fixed-q fixed").ends(0);
    folder.write("fixed", text(&a));
    folder.check("--in in.jsonl --fixed-q fixed").ends(1).says("check: 0 of 2 are 1");
}

#[test]
fn the_column_of_a_fixed_argument_may_be_missing() {
    let folder = Folder::new();
    folder.write("fixed", text(&point(3)));
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values([point(1).bytes().unwrap(), b""]));
    for (side, other) in [("p", "q"), ("q", "p")] {
        let batch = RecordBatch::try_from_iter([(other, column.clone())]).unwrap();
        let mut writer = FileWriter::try_new(File::create(folder.path("t.arrow")).unwrap(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        let run = folder.check(&format!("--in t.arrow --fixed-{side} fixed")).ends(1);
        assert_eq!(run.records(), [json!({"row": 0, "ok": false}), json!({"row": 1, "ok": true})]);
        folder.check("--in t.arrow").ends(2).says(&format!("there is no column {side:?}"));
        // a column of the fixed argument must hold the same point
        let (own, another) = (point(3), point(4));
        let own: ArrayRef = Arc::new(BinaryArray::from(vec![own.bytes(), another.bytes()]));
        let batch = RecordBatch::try_from_iter([(other, column.clone()), (side, own)]).unwrap();
        let mut writer = FileWriter::try_new(File::create(folder.path("t.arrow")).unwrap(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        let run = folder.check(&format!("--in t.arrow --fixed-{side} fixed")).ends(1);
        assert_eq!(run.records()[0], json!({"row": 0, "ok": false}));
        assert_eq!(run.records()[1]["error"], "fixed_point");
    }
}

/// A row marked as infinity has a point that differs from the fixed one, rather than no point.
#[test]
fn infinity_beside_a_fixed_argument() {
    let folder = Folder::new();
    let (own, other) = (point(3), point(1));
    let values = [own.bytes(), None, None, None, own.bytes()];
    let flags = BooleanArray::from(vec![Some(false), Some(true), None, Some(false), None]);
    let second: ArrayRef = Arc::new(BinaryArray::from_iter_values([other.bytes().unwrap(); 5]));
    let table =
        batch(vec![("p", Arc::new(BinaryArray::from(values.to_vec()))), ("p_inf", Arc::new(flags)), ("q", second)]);
    write_parquet(&folder, "t.parquet", std::slice::from_ref(&table));
    write_arrow(&folder, "t.arrow", &[table]);
    for name in ["t.parquet", "t.arrow"] {
        for (fixed, wanted) in [
            (text(&own), ["", "fixed_point", "null", "", "null"]),
            ("inf".to_owned(), ["fixed_point", "", "null", "", "null"]),
        ] {
            folder.write("fixed", fixed);
            let records = folder.pair(&format!("--in {name} --fixed-p fixed")).ends(1).records();
            assert_eq!(records.iter().map(code).collect::<Vec<_>>(), wanted, "{name}");
            let message = format!("{name}: row 2, field p_inf: the value is null");
            assert_eq!(records[2]["message"], message);
        }
    }
}

#[test]
fn another_command_does_not_resume_an_output() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(4) + "nonsense\n");
    folder.check("--in in.jsonl --out out.jsonl --strict --chunk 2").ends(1);
    let run = folder.pair("--in in.jsonl --out out.jsonl --resume").ends(2);
    run.says("cannot resume: the command is pair and was check");
    let resumed = folder.check("--in in.jsonl --out out.jsonl --resume --chunk 2").ends(1);
    resumed.says("4 of them before this run").says("check: 0 of 5 are 1");
    assert_eq!(folder.text("out.jsonl"), folder.check("--in in.jsonl").stdout);
}
