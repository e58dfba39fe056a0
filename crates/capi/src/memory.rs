//! Pointers of C become slices and references, and back: memory of the caller is touched only in this file.
//!
//! Conditions on which every function here relies, and which every function of `abi` passes on to its caller
//! (docs/c.md states them): a pointer that is not NULL leads to as many initialised values as the length beside it
//! says, for the whole call; nothing writes these values meanwhile; an object was made by this library and is not
//! freed yet. NULL, lengths and alignment are checked.

#![allow(unsafe_code)]

use crate::code::Code;
use crate::fault::{Error, Fault};
use crate::output::Output;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

fn null(what: &str) -> Fault {
    Fault::new(Code::BilinearErrorPointer, format!("{what} is NULL"))
}

/// Checks that a pointer may lead to this many values.
fn array<T>(what: &str, data: *mut T, len: usize) -> Result<NonNull<T>, Fault> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
    if bytes.is_none() {
        return Err(Fault::new(Code::BilinearErrorLength, format!("{what}: {len} values do not fit in memory")));
    }
    match NonNull::new(data) {
        None if len == 0 => Ok(NonNull::dangling()),
        None => Err(null(what)),
        Some(data) if !data.is_aligned() => {
            Err(Fault::new(Code::BilinearErrorArgument, format!("{what} is not aligned")))
        }
        Some(data) => Ok(data),
    }
}

/// Returns an array of the caller.
///
/// # Safety
/// The conditions in the head of this file hold.
pub(crate) unsafe fn items<'a, T: Copy>(what: &str, data: *const T, len: usize) -> Result<&'a [T], Fault> {
    let data = array(what, data.cast_mut(), len)?;
    // SAFETY: aligned, not NULL, of a size that memory can have; the caller keeps the rest
    Ok(unsafe { std::slice::from_raw_parts(data.as_ptr(), len) })
}

/// Returns an array of the caller; `None` if it is left out.
///
/// # Safety
/// The conditions in the head of this file hold.
pub(crate) unsafe fn items_or_none<'a, T: Copy>(
    what: &str,
    data: *const T,
    len: usize,
) -> Result<Option<&'a [T]>, Fault> {
    if data.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller keeps the same conditions
    Ok(Some(unsafe { items(what, data, len) }?))
}

/// Returns a text of the caller, in UTF-8 and ended by a byte 0; `None` if it is left out.
///
/// # Safety
/// The conditions in the head of this file hold.
pub(crate) unsafe fn text<'a>(what: &str, text: *const c_char) -> Result<Option<&'a str>, Fault> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's text ends with a byte 0
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|_| Fault::new(Code::BilinearErrorArgument, format!("{what} is not UTF-8")))
}

/// Returns a text of the caller, in UTF-8 and ended by a byte 0, which must not be left out.
///
/// # Safety
/// The conditions in the head of this file hold.
pub(crate) unsafe fn some_text<'a>(what: &str, name: *const c_char) -> Result<&'a str, Fault> {
    // SAFETY: the caller keeps the same conditions
    unsafe { text(what, name) }?.ok_or_else(|| null(what))
}

/// Returns an object of this library.
///
/// # Safety
/// The conditions in the head of this file hold.
pub(crate) unsafe fn object<'a, T>(what: &str, object: *const T) -> Result<&'a T, Fault> {
    // SAFETY: not NULL; the caller has it from this library
    unsafe { object.as_ref() }.ok_or_else(|| null(what))
}

/// Returns objects of this library.
///
/// # Safety
/// The conditions in the head of this file hold.
pub(crate) unsafe fn objects<'a, T>(what: &str, objects: *const *mut T, count: usize) -> Result<Vec<&'a T>, Fault> {
    // SAFETY: the caller keeps the same conditions
    let objects = unsafe { items(what, objects, count) }?;
    let at = |(i, object): (usize, &*mut T)| {
        // SAFETY: not NULL; the caller has it from this library
        unsafe { object.as_ref() }.ok_or_else(|| null(&format!("{what}[{i}]")))
    };
    objects.iter().enumerate().map(at).collect()
}

