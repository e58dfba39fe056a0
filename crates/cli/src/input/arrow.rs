//! Tables in Arrow IPC, files and streams. A record batch is read as a whole, so memory is bounded by the largest
//! batch that the writer made.

use super::columnar::{Columnar, Columns, damaged};
use super::guard::guard;
use super::{Extent, Fields, footer};
use crate::error::CommandError;
use arrow::ipc::reader::{FileReader, StreamReader};
use std::fs::File;
use std::io::{BufReader, Read, Seek};

const FORMAT: &str = "Arrow";

/// The first bytes of the framing for files.
const MAGIC: &[u8] = b"ARROW1";

/// Opens a table of either framing.
pub(super) fn open(mut input: File, fields: Fields, file: String) -> Result<Columnar, CommandError> {
    let mut head = Vec::new();
    let read = (&mut input).take(MAGIC.len() as u64).read_to_end(&mut head);
    read.and_then(|_| input.rewind()).map_err(CommandError::io(&file, "read"))?;
    if head != MAGIC {
        return stream(input, fields, file);
    }
    let name = file.clone();
    guard(&name, FORMAT, || {
        let damaged = |error| damaged(&name, FORMAT, &error);
        footer::check(&mut input).map_err(damaged)?;
        input.rewind().map_err(CommandError::io(&name, "read"))?;
        let mut again = input.try_clone().map_err(CommandError::io(&name, "read"))?;
        let schema = FileReader::try_new_buffered(input, None).map_err(damaged)?.schema();
        let columns = Columns::find(&schema, &fields, &file, FORMAT)?;
        again.rewind().map_err(CommandError::io(&name, "read"))?;
        let reader = FileReader::try_new_buffered(again, Some(columns.indices.clone())).map_err(damaged)?;
        Ok(Columnar::new(Box::new(reader), &columns, fields, (file, FORMAT), Extent::Unknown))
    })
}

/// Opens a table that is streamed.
pub(super) fn stream(
    input: impl Read + Send + 'static,
    fields: Fields,
    file: String,
) -> Result<Columnar, CommandError> {
    let name = file.clone();
    guard(&name, FORMAT, || {
        let reader = StreamReader::try_new(BufReader::new(input), None);
        let reader = reader.map_err(|error| damaged(&name, FORMAT, &error))?;
        let columns = Columns::find(&reader.schema(), &fields, &file, FORMAT)?;
        Ok(Columnar::new(Box::new(reader), &columns, fields, (file, FORMAT), Extent::Unknown))
    })
}
