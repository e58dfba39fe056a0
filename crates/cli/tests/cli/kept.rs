//! The rows that a search keeps: their types, and tables whose rows cannot be written.

use crate::columnar::{batch, write_arrow, write_parquet, write_stream};
use crate::searched::{prepared, read};
use crate::support::*;
use arrow_array::types::Int8Type;
use arrow_array::*;
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, Field, IntervalUnit, Schema, UnionFields};
use arrow_select::filter::filter_record_batch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::LogicalType;
use std::collections::HashMap;
use std::fs::File;
use std::sync::Arc;

const SCAN: &str = "search scan --token lyon.token --in e.jsonl --result rows --rows-of";

/// Returns twelve rows with types that Parquet does not have, and with a type that is named in metadata.
fn typed() -> RecordBatch {
    let uuid: ArrayRef = Arc::new(FixedSizeBinaryArray::try_from_iter((0..12).map(|i| [i; 16])).unwrap());
    let kinds = DictionaryArray::<Int8Type>::from_iter((0..12).map(|i| ["u", "v", "w"][i % 3]));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("day", Arc::new(Date64Array::from_iter_values((0..12).map(|i| 86_400_000 * i)))),
        ("span", Arc::new(DurationMicrosecondArray::from_iter_values(0..12))),
        ("time", Arc::new(TimestampMillisecondArray::from_iter_values(0..12).with_timezone("Europe/Paris"))),
        ("note", Arc::new(StringArray::from_iter_values((0..12).map(|i| format!("note {i}"))))),
        ("kind", Arc::new(kinds)),
        ("uuid", uuid),
    ];
    let field = |(name, array): &(&str, ArrayRef)| {
        let field = Field::new(*name, array.data_type().clone(), true);
        let name = ("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned());
        if field.name() == "uuid" { field.with_metadata(HashMap::from([name])) } else { field }
    };
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|(_, array)| array).collect()).unwrap()
}

