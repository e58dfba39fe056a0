//! Columnar tables, which are read from record batches. Parquet and Arrow differ only in where the batches come
//! from.
//!
//! A point is a binary value (of fixed size or not) or hexadecimal text, either directly or through a
//! dictionary. The point at infinity is the binary value of length zero. A column `p` of fixed size cannot hold
//! that, so a boolean column `p_inf` may stand beside a column of points. Where `p_inf` is true, the row is the
//! point at infinity, and `p` must be infinity, zero or null. Without `p_inf` a null is never a point. An
//! integer is an integer value, text, or big-endian binary.

use super::guard::guard;
use super::values::{
    self, GROUP_TYPES, INTEGER_TYPES, KEPT_TYPES, MAX_FIXED, TEXT_TYPES, VALUE_TYPES, Value, content, is_integer,
    is_text, is_value,
};
use super::{Cell, Cells, Chunk, Column, Extent, Fields, GroupType, Kind, Need, Row, Source};
use crate::error::CommandError;
use crate::fault::{Fault, code};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use arrow_schema::{DataType, Schema, SchemaRef};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Display;
use std::sync::Arc;

/// An iterator over record batches, in the order of the file.
pub(super) type Batches = Box<dyn Iterator<Item = Result<RecordBatch, Trouble>> + Send>;

/// An error of a format's reader, with the reader's own message.
type Trouble = Box<dyn Error + Send + Sync>;

/// A columnar table.
pub(crate) struct Columnar {
    batches: Batches,
    fields: Fields,
    file: String,
    format: &'static str,
    extent: Extent,
    columns: Columns,
    /// The error that ended the batches, until it is reported.
    failed: Option<Trouble>,
    current: Option<Table>,
    offset: usize,
    row: u64,
}

impl Columnar {
    /// Creates a table from `batches`, which hold exactly the columns that [`Columns::find`] has found.
    pub(super) fn new(
        batches: Batches,
        columns: Columns,
        fields: Fields,
        (file, format): (String, &'static str),
        extent: Extent,
    ) -> Self {
        Self { batches, fields, file, format, extent, columns, failed: None, current: None, offset: 0, row: 0 }
    }
}

impl Columnar {
    fn next_chunk_unguarded(&mut self, rows: usize) -> Result<Option<Chunk>, Trouble> {
        let mut chunk = Chunk { first: self.row, ..Chunk::default() };
        while !chunk.is_full(rows) {
            let Some(table) = self.current.as_ref().filter(|table| self.offset < table.rows) else {
                let next = self.failed.take().map(Err).or_else(|| self.batches.next());
                let next = next.map(|batch| Ok(Table::new(&batch?, &self.columns)));
                match next {
                    None => break,
                    Some(Ok(table)) => (self.current, self.offset) = (Some(table), 0),
                    Some(Err(error)) if chunk.rows.is_empty() => return Err(error),
                    // the rows before the failed batch are returned first
                    Some(Err(error)) => {
                        self.failed = Some(error);
                        break;
                    }
                }
                continue;
            };
            let row = table.row(self.offset, self.row, &self.fields, &mut chunk);
            chunk.push_row(row);
            self.offset += 1;
            self.row += 1;
        }
        chunk.position = self.row;
        Ok(if chunk.rows.is_empty() { None } else { Some(chunk) })
    }
}

/// Returns the indices of all columns, and the schema.
///
/// # Errors
/// Returns an error if a column holds values of a fixed size that is too long.
pub(super) fn all_columns(schema: &Schema, file: &str) -> Result<(Vec<usize>, SchemaRef), CommandError> {
    let is_long = |kind: &DataType| matches!(content(kind), DataType::FixedSizeBinary(size) if *size > MAX_FIXED);
    // includes columns nested within others
    if let Some(field) = schema.flattened_fields().into_iter().find(|field| is_long(field.data_type())) {
        let (column, found) = (field.name().clone(), field.data_type().to_string());
        return Err(CommandError::ColumnType { file: file.to_owned(), column, found, wanted: KEPT_TYPES });
    }
    Ok(((0..schema.fields().len()).collect(), Arc::new(schema.clone())))
}

/// Makes the error for a file that a format's reader rejects.
pub(super) fn damaged(file: &str, format: &'static str, error: &dyn Display) -> CommandError {
    CommandError::Damaged { file: file.to_owned(), format, reason: error.to_string() }
}

impl Source for Columnar {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Chunk>, CommandError> {
        let file = self.file.clone();
        guard(&file, self.format, || {
            let chunk = self.next_chunk_unguarded(rows);
            chunk.map_err(|error| damaged(&file, self.format, &error))
        })
    }

