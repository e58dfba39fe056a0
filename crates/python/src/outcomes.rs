//! The results of a batch: for every row or group of rows an outcome, which is a value or an error.

use crate::arrow::{Capsules, export};
use crate::chunked::Chunked;
use crate::column::{Column, Item, Wanted};
use crate::curve::Curve;
use crate::error::{Fault, reserved};
use crate::pickled::{Parts, parts};
use crate::point::Point;
use crate::target::Target;
use arrow_array::{Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, LargeBinaryArray};
use arrow_buffer::{Buffer, NullBuffer};
use bilinear_engine::{self as engine, Encoding};
use bytes::Bytes;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{IntoPyDict, PyBool, PyBytes, PyMemoryView, PySlice};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use zeroize::Zeroizing;

/// The byte that fills the place of an error: neither a point nor an element of GT has such bytes.
const NO_VALUE: u8 = 0xff;

/// The values of outcomes; `None` in place of an error.
pub(crate) enum Values {
    Points(engine::Group, Option<Encoding>, Vec<Option<engine::Point>>),
    Targets(Vec<Option<engine::Gt>>),
    Truths(Vec<Option<bool>>),
    /// Byte strings of any lengths. A null that is not an error is `None` in Python.
    Bytes(LargeBinaryArray),
}

/// The outcomes of a batch, in the order of its rows or groups.
#[pyclass(frozen, sequence, module = "bilinear")]
pub(crate) struct Outcomes {
    curve: Curve,
    values: Values,
    faults: BTreeMap<usize, Fault>,
    /// The bytes of all values, made on first use.
    bytes: OnceLock<Py<PyBytes>>,
}

/// A collector of outcomes that arrive one after the other.
pub(crate) struct Outcome<T> {
    values: Vec<Option<T>>,
    faults: BTreeMap<usize, Fault>,
}

impl<T> Outcome<T> {
    pub(crate) fn new(count: usize) -> PyResult<Outcome<T>> {
        Ok(Outcome { values: reserved(count)?, faults: BTreeMap::new() })
    }

    pub(crate) fn push(&mut self, outcome: Result<T, Fault>) {
        match outcome {
            Ok(value) => self.values.push(Some(value)),
            Err(fault) => {
                self.faults.insert(self.values.len(), fault);
                self.values.push(None);
            }
        }
    }

    /// Appends the outcomes of the next rows. Errors name their rows.
    pub(crate) fn extend(&mut self, outcomes: impl IntoIterator<Item = Result<T, Fault>>) {
        for outcome in outcomes {
            let row = self.values.len();
            self.push(outcome.map_err(|fault| fault.at(row)));
        }
    }

    pub(crate) fn finish(self, curve: &Curve, values: impl FnOnce(Vec<Option<T>>) -> Values) -> Outcomes {
        Outcomes { faults: self.faults, ..Outcomes::new(curve, values(self.values)) }
    }
}

impl Values {
    /// Converts messages, whose own buffers are zeroized. A row without a message is `None` in Python.
    pub(crate) fn messages(messages: Vec<Option<Option<Zeroizing<Vec<u8>>>>>) -> Values {
        let messages = messages.iter().map(|message| message.as_ref()?.as_deref());
        Values::Bytes(LargeBinaryArray::from_iter(messages))
    }
}

impl Outcomes {
    /// Creates outcomes without errors.
    pub(crate) fn new(curve: &Curve, values: Values) -> Outcomes {
        Outcomes { curve: curve.clone(), values, faults: BTreeMap::new(), bytes: OnceLock::new() }
    }

    /// Sets the errors of unpickled outcomes, and the encoding of points.
    ///
    /// # Errors
    /// Returns an error if an error's place is out of range, or if a place has neither a value nor an error. Returns
    /// the fault of a value that could not be read where `faults` has no error.
    pub(crate) fn completed(
        mut self,
        encoding: Option<Encoding>,
        faults: BTreeMap<usize, Fault>,
    ) -> Result<Outcomes, Fault> {
        if let Some((_, fault)) = self.faults.iter().find(|(at, _)| !faults.contains_key(at)) {
            return Err(fault.clone());
        }
        if let Values::Points(_, form, _) = &mut self.values {
            *form = encoding;
        }
        self.faults = faults;
        let len = self.len();
        let is_empty = |at: usize| match &self.values {
            Values::Points(_, _, points) => points[at].is_none(),
            Values::Targets(values) => values[at].is_none(),
            Values::Truths(truths) => truths[at].is_none(),
            // a null is a value here: a row without a message
            Values::Bytes(_) => false,
        };
        let is_whole =
            self.faults.keys().all(|at| *at < len) && (0..len).all(|at| self.faults.contains_key(&at) || !is_empty(at));
        if is_whole { Ok(self) } else { Err(Fault::new("argument", "each outcome must have a value or an error")) }
    }

