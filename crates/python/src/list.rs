//! Lists of objects of one class.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;

/// A list that is read item by item. A vector's own conversion first reserves as much memory as `__len__` claims.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for List<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<List<T>> {
        let items = object.try_iter()?.map(|item| item?.extract::<T>().map_err(Into::into));
        Ok(List(items.collect::<PyResult<_>>()?))
    }
}