/// Writes a number to a place of the caller.
///
/// # Safety
/// The conditions in the head of this file hold.
pub(crate) unsafe fn put(what: &str, out: *mut usize, value: usize) -> Result<(), Fault> {
    let out = array(what, out, 1)?;
    // SAFETY: aligned and not NULL; the caller's place for a number
    unsafe { out.write(value) };
    Ok(())
}

/// Makes an object and hands it over to the caller.
///
/// # Safety
/// The conditions in the head of this file hold.
pub(crate) unsafe fn give<T>(
    what: &str,
    out: *mut *mut T,
    make: impl FnOnce() -> Result<T, Fault>,
) -> Result<(), Fault> {
    let out = array(what, out, 1)?;
    let object = Box::into_raw(Box::new(make()?));
    // SAFETY: aligned and not NULL; the caller's place for a pointer
    unsafe { out.write(object) };
    Ok(())
}

/// Takes an object back and drops it.
///
/// # Safety
/// The conditions in the head of this file hold, and nothing uses `object` any more.
pub(crate) unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: `give` made it, and the caller hands it back for good. What panics in a destructor stays here.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(object) })));
    }
}

/// An array of the caller that is to be filled. It may be one of the inputs: nothing is written before the inputs
/// have been read.
pub(crate) struct Place {
    data: NonNull<u8>,
    len: usize,
}

impl Place {
    /// # Safety
    /// The conditions in the head of this file hold, but the bytes need not be initialised.
    unsafe fn new(what: &str, data: *mut u8, len: usize) -> Result<Place, Fault> {
        Ok(Place { data: array(what, data, len)?, len })
    }

    /// Returns an array of the caller that is to be filled; `None` if it is left out.
    ///
    /// # Safety
    /// The conditions in the head of this file hold, but the bytes need not be initialised.
    unsafe fn or_none(what: &str, data: *mut u8, len: usize) -> Result<Option<Place>, Fault> {
        if data.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller keeps the same conditions
        Ok(Some(unsafe { Place::new(what, data, len) }?))
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Writes bytes from a position on, as far as the array reaches.
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        let count = bytes.len().min(self.len.saturating_sub(at));
        if count > 0 {
            // SAFETY: at + count is at most len, the size that `new` was promised; `copy` allows overlaps
            unsafe { std::ptr::copy(bytes.as_ptr(), self.data.add(at).as_ptr(), count) };
        }
    }
}

/// Returns the output of a call: an array of `len` bytes for `count` values of `size` bytes, and an array `status`
/// with a byte for each outcome, which is NULL if the caller does not ask for codes. Nothing is written yet.
///
/// # Safety
/// The conditions in the head of this file hold, but the bytes need not be initialised.
pub(crate) unsafe fn output(
    what: &str,
    (data, len): (*mut u8, usize),
    status: *mut u8,
    (count, size): (usize, usize),
) -> Result<Output, Fault> {
    // SAFETY: the caller keeps the same conditions
    let (values, status) = unsafe { (Place::new(what, data, len)?, Place::or_none("status", status, count)?) };
    Output::new(what, values, status, (count, size))
}

/// Runs the work of a function. Returns its code, and hands its error to a caller who asks for it. A panic is a fault
/// of the library.
///
/// # Safety
/// `error` is NULL or leads to a place for a pointer.
pub(crate) unsafe fn guarded(error: *mut *mut Error, work: impl FnOnce() -> Result<(), Fault>) -> Code {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(Fault::new(
            Code::BilinearErrorInternal,
            format!("internal error of the library: {}", said.unwrap_or("no message")),
        ))
    });
    let (code, made) = match done {
        Ok(()) => (Code::BilinearOk, std::ptr::null_mut()),
        Err(fault) if error.is_null() => (fault.code, std::ptr::null_mut()),
        Err(fault) => (fault.code, Box::into_raw(Box::new(Error::from(fault)))),
    };
    if !error.is_null() {
        // SAFETY: the caller's place for a pointer
        unsafe { error.write(made) };
    }
    code
}
