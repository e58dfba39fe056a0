//! The functions of the header for errors and codes.

#![allow(unsafe_code)]
// the conditions for callers of these functions are stated once, in memory.rs and docs/c.md
#![allow(clippy::missing_safety_doc)]

use crate::code::Code;
use crate::fault::Error;
use crate::memory;
use std::ffi::c_char;

/// The version of the library, which never has to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn bilinear_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The word of a code, as in docs/formats.md and in the other languages; "internal" of a number that is no code. Never freed.
#[unsafe(no_mangle)]
pub extern "C" fn bilinear_code_word(code: i32) -> *const c_char {
    Code::of_number(code).word().as_ptr()
}

/// The code of an error; BILINEAR_OK of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_error_code(error: *const Error) -> Code {
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe { memory::object("error", error) }.map_or(Code::BilinearOk, Error::code)
}

/// The text of an error, which lives as long as the error does; "" of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_error_message(error: *const Error) -> *const c_char {
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe { memory::object("error", error) }.map_or(c"", Error::message).as_ptr()
}

/// The row of an error, counted from 0, or SIZE_MAX where it has none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_error_row(error: *const Error) -> usize {
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe { memory::object("error", error) }.ok().and_then(Error::row).unwrap_or(usize::MAX)
}

/// Frees an error; NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_error_free(error: *mut Error) {
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe { memory::free(error) }
}
