//! Imports Arrow arrays from other libraries and exports them: Arrow's C data and stream interfaces in the capsules of
//! its PyCapsule interface (`__arrow_c_array__`, `__arrow_c_stream__`). Nothing is copied here, and other code may
//! still write to the buffers of an array. Whatever is read from the buffers later is therefore copied before use
//! ([`Chunked`]).

#![allow(unsafe_code)]

use crate::chunked::Chunked;
use crate::error::Fault;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{CStr, c_char, c_int, c_void};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The maximum depth of nested types.
const MAX_NESTED: usize = 64;

/// The schema capsule and the array capsule of an exported array.
pub(crate) type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

/// Imports the array, or the stream of arrays, that an object exports. Returns `None` if the object exports neither.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<Option<Chunked>> {
    if object.hasattr("__arrow_c_array__")? {
        return Ok(Some(Chunked::from(import_array(object)?)));
    }
    if object.hasattr("__arrow_c_stream__")? {
        return import_stream(object).map(Some);
    }
    Ok(None)
}

fn import_array(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let capsules: (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = object.call_method0("__arrow_c_array__")?.extract()?;
    let schema = capsules.0.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = capsules.1.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold the structures of the C data interface, as the PyCapsule interface
    // prescribes, and an `FFI_ArrowSchema` begins like `Schema`.
    let taken = unsafe { schema.cast::<Schema>().as_ref().release.is_none() || array.as_ref().is_released() };
    if taken {
        return Err(Fault::new("arrow", "the array has already been read").into());
    }
    // SAFETY: as above, and neither structure has been released. Both are moved out, and marked as released in the
    // capsules.
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr())) };
    // SAFETY: the exporter of an array has set the array up as the interface prescribes.
    Ok(unsafe { checked(array, &schema) }?)
}

/// Converts a schema to the data type of its arrays. Rejects types that are nested too deeply: they would overflow the
/// stack, here and where their arrays are checked.
fn kind_of(schema: &FFI_ArrowSchema) -> Result<DataType, Fault> {
    fn is_within(schema: &FFI_ArrowSchema, levels: usize) -> bool {
        levels > 0 && schema.children().chain(schema.dictionary()).all(|inner| is_within(inner, levels - 1))
    }
    if !is_within(schema, MAX_NESTED) {
        return Err(Fault::new("arrow", format!("a type nested more than {MAX_NESTED} levels deep")));
    }
    DataType::try_from(schema).map_err(|error| Fault::new("arrow", error))
}

/// Takes over an array, and checks its lengths and offsets.
///
/// # Safety
/// The buffers must satisfy the C data interface, except for their alignment.
unsafe fn checked(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, Fault> {
    let wrong = |error: ArrowError| Fault::new("arrow", error);
    let kind = kind_of(schema)?;
    if !is_aligned(&array, &kind) {
        return Err(Fault::new("arrow", "the offsets of an array are not aligned"));
    }
    // SAFETY: the caller guarantees the buffers, and the numbers that are read from them here are aligned. The array
    // keeps its exporter's memory alive.
    let data = unsafe { from_ffi(array, schema) }.map_err(wrong)?;
    data.validate_full().map_err(wrong)?;
    Ok(make_array(data))
}

/// Returns true if the numbers that `from_ffi` reads to find the lengths of buffers are aligned to their size.
/// `from_ffi` copies other buffers that are not aligned.
fn is_aligned(array: &FFI_ArrowArray, kind: &DataType) -> bool {
    let numbers = match kind {
        DataType::Binary | DataType::Utf8 => Some((1, align_of::<i32>())),
        DataType::LargeBinary | DataType::LargeUtf8 => Some((1, align_of::<i64>())),
        // the last buffer, which holds the lengths of the variadic buffers
        DataType::BinaryView | DataType::Utf8View => Some((array.num_buffers() - 1, align_of::<i64>())),
        _ => None,
    };
    let children: Vec<&DataType> = match kind {
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field.data_type()).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends.data_type(), values.data_type()],
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => vec![field.data_type()],
        _ => Vec::new(),
    };
    let is_content_aligned = match (kind, array.dictionary()) {
        (DataType::Dictionary(_, content), Some(values)) => is_aligned(values, content),
        _ => true,
    };
    numbers.is_none_or(|(buffer, align)| array.buffer(buffer).addr().is_multiple_of(align))
        && is_content_aligned
        && children.into_iter().enumerate().all(|(i, kind)| is_aligned(array.child(i), kind))
}

/// The leading fields of the schema structure in the C data interface.
#[repr(C)]
struct Schema {
    texts: [*const c_char; 3],
    numbers: [i64; 2],
    children: [*mut c_void; 2],
    release: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// The structure of the C stream interface.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut FFI_ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut FFI_ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the interface requires one call with the structure, which is not used afterwards.
            unsafe { release(self) }
        }
    }
}

impl Stream {
    /// Returns the error of a stream call that did not return 0.
    fn failed(&mut self) -> PyErr {
        // SAFETY: the interface returns a text that lives until the next call, or null.
        let text = unsafe {
            let text = self.get_last_error.map_or(std::ptr::null(), |last| last(self));
            if text.is_null() { None } else { Some(CStr::from_ptr(text).to_string_lossy().into_owned()) }
        };
        Fault::new("arrow", text.unwrap_or_else(|| "the stream of arrays has failed".to_owned())).into()
    }
}

/// Imports all arrays of a stream.
fn import_stream(object: &Bound<'_, PyAny>) -> PyResult<Chunked> {
    let capsule: Bound<'_, PyCapsule> = object.call_method0("__arrow_c_stream__")?.extract()?;
    let place = capsule.pointer_checked(Some(STREAM))?.cast::<Stream>();
    // SAFETY: a capsule of this name holds the structure of the C stream interface. The structure is moved out, and
    // marked as released in the capsule.
    let mut stream = unsafe {
        let stream = place.read();
        (*place.as_ptr()).release = None;
        stream
    };
    let (Some(get_schema), Some(get_next), Some(_)) = (stream.get_schema, stream.get_next, stream.release) else {
        return Err(Fault::new("arrow", "the stream of arrays has already been read").into());
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: calls on a stream that has not been released, with memory for their results.
    if unsafe { get_schema(&mut stream, &mut schema) } != 0 {
        return Err(stream.failed());
    }
    let kind = kind_of(&schema)?;
    let mut arrays = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        if unsafe { get_next(&mut stream, &mut array) } != 0 {
            return Err(stream.failed());
        }
        // a released array marks the end of the stream
        if array.is_released() {
            return Ok(Chunked::new(kind, arrays));
        }
        // SAFETY: the arrays of a stream have the stream's schema, and are set up like single arrays.
        arrays.push(unsafe { checked(array, &schema) }?);
    }
}

/// Exports an array for other libraries.
pub(crate) fn export<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Capsules<'py>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(|error| Fault::new("arrow", error))?;
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}
