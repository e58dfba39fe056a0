//! The functions of the header for single values.

#![allow(unsafe_code)]
// SAFETY: each body relies on the conditions in the head of memory.rs, which docs/c.md states for callers
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]
// each array of C takes two arguments
#![allow(clippy::too_many_arguments)]

use crate::code::Code;
use crate::context::{Context, Of};
use crate::element::{Element, Operation};
use crate::fault::Error;
use crate::memory::{self, guarded};
use crate::pairings::PreparedArgument;
use std::ptr::null_mut;

/// Makes the neutral element of a group: 0 in BILINEAR_ZR, the point at infinity in BILINEAR_G1 and BILINEAR_G2, 1 in
/// BILINEAR_GT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_new(
    context: *const Context,
    group: i32,
    element: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::new(group)?);
        memory::give("element", element, || Ok(Element::neutral(context, group)))
    })
}

/// Makes the residue of an integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_from_integer(
    context: *const Context,
    value: i64,
    element: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        memory::give("element", element, || Ok(Element::integer(context, value)))
    })
}

/// Makes a uniformly random element, drawn with the operating system's randomness. Points are never the point at infinity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_random(
    context: *const Context,
    group: i32,
    element: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::new(group)?);
        memory::give("element", element, || Element::random(context, group))
    })
}

/// Hashes a message to a point, as bilinear_hash does. For BILINEAR_ZR, makes the residue of the message as a big-endian
/// integer, and ignores `dst`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_from_hash(
    context: *const Context,
    group: i32,
    message: *const u8,
    message_len: usize,
    dst: *const u8,
    dst_len: usize,
    element: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::new(group)?);
        let (message, dst) = (memory::items("message", message, message_len)?, memory::items("dst", dst, dst_len)?);
        memory::give("element", element, || Element::hash(context, group, message, dst))
    })
}

/// Reads and checks an element. A point is given as x and y (zeros for the point at infinity), or compressed. The flags
/// apply to points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_from_bytes(
    context: *const Context,
    group: i32,
    bytes: *const u8,
    bytes_len: usize,
    flags: u32,
    element: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::new(group)?);
        let bytes = memory::items("bytes", bytes, bytes_len)?;
        memory::give("element", element, || Element::read(context, group, bytes, flags))
    })
}

/// Writes an element in as many bytes as bilinear_size gives. If `compressed` is not 0, writes a point in its compressed
/// form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_to_bytes(
    element: *const Element,
    compressed: i32,
    bytes: *mut u8,
    bytes_len: usize,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let written = memory::object("element", element)?.written(compressed != 0)?;
        let output = memory::output("bytes", (bytes, bytes_len), null_mut(), (1, written.len()))?;
        output.write(&[Ok(&written)])
    })
}

/// Makes another element with the same value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_copy(
    element: *const Element,
    copy: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let element = memory::object("element", element)?;
        memory::give("copy", copy, || Ok(element.clone()))
    })
}

/// Frees an element. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_free(element: *mut Element) {
    memory::free(element)
}

/// Returns 1 if both elements belong to one context and have the same value, and 0 otherwise or for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_equal(a: *const Element, b: *const Element) -> i32 {
    let mut equal = false;
    guarded(null_mut(), || {
        equal = memory::object("a", a)?.equals(memory::object("b", b)?);
        Ok(())
    });
    equal.into()
}

/// Computes a + b for elements of one group. In BILINEAR_GT, computes the product, which is the only operation of this
/// group.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_add(
    a: *const Element,
    b: *const Element,
    sum: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (a, b) = (memory::object("a", a)?, memory::object("b", b)?);
        memory::give("sum", sum, || a.combined(Operation::Add, b))
    })
}

/// Computes ab for elements of one group. For points, computes the sum, which is their only operation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_multiply(
    a: *const Element,
    b: *const Element,
    product: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (a, b) = (memory::object("a", a)?, memory::object("b", b)?);
        memory::give("product", product, || a.combined(Operation::Multiply, b))
    })
}

/// Computes -a; in BILINEAR_GT, 1/a.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_negate(
    a: *const Element,
    negative: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let a = memory::object("a", a)?;
        memory::give("negative", negative, || Ok(a.negative()))
    })
}

/// Computes 1/a; for points, -a. A residue that shares a factor with the order has no inverse: BILINEAR_ERROR_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_invert(
    a: *const Element,
    inverse: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let a = memory::object("a", a)?;
        memory::give("inverse", inverse, || a.inverse())
    })
}

/// Computes a^e for a residue e; for points, the multiple ea.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_power(
    a: *const Element,
    e: *const Element,
    power: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (a, e) = (memory::object("a", a)?, memory::object("e", e)?);
        memory::give("power", power, || a.power(e))
    })
}

/// Computes the product of e(P, Q) over `count` pairs of elements, at least one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_pair(
    p: *const *mut Element,
    q: *const *mut Element,
    count: usize,
    product: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (p, q) = (memory::objects("p", p, count)?, memory::objects("q", q, count)?);
        memory::give("product", product, || Element::paired(&p, &q))
    })
}

/// Computes the pairing of a prepared argument and the other argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_element_pair_prepared(
    fixed: *const PreparedArgument,
    other: *const Element,
    value: *mut *mut Element,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (fixed, other) = (memory::object("fixed", fixed)?, memory::object("other", other)?);
        memory::give("value", value, || other.paired_with(fixed))
    })
}
