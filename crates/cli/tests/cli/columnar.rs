//! Parquet and Arrow, in and out.

use crate::support::*;
use arrow_array::cast::*;
use arrow_array::types::{Int8Type, Int32Type, UInt16Type, UInt64Type};
use arrow_array::*;
use arrow_ipc::CompressionType;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use bilinear_engine::Group;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use std::fs::File;
use std::sync::Arc;

pub(crate) fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

pub(crate) fn write_parquet(folder: &Folder, name: &str, batches: &[RecordBatch]) {
    let file = File::create(folder.path(name)).unwrap();
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
}

pub(crate) fn write_arrow(folder: &Folder, name: &str, batches: &[RecordBatch]) {
    let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::LZ4_FRAME)).unwrap();
    let file = File::create(folder.path(name)).unwrap();
    let mut writer = FileWriter::try_new_with_options(file, &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

pub(crate) fn write_stream(folder: &Folder, name: &str, batches: &[RecordBatch]) {
    let file = File::create(folder.path(name)).unwrap();
    let mut writer = StreamWriter::try_new(file, &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

pub(crate) fn read_parquet(folder: &Folder, name: &str) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path(name)).unwrap()).unwrap();
    reader.build().unwrap().map(Result::unwrap).collect()
}

fn bytes(index: usize) -> Vec<u8> {
    point(index).bytes().unwrap().to_vec()
}

/// Returns a column of points of every type that is allowed, with the same content.
fn kinds(indices: &[usize]) -> Vec<ArrayRef> {
    let values: Vec<_> = indices.iter().map(|i| bytes(*i)).collect();
    let texts: Vec<_> = indices.iter().map(|i| text(&point(*i)).to_uppercase()).collect();
    vec![
        Arc::new(FixedSizeBinaryArray::try_from_iter(values.iter()).unwrap()),
        Arc::new(BinaryArray::from_iter_values(&values)),
        Arc::new(LargeBinaryArray::from_iter_values(&values)),
        Arc::new(BinaryViewArray::from_iter_values(&values)),
        Arc::new(StringArray::from_iter_values(&texts)),
        Arc::new(LargeStringArray::from_iter_values(&texts)),
        Arc::new(StringViewArray::from_iter_values(&texts)),
    ]
}

/// Like `kinds`, but through dictionaries with keys of every width, which hold more values than are used.
fn dictionaries(indices: &[usize]) -> Vec<ArrayRef> {
    let stock: Vec<_> = (0..20).rev().collect();
    let keys: Vec<_> = indices.iter().map(|index| 19 - index).collect();
    let of = |values: ArrayRef| -> [ArrayRef; 3] {
        let short = Int8Array::from_iter_values(keys.iter().map(|key| *key as i8));
        let middle = UInt16Array::from_iter_values(keys.iter().map(|key| *key as u16));
        let long = Int32Array::from_iter_values(keys.iter().map(|key| *key as i32));
        [
            Arc::new(DictionaryArray::<Int8Type>::new(short, values.clone())),
            Arc::new(DictionaryArray::<UInt16Type>::new(middle, values.clone())),
            Arc::new(DictionaryArray::<Int32Type>::new(long, values)),
        ]
    };
    kinds(&stock).into_iter().flat_map(of).collect()
}

#[test]
fn every_column_type_in_every_format() {
    let folder = Folder::new();
    let indices: Vec<_> = (0..10).collect();
    let wanted: Vec<_> = indices.iter().map(|i| hex(SYSTEM.pair(&point(*i), &point(*i)).bytes())).collect();
    for array in kinds(&indices).into_iter().chain(dictionaries(&indices)) {
        let kind = array.data_type().clone();
        // a column of a type that points cannot have, which is not read, stands in between
        let other: ArrayRef = Arc::new(Float64Array::from(vec![0.5; 10]));
        let batch = batch(vec![("q", array.clone()), ("score", other), ("p", array)]);
        let halves = [batch.slice(0, 6), batch.slice(6, 4)];
        write_parquet(&folder, "t.parquet", &halves);
        write_arrow(&folder, "t.arrow", &halves);
        write_arrow(&folder, "t.feather", &halves);
        write_stream(&folder, "t.ipc", &halves);
        for name in ["t.parquet", "t.arrow", "t.feather", "t.ipc"] {
            for chunk in [4, 100] {
                let run = folder.pair(&format!("--in {name} --chunk {chunk}")).ends(0);
                let records = run.records();
                assert_eq!(records.iter().map(gt).collect::<Vec<_>>(), wanted, "{kind} in {name}");
                assert!(records.iter().enumerate().all(|(row, record)| record["row"] == row));
            }
        }
    }
}

