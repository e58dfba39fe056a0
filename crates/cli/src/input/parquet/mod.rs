//! Reading tables in Parquet, page by page, and only the wanted columns.
//!
//! Texts and bytes are read as views of their pages: a value that a dictionary holds once is stored once,
//! however many rows have it. The sizes that the footer and the pages claim are checked before they are trusted
//! ([`mod@footer`], [`mod@pages`]).

pub(crate) mod compact;
pub(crate) mod footer;
mod header;
mod pages;

use super::columnar::{Batches, Columnar, Columns, all_columns, damaged};
use super::guard::guard;
use super::signature::refuse_others;
use super::{Extent, Fields, memory};
use crate::error::CommandError;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use pages::{Pages, width};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::Compression;
use parquet::errors::Result;
use parquet::file::metadata::ParquetMetaData;
use std::fs::File;
use std::io::Read;

const FORMAT: &str = "Parquet";

/// The number of rows that are decoded at a time.
pub(crate) const BATCH: usize = 1024;

/// The codecs of compressed pages.
pub(crate) const CODECS: &str = "uncompressed, snappy, gzip, brotli, lz4, lz4_raw, zstd";

/// Opens a table.
pub(super) fn open(input: File, fields: Fields, file: String) -> std::result::Result<Columnar, CommandError> {
    let (columns, batches, rows) = read(input, &file, plain, |schema| {
        let columns = Columns::find(&without_views(schema), &fields, &file, FORMAT)?;
        Ok((columns.indices.clone(), columns))
    })?;
    Ok(Columnar::new(batches, columns, fields, (file, FORMAT), Extent::Rows(rows)))
}

/// Opens a table with all its columns.
pub(super) fn whole(input: File, file: &str) -> std::result::Result<(SchemaRef, Batches), CommandError> {
    read(input, file, kept, |schema| all_columns(schema, file)).map(|(schema, batches, _)| (schema, batches))
}

/// Opens the batches of a table. `wanted` chooses the columns by their indices, and its other result is
/// returned with the batches and the number of rows.
fn read<T>(
    input: File,
    file: &str,
    metadata: impl FnOnce(&File) -> Result<ArrowReaderMetadata>,
    wanted: impl FnOnce(&Schema) -> std::result::Result<(Vec<usize>, T), CommandError>,
) -> std::result::Result<(T, Batches, u64), CommandError> {
    guard(file, FORMAT, || {
        let mut head = Vec::new();
        let read = (&input).take(8).read_to_end(&mut head);
        read.map_err(CommandError::io(file, "read"))?;
        refuse_others(&head, file, FORMAT)?;
        let damaged = |error| damaged(file, FORMAT, &error);
        footer::check(&input).map_err(|error| self::damaged(file, FORMAT, &error))?;
        let about = metadata(&input).map_err(damaged)?;
        let (indices, found) = wanted(about.schema())?;
        let leaves = leaves(about.metadata(), &indices);
        if let Some(codec) = unreadable(about.metadata(), &leaves) {
            let reason = format!("its columns are compressed by {codec}; what can be read is {CODECS}");
            return Err(CommandError::Damaged { file: file.to_owned(), format: FORMAT, reason });
        }
        let taken = memory::within_limit(fixed(about.metadata(), &leaves));
        taken.map_err(|error| self::damaged(file, FORMAT, &error))?;
        let pages = Pages::new(input, about.metadata(), BATCH).map_err(damaged)?;
        let taken = pages.taken();
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(pages, about);
        let total = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        let mask = ProjectionMask::roots(builder.parquet_schema(), indices.iter().copied());
        let reader = builder.with_projection(mask).with_batch_size(BATCH).build().map_err(damaged)?;
        let reader = reader.map(move |batch| {
            taken.reset();
            batch.map_err(Into::into)
        });
        Ok((found, Box::new(reader) as Batches, total))
    })
}

/// Reads the footer, with only the types that Parquet itself has.
fn plain(input: &File) -> Result<ArrowReaderMetadata> {
    let about = ArrowReaderMetadata::load(input, ArrowReaderOptions::new().with_skip_arrow_metadata(true))?;
    with_fields(&about, about.schema().fields().iter().map(|field| field.as_ref().clone()))
}

/// Reads the footer, with the schema of Arrow if the writer left one: it adds the names of types, and the times
/// for which Parquet has no type.
fn kept(input: &File) -> Result<ArrowReaderMetadata> {
    let plain = plain(input)?;
    let Ok(by_arrow) = ArrowReaderMetadata::try_new(plain.metadata().clone(), ArrowReaderOptions::new()) else {
        return Ok(plain);
    };
    let fields = plain.schema().fields().iter().zip(by_arrow.schema().fields()).map(|(field, by_arrow)| {
        let mut metadata = field.metadata().clone();
        metadata.extend(by_arrow.metadata().clone());
        let kind = match by_arrow.data_type() {
            kind @ (DataType::Date64 | DataType::Duration(_) | DataType::Timestamp(..)) => kind,
            _ => field.data_type(),
        };
        field.as_ref().clone().with_data_type(kind.clone()).with_metadata(metadata)
    });
    with_fields(&plain, fields)
}

/// Returns the footer with the given fields, in which texts and bytes become views, whatever their types in the
/// file.
fn with_fields(about: &ArrowReaderMetadata, fields: impl Iterator<Item = Field>) -> Result<ArrowReaderMetadata> {
    let view = |field: Field| match field.data_type() {
        DataType::Utf8 => field.with_data_type(DataType::Utf8View),
        DataType::Binary => field.with_data_type(DataType::BinaryView),
        _ => field,
    };
    let schema = Schema::new(fields.map(view).collect::<Vec<_>>());
    ArrowReaderMetadata::try_new(about.metadata().clone(), ArrowReaderOptions::new().with_schema(schema.into()))
}

/// Returns a schema with texts and bytes that are not views: files have no views, which are how this library reads them.
pub(crate) fn without_views(schema: &Schema) -> Schema {
    let own = |field: &FieldRef| match field.data_type() {
        DataType::Utf8View => field.as_ref().clone().with_data_type(DataType::Utf8),
        DataType::BinaryView => field.as_ref().clone().with_data_type(DataType::Binary),
        _ => field.as_ref().clone(),
    };
    Schema::new(schema.fields().iter().map(own).collect::<Vec<_>>())
}

/// Returns the leaf columns under the given root columns of a schema.
fn leaves(about: &ParquetMetaData, columns: &[usize]) -> Vec<usize> {
    let schema = about.file_metadata().schema_descr();
    (0..schema.num_columns()).filter(|leaf| columns.contains(&schema.get_column_root_idx(*leaf))).collect()
}

/// Returns a codec of the given columns that is not among [`CODECS`], if there is one.
fn unreadable(about: &ParquetMetaData, leaves: &[usize]) -> Option<Compression> {
    let chunks =
        about.row_groups().iter().flat_map(|group| leaves.iter().filter_map(|leaf| group.columns().get(*leaf)));
    chunks.map(|chunk| chunk.compression()).find(|codec| *codec == Compression::LZO)
}

/// Returns the number of bytes that a batch of the given columns takes for values of a fixed size. A null takes
/// as much as a value.
fn fixed(about: &ParquetMetaData, leaves: &[usize]) -> u64 {
    let about = about.file_metadata();
    let rows = u64::try_from(about.num_rows()).unwrap_or(u64::MAX).min(BATCH as u64);
    let columns = leaves.iter().map(|leaf| about.schema_descr().column(*leaf));
    columns.map(|column| width(&column).saturating_mul(rows)).fold(0, u64::saturating_add)
}
