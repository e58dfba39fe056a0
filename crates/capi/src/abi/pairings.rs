//! The functions of the header for pairings.

#![allow(unsafe_code)]
// SAFETY: each body relies on the conditions in the head of memory.rs, which docs/c.md states for callers
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]
// each array of C takes two arguments
#![allow(clippy::too_many_arguments)]

use crate::abi::target::write;
use crate::code::Code;
use crate::context::{Context, Of, PointForm};
use crate::fault::Error;
use crate::memory::{self, guarded};
use crate::pairings::{CHECKS, PRODUCTS, PreparedArgument, Rows};
use crate::points::Input;
use bilinear_engine::Side;

/// Computes e(P, Q) for every row: `rows` points of G1 in `p` and of G2 in `q`, `rows` values in `gt`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_pair(
    context: *const Context,
    p: *const u8,
    p_len: usize,
    q: *const u8,
    q_len: usize,
    rows: usize,
    flags: u32,
    gt: *mut u8,
    gt_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let size = context.system().gt_len();
        let output = memory::output("gt", (gt, gt_len), status, (rows, size))?;
        let table = Rows { context, flags, rows, lengths: None, products: rows };
        let (p, q) = (memory::items("p", p, p_len)?, memory::items("q", q, q_len)?);
        write(output, &table.pair(p, q)?)
    })
}

/// Computes the product of e(P, Q) over each group of consecutive rows, in `products` values. `lengths` holds the number of
/// rows of each group, or is NULL if all groups have equally many. A bad row makes its group bad; the code of the group is
/// that of its first bad row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_product(
    context: *const Context,
    p: *const u8,
    p_len: usize,
    q: *const u8,
    q_len: usize,
    rows: usize,
    lengths: *const usize,
    products: usize,
    flags: u32,
    gt: *mut u8,
    gt_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let size = context.system().gt_len();
        let output = memory::output("gt", (gt, gt_len), status, (products, size))?;
        let lengths = memory::items_or_none("lengths", lengths, products)?;
        let table = Rows { context, flags, rows, lengths, products };
        let (p, q) = (memory::items("p", p, p_len)?, memory::items("q", q, q_len)?);
        write(output, &table.compute(&PRODUCTS, p, q)?)
    })
}

/// Checks whether the product of e(P, Q) over each group of rows is 1. `is_one` has a byte for each of `products` groups: 1
/// if the product is 1, 0 if not or if the group has a bad row. Groups are given as for bilinear_product.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_check(
    context: *const Context,
    p: *const u8,
    p_len: usize,
    q: *const u8,
    q_len: usize,
    rows: usize,
    lengths: *const usize,
    products: usize,
    flags: u32,
    is_one: *mut u8,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let output = memory::output("is_one", (is_one, products), status, (products, 1))?;
        let lengths = memory::items_or_none("lengths", lengths, products)?;
        let table = Rows { context, flags, rows, lengths, products };
        let (p, q) = (memory::items("p", p, p_len)?, memory::items("q", q, q_len)?);
        output.write_truths(&table.compute(&CHECKS, p, q)?)
    })
}

/// Prepares a fixed argument: a point of G1 as the first argument, or a point of G2 as the second one, as `group` says. The
/// point is checked in full. On a curve with two groups, each pairing can prepare points of only one of them, and the error
/// says which.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_prepare(
    context: *const Context,
    group: i32,
    point: *const u8,
    point_len: usize,
    prepared: *mut *mut PreparedArgument,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, group) = (memory::object("context", context)?, Of::points(group)?);
        let bytes = memory::items("point", point, point_len)?;
        memory::give("prepared", prepared, || {
            let input = Input { context, group, flags: 0, bytes, rows: 1 };
            PreparedArgument::new(context, Side::of(group), &input.read(PointForm::Full)?.remove(0)?)
        })
    })
}

/// Frees a prepared argument. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_prepared_free(prepared: *mut PreparedArgument) {
    memory::free(prepared)
}

/// Computes products like bilinear_product, with `fixed_count` prepared arguments. `others` holds the other arguments: the
/// first row of each group is paired with the first prepared argument, and so on. A group with another number of rows has
/// the code BILINEAR_ERROR_FIXED_COUNT, except a group without rows, whose product is 1. With one prepared argument and as many
/// products as rows, the products are single pairings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_product_prepared(
    context: *const Context,
    fixed: *const *mut PreparedArgument,
    fixed_count: usize,
    others: *const u8,
    others_len: usize,
    rows: usize,
    lengths: *const usize,
    products: usize,
    flags: u32,
    gt: *mut u8,
    gt_len: usize,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let size = context.system().gt_len();
        let output = memory::output("gt", (gt, gt_len), status, (products, size))?;
        let fixed = memory::objects("fixed", fixed, fixed_count)?;
        let lengths = memory::items_or_none("lengths", lengths, products)?;
        let table = Rows { context, flags, rows, lengths, products };
        let others = memory::items("others", others, others_len)?;
        write(output, &table.compute_prepared(&PRODUCTS, &fixed, others)?)
    })
}

/// Checks products like bilinear_check, with prepared arguments, as in bilinear_product_prepared.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_check_prepared(
    context: *const Context,
    fixed: *const *mut PreparedArgument,
    fixed_count: usize,
    others: *const u8,
    others_len: usize,
    rows: usize,
    lengths: *const usize,
    products: usize,
    flags: u32,
    is_one: *mut u8,
    status: *mut u8,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let context = memory::object("context", context)?;
        let output = memory::output("is_one", (is_one, products), status, (products, 1))?;
        let fixed = memory::objects("fixed", fixed, fixed_count)?;
        let lengths = memory::items_or_none("lengths", lengths, products)?;
        let table = Rows { context, flags, rows, lengths, products };
        let others = memory::items("others", others, others_len)?;
        output.write_truths(&table.compute_prepared(&CHECKS, &fixed, others)?)
    })
}
