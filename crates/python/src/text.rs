//! Python bytes and texts.

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyMemoryView, PyString};

/// Returns the bytes of a `bytes` object or of a one-dimensional buffer, such as a row of a numpy array. For any other
/// object, returns a message that says what is wrong with it.
pub(crate) fn bytes_of(object: &Bound<'_, PyAny>) -> Result<PyBackedBytes, String> {
    if let Ok(bytes) = object.extract() {
        return Ok(bytes);
    }
    if object.is_instance_of::<PyString>() {
        return Err("bytes are expected, not text: bytes.fromhex converts hexadecimal text".to_owned());
    }
    let is_row = |buffer: PyUntypedBuffer| buffer.item_size() == 1 && buffer.dimensions() == 1;
    let copied =
        || PyMemoryView::from(object)?.call_method0("tobytes")?.extract::<PyBackedBytes>().map_err(PyErr::from);
    match PyUntypedBuffer::get(object).is_ok_and(is_row).then(copied) {
        Some(Ok(bytes)) => Ok(bytes),
        _ => Err(format!("bytes are expected, not {}", object.get_type())),
    }
}

/// A Python argument that is bytes.
pub(crate) struct Data(pub(crate) PyBackedBytes);

impl FromPyObject<'_, '_> for Data {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Data> {
        bytes_of(&object).map(Data).map_err(PyTypeError::new_err)
    }
}

/// Bytes, or text that is encoded in UTF-8.
pub(crate) enum Text {
    Bytes(PyBackedBytes),
    Text(PyBackedStr),
}

impl Text {
    /// Reads bytes or a text from a Python object, or returns a message that says what is wrong with it.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> Result<Text, String> {
        if object.is_instance_of::<PyString>() {
            return object.extract().map(Text::Text).map_err(|error: PyErr| error.to_string());
        }
        bytes_of(object).map(Text::Bytes).map_err(|what| format!("text or {what}"))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Bytes(bytes) => bytes,
            Text::Text(text) => text.as_bytes(),
        }
    }
}

impl FromPyObject<'_, '_> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Text> {
        Text::of(&object).map_err(PyTypeError::new_err)
    }
}
