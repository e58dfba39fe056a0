//! Decoding record batches from messages.

use super::lengths;
use super::message::{Message, Messages};
use crate::input::bad;
use crate::input::memory::within_limit;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_ipc::{DictionaryBatch, Message as Root, MessageHeader};
use arrow_schema::SchemaRef;
use std::collections::HashMap;
use std::io;

/// The record batches of a table, with only some columns decoded. An error ends the iteration.
pub(super) struct RecordBatches<M> {
    messages: M,
    schema: SchemaRef,
    columns: Vec<usize>,
    dictionaries: HashMap<i64, ArrayRef>,
    /// The size of each dictionary in bytes.
    held: HashMap<i64, u64>,
    /// The numbers of record batches and dictionaries read so far, for messages.
    begun: [u64; 2],
    ended: bool,
}

impl<M: Messages> RecordBatches<M> {
    /// Creates an iterator that decodes the columns with the given indices.
    pub(super) fn new(messages: M, schema: SchemaRef, columns: Vec<usize>) -> Self {
        let (dictionaries, held) = (HashMap::new(), HashMap::new());
        Self { messages, schema, columns, dictionaries, held, begun: [0; 2], ended: false }
    }

    fn next_batch(&mut self) -> io::Result<Option<RecordBatch>> {
        while let Some(message) = self.messages.next_message()? {
            let root = message.root()?;
            let (place, name) = match root.header_type() {
                MessageHeader::DictionaryBatch => (1, "dictionary"),
                _ => (0, "record batch"),
            };
            let number = self.begun[place];
            self.begun[place] += 1;
            let batch = self.decode(&message, root);
            if let Some(batch) = batch.map_err(|error| bad(format!("{name} {number}: {error}")))? {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// Decodes the batch in a message. Returns `None` for a dictionary, which is stored.
    fn decode(&mut self, message: &Message, root: Root<'_>) -> io::Result<Option<RecordBatch>> {
        if let Some(dictionary) = root.header_as_dictionary_batch() {
            self.keep(message, root, dictionary)?;
            return Ok(None);
        }
        let batch = root
            .header_as_record_batch()
            .ok_or_else(|| bad(format!("a {:?} where a record batch or a dictionary should be", root.header_type())))?;
        lengths::check(batch, &message.body, self.columns.len())?;
        let version = root.version();
        let schema = self.schema.clone();
        let decoder =
            RecordBatchDecoder::try_new(&message.body, batch, schema, &self.dictionaries, &version).map_err(bad)?;
        Ok(Some(decoder.with_projection(Some(&self.columns)).read_record_batch().map_err(bad)?))
    }

    /// Stores a dictionary, or adds to an earlier one.
    fn keep(&mut self, message: &Message, root: Root<'_>, dictionary: DictionaryBatch<'_>) -> io::Result<()> {
        let values = dictionary.data().ok_or_else(|| bad("there is no data"))?;
        let taken = lengths::check(values, &message.body, 1)? + message.body.len() as u64;
        let before = self.held.entry(dictionary.id()).or_default();
        *before = if dictionary.isDelta() { *before + taken } else { taken };
        within_limit(self.held.values().sum())?;
        let dictionaries = &mut self.dictionaries;
        read_dictionary(&message.body, dictionary, &self.schema, dictionaries, &root.version()).map_err(bad)
    }
}

impl<M: Messages> Iterator for RecordBatches<M> {
    type Item = io::Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let batch = self.next_batch().transpose();
        self.ended = !matches!(batch, Some(Ok(_)));
        batch
    }
}