/// The same table with every codec, in pages of both versions, with and without dictionaries.
#[test]
fn every_codec_of_parquet() {
    let folder = Folder::new();
    let indices: Vec<_> = (0..20).flat_map(|i| [i; 40]).collect();
    let wanted: Vec<_> = (0..20).map(|i| hex(SYSTEM.pair(&point(i), &point(19 - i)).bytes())).collect();
    let p: ArrayRef = Arc::new(BinaryArray::from_iter_values(indices.iter().map(|i| bytes(*i))));
    let q: ArrayRef = Arc::new(StringArray::from_iter_values(indices.iter().map(|i| text(&point(19 - i)))));
    let table = batch(vec![("p", p), ("q", q)]);
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for codec in codecs {
        for (version, dictionary) in [(WriterVersion::PARQUET_1_0, true), (WriterVersion::PARQUET_2_0, false)] {
            let properties = WriterProperties::builder().set_compression(codec).set_writer_version(version);
            let properties = properties.set_dictionary_enabled(dictionary).set_data_page_row_count_limit(100).build();
            let file = File::create(folder.path("t.parquet")).unwrap();
            let mut writer = ArrowWriter::try_new(file, table.schema(), Some(properties)).unwrap();
            writer.write(&table).unwrap();
            writer.close().unwrap();
            let records = folder.pair("--in t.parquet").ends(0).records();
            assert_eq!(records.len(), 800);
            let same = records
                .iter()
                .zip(wanted.iter().flat_map(|value| [value; 40]))
                .all(|(record, value)| gt(record) == value);
            assert!(same, "{codec}, {version:?}");
        }
    }
}

/// The codec's number in the footer is changed to that of LZO.
#[test]
fn a_codec_that_is_not_read_is_named_with_those_that_are() {
    let folder = Folder::new();
    let array: ArrayRef = Arc::new(BinaryArray::from_iter_values((0..4).map(bytes)));
    write_parquet(&folder, "t.parquet", &[batch(vec![("p", array.clone()), ("q", array)])]);
    let whole = folder.read("t.parquet");
    let wanted = "t.parquet: not a readable Parquet file: its columns are compressed by LZO; what can be read is \
                  uncompressed, snappy, gzip, brotli, lz4, lz4_raw, zstd";
    let lzo = (whole.len() / 2..whole.len() - 8).filter(|at| {
        whole[*at] == 2 && {
            let mut changed = whole.clone();
            changed[*at] = 6;
            folder.write("t.parquet", changed);
            folder.pair("--in t.parquet").stderr.contains(wanted)
        }
    });
    assert_eq!(lzo.count(), 2, "one in each column");
}

/// A value that a dictionary holds once, and that all rows have, is held in memory once.
#[test]
fn a_long_value_in_every_row() {
    let folder = Folder::new();
    let long: ArrayRef = Arc::new(LargeBinaryArray::from_iter_values(vec![vec![7; 4 << 20]; 1]));
    let keys = Int32Array::from_iter_values(vec![0; 200]);
    let column: ArrayRef = Arc::new(DictionaryArray::<Int32Type>::new(keys, long));
    let table = batch(vec![("p", column.clone()), ("q", column)]);
    write_parquet(&folder, "t.parquet", std::slice::from_ref(&table));
    write_arrow(&folder, "t.arrow", std::slice::from_ref(&table));
    for name in ["t.parquet", "t.arrow"] {
        // unpacked values would take 1.6 GiB, and the shell limits the process to 0.75 GiB
        let script = format!(
            "ulimit -v 786432; exec {} pair --params {TOY} --in {name} --strict --threads 1 --chunk 1000",
            env!("CARGO_BIN_EXE_bilinear")
        );
        let mut shell = std::process::Command::new("sh");
        let run = Run::of(&shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap());
        run.ends(1).says("(length)");
    }
}

