//! The division of rows into products.

use crate::error::{Fault, reserved};
use crate::number::Integer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ops::Range;

/// The numbers of rows of the products: one number for all products, or a list of lengths.
pub(crate) enum Groups {
    Every(usize),
    Lengths(Vec<usize>),
}

impl FromPyObject<'_, '_> for Groups {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Groups> {
        let wrong = |x: Integer<'_>| Fault::new("range", format!("a product of {} rows is impossible", x.0));
        if let Ok(len) = object.extract::<Integer<'_>>() {
            return Ok(Groups::Every(len.0.extract().map_err(|_| wrong(len))?));
        }
        let list = object.try_iter().ok().filter(|_| !object.is_instance_of::<PyString>()).ok_or_else(|| {
            let found = object.get_type();
            PyTypeError::new_err(format!("groups: a number of rows or a list of such numbers is expected, not {found}"))
        })?;
        let length = |(i, item): (usize, PyResult<Bound<'_, PyAny>>)| {
            let place = format!("groups[{i}]");
            let len = item?.extract::<Integer<'_>>();
            let len = len.map_err(|error| PyTypeError::new_err(format!("{place}: {}", error.value(object.py()))))?;
            Ok::<usize, PyErr>(len.0.extract().map_err(|_| wrong(len).within(&place))?)
        };
        Ok(Groups::Lengths(list.enumerate().map(length).collect::<PyResult<_>>()?))
    }
}

impl Groups {
    /// Returns the range of rows of each product, or an error unless the products cover exactly `rows` rows.
    pub(crate) fn ranges(&self, rows: usize) -> PyResult<Vec<Range<usize>>> {
        let error = |message: String| PyErr::from(Fault::new("range", message));
        match self {
            Groups::Every(0) => Err(error("products of 0 rows: a number of at least 1 is expected".to_owned())),
            Groups::Every(len) if !rows.is_multiple_of(*len) => {
                Err(error(format!("the number of rows, {rows}, is not a multiple of {len}")))
            }
            Groups::Every(len) => {
                let mut ranges = reserved(rows / len)?;
                ranges.extend((0..rows / len).map(|i| i * len..(i + 1) * len));
                Ok(ranges)
            }
            Groups::Lengths(lengths) => {
                let mut ranges = Vec::with_capacity(lengths.len());
                let mut end = 0usize;
                for len in lengths {
                    let start = end;
                    end = start.checked_add(*len).filter(|end| *end <= rows).ok_or_else(|| {
                        error(format!("the lengths of the products add up to more than the number of rows, {rows}"))
                    })?;
                    ranges.push(start..end);
                }
                if end == rows {
                    return Ok(ranges);
                }
                Err(error(format!("the lengths of the products add up to {end}, but the number of rows is {rows}")))
            }
        }
    }
}
