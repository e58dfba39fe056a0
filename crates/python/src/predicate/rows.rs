//! Plaintext rows: the columns that a schema names, and messages.

use super::schema::{too_long, value};
use crate::arrow;
use crate::bulk::unequal;
use crate::chunked::{Chunked, integer, is_text, text};
use crate::column::{Cells, Column, countable, not_one_text};
use crate::error::Fault;
use arrow_schema::DataType;
use bilinear_engine::BigUint;
use bilinear_schemes::predicate::Scalar;
use bilinear_schemes::predicate::language::{Attribute, Schema, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};
use std::ops::Range;

/// The column of an attribute.
enum Values {
    Arrow(Chunked),
    List(Vec<Result<Value, Fault>>),
}

impl Values {
    fn of_arrow(attribute: &Attribute, arrays: Chunked) -> PyResult<Values> {
        let kind = arrays.content();
        let fits = if attribute.is_integer() { kind.is_integer() } else { is_text(kind) };
        if fits || *kind == DataType::Null {
            return Ok(Values::Arrow(arrays));
        }
        let wanted = if attribute.is_integer() { "integers are" } else { "texts are" };
        Err(PyTypeError::new_err(format!("column {}: an Arrow array of {kind}: {wanted} expected", attribute.name())))
    }

    fn of_list(attribute: &Attribute, items: &Bound<'_, PyAny>) -> PyResult<Values> {
        not_one_text(items).map_err(|wrong| PyTypeError::new_err(format!("column {}: {wrong}", attribute.name())))?;
        let values = items.try_iter()?.map(|item| value(attribute, &item?)).collect::<PyResult<_>>()?;
        Ok(Values::List(values))
    }

    fn len(&self) -> usize {
        match self {
            Values::Arrow(arrays) => arrays.len(),
            Values::List(values) => values.len(),
        }
    }

    fn takes_memory(&self) -> bool {
        match self {
            Values::Arrow(arrays) => arrays.takes_memory(),
            Values::List(_) => true,
        }
    }

    fn get(&self, attribute: &Attribute, row: usize) -> Result<Value, Fault> {
        let arrays = match self {
            Values::List(values) => return values[row].clone(),
            Values::Arrow(arrays) => arrays,
        };
        let Some((array, index)) = arrays.at(row)? else { return Ok(Value::Null) };
        if is_text(array.data_type()) {
            return Ok(Value::text(&text(array, index)?));
        }
        let integer = integer(array, index).unwrap_or_else(|| unreachable!("a column of texts or integers"));
        integer.try_into().map(Value::Integer).map_err(|_| too_long(attribute))
    }
}

/// A table, in which columns are found by name.
enum Table<'a, 'py> {
    Arrow(Vec<(String, Chunked)>),
    Mapping(&'a Bound<'py, PyMapping>),
}

impl<'a, 'py> Table<'a, 'py> {
    fn new(rows: &'a Bound<'py, PyAny>) -> PyResult<Table<'a, 'py>> {
        let columns = arrow::import(rows)?.map(|arrays| arrays.columns()).transpose()?;
        match (columns, rows.cast::<PyMapping>()) {
            (Some(Some(columns)), _) => Ok(Table::Arrow(columns)),
            (None, Ok(mapping)) => Ok(Table::Mapping(mapping)),
            _ => {
                let wanted = "an Arrow table, or a mapping from names to columns, is expected";
                Err(PyTypeError::new_err(format!("{wanted}, not {}", rows.get_type())))
            }
        }
    }

    fn missing(name: &str) -> PyErr {
        Fault::new("missing", format!("there is no column {name}")).into()
    }

    fn arrow(columns: &[(String, Chunked)], name: &str) -> PyResult<Chunked> {
        let mut named = columns.iter().filter(|(other, _)| other == name).map(|(_, column)| column);
        match (named.next(), named.next()) {
            (Some(column), None) => Ok(column.clone()),
            (None, _) => Err(Table::missing(name)),
            _ => Err(Fault::new("repeated", format!("there are several columns {name}")).into()),
        }
    }

    fn item(mapping: &Bound<'py, PyMapping>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if mapping.contains(name)? { mapping.get_item(name) } else { Err(Table::missing(name)) }
    }

    fn values(&self, attribute: &Attribute) -> PyResult<Values> {
        match self {
            Table::Arrow(columns) => Values::of_arrow(attribute, Table::arrow(columns, attribute.name())?),
            Table::Mapping(mapping) => {
                let column = Table::item(mapping, attribute.name())?;
                match arrow::import(&column)? {
                    Some(arrays) => Values::of_arrow(attribute, arrays),
                    None => Values::of_list(attribute, &column),
                }
            }
        }
    }

    fn messages(&self, name: &str) -> PyResult<Column> {
        match self {
            Table::Arrow(columns) => Column::of_arrow(Table::arrow(columns, name)?),
            Table::Mapping(mapping) => Column::new(&Table::item(mapping, name)?),
        }
    }
}

/// A table to be encrypted.
pub(super) struct Plain<'a> {
    schema: &'a Schema,
    columns: Vec<Values>,
    messages: Option<Column>,
    rows: usize,
}

impl<'a> Plain<'a> {
    /// Finds the columns of a schema. `messages` is the name of a column of the table, or a column itself.
    pub(super) fn new(
        schema: &'a Schema,
        rows: &Bound<'_, PyAny>,
        messages: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Plain<'a>> {
        let table = Table::new(rows)?;
        let attributes = schema.attributes();
        let columns = attributes.iter().map(|attribute| table.values(attribute)).collect::<PyResult<Vec<_>>>()?;
        let messages = messages.map(|messages| match messages.cast::<PyString>() {
            Ok(name) => table.messages(&name.to_cow()?),
            Err(_) => Column::new(messages),
        });
        let messages = messages.transpose()?;
        let rows = columns.first().map_or(0, Values::len);
        let named = attributes.iter().map(Attribute::name).zip(columns.iter().map(|column| Some(column.len())));
        let others = messages.as_ref().map(|messages| ("messages", messages.rows()));
        for (name, len) in named.chain(others) {
            if len != Some(rows) {
                return Err(unequal((attributes[0].name(), rows), (name, len.unwrap_or(1))).into());
            }
        }
        countable(rows, messages.is_some() || columns.iter().any(Values::takes_memory))?;
        Ok(Plain { schema, columns, messages, rows })
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Returns the messages of some rows.
    pub(super) fn messages(&self, py: Python<'_>, rows: &Range<usize>) -> PyResult<Option<Cells<'_>>> {
        self.messages.as_ref().map(|messages| messages.cells(py, rows)).transpose()
    }

    /// Returns the vector of a row, for groups of this order.
    pub(super) fn vector(&self, order: &BigUint, row: usize) -> Result<Vec<Scalar>, Fault> {
        let named = self.schema.attributes().iter().zip(&self.columns);
        let values = named.map(|(attribute, column)| column.get(attribute, row)).collect::<Result<Vec<_>, Fault>>()?;
        Ok(self.schema.vector(order, &values)?)
    }
}
