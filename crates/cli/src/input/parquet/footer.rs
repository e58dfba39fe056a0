//! A check of a Parquet file's footer before its reader descends into groups of columns. The reader calls
//! itself recursively for each group, and allocates as much memory as the group claims to have columns. The
//! structures are `FileMetaData` and `SchemaElement` in parquet.thrift.

use super::compact::{Compact, Form, Kind};
use crate::input::bad;
use crate::input::signature::PARQUET;
use parquet::file::reader::ChunkReader;
use std::io::{self, ErrorKind, Read};

/// The deepest nesting of groups of columns, including the table itself.
pub(crate) const MAX_GROUPS: usize = 64;

/// The code of structures as the type of a list's elements.
const STRUCTURE: u8 = 12;

/// A unit of time: a union of structures without fields.
const UNIT: Form = Form::Structure(&[NONE, NONE, NONE]);

/// A structure without fields.
const NONE: Form = Form::Structure(&[]);

/// A logical type: a union of these structures.
const LOGICAL: Form = Form::Structure(&[
    NONE,
    NONE,
    NONE,
    NONE,
    // decimal
    Form::Structure(&[Form::Integer, Form::Integer]),
    NONE,
    // time and timestamp
    Form::Structure(&[Form::Truth, UNIT]),
    Form::Structure(&[Form::Truth, UNIT]),
    NONE,
    // integer
    Form::Structure(&[Form::Byte, Form::Truth]),
    NONE,
    NONE,
    NONE,
    NONE,
    NONE,
    // variant, geometry and geography
    Form::Structure(&[Form::Byte]),
    Form::Structure(&[Form::Text]),
    Form::Structure(&[Form::Text, Form::Integer]),
    NONE,
]);

/// Checks that the columns of a file can be traversed. A file without a footer passes: the reader reports it.
///
/// # Errors
/// Returns an error if groups are nested too deeply or claim more columns than follow, or if the file cannot be
/// read.
pub(super) fn check(file: &impl ChunkReader) -> io::Result<()> {
    let Some(end) = file.len().checked_sub(8) else { return Ok(()) };
    let mut tail = [0; 8];
    file.get_read(end)?.read_exact(&mut tail)?;
    let (length, magic) = tail.split_at(4);
    let length = u64::from(u32::from_le_bytes(length.try_into().unwrap_or_default()));
    let Some(begin) = end.checked_sub(length).filter(|_| magic == PARQUET) else { return Ok(()) };
    columns(&mut Compact::new(file.get_read(begin)?.take(length))).map_err(|error| match error.kind() {
        ErrorKind::InvalidData => bad(format!("bad footer: {error}")),
        ErrorKind::UnexpectedEof => bad("bad footer: it is cut off"),
        _ => error,
    })
}

/// Traverses the columns. Only the version precedes them.
fn columns(compact: &mut Compact<impl Read>) -> io::Result<()> {
    let mut last = 0;
    loop {
        match compact.field(&mut last)? {
            Some((1, kind)) => compact.pass(kind, &Form::Integer)?,
            Some((2, Kind::List)) => break,
            _ => return Err(bad("it does not begin with columns")),
        }
    }
    let (count, code) = compact.list()?;
    if code != STRUCTURE {
        return Err(bad("columns that are not structures"));
    }
    // the numbers of columns that the open groups still lack, from the outermost
    let mut groups: Vec<u64> = Vec::new();
    for follow in (0..count).rev() {
        let children = children(compact)?;
        if children > follow {
            return Err(bad(format!("a group claims more columns than follow it: {children}, not {follow}")));
        }
        if let Some(lacks) = groups.last_mut() {
            *lacks -= 1;
        }
        if children > 0 {
            groups.push(children);
        }
        if groups.len() > MAX_GROUPS {
            return Err(bad(format!("more than {MAX_GROUPS} nested groups of columns")));
        }
        while groups.last() == Some(&0) {
            groups.pop();
        }
    }
    Ok(())
}

/// Returns the number of child columns of the next column.
fn children(compact: &mut Compact<impl Read>) -> io::Result<u64> {
    let (mut last, mut children) = (0, 0);
    while let Some((id, kind)) = compact.field(&mut last)? {
        match (id, kind) {
            (5, Kind::Integer) => {
                let count = compact.integer()?;
                children = u64::try_from(count).map_err(|_| bad(format!("a group of {count} columns")))?;
            }
            (1..=3 | 5..=9, _) => compact.pass(kind, &Form::Integer)?,
            (4, _) => compact.pass(kind, &Form::Text)?,
            (10, _) => compact.pass(kind, &LOGICAL)?,
            _ => compact.pass(kind, &Form::Any)?,
        }
    }
    Ok(children)
}
