//! Python integers of any size.

use crate::error::Fault;
use bilinear_engine::BigUint;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use std::num::NonZeroUsize;

/// A Python integer, or an object that converts to one by `__index__`, as numpy's integers do.
pub(crate) struct Integer<'py>(pub(crate) Bound<'py, PyInt>);

impl<'py> FromPyObject<'_, 'py> for Integer<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Integer<'py>> {
        if let Ok(x) = object.cast::<PyInt>() {
            return Ok(Integer(x.to_owned()));
        }
        let wrong = || PyTypeError::new_err(format!("an integer is expected, not {}", object.get_type()));
        let x = object.call_method0(intern!(object.py(), "__index__")).map_err(|_| wrong())?;
        Ok(Integer(x.cast_into::<PyInt>().map_err(|_| wrong())?))
    }
}

/// Reads a number of threads; `None` leaves the choice to the library.
pub(crate) fn at_least_one(object: &Bound<'_, PyAny>) -> PyResult<Option<NonZeroUsize>> {
    if object.is_none() {
        return Ok(None);
    }
    let Integer(x) = object.extract()?;
    let wrong = |_| Fault::new("threads", format!("{x} threads: a number of at least 1, or None, is expected"));
    Ok(Some(x.extract().map_err(wrong)?))
}

/// Returns the absolute value, and true if the number is negative.
pub(crate) fn magnitude(x: &Bound<'_, PyInt>) -> PyResult<(BigUint, bool)> {
    let py = x.py();
    let (is_negative, x) = (x.lt(0)?, x.abs()?);
    let bits: usize = x.call_method0(intern!(py, "bit_length"))?.extract()?;
    let bytes = x.call_method1(intern!(py, "to_bytes"), (bits.div_ceil(8), intern!(py, "big")))?;
    Ok((BigUint::from_bytes_be(bytes.cast::<PyBytes>()?.as_bytes()), is_negative))
}

/// Returns the residue of x modulo n, for n > 0.
pub(crate) fn residue(x: &Bound<'_, PyInt>, n: &BigUint) -> PyResult<BigUint> {
    let (magnitude, is_negative) = magnitude(x)?;
    let rest = magnitude % n;
    Ok(if is_negative && rest != BigUint::default() { n - rest } else { rest })
}

/// Converts x to a Python integer.
pub(crate) fn to_int<'py>(py: Python<'py>, x: &BigUint) -> PyResult<Bound<'py, PyInt>> {
    let bytes = PyBytes::new(py, &x.to_bytes_be());
    let number = py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, intern!(py, "big")))?;
    Ok(number.cast_into::<PyInt>()?)
}
