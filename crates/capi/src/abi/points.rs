//! The functions of the header for points.

#![allow(unsafe_code)]
// SAFETY: each body relies on the conditions in the head of memory.rs, which docs/c.md states for callers
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]
// each array of C takes two arguments
#![allow(clippy::too_many_arguments)]

use crate::code::Code;
use crate::context::{Context, Of, PointForm};
use crate::fault::{Error, Fault};
use crate::memory::{self, guarded};
use crate::output::Output;
use crate::points::{Input, Points, hashes};
use std::ffi::c_char;
use std::ptr::null_mut;

/// Writes points as x and y, and their codes.
pub(super) fn write(context: &Context, output: Output, points: Points) -> Result<(), Fault> {
    let bytes = |point: Result<_, Fault>| point.map(|point| context.system().encode(&point));
    output.write(&points.into_iter().map(bytes).collect::<Vec<_>>())
}

/// Checks points, and writes them in another encoding. `from` and `to` are encodings as in bilinear_size; compressed points
/// need no name in `from`. If `out` is NULL and `out_len` is 0, the points are only checked. The point at infinity cannot
/// be compressed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_convert_points(
    context: *const Context,
    group: i32,
    from: *const c_char,
    points: *const u8,
    points_len: usize,
    rows: usize,
    flags: u32,
    to: *const c_char,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::points(group)?);
        let from = PointForm::new(memory::text("from", from)?)?;
        let to = memory::text("to", to)?;
        let size = context.size(Of::Points(group), to)?;
        let size = if out_len == 0 { 0 } else { size };
        let output = memory::output("out", (out, out_len), status, (rows, size))?;
        let input = Input { context, group, flags, bytes: memory::items("points", points, points_len)?, rows };
        if size == 0 {
            let checked = input.read(from)?.into_iter().map(|point| point.map(|_| [0; 0]));
            return output.write(&checked.collect::<Vec<_>>());
        }
        output.write(&input.converted(from, PointForm::new(to)?)?)
    })
}

/// Computes kP for every row, in `rows` points. `scalars` holds `rows` big-endian integers of one length, at most 1024
/// bytes, which need not be below the order. Constant time in the scalars, except for their length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_mul_secret(
    context: *const Context,
    group: i32,
    points: *const u8,
    points_len: usize,
    scalars: *const u8,
    scalars_len: usize,
    rows: usize,
    flags: u32,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::points(group)?);
        let size = context.size(Of::Points(group), None)?;
        let output = memory::output("out", (out, out_len), status, (rows, size))?;
        let input = Input { context, group, flags, bytes: memory::items("points", points, points_len)?, rows };
        write(context, output, input.multiples(memory::items("scalars", scalars, scalars_len)?)?)
    })
}

/// Computes the sum of each group of consecutive rows, in `sums` points. Groups are given as for bilinear_product. The sum
/// of a group without rows is the point at infinity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_sum(
    context: *const Context,
    group: i32,
    points: *const u8,
    points_len: usize,
    rows: usize,
    lengths: *const usize,
    sums: usize,
    flags: u32,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::points(group)?);
        let size = context.size(Of::Points(group), None)?;
        let output = memory::output("out", (out, out_len), status, (sums, size))?;
        let lengths = memory::items_or_none("lengths", lengths, sums)?;
        let input = Input { context, group, flags, bytes: memory::items("points", points, points_len)?, rows };
        write(context, output, input.sums(lengths, sums)?)
    })
}

/// Computes -P for every row, in `rows` points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_negate(
    context: *const Context,
    group: i32,
    points: *const u8,
    points_len: usize,
    rows: usize,
    flags: u32,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::points(group)?);
        let size = context.size(Of::Points(group), None)?;
        let output = memory::output("out", (out, out_len), status, (rows, size))?;
        let input = Input { context, group, flags, bytes: memory::items("points", points, points_len)?, rows };
        write(context, output, input.negatives()?)
    })
}

/// Hashes `count` messages to points (RFC 9380). The messages are concatenated in `messages`. `lengths` holds the number of
/// bytes of each message, or is NULL if all have equally many. The domain separation tag `dst`, which must not be empty,
/// separates one use from others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_hash(
    context: *const Context,
    group: i32,
    messages: *const u8,
    messages_len: usize,
    lengths: *const usize,
    count: usize,
    dst: *const u8,
    dst_len: usize,
    out: *mut u8,
    out_len: usize,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::points(group)?);
        let size = context.size(Of::Points(group), None)?;
        let output = memory::output("out", (out, out_len), null_mut(), (count, size))?;
        let lengths = memory::items_or_none("lengths", lengths, count)?;
        let (messages, dst) = (memory::items("messages", messages, messages_len)?, memory::items("dst", dst, dst_len)?);
        write(context, output, hashes(context, group, messages, lengths, count, dst)?)
    })
}
