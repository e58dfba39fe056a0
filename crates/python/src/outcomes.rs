//! What a batch gives: an outcome for every row or group of rows, a value or an error.

use crate::arrow::{Capsules, export};
use crate::chunked::Chunked;
use crate::column::{Column, Item, Wanted};
use crate::curve::Curve;
use crate::error::{Fault, reserved};
use crate::pickled::{Parts, parts};
use crate::point::{Point, encoded};
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

/// Values; `None` in place of an error.
pub(crate) enum Values {
    Points(engine::Group, Option<Encoding>, Vec<Option<engine::Point>>),
    Targets(Vec<Option<engine::Gt>>),
    Truths(Vec<Option<bool>>),
    /// Bytes of any lengths; null, where there is no error, is `None` to Python.
    Bytes(LargeBinaryArray),
}

/// The outcomes of a batch, in its order.
#[pyclass(frozen, sequence, module = "bilinear")]
pub(crate) struct Outcomes {
    curve: Curve,
    values: Values,
    faults: BTreeMap<usize, Fault>,
    /// All values, made when they are asked for.
    bytes: OnceLock<Py<PyBytes>>,
}

/// Outcomes that come one after the other.
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

    /// The outcomes of the next rows, whose errors name them.
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

/// What a computation gives of the rows that could be read, a value for each, in the places of all.
pub(crate) fn of_good<R: Clone, T>(
    rows: Vec<Result<R, Fault>>,
    compute: impl FnOnce(&[R]) -> Result<Vec<T>, Fault>,
) -> Result<Vec<Result<T, Fault>>, Fault> {
    let good: Vec<R> = rows.iter().flatten().cloned().collect();
    let mut values = compute(&good)?.into_iter();
    let mut next = || values.next().unwrap_or_else(|| unreachable!("a value for every row"));
    Ok(rows.into_iter().map(|row| row.map(|_| next())).collect())
}

impl Values {
    /// Messages, which are wiped here; `None` to Python where a row has none.
    pub(crate) fn messages(messages: Vec<Option<Option<Zeroizing<Vec<u8>>>>>) -> Values {
        let messages = messages.iter().map(|message| message.as_ref()?.as_deref());
        Values::Bytes(LargeBinaryArray::from_iter(messages))
    }
}

impl Outcomes {
    /// Without errors.
    pub(crate) fn new(curve: &Curve, values: Values) -> Outcomes {
        Outcomes { curve: curve.clone(), values, faults: BTreeMap::new(), bytes: OnceLock::new() }
    }