    fn len(&self) -> usize {
        match &self.values {
            Values::Points(_, _, points) => points.len(),
            Values::Targets(values) => values.len(),
            Values::Truths(truths) => truths.len(),
            Values::Bytes(values) => values.len(),
        }
    }

    /// Returns the outcomes in these places.
    fn part(&self, places: &[usize]) -> Outcomes {
        fn of<T: Clone>(values: &[Option<T>], places: &[usize]) -> Vec<Option<T>> {
            places.iter().map(|at| values[*at].clone()).collect()
        }
        let values = match &self.values {
            Values::Points(group, encoding, points) => Values::Points(*group, *encoding, of(points, places)),
            Values::Targets(values) => Values::Targets(of(values, places)),
            Values::Truths(truths) => Values::Truths(of(truths, places)),
            Values::Bytes(values) => {
                let value = |at: &usize| values.is_valid(*at).then(|| values.value(*at));
                Values::Bytes(places.iter().map(value).collect())
            }
        };
        let fault = |(index, at): (usize, &usize)| Some((index, self.faults.get(at)?.clone()));
        let faults = places.iter().enumerate().filter_map(fault).collect();
        Outcomes { faults, ..Outcomes::new(&self.curve, values) }
    }

    /// Returns the number of bytes of a value, or an error if the values have different lengths.
    fn width(&self) -> PyResult<usize> {
        let system = self.curve.system();
        match &self.values {
            Values::Points(group, None, _) => Ok(system.point_len(*group)),
            Values::Points(group, Some(encoding), _) => {
                Ok(system.encoded_len(*group, *encoding).map_err(Fault::from)?)
            }
            Values::Targets(_) => Ok(system.gt_len()),
            Values::Truths(_) => Ok(1),
            Values::Bytes(_) => Err(PyTypeError::new_err("the values differ in length: use an Arrow array for them")),
        }
    }

    /// Returns the bytes of all values, each of the same width. In place of an error are bytes ff, or `False`.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyBytes>> {
        if let Some(bytes) = self.bytes.get() {
            return Ok(bytes.bind(py));
        }
        let width = self.width()?;
        let made = PyBytes::new_with(py, self.len() * width, |bytes| {
            let places = bytes.chunks_exact_mut(width);
            let fill = |place: &mut [u8], value: Option<&[u8]>| match value {
                Some(value) => place.copy_from_slice(value),
                None => place.fill(NO_VALUE),
            };
            match &self.values {
                Values::Points(_, encoding, points) => {
                    for (place, point) in places.zip(points) {
                        let value = point.as_ref().map(|point| self.encoded(*encoding, point)).transpose()?;
                        fill(place, value.as_deref());
                    }
                }
                Values::Targets(values) => {
                    places.zip(values).for_each(|(place, value)| fill(place, value.as_ref().map(engine::Gt::bytes)));
                }
                Values::Truths(truths) => {
                    places.zip(truths).for_each(|(place, truth)| place[0] = u8::from(*truth == Some(true)));
                }
                Values::Bytes(_) => unreachable!("they have no width"),
            }
            Ok(())
        })?;
        Ok(self.bytes.get_or_init(|| made.unbind()).bind(py))
    }

    /// Encodes a point as its bytes in `data`.
    fn encoded(&self, encoding: Option<Encoding>, point: &engine::Point) -> Result<Vec<u8>, Fault> {
        let Some(encoding) = encoding else { return Ok(self.curve.system().encode(point)) };
        self.curve.system().encode_as(encoding, point).map_err(Fault::from)
    }

    /// Returns these points as a column of another batch, which does not check them again.
    pub(crate) fn column_of_points(&self, wanted: Wanted<'_>) -> PyResult<Column> {
        let Values::Points(group, _, points) = &self.values else {
            return Err(PyTypeError::new_err("the outcomes are not points"));
        };
        wanted.takes(&self.curve, *group)?;
        let items = points.iter().map(|point| point.clone().map_or(Item::Null, Item::Point));
        Ok(Column::List(items.collect()))
    }

    /// Returns these byte strings as a column of messages or scalars.
    pub(crate) fn column_of_bytes(&self) -> PyResult<Column> {
        match &self.values {
            Values::Bytes(values) => Ok(Column::Arrow(Chunked::from(Arc::new(values.clone()) as ArrayRef))),
            _ => Err(PyTypeError::new_err("the outcomes are not bytes")),
        }
    }

    /// Returns these elements of the target group of `curve` as a column, which are not checked again, or these byte
    /// strings.
    pub(crate) fn column_of_values(&self, curve: &Curve) -> PyResult<Column> {
        match &self.values {
            Values::Targets(values) => {
                curve.owns(&self.curve)?;
                let items = values.iter().map(|value| value.clone().map_or(Item::Null, Item::Value));
                Ok(Column::List(items.collect()))
            }
            Values::Bytes(_) => self.column_of_bytes(),
            Values::Points(..) | Values::Truths(_) => {
                Err(PyTypeError::new_err("the outcomes are neither elements of GT nor bytes"))
            }
        }
    }
}

