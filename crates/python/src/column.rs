//! Columns of a batch: points, messages or scalars, one in each row. Outcomes of other batches are read in place. Of
//! Python buffers (numpy) and Arrow arrays, the rows of a chunk are copied when the chunk is computed, since other code
//! may write to the memory while it is read.

use crate::arrow;
use crate::chunked::{Chunked, Rows, is_text};
use crate::curve::Curve;
use crate::error::Fault;
use crate::outcomes::Outcomes;
use crate::point::Point;
use crate::scalar::Number;
use crate::target::Target;
use crate::text::{Text, bytes_of};
use arrow_schema::DataType;
use bilinear_engine::{self as engine, MAX_SECRET, Side};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PySlice, PyString};
use std::ops::Range;

/// The content of a row.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'a> {
    Bytes(&'a [u8]),
    /// Bytes of an Arrow array, in which an empty value is the neutral element.
    Arrow(&'a [u8]),
    Point(&'a engine::Point),
    Value(&'a engine::Gt),
}

impl<'a> Cell<'a> {
    /// Returns the bytes of a message or a scalar.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Cell::Bytes(bytes) | Cell::Arrow(bytes) => bytes,
            Cell::Point(_) | Cell::Value(_) => unreachable!("no column of bytes has points or values"),
        }
    }

    /// Returns a scalar for the routines that are constant time in the scalar, or an error if it is too long for them.
    pub(crate) fn secret(self) -> Result<&'a [u8], Fault> {
        match self.bytes() {
            long if long.len() > MAX_SECRET => {
                Err(Fault::new("length", format!("a scalar of {} bytes: at most {MAX_SECRET} are allowed", long.len())))
            }
            bytes => Ok(bytes),
        }
    }
}

/// An element of a column that was given as a list.
pub(crate) enum Item {
    Null,
    Text(Text),
    Scalar(Vec<u8>),
    Point(engine::Point),
    Value(engine::Gt),
}

/// A column in the form in which it was given.
pub(crate) enum Column {
    Arrow(Chunked),
    /// A one-dimensional view of all bytes, the number of rows, and the number of bytes of a row.
    Buffer(Py<PyMemoryView>, usize, usize),
    List(Vec<Item>),
    /// One point, value or scalar that stands in every row.
    Repeated(Item),
}

/// A range of rows of a column.
pub(crate) enum Cells<'a> {
    Arrow(Rows),
    /// Copied bytes of a buffer, and the number of bytes of a row.
    Buffer(PyBackedBytes, usize),
    List(&'a [Item]),
    Repeated(&'a Item),
}

/// The curve and the group that the points of a column must have.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) curve: &'a Curve,
    pub(crate) group: engine::Group,
    /// The argument of the pairing, if the points are one.
    pub(crate) side: Option<Side>,
}

impl Wanted<'_> {
    /// Returns an error unless points of `group` of `curve` are accepted.
    pub(crate) fn takes(self, curve: &Curve, group: engine::Group) -> Result<(), Fault> {
        self.curve.takes(self.group, (curve, group)).map_err(|fault| match self.side {
            Some(side) => fault.of(side),
            None => fault,
        })
    }

    fn point(self, point: &Point) -> Result<Item, Fault> {
        self.takes(&point.curve, point.point.group())?;
        Ok(Item::Point(point.point.clone()))
    }

    fn item(self, row: usize, item: &Bound<'_, PyAny>) -> PyResult<Item> {
        if let Ok(point) = item.cast::<Point>() {
            return Ok(self.point(point.get()).map_err(|fault| fault.at(row))?);
        }
        Item::of(row, item, |item| bytes_of(item).map(Text::Bytes).map_err(|what| format!("a point or {what}")))
    }
}

/// The maximum number of rows that take no memory: an array of some hundred bytes can claim any number of rows.
const MAX_WITHOUT_MEMORY: usize = 1 << 20;

/// Returns an error if there are too many rows that take no memory.
pub(crate) fn countable(rows: usize, takes_memory: bool) -> Result<(), Fault> {
    if takes_memory || rows <= MAX_WITHOUT_MEMORY {
        return Ok(());
    }
    Err(Fault::new("length", format!("{rows} rows that take no memory: at most {MAX_WITHOUT_MEMORY} are allowed")))
}