#[test]
fn infinity_and_null() {
    let folder = Folder::new();
    let p = BinaryArray::from_opt_vec(vec![Some(b"".as_slice()), None, Some(&bytes(1))]);
    let q = StringArray::from(vec![Some(text(&point(2))), Some("inf".into()), None]);
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size(
        [Some(bytes(1)), None, None].into_iter(),
        SYSTEM.point_len(Group::G1) as i32,
    );
    let flags = BooleanArray::from(vec![Some(true), Some(true), Some(false)]);
    let (v, v_inf) = (BinaryArray::from_vec(vec![&[0], b"", b""]), flags.clone());
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("p", Arc::new(p)),
        ("q", Arc::new(q)),
        ("f", Arc::new(fixed.unwrap())),
        ("f_inf", Arc::new(flags)),
        ("v", Arc::new(v)),
        ("v_inf", Arc::new(v_inf)),
    ];
    write_parquet(&folder, "t.parquet", &[batch(columns)]);
    let run = folder.pair("--in t.parquet").ends(1);
    let records = run.records();
    assert_eq!(gt(&records[0]), hex(SYSTEM.gt_one().bytes()));
    assert_eq!(records[1]["message"], "t.parquet: row 1, field p: the value is null");
    assert_eq!(records[2]["message"], "t.parquet: row 2, field q: the value is null");
    let run = folder.pair("--in t.parquet --q-col f --p-col f").ends(1);
    let records = run.records();
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["infinity", "", "null"], "a flag says infinity");
    let reason = "the row is marked as infinity, and f is a point that is not zero";
    assert_eq!(records[0]["message"], format!("t.parquet: row 0, field f_inf: {reason}"));
    // without a flag column zeros stand for the point at infinity, as C and Python write it
    let zeros: Vec<Vec<u8>> = vec![vec![0; SYSTEM.point_len(Group::G1)], bytes(1).to_vec()];
    let zeros: ArrayRef = Arc::new(FixedSizeBinaryArray::try_from_iter(zeros.iter()).unwrap());
    write_arrow(&folder, "z.arrow", &[batch(vec![("p", zeros)])]);
    let records = folder.pair("--in z.arrow --q-col p").ends(0).records();
    assert_eq!(gt(&records[0]), hex(SYSTEM.gt_one().bytes()));
    // beside a column of variable length the flags have the same meaning
    folder.pair("--in t.parquet --q-col v --p-col v").ends(0);
    let marked: Vec<(&str, ArrayRef)> = vec![
        ("p", Arc::new(BinaryArray::from_vec(vec![&bytes(1)]))),
        ("p_inf", Arc::new(BooleanArray::from(vec![true]))),
    ];
    write_parquet(&folder, "m.parquet", &[batch(marked)]);
    assert_eq!(code(&folder.pair("--in m.parquet --q-col p").ends(1).records()[0]), "infinity");
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("p", Arc::new(FixedSizeBinaryArray::try_from_iter([bytes(1)].iter()).unwrap())),
        ("p_inf", Arc::new(BooleanArray::from(vec![None]))),
    ];
    write_arrow(&folder, "t.arrow", &[batch(columns)]);
    let run = folder.pair("--in t.arrow --q-col p").ends(1);
    assert_eq!(run.records()[0]["message"], "t.arrow: row 0, field p_inf: the value is null");
}

#[test]
fn row_errors_of_columns() {
    let folder = Folder::new();
    let p: ArrayRef = Arc::new(BinaryArray::from_iter_values([b"\0".to_vec(), bytes(1)]));
    let q: ArrayRef = Arc::new(StringArray::from(vec![text(&point(1)), "0g".to_owned()]));
    write_arrow(&folder, "t.arrow", &[batch(vec![("p", p), ("q", q)])]);
    let records = folder.pair("--in t.arrow").ends(1).records();
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["length", "hex"]);
    assert!(records[0]["message"].as_str().unwrap().starts_with("t.arrow: row 0, field p: a point takes "));
}