    fn extent(&self) -> Extent {
        self.extent
    }

    fn group_type(&self) -> GroupType {
        self.columns.group_type
    }
}

/// The wanted columns in a schema and in the batches, which hold no others, and the type of groups.
pub(super) struct Columns {
    /// The indices of the wanted columns in the schema, ascending.
    pub(super) indices: Vec<usize>,
    /// The place in the batches of each field and of its flags, if there are any; `None` for an optional field that the
    /// table lacks.
    fields: Vec<Option<(usize, Option<usize>)>>,
    group: Option<usize>,
    group_type: GroupType,
}

impl Columns {
    /// Finds the wanted columns and checks their types.
    pub(super) fn find(
        schema: &Schema,
        fields: &Fields,
        file: &str,
        format: &'static str,
    ) -> Result<Self, CommandError> {
        let index = |name: &str| -> Result<usize, CommandError> {
            let mut hits = schema.fields().iter().enumerate().filter(|(_, field)| field.name() == name);
            let first = hits.next().ok_or_else(|| {
                let known: Vec<_> = schema.fields().iter().map(|field| format!("{:?}", field.name())).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                CommandError::MissingColumn { file: file.to_owned(), column: name.to_owned(), known }
            })?;
            match hits.next() {
                None => Ok(first.0),
                Some(_) => Err(damaged(file, format, &format_args!("two columns are called {name:?}"))),
            }
        };
        let wrong = |index: usize, wanted| {
            let field = schema.field(index);
            let (column, found) = (field.name().clone(), field.data_type().to_string());
            CommandError::ColumnType { file: file.to_owned(), column, found, wanted }
        };
        let field = |Column { name, kind, need }: &Column| {
            if *need == Need::Nothing && schema.index_of(name).is_err() {
                return Ok(None);
            }
            let at = index(name)?;
            if !is_readable(*kind, schema.field(at).data_type()) {
                return Err(wrong(at, wanted(*kind)));
            }
            if *kind != Kind::Point || schema.index_of(&flag(name)).is_err() {
                return Ok(Some((at, None)));
            }
            let infinity = index(&flag(name))?;
            match schema.field(infinity).data_type() {
                DataType::Boolean => Ok(Some((at, Some(infinity)))),
                _ => Err(wrong(infinity, "boolean")),
            }
        };
        let found = fields.columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let group = |name: &String| {
            let at = index(name)?;
            let group_type = group_type_of(schema.field(at).data_type());
            Ok::<_, CommandError>((at, group_type.ok_or_else(|| wrong(at, GROUP_TYPES))?))
        };
        let (group, group_type) = fields.group.as_ref().map(group).transpose()?.unzip();
        let all = found.iter().flatten().flat_map(|(at, infinity)| [Some(*at), *infinity]).flatten().chain(group);
        let indices = Vec::from_iter(BTreeSet::from_iter(all));
        let place = |at: usize| indices.partition_point(|index| *index < at);
        let fields = found.iter().map(|field| field.map(|(at, infinity)| (place(at), infinity.map(place)))).collect();
        Ok(Self { group: group.map(place), fields, indices, group_type: group_type.unwrap_or(GroupType::Text) })
    }
}

/// Returns the name of the column that marks infinity for a column of points.
fn flag(name: &str) -> String {
    format!("{name}_inf")
}

/// Returns true if a column of type `found` can hold values of the given kind.
fn is_readable(kind: Kind, found: &DataType) -> bool {
    is_value(found) || kind == Kind::Integer && is_integer(found)
}

/// Returns the description of the types that a column of the given kind may have.
fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Point | Kind::Bytes => VALUE_TYPES,
        Kind::Text => TEXT_TYPES,
        Kind::Integer => INTEGER_TYPES,
    }
}

