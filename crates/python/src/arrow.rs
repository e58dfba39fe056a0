//! Arrow arrays from other libraries and for them: Arrow's C data and stream interfaces in the capsules of its PyCapsule interface
//! (`__arrow_c_array__`, `__arrow_c_stream__`). Nothing is copied here, and others may still write to the buffers of an array: what is read of
//! them later is copied before it is used ([`Chunked`]).

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

/// Types in each other.
const MOST_NESTED: usize = 64;

/// The two capsules of an array.
pub(crate) type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

/// The arrays of an object that has one, or a stream of them; `None` where it has neither.
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
    // SAFETY: capsules of these names hold the structures of the C data interface (the PyCapsule interface says so), which begin like `Schema`.
    let taken = unsafe { schema.cast::<Schema>().as_ref().release.is_none() || array.as_ref().is_released() };
    if taken {
        return Err(Fault::new("arrow", "the array was read before").into());
    }
    // SAFETY: as above, and nobody has released them. They are moved out, and marked as released in the capsules.
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr())) };
    // SAFETY: whoever exports an array has set it up as the interface says.
    Ok(unsafe { checked(array, &schema) }?)
}

/// The type of arrays. What is nested too deeply would take all of the stack, here and where arrays of it are checked.
fn kind_of(schema: &FFI_ArrowSchema) -> Result<DataType, Fault> {
    fn is_within(schema: &FFI_ArrowSchema, levels: usize) -> bool {
        levels > 0 && schema.children().chain(schema.dictionary()).all(|inner| is_within(inner, levels - 1))
    }
    if !is_within(schema, MOST_NESTED) {
        return Err(Fault::new("arrow", format!("a type of more than {MOST_NESTED} types in each other")));
    }
    DataType::try_from(schema).map_err(|error| Fault::new("arrow", error))
}

/// Takes an array, and checks its lengths and offsets.
///
/// # Safety
/// The buffers are those of the C data interface, but for their alignment.
unsafe fn checked(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, Fault> {
    let wrong = |error: ArrowError| Fault::new("arrow", error);
    let kind = kind_of(schema)?;
    if !is_aligned(&array, &kind) {
        return Err(Fault::new("arrow", "the offsets of an array are not aligned"));
    }
    // SAFETY: said above, and what is read of the buffers here is aligned; the array keeps what it was exported from.
    let data = unsafe { from_ffi(array, schema) }.map_err(wrong)?;
    data.validate_full().map_err(wrong)?;
    Ok(make_array(data))
}

/// Whether numbers that `from_ffi` reads to find the lengths of buffers lie where numbers of their size may. Other buffers it copies where they do not.
fn is_aligned(array: &FFI_ArrowArray, kind: &DataType) -> bool {
    let numbers = match kind {
        DataType::Binary | DataType::Utf8 => Some((1, align_of::<i32>())),
        DataType::LargeBinary | DataType::LargeUtf8 => Some((1, align_of::<i64>())),
        // the lengths of the other buffers
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

/// What the structure of a schema in the C data interface begins with.
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
            // SAFETY: the interface asks for one call with the structure, which is not used afterwards.
            unsafe { release(self) }
        }
    }
}

impl Stream {
    /// What a call that has not given 0 says.
    fn failed(&mut self) -> PyErr {
        // SAFETY: the interface gives a text that lives until the next call, or nothing.
        let text = unsafe {
            let text = self.get_last_error.map_or(std::ptr::null(), |last| last(self));
            if text.is_null() { None } else { Some(CStr::from_ptr(text).to_string_lossy().into_owned()) }
        };
        Fault::new("arrow", text.unwrap_or_else(|| "the stream of arrays has failed".to_owned())).into()
    }
}

/// All arrays of a stream.
fn import_stream(object: &Bound<'_, PyAny>) -> PyResult<Chunked> {
    let capsule: Bound<'_, PyCapsule> = object.call_method0("__arrow_c_stream__")?.extract()?;
    let place = capsule.pointer_checked(Some(STREAM))?.cast::<Stream>();
    // SAFETY: a capsule of this name holds the structure of the C stream interface. It is moved out, and marked as released there.
    let mut stream = unsafe {
        let stream = place.read();
        (*place.as_ptr()).release = None;
        stream
    };
    let (Some(get_schema), Some(get_next), Some(_)) = (stream.get_schema, stream.get_next, stream.release) else {
        return Err(Fault::new("arrow", "the stream of arrays was read before").into());
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: calls of a stream that was not released, with places for what they give.
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
        // which says that this was the last one
        if array.is_released() {
            return Ok(Chunked::new(kind, arrays));
        }
        // SAFETY: the arrays of a stream have its schema, and are set up as single ones.
        arrays.push(unsafe { checked(array, &schema) }?);
    }
}

/// An array for other libraries.
pub(crate) fn export<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Capsules<'py>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(|error| Fault::new("arrow", error))?;
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}