#[pymethods]
impl Outcomes {
    fn __len__(&self) -> usize {
        self.len()
    }

    /// Returns the value of a row or group, or raises its error. For a slice, returns the outcomes of the slice.
    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let part = slice.indices(self.len() as isize)?;
            let at = |i| (part.start + i as isize * part.step) as usize;
            return Ok(Bound::new(py, self.part(&(0..part.slicelength).map(at).collect::<Vec<_>>()))?.into_any());
        }
        let index: isize = index.extract()?;
        let at = if index < 0 { index + self.len() as isize } else { index };
        let at = usize::try_from(at).ok().filter(|at| *at < self.len());
        let at = at.ok_or_else(|| {
            let count = self.len();
            PyIndexError::new_err(format!("index {index} is out of range: the number of outcomes is {count}"))
        })?;
        if let Some(fault) = self.faults.get(&at) {
            return Err(fault.raised(py, Some(at)));
        }
        let value = match &self.values {
            Values::Points(_, _, points) => {
                points[at].clone().map(|p| Bound::new(py, Point::new(&self.curve, p)).map(Bound::into_any))
            }
            Values::Targets(values) => {
                values[at].clone().map(|x| Bound::new(py, Target::new(&self.curve, x)).map(Bound::into_any))
            }
            Values::Truths(truths) => truths[at].map(|t| Ok(PyBool::new(py, t).to_owned().into_any())),
            Values::Bytes(values) if values.is_null(at) => Some(Ok(py.None().into_bound(py))),
            Values::Bytes(values) => Some(Ok(PyBytes::new(py, values.value(at)).into_any())),
        };
        value.unwrap_or_else(|| unreachable!("a value where there is no error"))
    }

    /// The errors, each with its row and its index among the outcomes.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        let raised =
            |(index, fault): (&usize, &Fault)| fault.raised(py, Some(*index)).into_value(py).into_bound(py).into_any();
        self.faults.iter().map(raised).collect()
    }

    /// A view of all values, of shape (outcomes, bytes of a value), without a copy. In place of an error are bytes ff,
    /// which no function accepts as a value; `False` among truths. Without outcomes the view has one dimension.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let view = PyMemoryView::from(self.bytes(py)?.as_any())?;
        if self.len() == 0 {
            return Ok(view);
        }
        let rows = view.call_method1("cast", ("B", (self.len(), self.width()?)))?;
        Ok(rows.cast_into::<PyMemoryView>()?)
    }

    /// Returns the values as a numpy array, of the shape of `data`. Truths are booleans in one dimension, `False` in
    /// place of errors.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let of = |kind| py.import("numpy")?.call_method1("frombuffer", (self.bytes(py)?, kind));
        let array = match &self.values {
            Values::Truths(_) => of("?")?,
            _ => of("u1")?.call_method1("reshape", (self.len(), self.width()?))?,
        };
        let kind = array.getattr("dtype")?;
        let wanted = dtype.map_or(Ok(kind.clone()), |dtype| py.import("numpy")?.call_method1("dtype", (dtype,)))?;
        if copy == Some(false) && !wanted.eq(&kind)? {
            return Err(PyValueError::new_err(format!(
                "outcomes have the dtype {kind} in numpy: as {wanted} they would be a copy"
            )));
        }
        let copy = [("copy", copy == Some(true))].into_py_dict(py)?;
        array.call_method("astype", (wanted,), Some(&copy))
    }

    /// Exports the values to Arrow as binary of fixed size, truths as booleans, and bytes of any lengths as large
    /// binary. Errors are null.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        // a requested schema need not be honoured
        let _ = requested_schema;
        match &self.values {
            Values::Truths(truths) => return export(py, &BooleanArray::from(truths.clone())),
            Values::Bytes(values) => return export(py, values),
            Values::Points(..) | Values::Targets(_) => {}
        }
        let nulls = (!self.faults.is_empty())
            .then(|| NullBuffer::from_iter((0..self.len()).map(|index| !self.faults.contains_key(&index))));
        let values = Bytes::from_owner(PyBackedBytes::from(self.bytes(py)?.clone()));
        let array = FixedSizeBinaryArray::try_new(self.width()? as i32, Buffer::from(values), nulls);
        export(py, &array.map_err(|error| Fault::new("arrow", error))?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let read = py.import("bilinear._bilinear")?.getattr("read_outcomes")?;
        Ok((read, parts(py, &self.curve, &self.values, &self.faults)))
    }

    fn __repr__(&self) -> String {
        let what = match &self.values {
            Values::Points(..) => "points",
            Values::Targets(_) => "values",
            Values::Truths(_) => "truths",
            Values::Bytes(_) => "byte strings",
        };
        let (curve, errors) = (self.curve.system().curve().name(), self.faults.len());
        format!("<{what} of {curve}: {}, errors: {errors}>", self.len())
    }
}