#[test]
fn columnar_output_of_rows() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(9_000) + "nonsense\n" + &rows(3));
    let run = folder.pair("--in in.jsonl").ends(1);
    let records = run.records();
    folder.pair("--in in.jsonl --out v.parquet").ends(1);
    folder.pair("--in in.jsonl --out v.arrow --chunk 777").ends(1);
    assert_eq!(folder.names(), ["in.jsonl", "v.arrow", "v.parquet"]);
    let from_arrow = FileReader::try_new(File::open(folder.path("v.arrow")).unwrap(), None).unwrap();
    for batches in [read_parquet(&folder, "v.parquet"), from_arrow.map(Result::unwrap).collect()] {
        let schema = batches[0].schema();
        let fields: Vec<_> =
            schema.fields().iter().map(|f| (f.name().as_str(), f.data_type(), f.is_nullable())).collect();
        let wanted = [
            ("row", &DataType::UInt64, false),
            ("gt", &DataType::Binary, true),
            ("error", &DataType::Utf8, true),
            ("message", &DataType::Utf8, true),
        ];
        assert_eq!(fields, wanted);
        let mut row = 0;
        for batch in &batches {
            for index in 0..batch.num_rows() {
                let text = |column: usize| {
                    let array = batch.column(column).as_string::<i32>();
                    array.is_valid(index).then(|| array.value(index))
                };
                let gt = batch.column(1).as_binary::<i32>();
                assert_eq!(batch.column(0).as_primitive::<UInt64Type>().value(index), row as u64);
                let value = gt.is_valid(index).then(|| hex(gt.value(index)));
                assert_eq!(value.as_deref(), records[row]["gt"].as_str());
                assert_eq!((text(2), text(3)), (records[row]["error"].as_str(), records[row]["message"].as_str()));
                row += 1;
            }
        }
        assert_eq!(row, records.len());
    }
    // the bytes depend on the records only
    folder.pair("--in in.jsonl --out again.parquet --chunk 1234 --threads 1").ends(1);
    assert!(folder.read("again.parquet") == folder.read("v.parquet"));
    let piped = folder.command(&format!("pair --params {TOY} --in in.jsonl --out-format parquet")).output().unwrap();
    assert!(piped.stdout == folder.read("v.parquet"));
    let piped = folder.command(&format!("pair --params {TOY} --in in.jsonl --out-format arrow")).output().unwrap();
    let stream = StreamReader::try_new(piped.stdout.as_slice(), None).unwrap();
    assert_eq!(stream.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), records.len());
}

#[test]
fn columnar_output_of_products() {
    let folder = Folder::new();
    let points: Vec<_> = (0..5).map(bytes).collect();
    let p: ArrayRef = Arc::new(BinaryArray::from_iter_values(&points));
    let words = DictionaryArray::<Int32Type>::from_iter(["x", "x", "y", "z", "x"]);
    let groups: [(ArrayRef, DataType); 5] = [
        (Arc::new(Int16Array::from(vec![-7, -7, 2, 3, -7])), DataType::Int64),
        (Arc::new(UInt64Array::from(vec![u64::MAX, u64::MAX, 2, 3, u64::MAX])), DataType::UInt64),
        (Arc::new(StringArray::from(vec!["x", "x", "y", "z", "x"])), DataType::Utf8),
        (Arc::new(words), DataType::Utf8),
        (Arc::new(Int64Array::from(vec![Some(0), Some(0), None, Some(3), Some(4)])), DataType::Int64),
    ];
    for (index, (group, kind)) in groups.into_iter().enumerate() {
        let table = batch(vec![("id", group), ("p", p.clone()), ("q", p.clone())]);
        write_parquet(&folder, "t.parquet", &[table]);
        folder.pair("--in t.parquet --product-by id --out v.parquet --chunk 2").ends(1);
        let batches = read_parquet(&folder, "v.parquet");
        let table = &batches[0];
        let names: Vec<_> = table.schema().fields().iter().map(|f| f.name().clone()).collect();
        assert_eq!(names, ["group", "rows", "gt", "error", "message"]);
        assert_eq!(*table.column(0).data_type(), kind);
        let codes: Vec<_> = table.column(3).as_string::<i32>().iter().map(|c| c.unwrap_or("")).collect();
        if index < 4 {
            assert_eq!(codes, ["", "", "", "group_split"]);
            let first = SYSTEM.gt_mul(&SYSTEM.pair(&point(0), &point(0)), &SYSTEM.pair(&point(1), &point(1)));
            assert_eq!(table.column(2).as_binary::<i32>().value(0), first.bytes());
        } else {
            assert_eq!(codes, ["null", "null", "null", ""], "a null group makes its neighbours doubtful");
            assert!(table.column(0).is_null(1));
        }
    }
}