fn group_type_of(kind: &DataType) -> Option<GroupType> {
    match content(kind) {
        kind if is_text(kind) => Some(GroupType::Text),
        kind if kind.is_signed_integer() => Some(GroupType::Signed),
        kind if kind.is_unsigned_integer() => Some(GroupType::Unsigned),
        _ => None,
    }
}

/// The wanted columns of one batch.
struct Table {
    rows: usize,
    /// The values of each wanted column; `None` for an optional column that the table lacks.
    columns: Vec<Option<Values>>,
    group: Option<ArrayRef>,
}

impl Table {
    fn new(batch: &RecordBatch, columns: &Columns) -> Self {
        let array = |at: usize| batch.column(at).clone();
        let values = |(at, infinity): (usize, Option<usize>)| Values {
            array: array(at),
            infinity: infinity.map(|at| batch.column(at).as_boolean().clone()),
        };
        Self {
            rows: batch.num_rows(),
            columns: columns.fields.iter().map(|field| field.map(values)).collect(),
            group: columns.group.map(array),
        }
    }

    /// Reads row `index` of the batch, which is row `row` of the table.
    fn row(&self, index: usize, row: u64, fields: &Fields, chunk: &mut Chunk) -> Row {
        let fault = |code, name: &str, reason: String| Fault::new(code, row, Some(name), reason);
        let null = |name: &str| fault(code::NULL, name, "the value is null".to_owned());
        let group = match (&self.group, &fields.group) {
            (Some(array), Some(name)) => match values::group(array, index) {
                Ok(None) => return Row { line: None, group: None, cells: Err(null(name)) },
                Err(error) => {
                    let fault = fault(code::VALUE, name, error.to_string());
                    return Row { line: None, group: None, cells: Err(fault) };
                }
                Ok(group) => group,
            },
            _ => None,
        };
        let mut cells = Cells::default();
        for ((place, column), values) in cells.iter_mut().zip(&fields.columns).zip(&self.columns) {
            let Some(values) = values else { continue };
            match values.cell(index, column, chunk) {
                Ok(cell) => *place = cell,
                Err((code, field, reason)) => {
                    return Row { line: None, group, cells: Err(fault(code, &field, reason)) };
                }
            }
        }
        Row { line: None, group, cells: Ok(cells) }
    }
}

/// The values of a column, with its flags for infinity if the table has them.
struct Values {
    array: ArrayRef,
    infinity: Option<BooleanArray>,
}

impl Values {
    /// Reads the value of a row. An error is the code, the field and the reason of the fault.
    fn cell(
        &self,
        index: usize,
        column: &Column,
        chunk: &mut Chunk,
    ) -> Result<Option<Cell>, (&'static str, String, String)> {
        let null = |field: String| Err((code::NULL, field, "the value is null".to_owned()));
        let is_marked = match self.infinity_at(index) {
            Some(None) => return null(flag(&column.name)),
            Some(Some(marked)) => marked,
            None => false,
        };
        let cell = match values::value(&self.array, index) {
            None if is_marked => Ok(Cell::Infinity),
            None if column.need != Need::Row => return Ok(None),
            None => return null(column.name.clone()),
            Some(Value::Text(text)) => chunk.push_text(text, column.kind),
            Some(Value::Integer(value)) => chunk.push_text(&value.to_string(), column.kind),
            Some(Value::Bytes([])) if column.kind == Kind::Point => Ok(Cell::Infinity),
            Some(Value::Bytes(bytes)) if column.kind == Kind::Integer => chunk.push_integer(bytes),
            Some(Value::Bytes(bytes)) => Ok(chunk.push_bytes(bytes)),
        };
        let cell = cell.map_err(|error| (error.code(), column.name.clone(), error.to_string()))?;
        match chunk.get(cell) {
            Some(bytes) if is_marked && bytes.iter().any(|byte| *byte != 0) => {
                let reason = format!("the row is marked as infinity, and {} is a point that is not zero", column.name);
                Err((code::INFINITY, flag(&column.name), reason))
            }
            _ => Ok(Some(if is_marked { Cell::Infinity } else { cell })),
        }
    }

    /// Returns the infinity flag of a row: the outer `None` if there is no flag column, the inner `None` if the
    /// flag is null.
    fn infinity_at(&self, index: usize) -> Option<Option<bool>> {
        self.infinity.as_ref().map(|flags| flags.is_valid(index).then(|| flags.value(index)))
    }
}
