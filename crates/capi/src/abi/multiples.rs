//! The functions of the header for sums of multiples, multiples of a fixed point, and components.

#![allow(unsafe_code)]
// SAFETY: each body relies on the conditions in the head of memory.rs, which docs/c.md states for callers
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]
// each array of C takes two arguments
#![allow(clippy::too_many_arguments)]

use super::points::write;
use crate::code::Code;
use crate::context::{Context, Of};
use crate::fault::Error;
use crate::memory::{self, guarded};
use crate::multiples::Base;
use crate::points::Input;
use bilinear_engine::Group;
use std::ptr::null_mut;

/// Computes the sum of kP over each group of consecutive rows, in `sums` points, far faster than single multiples if groups
/// are long. Scalars are given as for bilinear_mul_secret, but may have any length; groups are given as for bilinear_sum. The
/// scalars must be public: the time depends on them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_msm(
    context: *const Context,
    group: i32,
    points: *const u8,
    points_len: usize,
    scalars: *const u8,
    scalars_len: usize,
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
        let scalars = memory::items("scalars", scalars, scalars_len)?;
        write(context, output, input.msms(scalars, lengths, sums)?)
    })
}

/// Makes tables of multiples of a point, for scalars of up to `scalar_len` bytes, 1024 at most. The point is checked in
/// full. The tables hold some 26·scalar_len points in memory, of two coordinates each, and of three on types A and A1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_fixed_base_new(
    context: *const Context,
    group: i32,
    point: *const u8,
    point_len: usize,
    scalar_len: usize,
    base: *mut *mut Base,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::points(group)?);
        let bytes = memory::items("point", point, point_len)?;
        memory::give("base", base, || Base::new(&Input { context, group, flags: 0, bytes, rows: 1 }, scalar_len))
    })
}

/// Frees a base. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_fixed_base_free(base: *mut Base) {
    memory::free(base)
}

/// Computes kP of the base's point P for each of `rows` big-endian integers k of one length, at most that of the base.
/// Constant time in the scalars, except for their length, unless P is the point at infinity or has a small order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_fixed_base_mul_secret(
    context: *const Context,
    base: *const Base,
    scalars: *const u8,
    scalars_len: usize,
    rows: usize,
    out: *mut u8,
    out_len: usize,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, base) = (memory::object("context", context)?, memory::object("base", base)?);
        let size = context.size(Of::Points(base.group()), None)?;
        let output = memory::output("out", (out, out_len), null_mut(), (rows, size))?;
        write(context, output, base.multiples(context, memory::items("scalars", scalars, scalars_len)?, rows)?)
    })
}

/// Computes the component of every row in a subgroup of prime order. `subgroup` is the number of the prime factor, from 0.
/// The curve must be of type a or a1, and the context must know the factors of the order (bilinear_context_with_factors). A
/// point is the sum of its components.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_project(
    context: *const Context,
    points: *const u8,
    points_len: usize,
    rows: usize,
    subgroup: usize,
    flags: u32,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let size = context.size(Of::Points(Group::G1), None)?;
        let output = memory::output("out", (out, out_len), status, (rows, size))?;
        let bytes = memory::items("points", points, points_len)?;
        let input = Input { context, group: Group::G1, flags, bytes, rows };
        write(context, output, input.components(subgroup)?)
    })
}
