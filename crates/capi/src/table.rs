//! Contiguous arrays as rows of one length, and their points.

use crate::code::Code;
use crate::fault::Fault;
use bilinear_engine::{Encoding, Group, PointRef, System};

/// The rows of an array: as many as there are to be, all of one length.
pub(crate) fn rows<'a>(what: &str, bytes: &'a [u8], rows: usize) -> Result<Vec<&'a [u8]>, Fault> {
    let len = bytes.len();
    let wrong = || Fault::new(Code::BilinearLength, format!("{what}: {len} bytes are not {rows} rows of one length"));
    match len.checked_div(rows) {
        None if len == 0 => Ok(Vec::new()),
        Some(each) if each > 0 && each * rows == len => Ok(bytes.chunks_exact(each).collect()),
        _ => Err(wrong()),
    }
}

/// The point of bytes: zeros are the point at infinity, but in an encoding with a mark of its own for it.
pub(crate) fn point<'a>(system: &System, group: Group, encoding: Option<Encoding>, bytes: &'a [u8]) -> PointRef<'a> {
    match encoding {
        Some(encoding) => PointRef::As(encoding, bytes),
        None if bytes.len() == system.point_len(group) && bytes.iter().all(|byte| *byte == 0) => PointRef::Infinity,
        None => PointRef::Bytes(bytes),
    }
}

/// The points of an array.
pub(crate) fn points<'a>(
    what: &str,
    system: &System,
    group: Group,
    encoding: Option<Encoding>,
    bytes: &'a [u8],
    count: usize,
) -> Result<Vec<PointRef<'a>>, Fault> {
    Ok(rows(what, bytes, count)?.into_iter().map(|bytes| point(system, group, encoding, bytes)).collect())
}
