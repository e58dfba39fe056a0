//! Arrow arrays from other libraries and for them, without copies: Arrow's C data interface in the capsules of its PyCapsule
//! interface (`__arrow_c_array__`).

#![allow(unsafe_code)]

use crate::error::Fault;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::{Array, ArrayRef, make_array};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

const SCHEMA: &std::ffi::CStr = c"arrow_schema";
const ARRAY: &std::ffi::CStr = c"arrow_array";

/// The two capsules of an array.
pub(crate) type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

/// The array of an object that has one.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let capsules: (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = object.call_method0("__arrow_c_array__")?.extract()?;
    let schema = capsules.0.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = capsules.1.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold the structures of the C data interface (the PyCapsule interface says so). They are moved out,
    // and marked as released in the capsules; the array keeps what it was exported from, and nobody changes what was exported.
    let data = unsafe {
        let (schema, array) = (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr()));
        from_ffi(array, &schema)
    };
    let data = data.map_err(|error| Fault::new("arrow", error))?;
    // lengths of buffers and offsets
    data.validate_full().map_err(|error| Fault::new("arrow", error))?;
    Ok(make_array(data))
}

/// An array for other libraries.
pub(crate) fn export<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Capsules<'py>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(|error| Fault::new("arrow", error))?;
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}
