//! The functions of the header for the target group.

#![allow(unsafe_code)]
// SAFETY: each body relies on the conditions in the head of memory.rs, which docs/c.md states for callers
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]
// each array of C takes two arguments
#![allow(clippy::too_many_arguments)]

use crate::code::Code;
use crate::context::{Context, Of, gt_encoding};
use crate::fault::{Error, Fault};
use crate::memory::{self, guarded};
use crate::output::Output;
use crate::target::{Values, converted, inverses, powers, products as products_of, read};
use bilinear_engine::Gt;
use std::ffi::c_char;

/// Writes values as all coefficients, and their codes.
pub(crate) fn write(output: Output, values: &Values) -> Result<(), Fault> {
    let bytes = |value: &Result<Gt, Fault>| value.as_ref().map(|value| value.bytes().to_vec()).map_err(Fault::clone);
    output.write(&values.iter().map(bytes).collect::<Vec<_>>())
}

/// Checks values, and writes them in another encoding of bilinear_size. If `out` is NULL and `out_len` is 0, the values are
/// only checked. A value has one encoding of each kind: two values are equal if their bytes are equal (memcmp).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_convert_gt(
    context: *const Context,
    from: *const c_char,
    values: *const u8,
    values_len: usize,
    rows: usize,
    to: *const c_char,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let (from, to) = (gt_encoding(memory::text("from", from)?)?, memory::text("to", to)?);
        let size = context.size(Of::Gt, to)?;
        let size = if out_len == 0 { 0 } else { size };
        let output = memory::output("out", (out, out_len), status, (rows, size))?;
        let values = read(context, from, memory::items("values", values, values_len)?, rows)?;
        if size == 0 {
            let checked = values.into_iter().map(|value| value.map(|_| [0; 0]));
            return output.write(&checked.collect::<Vec<_>>());
        }
        output.write(&converted(context, gt_encoding(to)?, values)?)
    })
}

/// Computes the product of each group of consecutive values, in `products` values. Groups are given as for
/// bilinear_product. The product of a group without values is 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_gt_product(
    context: *const Context,
    values: *const u8,
    values_len: usize,
    rows: usize,
    lengths: *const usize,
    products: usize,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let size = context.system().gt_len();
        let output = memory::output("out", (out, out_len), status, (products, size))?;
        let lengths = memory::items_or_none("lengths", lengths, products)?;
        let values = memory::items("values", values, values_len)?;
        write(output, &products_of(context, values, rows, lengths, products)?)
    })
}

/// Computes x^e for every row. `exponents` holds `rows` big-endian integers of one length, at most 1024 bytes, which need
/// not be below the order. Constant time in the exponents, except for their length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_gt_pow_secret(
    context: *const Context,
    values: *const u8,
    values_len: usize,
    exponents: *const u8,
    exponents_len: usize,
    rows: usize,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let size = context.system().gt_len();
        let output = memory::output("out", (out, out_len), status, (rows, size))?;
        let values = memory::items("values", values, values_len)?;
        let exponents = memory::items("exponents", exponents, exponents_len)?;
        write(output, &powers(context, values, exponents, rows)?)
    })
}

/// Computes 1/x for every row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_gt_invert(
    context: *const Context,
    values: *const u8,
    values_len: usize,
    rows: usize,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let size = context.system().gt_len();
        let output = memory::output("out", (out, out_len), status, (rows, size))?;
        write(output, &inverses(context, memory::items("values", values, values_len)?, rows)?)
    })
}
