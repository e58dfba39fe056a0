//! Predicate encryption for Python: schemas, keys, tokens, and whole columns of rows. The files are those of
//! `bilinear search`.

pub(crate) mod keys;
mod rows;
mod scan;
pub(crate) mod schema;
pub(crate) mod token;
pub(crate) mod tokens;

use crate::curve::Curve;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};

/// A function and its arguments, as `__reduce__` gives them.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

/// Returns the pickled form of an object: the bytes of its file, with the requested engine and number of threads.
fn pickled<'py>(class: &Bound<'py, PyType>, curve: &Curve, file: Bound<'py, PyBytes>) -> PyResult<Pickled<'py>> {
    let (engine, threads) = curve.chosen();
    let options = PyDict::new(class.py());
    options.set_item("engine", engine)?;
    options.set_item("threads", threads)?;
    let partial = class.py().import("functools")?.getattr("partial")?;
    Ok((partial.call((class.getattr("from_bytes")?,), Some(&options))?, (file,)))
}
