//! Recognising input of another format by its first bytes. In place of JSON Lines it is reported once, instead of
//! by an error for every line.

use super::Format;
use super::open::FROM_ITS_END;
use crate::error::CommandError;
use std::io::BufRead;

/// The first bytes of a Parquet file, which are its last bytes, too.
pub(super) const PARQUET: &[u8] = b"PAR1";
/// The first bytes of an Arrow file.
pub(super) const ARROW: &[u8] = b"ARROW1";

/// The first bytes of columnar tables, with the format and the message where another format is expected. An Arrow
/// stream begins with ff ff ff ff, or with a length, of which some bytes are 0, so it cannot be mistaken for a file of
/// another format.
const COLUMNAR: [(&[u8], &str, &str); 4] = [
    (PARQUET, "Parquet", "it is a Parquet file: --in-format parquet"),
    (ARROW, "Arrow", "it is an Arrow file: --in-format arrow"),
    (&[0xff, 0xff, 0xff, 0xff], "Arrow", "it is an Arrow stream: --in-format arrow"),
    (b"FEA1", "Feather", "it is Feather of version 1, which is not read: write version 2, which is Arrow"),
];

/// The byte-order mark in UTF-8.
pub(crate) const MARK: &[u8] = &[0xef, 0xbb, 0xbf];
/// The message for a text that begins with a byte-order mark.
pub(crate) const MARKED: &str = "it begins with a byte-order mark: save it as UTF-8 without one";

/// The first bytes of other inputs in place of JSON Lines, with the message for each.
const OTHERS: [(&[u8], &str); 9] = [
    (MARK, MARKED),
    (&[0xff, 0xfe], "it is UTF-16: save it as UTF-8"),
    (&[0xfe, 0xff], "it is UTF-16: save it as UTF-8"),
    (b"{\0", "it is UTF-16: save it as UTF-8"),
    (b"\0{", "it is UTF-16: save it as UTF-8"),
    (&[0x1f, 0x8b], "it is compressed by gzip: decompress it first (gzip -dc)"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "it is compressed by zstd: decompress it first (zstd -dc)"),
    (b"BZh", "it is compressed by bzip2: decompress it first (bzip2 -dc)"),
    (b"[", "it is one JSON array: write its objects one a line (jq -c '.[]')"),
];

/// Rejects a table whose first bytes are those of another format. The message depends on whether the input
/// `is_file`.
///
/// # Errors
/// Returns an error that names the format, or an error if the input cannot be read.
pub(super) fn check(reader: &mut impl BufRead, file: &str, is_file: bool) -> Result<(), CommandError> {
    let first = reader.fill_buf().map_err(CommandError::io(file, "read"))?;
    let mut known = OTHERS.into_iter().chain(COLUMNAR.map(|(bytes, _, reason)| (bytes, reason)));
    let reason = match known.find(|(bytes, _)| first.starts_with(bytes)) {
        Some((PARQUET, _)) if !is_file => FROM_ITS_END,
        Some((_, reason)) => reason,
        None if is_header(first) => "it looks like CSV: write an object a line, {\"p\": HEX, \"q\": HEX}",
        None => return Ok(()),
    };
    Err(CommandError::Damaged { file: file.to_owned(), format: Format::Jsonl.name(), reason: reason.to_owned() })
}

/// Rejects a columnar table whose first bytes are those of another columnar format than `format`, or are text.
///
/// # Errors
/// Returns an error with the message for the other format.
pub(super) fn refuse_others(head: &[u8], file: &str, format: &'static str) -> Result<(), CommandError> {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let reason = match COLUMNAR.iter().find(|(bytes, ..)| head.starts_with(bytes)) {
        Some((_, own, _)) if *own == format => return Ok(()),
        Some((.., reason)) => (*reason).to_owned(),
        None if !head.is_empty() && head.iter().all(is_text) => format!("it is text, not {format}"),
        None => return Ok(()),
    };
    Err(CommandError::Damaged { file: file.to_owned(), format, reason })
}

/// Returns true if the first line looks like a CSV header: names with separators between them.
fn is_header(first: &[u8]) -> bool {
    let line = first.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let is_name = |name: &[u8]| {
        let name = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name);
        !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_- ".contains(byte))
    };
    let names: Vec<&[u8]> = line.split(|byte| b",;\t".contains(byte)).collect();
    names.len() > 1 && names.into_iter().all(is_name)
}
