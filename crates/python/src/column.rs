//! A column of a batch: points, messages or scalars, one a row. Arrow arrays and outcomes of other batches are read in place. Of a buffer
//! of Python (numpy) the rows of a chunk are copied when their turn comes, since others may write to it while it is read.

use crate::arrow;
use crate::chunked::{Chunked, bytes};
use crate::curve::{Curve, Text};
use crate::error::Fault;
use crate::outcomes::Outcomes;
use crate::point::Point;
use crate::scalar::Number;
use arrow_schema::DataType;
use bilinear_engine as engine;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PySlice};
use std::ops::Range;

/// What stands in a row.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'a> {
    Bytes(&'a [u8]),
    Point(&'a engine::Point),
}

impl<'a> Cell<'a> {
    /// A message or a scalar.
    pub(crate) fn bytes(self) -> Result<&'a [u8], Fault> {
        match self {
            Cell::Bytes(bytes) => Ok(bytes),
            Cell::Point(_) => Err(Fault::new("type", "bytes are expected, not a point")),
        }
    }
}

/// What a list holds.
pub(crate) enum Item {
    Null,
    Text(Text),
    Scalar(Vec<u8>),
    Point(engine::Point),
}

/// A column in the form in which it was given.
pub(crate) enum Column {
    Arrow(Chunked),
    /// A view of all bytes in one dimension, rows, bytes of a row.
    Buffer(Py<PyMemoryView>, usize, usize),
    List(Vec<Item>),
    /// The same point in every row.
    Repeated(engine::Point),
}

/// Some rows of a column.
pub(crate) enum Cells<'a> {
    /// A column, and the row that is the first of these.
    Arrow(&'a Chunked, usize),
    Copied(PyBackedBytes, usize),
    List(&'a [Item]),
    Repeated(&'a engine::Point),
}

impl Column {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Column> {
        if let Ok(point) = object.cast::<Point>() {
            return Ok(Column::Repeated(point.get().point.clone()));
        }
        if let Ok(outcomes) = object.cast::<Outcomes>() {
            return outcomes.get().column();
        }
        if let Some(arrays) = arrow::import(object)? {
            return Column::of_arrow(arrays);
        }
        if let Ok(buffer) = PyUntypedBuffer::get(object) {
            return Column::of_buffer(object, &buffer);
        }
        let mut items = Vec::new();
        for (row, item) in object.try_iter()?.enumerate() {
            items.push(Column::item(row, &item?)?);
        }
        Ok(Column::List(items))
    }

    /// Scalars: big-endian bytes, or a list of integers and residues.
    pub(crate) fn of_scalars(curve: &Curve, object: &Bound<'_, PyAny>) -> PyResult<Column> {
        if object.hasattr("__arrow_c_array__")?
            || object.hasattr("__arrow_c_stream__")?
            || PyUntypedBuffer::get(object).is_ok()
        {
            return Column::new(object);
        }
        let scalar = |item: PyResult<Bound<'_, PyAny>>| match item? {
            item if item.is_none() => Ok(Item::Null),
            item => Ok(Item::Scalar(curve.system().scalar_bytes(&item.extract::<Number<'_>>()?.modulo(curve)?))),
        };
        Ok(Column::List(object.try_iter()?.map(scalar).collect::<PyResult<_>>()?))
    }

    pub(crate) fn of_arrow(arrays: Chunked) -> PyResult<Column> {
        use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary, LargeUtf8, Utf8, Utf8View};
        match arrays.content() {
            Binary | LargeBinary | BinaryView | FixedSizeBinary(_) | Utf8 | LargeUtf8 | Utf8View => {
                Ok(Column::Arrow(arrays))
            }
            other => Err(PyTypeError::new_err(format!("an Arrow array of {other}: binary is expected"))),
        }
    }

    fn of_buffer(object: &Bound<'_, PyAny>, buffer: &PyUntypedBuffer) -> PyResult<Column> {
        if buffer.item_size() != 1 || buffer.dimensions() != 2 || !buffer.is_c_contiguous() {
            let wanted = "a contiguous array of bytes in two dimensions, (rows, bytes of a row), is expected";
            let (shape, size) = (buffer.shape(), buffer.item_size());
            return Err(PyTypeError::new_err(format!(
                "a buffer of shape {shape:?} with items of {size} bytes: {wanted}"
            )));
        }
        let (rows, width) = (buffer.shape()[0], buffer.shape()[1]);
        // a view without bytes cannot be cast
        let view = if buffer.len_bytes() == 0 { PyBytes::new(object.py(), b"").into_any() } else { object.clone() };
        let view = PyMemoryView::from(&view)?.call_method1("cast", ("B",))?;
        Ok(Column::Buffer(view.cast_into::<PyMemoryView>()?.unbind(), rows, width))
    }

    fn item(row: usize, item: &Bound<'_, PyAny>) -> PyResult<Item> {
        if item.is_none() {
            return Ok(Item::Null);
        }
        if let Ok(point) = item.cast::<Point>() {
            return Ok(Item::Point(point.get().point.clone()));
        }
        let error =
            |_| PyTypeError::new_err(format!("row {row}: a point or bytes are expected, not {}", item.get_type()));
        item.extract().map(Item::Text).map_err(error)
    }

    /// How many rows there are; `None` where the same point is in every one.
    pub(crate) fn rows(&self) -> Option<usize> {
        match self {
            Column::Arrow(arrays) => Some(arrays.len()),
            Column::Buffer(_, rows, _) => Some(*rows),
            Column::List(items) => Some(items.len()),
            Column::Repeated(_) => None,
        }
    }

    /// Some rows.
    pub(crate) fn cells(&self, py: Python<'_>, rows: &Range<usize>) -> PyResult<Cells<'_>> {
        match self {
            Column::Arrow(arrays) => Ok(Cells::Arrow(arrays, rows.start)),
            Column::Buffer(view, _, width) => {
                let part = PySlice::new(py, (rows.start * width) as isize, (rows.end * width) as isize, 1);
                let bytes = view.bind(py).get_item(part)?.call_method0("tobytes")?;
                Ok(Cells::Copied(bytes.extract()?, *width))
            }
            Column::List(items) => Ok(Cells::List(&items[rows.clone()])),
            Column::Repeated(point) => Ok(Cells::Repeated(point)),
        }
    }
}

impl Cells<'_> {
    /// What stands in the i-th of these rows.
    pub(crate) fn get(&self, i: usize) -> Result<Cell<'_>, Fault> {
        let null = || Fault::new("null", "the value is null");
        match self {
            Cells::Arrow(arrays, first) => {
                let (array, index) = arrays.at(first + i).ok_or_else(null)?;
                let bytes = bytes(array, index);
                Ok(Cell::Bytes(bytes.unwrap_or_else(|| unreachable!("no column has this type: {}", array.data_type()))))
            }
            Cells::Copied(bytes, width) => Ok(Cell::Bytes(&bytes[i * width..(i + 1) * width])),
            Cells::List(items) => match &items[i] {
                Item::Null => Err(null()),
                Item::Text(text) => Ok(Cell::Bytes(text.as_bytes())),
                Item::Scalar(bytes) => Ok(Cell::Bytes(bytes)),
                Item::Point(point) => Ok(Cell::Point(point)),
            },
            Cells::Repeated(point) => Ok(Cell::Point(point)),
        }
    }
}