#[test]
fn missing_and_wrong_columns() {
    let folder = Folder::new();
    let p: ArrayRef = Arc::new(BinaryArray::from_iter_values([bytes(1)]));
    let number: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let fixed: ArrayRef = Arc::new(FixedSizeBinaryArray::try_from_iter([bytes(1)].iter()).unwrap());
    let table = batch(vec![("p", p), ("q", number.clone()), ("f", fixed), ("f_inf", number)]);
    write_parquet(&folder, "t.parquet", std::slice::from_ref(&table));
    write_arrow(&folder, "t.arrow", std::slice::from_ref(&table));
    for file in ["t.parquet", "t.arrow"] {
        for (options, words) in [
            ("--q-col r", "there is no column \"r\"; the columns are \"p\", \"q\", \"f\", \"f_inf\""),
            ("--q-col p --check", "there is no column \"expect\""),
            (
                "",
                "column \"q\" has type Int64: it must be binary (FixedSizeBinary of at most 1 MiB, Binary, LargeBinary, \
                 BinaryView), hexadecimal text (Utf8, LargeUtf8, Utf8View), or a dictionary of one of these",
            ),
            ("--q-col f", "column \"f_inf\" has type Int64: it must be boolean"),
            ("--q-col p --product-by p", "column \"p\" has type Binary: it must be an integer (Int8 to"),
        ] {
            let run = folder.pair(&format!("--in {file} {options} --out v.jsonl"));
            run.ends(2).says(&format!("error: {file}: {words}"));
        }
    }
    let twice = Schema::new(vec![Field::new("p", DataType::Binary, true), Field::new("p", DataType::Binary, true)]);
    let columns = vec![table.column(0).clone(), table.column(0).clone()];
    write_arrow(&folder, "twice.arrow", &[RecordBatch::try_new(Arc::new(twice), columns).unwrap()]);
    folder.pair("--in twice.arrow --q-col p").ends(2).says("two columns are called \"p\"");
    assert_eq!(folder.names(), ["t.arrow", "t.parquet", "twice.arrow"], "nothing was begun");
}

/// A file that is cut off, or in which a byte is changed, at a dozen places is either refused or read, without a panic.
#[test]
fn damaged_files() {
    let folder = Folder::new();
    let array: ArrayRef = Arc::new(BinaryArray::from_iter_values((0..4).map(bytes)));
    let table = batch(vec![("p", array.clone()), ("q", array)]);
    write_parquet(&folder, "t.parquet", std::slice::from_ref(&table));
    write_arrow(&folder, "t.arrow", std::slice::from_ref(&table));
    write_stream(&folder, "t.ipc", std::slice::from_ref(&table));
    for name in ["t.parquet", "t.arrow", "t.ipc"] {
        let whole = folder.read(name);
        let step = whole.len() / 12;
        for length in (0..whole.len()).step_by(step) {
            folder.write(name, &whole[..length]);
            let run = folder.pair(&format!("--in {name} --out v.jsonl"));
            if name == "t.ipc" && run.status == Some(0) {
                // a stream may end after any message
                continue;
            }
            run.ends(2).says(&format!("error: {name}: not a readable"));
            assert!(!folder.exists("v.jsonl"), "{name} cut at {length}");
        }
        for position in (0..whole.len()).step_by(step) {
            let mut changed = whole.clone();
            changed[position] ^= 0xff;
            folder.write(name, changed);
            let run = folder.pair(&format!("--in {name} --out v.jsonl"));
            assert!(matches!(run.status, Some(0..=2)), "{name} changed at {position}: {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{name} changed at {position}: {}", run.stderr);
            let _ = std::fs::remove_file(folder.path("v.jsonl"));
        }
    }
}

#[test]
fn formats_that_are_not_told() {
    let folder = Folder::new();
    folder.write("in.txt", rows(2));
    folder.pair("--in in.txt").ends(2).says("in.txt: the name does not tell the format").says("add --in-format");
    folder.pair("--in in.txt --format jsonl").ends(0);
    folder.pair("--in in.txt --in-format jsonl --out v.dat").ends(2).says("add --out-format");
    folder.pair("--in in.txt --in-format jsonl --out v.dat --out-format arrow").ends(0);
    folder.pair_prepared("", "--in-format parquet").ends(2).says("standard input: Parquet is read from its end");
    folder
        .pair_prepared("PAR1", "")
        .ends(2)
        .says("standard input: ")
        .says("by its path (--in FILE), not from standard input");
    folder.pair("--in absent.txt").ends(2).says("absent.txt: cannot open: No such file");
    folder.write("in.parquet", rows(2));
    folder.pair("--in in.parquet").ends(2).says("in.parquet: not a readable Parquet file");
}

