//! Parquet footers with false claims: each is refused before it costs memory.

use crate::search::{HIDDEN, encrypted, keys, table, token};
use crate::support::*;

/// Encodes an unsigned number: seven bits a byte, lowest first.
fn unsigned(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// Encodes a signed number: 0, −1, 1, −2, … in this order.
fn number(value: i64) -> Vec<u8> {
    unsigned((value << 1 ^ value >> 63) as u64)
}

/// Encodes a group of `columns` columns: repetition, name, number of columns.
fn group(columns: i64) -> Vec<u8> {
    [&[0x35, 2, 0x18, 5][..], b"group", &[0x15], &number(columns), &[0]].concat()
}

/// Encodes a column of values of the given length, with more fields after its name: type, length, repetition,
/// name.
fn column(name: &str, length: i64, more: &[u8]) -> Vec<u8> {
    let name = [&[0x18, name.len() as u8], name.as_bytes()].concat();
    [&[0x15, 14, 0x15][..], &number(length), &[0x15, 2], &name, more, &[0]].concat()
}

/// Builds a file with the given columns and without row groups, which claims to have `rows` rows.
fn file(columns: &[Vec<u8>], rows: i64) -> Vec<u8> {
    let columns = [&[0xfc], &unsigned(columns.len() as u64)[..], &columns.concat()].concat();
    let footer = [&[0x15, 2, 0x19], &columns[..], &[0x16], &number(rows), &[0x19, 0x0c, 0]].concat();
    [b"PAR1", &footer[..], &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat()
}

/// Runs `pair` on a file that must be refused.
#[track_caller]
fn refused(folder: &Folder, columns: &[Vec<u8>], words: &str) {
    folder.write("t.parquet", file(columns, 0));
    let words = format!("error: t.parquet: not a readable Parquet file: bad footer: {words}");
    folder.pair("--in t.parquet").ends(2).says(&words);
}

#[test]
fn nested_groups() {
    let folder = Folder::new();
    let nested = |groups: usize| [vec![group(1); groups], vec![column("p", 4, &[])]].concat();
    folder.write("t.parquet", file(&nested(64), 0));
    folder.pair("--in t.parquet").ends(2).says("there is no column \"p\"; the columns are \"group\"");
    for groups in [65, 6000] {
        refused(&folder, &nested(groups), "more than 64 nested groups of columns");
    }
    // side by side there may be more groups than are allowed in each other
    let columns: Vec<Vec<u8>> = (0..100).flat_map(|_| [group(1), column("p", 4, &[])]).collect();
    folder.write("t.parquet", file(&[vec![group(100)], columns].concat(), 0));
    folder.pair("--in t.parquet").ends(2).says("there is no column \"p\"");
}

#[test]
fn a_group_of_more_columns_than_there_are() {
    let folder = Folder::new();
    let points = |columns: i64| [group(columns), column("p", 4, &[]), column("q", 4, &[])];
    folder.write("t.parquet", file(&points(2), 0));
    folder.pair("--in t.parquet").ends(0).says("rows: 0");
    for (columns, words) in [
        (i64::from(i32::MAX), "a group claims more columns than follow it: 2147483647, not 2"),
        (3, "a group claims more columns than follow it: 3, not 2"),
        (-1, "a group of -1 columns"),
        (1 << 32, "4294967296, of more than 32 bits"),
    ] {
        refused(&folder, &points(columns), words);
    }
}

/// A reader that reads a field by its declared type, ignoring the encoded type, finds other columns than were
/// counted.
#[test]
fn columns_that_can_be_read_in_two_ways() {
    let folder = Folder::new();
    let other = "a field of the wrong type";
    for (more, words) in [
        (&[0x13, 2][..], other),
        // logical types: a text in place of a structure, and a decimal whose scale is a truth value
        (&[0x6c, 0x11, 0], other),
        (&[0x6c, 0x5c, 0x11, 0, 0], other),
        (&[0x15, 0, 0x05, 10, 2], "field 5 behind field 5"),
        (&[0x05, 0x8a, 0x80, 0x08, 2], "a field 65541"),
    ] {
        refused(&folder, &[group(1), column("p", 4, more)], words);
    }
}

/// Makes a curve that is fast but not secure, and keys of a schema on it.
fn prepared(schema: &str) -> Folder {
    let folder = Folder::new();
    folder.run("params new a1 --insecure --primes 80,80 --out curve.toml --factors-out factors.toml").ends(0);
    keys(&folder, "--params curve.toml --factors factors.toml", schema, "t");
    folder
}

/// Nulls take no space in the file, but as much memory as values.
#[test]
fn values_of_a_fixed_size_count_before_they_are_decoded() {
    let names: Vec<String> = (0..15).map(|i| format!("a{i}")).collect();
    let attributes: String = names.iter().map(|name| format!("{name} text\n")).collect();
    let folder = prepared(&format!("hidden vector\n{attributes}"));
    let columns: Vec<Vec<u8>> = names.iter().map(|name| column(name, 1 << 20, &[])).collect();
    let columns = [vec![group(15)], columns].concat();
    folder.write("t.parquet", file(&columns, 5000));
    let encrypt = "search encrypt --public t.public --in t.parquet";
    folder.run(encrypt).ends(2).says("it takes 16106127360 bytes in memory, and the limit is 4294967296");
    folder.write("t.parquet", file(&columns, 200));
    folder.run(encrypt).ends(0);
}

#[test]
fn columns_that_are_kept_have_values_of_bounded_size() {
    let folder = prepared(HIDDEN);
    token(&folder, "t", "lyon.token", "city = 'Lyon'").ends(0);
    folder.write("e.jsonl", lines(&encrypted(&folder, "t", &table(1))));
    let scan = "search scan --token lyon.token --in e.jsonl --result rows --rows-of t.parquet --out found.parquet";
    for columns in [&[group(1)][..], &[group(1), group(1)]] {
        folder.write("t.parquet", file(&[columns, &[column("wide", (1 << 20) + 1, &[])]].concat(), 1));
        let words = "t.parquet: column \"wide\" has type FixedSizeBinary(1048577): it must be of any type, but \
                     FixedSizeBinary of at most 1 MiB";
        folder.run(scan).ends(2).says(words);
    }
}
