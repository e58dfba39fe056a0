//! The stream framing: the schema, followed by the messages.

use super::message::{Message, Messages};
use crate::input::bad;
use arrow_ipc::Schema;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_schema::SchemaRef;
use std::io::{self, Read};

/// The messages after the schema.
pub(super) struct Stream<R> {
    input: R,
    /// False if the stream is in the framing of a file, where its end is marked.
    is_bare: bool,
}

/// Reads the schema from the beginning of the input. `is_bare` is false for the stream in a file's framing.
///
/// # Errors
/// Returns an error if the input does not begin with a schema.
pub(super) fn open<R: Read + Send>(mut input: R, is_bare: bool) -> io::Result<(SchemaRef, Stream<R>)> {
    let message = Message::read(&mut input, u64::MAX, is_bare)?.ok_or_else(|| bad("there is no schema"))?;
    let root = message.root()?;
    let encoded = root.header_as_schema();
    let encoded = encoded.ok_or_else(|| bad(format!("a {:?} where the schema should be", root.header_type())))?;
    Ok((schema(encoded)?, Stream { input, is_bare }))
}

/// Decodes a schema.
///
/// # Errors
/// Returns an error if the schema has another byte order than this machine, or unknown types.
pub(super) fn schema(encoded: Schema<'_>) -> io::Result<SchemaRef> {
    if !encoded.endianness().equals_to_target_endianness() {
        return Err(bad("its numbers are big-endian, which is not supported"));
    }
    Ok(try_fb_to_schema(encoded).map_err(bad)?.into())
}

impl<R: Read + Send> Messages for Stream<R> {
    fn next_message(&mut self) -> io::Result<Option<Message>> {
        Message::read(&mut self.input, u64::MAX, self.is_bare)
    }
}
