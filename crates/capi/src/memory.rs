//! Where pointers of C become slices and references, and back: the only place where memory of the caller is touched.
//!
//! What every function here relies on, and every function of `abi` hands on to its caller (docs/c.md says so): a pointer that is
//! not NULL leads to as many initialised values as the length beside it says, for the whole call; nobody writes them meanwhile; an
//! object is one that this library made and that is not freed yet. NULL, lengths and alignment are checked.

#![allow(unsafe_code)]

use crate::code::Code;
use crate::fault::{Error, Fault};
use crate::output::Output;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

fn null(what: &str) -> Fault {
    Fault::new(Code::BilinearNull, format!("{what} is NULL"))
}

/// A pointer to so many values, if there can be so many there.
fn array<T>(what: &str, data: *mut T, len: usize) -> Result<NonNull<T>, Fault> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
    if bytes.is_none() {
        return Err(Fault::new(Code::BilinearLength, format!("{what}: no memory holds {len} values")));
    }
    match NonNull::new(data) {
        None if len == 0 => Ok(NonNull::dangling()),
        None => Err(null(what)),
        Some(data) if !data.is_aligned() => Err(Fault::new(Code::BilinearArgument, format!("{what} is not aligned"))),
        Some(data) => Ok(data),
    }
}

/// An array of the caller.
///
/// # Safety
/// The head of this file.
pub(crate) unsafe fn items<'a, T: Copy>(what: &str, data: *const T, len: usize) -> Result<&'a [T], Fault> {
    let data = array(what, data.cast_mut(), len)?;
    // SAFETY: aligned, not NULL, of a size that memory can have; the caller keeps the rest
    Ok(unsafe { std::slice::from_raw_parts(data.as_ptr(), len) })
}

/// An array of the caller that may be left out.
///
/// # Safety
/// The head of this file.
pub(crate) unsafe fn items_or_none<'a, T: Copy>(
    what: &str,
    data: *const T,
    len: usize,
) -> Result<Option<&'a [T]>, Fault> {
    if data.is_null() {
        return Ok(None);
    }
    // SAFETY: handed on
    Ok(Some(unsafe { items(what, data, len) }?))
}

/// A text of the caller that may be left out, in UTF-8 and ended by a byte 0.
///
/// # Safety
/// The head of this file.
pub(crate) unsafe fn text<'a>(what: &str, text: *const c_char) -> Result<Option<&'a str>, Fault> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's text ends with a byte 0
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|_| Fault::new(Code::BilinearArgument, format!("{what} is no UTF-8")))
}

/// The same, of which there has to be one.
///
/// # Safety
/// The head of this file.
pub(crate) unsafe fn some_text<'a>(what: &str, name: *const c_char) -> Result<&'a str, Fault> {
    // SAFETY: handed on
    unsafe { text(what, name) }?.ok_or_else(|| null(what))
}

/// An object of this library.
///
/// # Safety
/// The head of this file.
pub(crate) unsafe fn object<'a, T>(what: &str, object: *const T) -> Result<&'a T, Fault> {
    // SAFETY: not NULL; the caller has it from this library
    unsafe { object.as_ref() }.ok_or_else(|| null(what))
}

/// Objects of this library.
///
/// # Safety
/// The head of this file.
pub(crate) unsafe fn objects<'a, T>(what: &str, objects: *const *mut T, count: usize) -> Result<Vec<&'a T>, Fault> {
    // SAFETY: handed on
    let objects = unsafe { items(what, objects, count) }?;
    let at = |(i, object): (usize, &*mut T)| {
        // SAFETY: not NULL; the caller has it from this library
        unsafe { object.as_ref() }.ok_or_else(|| null(&format!("{what}[{i}]")))
    };
    objects.iter().enumerate().map(at).collect()
}

/// Puts a number into a place of the caller.
///
/// # Safety
/// The head of this file.
pub(crate) unsafe fn put(what: &str, out: *mut usize, value: usize) -> Result<(), Fault> {
    let out = array(what, out, 1)?;
    // SAFETY: aligned and not NULL; the caller's place for a number
    unsafe { out.write(value) };
    Ok(())
}

/// Hands an object over to the caller.
///
/// # Safety
/// The head of this file.
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
/// The head of this file; `object` is used by nobody any more.
pub(crate) unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: `give` made it, and the caller hands it back for good. What panics in a destructor stays here.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(object) })));
    }
}

/// An array of the caller that is to be filled. It may be one of the inputs: nothing is written before they have been read.
pub(crate) struct Place {
    data: NonNull<u8>,
    len: usize,
}

impl Place {
    /// # Safety
    /// The head of this file; the bytes need not be initialised.
    unsafe fn new(what: &str, data: *mut u8, len: usize) -> Result<Place, Fault> {
        Ok(Place { data: array(what, data, len)?, len })
    }

    /// The same, which may be left out.
    ///
    /// # Safety
    /// The head of this file; the bytes need not be initialised.
    unsafe fn or_none(what: &str, data: *mut u8, len: usize) -> Result<Option<Place>, Fault> {
        if data.is_null() {
            return Ok(None);
        }
        // SAFETY: handed on
        Ok(Some(unsafe { Place::new(what, data, len) }?))
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Writes bytes from a position on, as far as there is room.
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        let count = bytes.len().min(self.len.saturating_sub(at));
        if count > 0 {
            // SAFETY: at + count is at most len, the room that `new` was promised; `copy` takes what overlaps
            unsafe { std::ptr::copy(bytes.as_ptr(), self.data.add(at).as_ptr(), count) };
        }
    }
}

/// Where outcomes go: an array of so many bytes for `count` values of `size` bytes, and a byte for each outcome in `status`, which is
/// NULL where nobody asks for codes. Nothing is written yet.
///
/// # Safety
/// The head of this file; the bytes need not be initialised.
pub(crate) unsafe fn output(
    what: &str,
    (data, len): (*mut u8, usize),
    status: *mut u8,
    (count, size): (usize, usize),
) -> Result<Output, Fault> {
    // SAFETY: handed on
    let (values, status) = unsafe { (Place::new(what, data, len)?, Place::or_none("status", status, count)?) };
    Output::new(what, values, status, (count, size))
}

/// Does the work of a function: its code, and its error for a caller who asks for it. What panics is a fault of the library.
///
/// # Safety
/// `error` is NULL or leads to a place for a pointer.
pub(crate) unsafe fn guarded(error: *mut *mut Error, work: impl FnOnce() -> Result<(), Fault>) -> Code {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(Fault::new(Code::BilinearInternal, format!("a fault of the library: {}", said.unwrap_or("no text"))))
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