#[test]
fn kept_rows_have_their_types() {
    let (folder, _) = prepared(12);
    let table = typed();
    let is_found: BooleanArray = (0..12).map(|row| Some(row % 4 == 0)).collect();
    let wanted = filter_record_batch(&table, &is_found).unwrap();
    write_arrow(&folder, "t.arrow", std::slice::from_ref(&table));
    write_parquet(&folder, "t.parquet", std::slice::from_ref(&table));
    let options = ArrowWriterOptions::new().with_skip_arrow_metadata(true);
    let file = File::create(folder.path("own.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new_with_options(file, table.schema(), options).unwrap();
    writer.write(&table).unwrap();
    writer.close().unwrap();
    for (rows_of, same) in [
        ("t.arrow", &["day", "span", "time", "uuid", "kind"][..]),
        ("t.parquet", &["day", "span", "time", "uuid"]),
        ("own.parquet", &["uuid"]),
    ] {
        for out in ["found.parquet", "found.arrow"] {
            folder.run(&format!("{SCAN} {rows_of} --out {out}")).ends(1);
            let found = &read(&folder, out)[0];
            for name in same {
                let field = |batch: &RecordBatch| batch.schema().field_with_name(name).unwrap().clone();
                assert_eq!(field(found), field(&wanted), "{rows_of} to {out}");
                assert_eq!(found[*name].as_ref(), wanted[*name].as_ref(), "{rows_of} to {out}: {name}");
            }
        }
        let file = File::open(folder.path("found.parquet")).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        assert_eq!(*builder.schema().field_with_name("note").unwrap().data_type(), DataType::Utf8);
        // readers of Parquet's own types find them too
        let logical = |name: &str| {
            let column = builder.parquet_schema().columns().iter().find(|column| column.name() == name).unwrap();
            column.logical_type_ref().cloned()
        };
        assert_eq!(logical("uuid"), Some(LogicalType::Uuid));
        assert_eq!(logical("day"), same.contains(&"day").then_some(LogicalType::Date));
    }
}

#[test]
fn rows_that_cannot_be_written_are_refused_before_the_search() {
    let (folder, _) = prepared(12);
    let numbers: ArrayRef = Arc::new(Int32Array::from_iter_values(0..12));
    let fields = UnionFields::try_new([0], [Field::new("number", DataType::Int32, true)]).unwrap();
    let union = UnionArray::try_new(fields, ScalarBuffer::from(vec![0; 12]), None, vec![numbers]).unwrap();
    let interval = new_null_array(&DataType::Interval(IntervalUnit::MonthDayNano), 12);
    let tables: [(&str, ArrayRef); 3] = [
        ("union.arrow", Arc::new(union)),
        ("interval.arrow", interval),
        ("empty.arrow", Arc::new(StructArray::new_empty_fields(12, None))),
    ];
    for (name, array) in tables {
        write_arrow(&folder, name, &[batch(vec![("other", array)])]);
    }
    let texts = |texts: [&str; 6]| -> ArrayRef { Arc::new(DictionaryArray::<Int8Type>::from_iter(texts)) };
    let parts = [texts(["a", "b", "a", "b", "a", "b"]), texts(["c"; 6])];
    write_stream(&folder, "replaced.arrow", &parts.map(|part| batch(vec![("text", part)])));
    write_parquet(&folder, "damaged.parquet", &[typed()]);
    let file = File::open(folder.path("damaged.parquet")).unwrap();
    let about = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().metadata().clone();
    let (start, length) = about.row_group(0).column(3).byte_range();
    let mut bytes = folder.read("damaged.parquet");
    bytes[start as usize..][..length as usize].fill(0xff);
    folder.write("damaged.parquet", bytes);
    let before = folder.names();
    for (rows_of, out, words) in [
        ("union.arrow", "x.parquet", "union.arrow: rows of this table cannot be written in Parquet: not implemented"),
        ("interval.arrow", "x.parquet", "interval.arrow: rows of this table cannot be written in Parquet: "),
        ("empty.arrow", "x.parquet", "empty.arrow: rows of this table cannot be written in Parquet: "),
        ("replaced.arrow", "x.arrow", "replaced.arrow: rows of this table cannot be written in Arrow: "),
        ("damaged.parquet", "x.arrow", "damaged.parquet: not a readable Parquet file: "),
    ] {
        let run = folder.run(&format!("{SCAN} {rows_of} --out {out}")).ends(2).says(words);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        assert_eq!(folder.names(), before, "{rows_of}");
    }
    folder.run(&format!("{SCAN} replaced.arrow --out x.parquet")).ends(1);
    folder.run(&format!("{SCAN} union.arrow --out x.arrow")).ends(1);
}

/// Runs a command that ends with the given status, and returns the batches that it writes to standard output.
fn streamed(folder: &Folder, arguments: &str, status: i32) -> Vec<RecordBatch> {
    let output = folder.command(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    if arguments.ends_with("arrow") {
        let reader = arrow_ipc::reader::StreamReader::try_new(&output.stdout[..], None).unwrap();
        return reader.map(Result::unwrap).collect();
    }
    folder.write("streamed", &output.stdout);
    crate::columnar::read_parquet(folder, "streamed")
}

/// A stream that ends early in Parquet or Arrow holds the same records as one in JSON Lines.
#[test]
fn streams_that_end_early_have_the_records_before() {
    let (folder, tokens) = prepared(12);
    folder.write("in.jsonl", rows(5) + "nonsense\n" + &rows(5));
    folder.write("groups.jsonl", rows(2).replace("{", "{\"group\":1,"));
    let count = |batches: Vec<RecordBatch>| batches.iter().map(RecordBatch::num_rows).sum::<usize>();
    for format in ["parquet", "arrow"] {
        for chunk in [1, 100] {
            let rest = format!("--strict --chunk {chunk} --out-format {format}");
            let pair = format!("pair --params {TOY} --in in.jsonl {rest}");
            assert_eq!(count(streamed(&folder, &pair, 1)), 5);
            // row 5 is damaged
            let scan = format!("search scan {tokens} --in e.jsonl");
            assert_eq!(count(streamed(&folder, &format!("{scan} {rest}"), 1)), 15);
            assert_eq!(count(streamed(&folder, &format!("{scan} --result bitmap {rest}"), 1)), 5);
            let found = streamed(&folder, &format!("{SCAN} e.parquet {rest}"), 1);
            assert_eq!(count(found), 2);
        }
        let groups = "--product-by group --allow-empty --expect-groups 2";
        let check = format!("check --params {TOY} --in groups.jsonl {groups} --out-format {format}");
        assert_eq!(count(streamed(&folder, &check, 2)), 1);
    }
}
