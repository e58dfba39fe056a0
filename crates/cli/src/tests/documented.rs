//! Tests that docs/formats.md agrees with the code: its tables and lists are compared with constants and enums.
#![allow(clippy::unwrap_used)]

use crate::BROKEN_PIPE;
use crate::commands::{Outcome, params};
use crate::fault::code;
use crate::input::group::MAX_NAME;
use crate::input::lines::MAX_LINE;
use crate::input::memory::LIMIT;
use crate::input::parquet::compact::MAX_TEXT;
use crate::input::parquet::footer::MAX_GROUPS;
use crate::input::values::{GROUP_TYPES, INTEGER_TYPES, KEPT_TYPES, MAX_FIXED, TEXT_TYPES, VALUE_TYPES};
use crate::input::{CHUNK_BYTES, Format, MAX_COLUMNS, ROW_BYTES, arrow, parquet};
use crate::job::checkpoint::VERSION;
use crate::job::pace::AIM;
use crate::new_params;
use crate::output::files::Files;
use bilinear_engine::{Encoding, Engine, Group, GtEncoding, GtError, MAX_THREADS, PairingKind, PointError, Power};
use bilinear_params::security::MIN_BITS;
use bilinear_params::{MAX_COMPLETED_BITS, MAX_FIELD_BITS, MAX_FILE_BYTES, MAX_TWIST_BITS};
use bilinear_schemes::predicate::language::{MAX_ATTRIBUTES, MAX_JOINT};
use bilinear_schemes::predicate::{DecodeError, MAX_FILE};
use std::collections::BTreeSet;
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/formats.md");

/// Returns the text below a heading of the page.
fn section(heading: &str) -> &'static str {
    let begin = PAGE.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no section {heading}"));
    let rest = &PAGE[begin + 4..];
    rest.split("\n## ").next().unwrap()
}

/// Returns the rows of the table below a heading, split into cells.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let lines = section(heading).lines().filter(|line| line.starts_with('|')).skip(2);
    lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

/// Formats names as a table cell lists them.
fn names<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|name| format!("`{}`", name.to_string())).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_code_is_documented() {
    let written: Vec<String> = rows("Codes").iter().map(|row| row[0].replace('`', "")).collect();
    let distinct: BTreeSet<&str> = written.iter().map(String::as_str).collect();
    assert_eq!(distinct.len(), written.len(), "a code is there twice");
    let all = code::ALL.iter().copied().chain(PointError::CODES).chain(GtError::CODES).chain(DecodeError::CODES);
    assert_eq!(distinct, all.collect());
}

#[test]
fn formats_codecs_and_columns() {
    let endings = Format::ENDINGS.map(|(ending, format)| vec![format!("`.{ending}`"), format.name().to_owned()]);
    assert_eq!(rows("Tables"), endings);
    let codecs = section("Codecs");
    assert!(codecs.contains(&format!("Parquet: {}.", parquet::CODECS)), "{codecs}");
    assert!(codecs.contains(&format!("Arrow: buffers as they are, {}.", arrow::CODECS)), "{codecs}");
    let columns = section("Columns");
    assert!(columns.contains(&format!("expected values are {VALUE_TYPES}.")), "{columns}");
    assert!(columns.contains(&format!("groups are {GROUP_TYPES}.")), "{columns}");
    assert!(columns.contains(&format!("integers (`k`, `e`) are {INTEGER_TYPES}.")), "{columns}");
    assert!(columns.contains(&format!("`--text` are {TEXT_TYPES};")), "{columns}");
    assert_eq!(MAX_FIXED, 1 << 20, "1 MiB, as it says there");
}

#[test]
fn names_of_options() {
    let wanted = [
        ("`--engine`", names(Engine::ALL)),
        ("`--pairing`", names(PairingKind::ALL)),
        ("`--power`", names(Power::ALL)),
        ("`--group`", names(Group::ALL)),
        ("`--encoding`", names(Encoding::ALL)),
        ("`--gt-encoding`", names(GtEncoding::ALL)),
    ];
    let written = rows("Names");
    assert_eq!(written, wanted.iter().map(|(option, values)| vec![*option, values]).collect::<Vec<_>>());
}

#[test]
fn limits() {
    let wanted = [
        format!("{MAX_LINE} bytes"),
        format!("{CHUNK_BYTES} bytes"),
        format!("{ROW_BYTES} bytes"),
        format!("{MAX_NAME} bytes"),
        format!("the rows of {} s; the first chunks have fewer", AIM.as_secs_f64()),
        format!("{LIMIT} bytes"),
        format!("{MAX_FIXED} bytes"),
        format!("{MAX_TEXT} bytes"),
        MAX_GROUPS.to_string(),
        MAX_THREADS.to_string(),
        format!("{MAX_FILE_BYTES} bytes"),
        format!("{MAX_FIELD_BITS} bits"),
        format!("{MAX_COMPLETED_BITS} bits"),
        format!("{MAX_TWIST_BITS} bits"),
        format!("{MAX_FILE} bytes"),
        MAX_COLUMNS.to_string(),
        params::MAX_DIGITS.to_string(),
        new_params::MAX_DIGITS.to_string(),
        format!("{MIN_BITS} bits"),
    ];
    assert_eq!(rows("Limits").iter().map(|row| row[1]).collect::<Vec<_>>(), wanted);
    assert!(section("Limits").contains(&format!("as a batch has rows ({})", parquet::BATCH)));
    assert!(section("Limits").contains(&format!("keeps columns {KEPT_TYPES}.")));
    let most = format!("There may be {MAX_ATTRIBUTES} attributes and {MAX_JOINT} lines `join`;");
    assert!(section("Keys and tokens of `search`").contains(&most));
    assert!(section("Threads").contains(&format!("at most {MAX_THREADS}")));
}

#[test]
fn statuses_and_files() {
    let good = [Outcome::Good, Outcome::RowErrors].map(Outcome::status);
    let statuses: Vec<u8> = rows("Exit status").iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(statuses, [good[0], good[1], 2, 130, BROKEN_PIPE]);
    let Files { part, resume, resume_new, assembly, .. } = Files::of(Path::new("OUT"));
    let files = [part, resume, resume_new, assembly].map(|file| format!("`{}`", file.file_name().unwrap().display()));
    assert_eq!(rows("A job on the disk").iter().map(|row| row[0]).collect::<Vec<_>>(), files);
    assert!(section("A job on the disk").contains(&format!("layout {VERSION}:")));
}
