//! The functions of the header for errors and codes.

#![allow(unsafe_code)]
// SAFETY: each body relies on the conditions in the head of memory.rs, which docs/c.md states for callers
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]

use crate::code::Code;
use crate::fault::Error;
use crate::memory;
use std::ffi::c_char;

/// Returns the version of the library. The text must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn bilinear_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Returns the name of a code, as in docs/formats.md and in the other languages, or "internal" for a number that is not a
/// code. The text must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn bilinear_code_name(code: i32) -> *const c_char {
    Code::of_number(code).name().as_ptr()
}

/// Returns the code of an error, or BILINEAR_OK for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_error_code(error: *const Error) -> Code {
    memory::object("error", error).map_or(Code::BilinearOk, Error::code)
}

/// Returns the text of an error, which is valid until the error is freed, or "" for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_error_message(error: *const Error) -> *const c_char {
    memory::object("error", error).map_or(c"", Error::message).as_ptr()
}

/// Returns the row of an error, counted from 0, or SIZE_MAX if it has none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_error_row(error: *const Error) -> usize {
    memory::object("error", error).ok().and_then(Error::row).unwrap_or(usize::MAX)
}

/// Frees an error. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_error_free(error: *mut Error) {
    memory::free(error)
}
