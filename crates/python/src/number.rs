//! Integers of Python, of any size.

use bilinear_engine::BigUint;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// The absolute value, and whether the number is negative.
pub(crate) fn magnitude(x: &Bound<'_, PyInt>) -> PyResult<(BigUint, bool)> {
    let py = x.py();
    let (is_negative, x) = (x.lt(0)?, x.abs()?);
    let bits: usize = x.call_method0(intern!(py, "bit_length"))?.extract()?;
    let bytes = x.call_method1(intern!(py, "to_bytes"), (bits.div_ceil(8), intern!(py, "big")))?;
    Ok((BigUint::from_bytes_be(bytes.cast::<PyBytes>()?.as_bytes()), is_negative))
}

/// The residue modulo n, n > 0.
pub(crate) fn residue(x: &Bound<'_, PyInt>, n: &BigUint) -> PyResult<BigUint> {
    let (magnitude, is_negative) = magnitude(x)?;
    let rest = magnitude % n;
    Ok(if is_negative && rest != BigUint::default() { n - rest } else { rest })
}

/// As an integer of Python.
pub(crate) fn to_int<'py>(py: Python<'py>, x: &BigUint) -> PyResult<Bound<'py, PyInt>> {
    let bytes = PyBytes::new(py, &x.to_bytes_be());
    let number = py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, intern!(py, "big")))?;
    Ok(number.cast_into::<PyInt>()?)
}
