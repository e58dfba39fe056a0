//! Reading tables in the Arrow IPC format (Feather version 2), both files and streams.
//!
//! A file is a stream between two magic words, followed by a footer that states where each message begins. So
//! the two framings differ only in how the next message is found ([`footer`], [`mod@stream`]). In both a
//! message is read ([`message`]), its lengths are checked ([`lengths`]) and its columns are decoded
//! ([`batches`]) in the same way.
//!
//! A record batch is read as a whole, so memory is bounded by the largest batch that the writer made. Lengths
//! in a file are not trusted: memory is allocated only as bytes are read, and the decompressed size of a batch
//! is limited ([`LIMIT`](super::memory::LIMIT)).

mod batches;
mod footer;
mod lengths;
mod message;
mod stream;

use super::columnar::{Batches, Columnar, Columns, all_columns, damaged};
use super::guard::guard;
use super::signature::{ARROW, refuse_others};
use super::{Extent, Fields};
use crate::error::CommandError;
use arrow_schema::{Schema, SchemaRef};
use batches::RecordBatches;
use message::Messages;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};

const FORMAT: &str = "Arrow";

/// The codecs of compressed buffers.
pub(crate) const CODECS: &str = "LZ4 or Zstandard";

/// The most zeros that may follow the magic word.
const MAX_ZEROS: usize = 64;

/// Opens a table in either framing.
pub(super) fn open(mut input: File, fields: Fields, file: String) -> Result<Columnar, CommandError> {
    if is_framed(&mut input, &file)? {
        table(|| footer::open(input), fields, file)
    } else {
        stream(input, fields, file)
    }
}

/// Opens a table in either framing, with all its columns.
pub(super) fn whole(mut input: File, file: &str) -> Result<(SchemaRef, Batches), CommandError> {
    if is_framed(&mut input, file)? {
        batches(|| footer::open(input), file, |schema| all_columns(schema, file))
    } else {
        batches(|| stream::open(BufReader::new(input), true), file, |schema| all_columns(schema, file))
    }
}

/// Returns true if a file has the file framing.
fn is_framed(input: &mut File, file: &str) -> Result<bool, CommandError> {
    let mut head = Vec::new();
    let read = input.take(ARROW.len() as u64).read_to_end(&mut head);
    read.and_then(|_| input.rewind()).map_err(CommandError::io(file, "read"))?;
    refuse_others(&head, file, FORMAT)?;
    Ok(head == ARROW)
}

/// Opens a table that arrives as a stream. A file that is streamed is read in the order of its messages, and
/// its footer is not read.
pub(super) fn stream(
    input: impl Read + Send + 'static,
    fields: Fields,
    file: String,
) -> Result<Columnar, CommandError> {
    let (mut input, mut head) = (BufReader::new(input), Vec::new());
    let read = input.by_ref().take(ARROW.len() as u64).read_to_end(&mut head);
    let is_bare = head != ARROW;
    read.and_then(|_| if is_bare { Ok(()) } else { skip_zeros(&mut input) })
        .map_err(CommandError::io(&file, "read"))?;
    refuse_others(&head, &file, FORMAT)?;
    if !is_bare {
        head.clear();
    }
    table(|| stream::open(Cursor::new(head).chain(input), is_bare), fields, file)
}

/// Skips the zeros after the magic word of a file, which align the first message.
fn skip_zeros(input: &mut impl BufRead) -> io::Result<()> {
    for _ in 0..MAX_ZEROS {
        if input.fill_buf()?.first() != Some(&0) {
            break;
        }
        input.consume(1);
    }
    Ok(())
}

/// Opens a table with the columns of `fields`.
fn table<M: Messages + 'static>(
    begin: impl FnOnce() -> io::Result<(SchemaRef, M)>,
    fields: Fields,
    file: String,
) -> Result<Columnar, CommandError> {
    let (columns, batches) = batches(begin, &file, |schema| {
        let columns = Columns::find(schema, &fields, &file, FORMAT)?;
        Ok((columns.indices.clone(), columns))
    })?;
    Ok(Columnar::new(batches, columns, fields, (file, FORMAT), Extent::Unknown))
}

/// Opens the batches of a table. `wanted` chooses the columns by their indices, and its other result is
/// returned with the batches.
fn batches<M: Messages + 'static, T>(
    begin: impl FnOnce() -> io::Result<(SchemaRef, M)>,
    file: &str,
    wanted: impl FnOnce(&Schema) -> Result<(Vec<usize>, T), CommandError>,
) -> Result<(T, Batches), CommandError> {
    guard(file, FORMAT, || {
        let (schema, messages) = begin().map_err(|error| damaged(file, FORMAT, &error))?;
        let (indices, found) = wanted(&schema)?;
        let batches = RecordBatches::new(messages, schema, indices);
        Ok((found, Box::new(batches.map(|batch| batch.map_err(Into::into))) as Batches))
    })
}
