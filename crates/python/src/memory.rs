//! The values of a batch as memory that Python reads in place: the buffer protocol (PEP 3118).

#![allow(unsafe_code)]

use arrow_buffer::Buffer;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::c_int;

/// Rows of bytes that do not change.
#[pyclass(frozen, module = "bilinear")]
pub(crate) struct Memory {
    bytes: Buffer,
    /// Rows and bytes of a row.
    shape: [ffi::Py_ssize_t; 2],
    strides: [ffi::Py_ssize_t; 2],
}

impl Memory {
    /// Rows of so many bytes, which is at least 1, without a copy.
    pub(crate) fn new(bytes: Buffer, width: usize) -> Memory {
        let rows = bytes.len() / width;
        Memory { bytes, shape: [rows as isize, width as isize], strides: [width as isize, 1] }
    }
}

#[pymethods]
impl Memory {
    /// Fills in what a reader asks for.
    ///
    /// # Safety
    /// `view` is null or points to a `Py_buffer` that may be written, as the protocol has it.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("there is no view to fill in"));
        }
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("the values of a batch cannot be written"));
        }
        let memory = slf.get();
        let asked = |flag: c_int| flags & flag == flag;
        let (shape, strides) = (memory.shape.as_ptr().cast_mut(), memory.strides.as_ptr().cast_mut());
        let format = c"B".as_ptr().cast_mut();
        let two = asked(ffi::PyBUF_ND);
        // SAFETY: the view may be written. What it points to is owned by this object, to which the view holds a reference: the object is
        // frozen, so that its bytes, shape and strides neither move nor change, and readers may not write through a view that is read-only.
        unsafe {
            (*view).buf = memory.bytes.as_ptr().cast_mut().cast();
            (*view).len = memory.bytes.len() as isize;
            (*view).readonly = 1;
            (*view).itemsize = 1;
            (*view).format = if asked(ffi::PyBUF_FORMAT) { format } else { std::ptr::null_mut() };
            (*view).ndim = if two { 2 } else { 1 };
            (*view).shape = if two { shape } else { std::ptr::null_mut() };
            (*view).strides = if asked(ffi::PyBUF_STRIDES) { strides } else { std::ptr::null_mut() };
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = std::ptr::null_mut();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }
}