/// Returns an error for a text, which would otherwise be read as a column of its characters.
pub(crate) fn not_one_text(object: &Bound<'_, PyAny>) -> Result<(), &'static str> {
    if object.is_instance_of::<PyString>() {
        return Err("a column is expected, not a single text: put it in a list");
    }
    Ok(())
}

impl Column {
    /// Reads a column of bytes or texts of any lengths.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Column> {
        if let Ok(outcomes) = object.cast::<Outcomes>() {
            return outcomes.get().column_of_bytes();
        }
        match Column::in_place(object)? {
            Some(column) => Ok(column),
            None => Column::list(object, |row, item| Item::of(row, item, Text::of)),
        }
    }

    /// Reads a column of points.
    pub(crate) fn of_points(wanted: Wanted<'_>, object: &Bound<'_, PyAny>) -> PyResult<Column> {
        if let Ok(point) = object.cast::<Point>() {
            return Ok(Column::Repeated(wanted.point(point.get())?));
        }
        if let Ok(outcomes) = object.cast::<Outcomes>() {
            return outcomes.get().column_of_points(wanted);
        }
        match Column::of_bytes(object)? {
            Some(column) => Ok(column),
            None => Column::list(object, |row, item| wanted.item(row, item)),
        }
    }

    /// Reads a column of elements of the target group.
    pub(crate) fn of_values(curve: &Curve, object: &Bound<'_, PyAny>) -> PyResult<Column> {
        let value = |value: &Target| curve.owns(&value.curve).map(|()| Item::Value(value.value.clone()));
        if let Ok(one) = object.cast::<Target>() {
            return Ok(Column::Repeated(value(one.get())?));
        }
        if let Ok(outcomes) = object.cast::<Outcomes>() {
            return outcomes.get().column_of_values(curve);
        }
        if let Some(column) = Column::of_bytes(object)? {
            return Ok(column);
        }
        Column::list(object, |row, item| match item.cast::<Target>() {
            Ok(found) => Ok(value(found.get()).map_err(|fault| fault.at(row))?),
            Err(_) => Item::of(row, item, |item| {
                bytes_of(item).map(Text::Bytes).map_err(|what| format!("an element of GT or {what}"))
            }),
        })
    }

    /// Reads a column of scalars: big-endian bytes, a list of integers and residues, or one scalar for every row.
    pub(crate) fn of_scalars(curve: &Curve, object: &Bound<'_, PyAny>) -> PyResult<Column> {
        let scalar =
            |number: Number<'_>| Ok::<_, PyErr>(Item::Scalar(curve.system().scalar_bytes(&number.modulo(curve)?)));
        if let Ok(number) = object.extract::<Number<'_>>() {
            return Ok(Column::Repeated(scalar(number)?));
        }
        if let Ok(outcomes) = object.cast::<Outcomes>() {
            return outcomes.get().column_of_bytes();
        }
        if let Some(column) = Column::of_bytes(object)? {
            return Ok(column);
        }
        Column::list(object, |row, item| {
            if item.is_none() {
                return Ok(Item::Null);
            }
            let number: Number<'_> = item
                .extract()
                .map_err(|error: PyErr| PyTypeError::new_err(format!("row {row}: {}", error.value(object.py()))))?;
            number.belongs(curve).map_err(|fault| fault.at(row))?;
            scalar(number)
        })
    }

    /// Returns the column of an object that holds its rows in memory, or `None` for an object to iterate over.
    fn in_place(object: &Bound<'_, PyAny>) -> PyResult<Option<Column>> {
        not_one_text(object).map_err(PyTypeError::new_err)?;
        if let Some(arrays) = arrow::import(object)? {
            return Column::of_arrow(arrays).map(Some);
        }
        match PyUntypedBuffer::get(object) {
            Ok(buffer) => Column::of_buffer(object, &buffer).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Like `in_place`, for bytes: an Arrow array of texts is an error.
    fn of_bytes(object: &Bound<'_, PyAny>) -> PyResult<Option<Column>> {
        match Column::in_place(object)? {
            Some(Column::Arrow(arrays)) if is_text(arrays.content()) => {
                Err(PyTypeError::new_err("an Arrow array of text: binary is expected"))
            }
            column => Ok(column),
        }
    }

    fn list(object: &Bound<'_, PyAny>, item: impl Fn(usize, &Bound<'_, PyAny>) -> PyResult<Item>) -> PyResult<Column> {
        let items = object.try_iter()?.enumerate().map(|(row, found)| item(row, &found?));
        Ok(Column::List(items.collect::<PyResult<_>>()?))
    }

    pub(crate) fn of_arrow(arrays: Chunked) -> PyResult<Column> {
        use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
        countable(arrays.len(), arrays.takes_memory())?;
        match arrays.content() {
            Binary | LargeBinary | BinaryView | FixedSizeBinary(_) => Ok(Column::Arrow(arrays)),
            text if is_text(text) => Ok(Column::Arrow(arrays)),
            other => Err(PyTypeError::new_err(format!("an Arrow array of {other}: binary is expected"))),
        }
    }

    fn of_buffer(object: &Bound<'_, PyAny>, buffer: &PyUntypedBuffer) -> PyResult<Column> {
        if buffer.item_size() != 1 || buffer.dimensions() != 2 || !buffer.is_c_contiguous() {
            let wanted = "a contiguous array of bytes in two dimensions, (rows, bytes of a row), is expected";
            let (shape, size) = (buffer.shape(), buffer.item_size());
            return Err(PyTypeError::new_err(format!("a buffer of shape {shape:?} and item size {size}: {wanted}")));
        }
        let (rows, width) = (buffer.shape()[0], buffer.shape()[1]);
        countable(rows, width > 0)?;
        // a view without bytes cannot be cast
        let view = if buffer.len_bytes() == 0 { PyBytes::new(object.py(), b"").into_any() } else { object.clone() };
        let view = PyMemoryView::from(&view)?.call_method1("cast", ("B",))?;
        Ok(Column::Buffer(view.cast_into::<PyMemoryView>()?.unbind(), rows, width))
    }

    /// The number of rows; `None` if one value stands in every row.
    pub(crate) fn rows(&self) -> Option<usize> {
        match self {
            Column::Arrow(arrays) => Some(arrays.len()),
            Column::Buffer(_, rows, _) => Some(*rows),
            Column::List(items) => Some(items.len()),
            Column::Repeated(_) => None,
        }
    }

    /// Returns a range of rows. Rows of Arrow arrays and buffers are copied.
    pub(crate) fn cells(&self, py: Python<'_>, rows: &Range<usize>) -> PyResult<Cells<'_>> {
        match self {
            Column::Arrow(arrays) => Ok(Cells::Arrow(arrays.copied(rows)?)),
            Column::Buffer(view, _, width) => {
                let part = PySlice::new(py, (rows.start * width) as isize, (rows.end * width) as isize, 1);
                let bytes = view.bind(py).get_item(part)?.call_method0("tobytes")?;
                Ok(Cells::Buffer(bytes.extract()?, *width))
            }
            Column::List(items) => Ok(Cells::List(&items[rows.clone()])),
            Column::Repeated(item) => Ok(Cells::Repeated(item)),
        }
    }
}

impl Cells<'_> {
    /// Returns the content of the i-th of these rows, or a fault for a null.
    pub(crate) fn get(&self, i: usize) -> Result<Cell<'_>, Fault> {
        let null = || Fault::new("null", "the value is null");
        match self {
            Cells::Arrow(rows) => rows.get(i).map(Cell::Arrow).ok_or_else(null),
            Cells::Buffer(bytes, width) => Ok(Cell::Bytes(&bytes[i * width..(i + 1) * width])),
            Cells::List(items) => items[i].cell().ok_or_else(null),
            Cells::Repeated(item) => item.cell().ok_or_else(null),
        }
    }
}

impl Item {
    /// Converts an element of a list with `read`; `row` is named in errors.
    fn of(
        row: usize,
        item: &Bound<'_, PyAny>,
        read: impl FnOnce(&Bound<'_, PyAny>) -> Result<Text, String>,
    ) -> PyResult<Item> {
        if item.is_none() {
            return Ok(Item::Null);
        }
        read(item).map(Item::Text).map_err(|what| PyTypeError::new_err(format!("row {row}: {what}")))
    }

    fn cell(&self) -> Option<Cell<'_>> {
        match self {
            Item::Null => None,
            Item::Text(text) => Some(Cell::Bytes(text.as_bytes())),
            Item::Scalar(bytes) => Some(Cell::Bytes(bytes)),
            Item::Point(point) => Some(Cell::Point(point)),
            Item::Value(value) => Some(Cell::Value(value)),
        }
    }
}
