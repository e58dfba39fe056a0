//! Contiguous arrays as rows of one length, and their points.

use crate::code::Code;
use crate::fault::Fault;
use bilinear_engine::{Encoding, Group, MAX_SECRET, PointRef, System};

/// Divides an array into this many rows, all of one length.
pub(crate) fn rows<'a>(what: &str, bytes: &'a [u8], rows: usize) -> Result<Vec<&'a [u8]>, Fault> {
    let len = bytes.len();
    let wrong = || {
        Fault::new(
            Code::BilinearErrorLength,
            format!("{what}: the length, {len}, is not a positive multiple of the number of rows, {rows}"),
        )
    };
    match len.checked_div(rows) {
        None if len == 0 => Ok(Vec::new()),
        Some(each) if each > 0 && each * rows == len => Ok(bytes.chunks_exact(each).collect()),
        _ => Err(wrong()),
    }
}

/// Returns rows of scalars or exponents for the routines that are constant time in them.
pub(crate) fn secrets<'a>(what: &str, bytes: &'a [u8], count: usize) -> Result<Vec<&'a [u8]>, Fault> {
    let rows = rows(what, bytes, count)?;
    match rows.first().map(|row| row.len()) {
        Some(len) if len > MAX_SECRET => Err(Fault::new(
            Code::BilinearErrorLength,
            format!("{what} of {len} bytes: at most {MAX_SECRET} are allowed"),
        )),
        _ => Ok(rows),
    }
}

/// Checks that rows have one of the lengths that a value of this kind can take.
pub(crate) fn of_lengths(what: &str, rows: &[&[u8]], value: &str, lengths: &[usize]) -> Result<(), Fault> {
    match rows.first().map(|row| row.len()) {
        Some(found) if !lengths.contains(&found) => {
            let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
            let message = format!("{what}: rows of length {found}: {value} takes {} bytes", lengths.join(" or "));
            Err(Fault::new(Code::BilinearErrorLength, message))
        }
        _ => Ok(()),
    }
}

/// Returns the points of an array, all of a length that points have.
pub(crate) fn points<'a>(
    what: &str,
    system: &System,
    group: Group,
    encoding: Option<Encoding>,
    bytes: &'a [u8],
    count: usize,
) -> Result<Vec<PointRef<'a>>, Fault> {
    let rows = rows(what, bytes, count)?;
    let lengths = match encoding {
        // full and compressed points are told apart by their length
        None => vec![system.point_len(group), system.compressed_len(group)],
        Some(encoding) => vec![system.encoded_len(group, encoding)?],
    };
    of_lengths(what, &rows, "a point", &lengths)?;
    Ok(rows.into_iter().map(|bytes| system.point_ref(group, encoding, bytes)).collect())
}