#[test]
fn an_arrow_stream_on_standard_input() {
    let folder = Folder::new();
    let array: ArrayRef = Arc::new(BinaryArray::from_iter_values((0..4).map(bytes)));
    write_stream(&folder, "t.ipc", &[batch(vec![("p", array.clone()), ("q", array)])]);
    let mut command = folder.command(&format!("pair --params {TOY} --in-format arrow"));
    let output = command.stdin(File::open(folder.path("t.ipc")).unwrap()).output().unwrap();
    assert_eq!(Run::of(&output).ends(0).records().len(), 4);
    // a file can also be read through a pipe
    let array: ArrayRef = Arc::new(BinaryArray::from_iter_values((0..4).map(bytes)));
    write_arrow(&folder, "t.arrow", &[batch(vec![("p", array.clone()), ("q", array)])]);
    let mut command = folder.command(&format!("pair --params {TOY} --in-format arrow"));
    let output = command.stdin(File::open(folder.path("t.arrow")).unwrap()).output().unwrap();
    assert_eq!(Run::of(&output).ends(0).records().len(), 4);
}

/// A null may be among a dictionary's keys or among its values.
#[test]
fn nulls_of_dictionaries() {
    let folder = Folder::new();
    let keys = Int32Array::from(vec![Some(0), Some(1), None, Some(2)]);
    let values: ArrayRef = Arc::new(BinaryArray::from_opt_vec(vec![Some(&bytes(1)), None, Some(b"")]));
    let column: ArrayRef = Arc::new(DictionaryArray::<Int32Type>::new(keys, values));
    let table = batch(vec![("p", column.clone()), ("q", column)]);
    write_parquet(&folder, "t.parquet", std::slice::from_ref(&table));
    write_arrow(&folder, "t.arrow", std::slice::from_ref(&table));
    for name in ["t.parquet", "t.arrow"] {
        let records = folder.pair(&format!("--in {name}")).ends(1).records();
        assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["", "null", "null", ""], "{name}");
        assert_eq!(gt(&records[3]), hex(SYSTEM.gt_one().bytes()));
    }
}

/// Reads integers from columns of every type that is allowed, with the same content.
#[test]
fn integers_of_every_column_type() {
    let folder = Folder::new();
    let integers: [i64; 4] = [0, 1, 5, 300];
    let points: Vec<_> = (0..4).map(bytes).collect();
    let wanted: Vec<_> =
        (0..4).map(|i| text(&SYSTEM.mul(&u64::try_from(integers[i]).unwrap().into(), &point(i)))).collect();
    let columns: [ArrayRef; 6] = [
        Arc::new(Int64Array::from_iter_values(integers)),
        Arc::new(UInt32Array::from_iter_values(integers.map(|k| k as u32))),
        Arc::new(StringArray::from_iter_values(integers.map(|k| k.to_string()))),
        Arc::new(LargeStringArray::from_iter_values(integers.map(|k| format!("0x{k:x}")))),
        Arc::new(BinaryArray::from_iter_values(integers.map(i64::to_be_bytes))),
        Arc::new(FixedSizeBinaryArray::try_from_iter(integers.map(i64::to_be_bytes).into_iter()).unwrap()),
    ];
    for k in columns {
        let kind = k.data_type().clone();
        let table = batch(vec![("p", Arc::new(BinaryArray::from_iter_values(&points))), ("k", k)]);
        write_parquet(&folder, "in.parquet", std::slice::from_ref(&table));
        write_arrow(&folder, "in.arrow", std::slice::from_ref(&table));
        for name in ["in.parquet", "in.arrow"] {
            let run = folder.run(&format!("points mul --params {TOY} --in {name}")).ends(0);
            let found: Vec<_> = run.records().iter().map(|record| record["p"].as_str().unwrap().to_owned()).collect();
            assert_eq!(found, wanted, "{kind} in {name}");
        }
    }
    let signed = batch(vec![
        ("p", Arc::new(BinaryArray::from_iter_values(&points))),
        ("k", Arc::new(Int8Array::from(vec![Some(-1), None, Some(-128), Some(0)]))),
    ]);
    write_parquet(&folder, "in.parquet", &[signed]);
    let records = folder.run(&format!("points mul --params {TOY} --in in.parquet")).ends(1).records();
    assert_eq!(records[0]["p"].as_str().unwrap(), text(&SYSTEM.neg(&point(0))));
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["", "null", "", ""]);
    let floats = batch(vec![
        ("p", Arc::new(BinaryArray::from_iter_values(&points))),
        ("k", Arc::new(Float64Array::from(vec![1.0; 4]))),
    ]);
    write_arrow(&folder, "in.arrow", &[floats]);
    let run = folder.run(&format!("points mul --params {TOY} --in in.arrow")).ends(2);
    run.says("column \"k\" has type Float64: it must be an integer (Int8");
}