    /// With errors in the places of values that there are not, and points that are written in an encoding.
    ///
    /// # Errors
    /// If an error has no place, or a place neither value nor error; and that of a value that could not be read, in whose place there is to be none.
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
            // no message is a value there
            Values::Bytes(_) => false,
        };
        let is_whole =
            self.faults.keys().all(|at| *at < len) && (0..len).all(|at| self.faults.contains_key(&at) || !is_empty(at));
        if is_whole {
            Ok(self)
        } else {
            Err(Fault::new("argument", "outcomes of which some have no value and no error"))
        }
    }

    fn len(&self) -> usize {
        match &self.values {
            Values::Points(_, _, points) => points.len(),
            Values::Targets(values) => values.len(),
            Values::Truths(truths) => truths.len(),
            Values::Bytes(values) => values.len(),
        }
    }

    /// The outcomes in these places.
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

    /// Bytes of a value.
    fn width(&self) -> PyResult<usize> {
        let system = self.curve.system();
        match &self.values {
            Values::Points(group, None, _) => Ok(system.point_len(*group)),
            Values::Points(group, Some(encoding), _) => {
                Ok(system.encoded_len(*encoding, *group).map_err(|error| Fault::new("encoding", error))?)
            }
            Values::Targets(_) => Ok(system.gt_len()),
            Values::Truths(_) => Ok(1),
            Values::Bytes(_) => Err(PyTypeError::new_err("values of different lengths: an Arrow array has them")),
        }
    }

    /// All values, a width each, zeros in place of errors.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyBytes>> {
        if let Some(bytes) = self.bytes.get() {
            return Ok(bytes.bind(py));
        }
        let width = self.width()?;
        let made = PyBytes::new_with(py, self.len() * width, |bytes| {
            let places = bytes.chunks_exact_mut(width);
            match &self.values {
                Values::Points(_, encoding, points) => {
                    for (place, point) in places.zip(points) {
                        let Some(point) = point else { continue };
                        let value = match encoding {
                            None => encoded(&self.curve, point),
                            Some(encoding) => {
                                let value = self.curve.system().encode_as(*encoding, point);
                                value.map_err(|error| Fault::new("encoding", error))?
                            }
                        };
                        place.copy_from_slice(&value);
                    }
                }
                Values::Targets(values) => {
                    for (place, value) in places.zip(values) {
                        value.iter().for_each(|value| place.copy_from_slice(value.bytes()));
                    }
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

    /// A column of points of another batch, which does not check them again.
    pub(crate) fn column_of_points(&self, wanted: Wanted<'_>) -> PyResult<Column> {
        let Values::Points(group, _, points) = &self.values else {
            return Err(PyTypeError::new_err("the outcomes are not points"));
        };
        wanted.takes(&self.curve, *group)?;
        let items = points.iter().map(|point| point.clone().map_or(Item::Null, Item::Point));
        Ok(Column::List(items.collect()))
    }

    /// A column of messages or scalars.
    pub(crate) fn column_of_bytes(&self) -> PyResult<Column> {
        match &self.values {
            Values::Bytes(values) => Ok(Column::Arrow(Chunked::from(Arc::new(values.clone()) as ArrayRef))),
            _ => Err(PyTypeError::new_err("the outcomes are not bytes")),
        }
    }

    /// A column of elements of the target group of this curve, which are not checked again, or of bytes.
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

    /// The value of a row or group, whose error is raised; the outcomes of a slice.
    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let part = slice.indices(self.len() as isize)?;
            let at = |i| (part.start + i as isize * part.step) as usize;
            return Ok(Bound::new(py, self.part(&(0..part.slicelength).map(at).collect::<Vec<_>>()))?.into_any());
        }
        let index: isize = index.extract()?;
        let at = if index < 0 { index + self.len() as isize } else { index };
        let at = usize::try_from(at).ok().filter(|at| *at < self.len());
        let at = at.ok_or_else(|| PyIndexError::new_err(format!("{} outcomes: there is none {index}", self.len())))?;
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

    /// The errors, each with its row and its place among the outcomes.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        let raised =
            |(index, fault): (&usize, &Fault)| fault.raised(py, Some(*index)).into_value(py).into_bound(py).into_any();
        self.faults.iter().map(raised).collect()
    }

    /// All values as a view of (outcomes, bytes of a value), without a copy; zeros in place of errors. Without outcomes it has one
    /// dimension.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let view = PyMemoryView::from(self.bytes(py)?.as_any())?;
        if self.len() == 0 {
            return Ok(view);
        }
        let rows = view.call_method1("cast", ("B", (self.len(), self.width()?)))?;
        Ok(rows.cast_into::<PyMemoryView>()?)
    }

    /// The same for numpy, where truths are booleans in one dimension, false in place of errors.
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
            return Err(PyValueError::new_err(format!("outcomes are {kind} to numpy: as {wanted} they are a copy")));
        }
        let copy = [("copy", copy == Some(true))].into_py_dict(py)?;
        array.call_method("astype", (wanted,), Some(&copy))
    }

    /// The same for Arrow, as binary of fixed size (truths as booleans, bytes of any lengths as large binary), null in place of errors.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        // a schema is a wish that need not be granted
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
        format!("<{} {what} of {}, {} errors>", self.len(), self.curve.system().curve().name(), self.faults.len())
    }
}
