//! The functions of the header for pairings.

#![allow(unsafe_code)]
// the conditions for callers of these functions are stated once, in memory.rs and docs/c.md
#![allow(clippy::missing_safety_doc)]
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

/// e(P, Q) of every row: `rows` points of G1 in `p` and of G2 in `q`, `rows` values in `gt`.
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
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe {
        guarded(error, || {
            let context = memory::object("context", context)?;
            let size = context.system().gt_len();
            let output = memory::output("gt", (gt, gt_len), status, (rows, size))?;
            let table = Rows { context, flags, rows, lengths: None, products: rows };
            let (p, q) = (memory::items("p", p, p_len)?, memory::items("q", q, q_len)?);
            write(output, &table.pair(p, q)?)
        })
    }
}

/// The product of e(P, Q) over each group of consecutive rows, in `products` values: `lengths` holds as many numbers of rows, or is NULL
/// where all groups have equally many. A bad row spoils its group, whose code is that of the first one.
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
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe {
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
}

/// Whether the product over each group is 1: `is_one` has a byte for each of `products` groups, 1 where it is, 0 where it is not and of
/// groups with a bad row. The groups are those of bilinear_product.
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
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe {
        guarded(error, || {
            let context = memory::object("context", context)?;
            let output = memory::output("is_one", (is_one, products), status, (products, 1))?;
            let lengths = memory::items_or_none("lengths", lengths, products)?;
            let table = Rows { context, flags, rows, lengths, products };
            let (p, q) = (memory::items("p", p, p_len)?, memory::items("q", q, q_len)?);
            output.write_truths(&table.compute(&CHECKS, p, q)?)
        })
    }
}

/// Prepares a fixed argument: a point of G1 as the first one, a point of G2 as the second one, by `group`. The point is checked in
/// full. On a curve with two groups one of them alone can be prepared with each pairing, and the error says which.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_prepare(
    context: *const Context,
    group: i32,
    point: *const u8,
    point_len: usize,
    prepared: *mut *mut PreparedArgument,
    error: *mut *mut Error,
) -> Code {
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe {
        guarded(error, || {
            let (context, group) = (memory::object("context", context)?, Of::points(group)?);
            let bytes = memory::items("point", point, point_len)?;
            memory::give("prepared", prepared, || {
                let input = Input { context, group, flags: 0, bytes, rows: 1 };
                PreparedArgument::new(context, Side::of(group), &input.read(PointForm::Full)?.remove(0)?)
            })
        })
    }
}

/// Frees a prepared argument; NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_prepared_free(prepared: *mut PreparedArgument) {
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe { memory::free(prepared) }
}

/// bilinear_product with prepared arguments, `fixed_count` of them: the rows of each group, which are the other arguments, meet them in
/// turn. A group of more rows or fewer has the code BILINEAR_FIXED_COUNT, but for one of none, whose product is 1. With one of them and as
/// many products as rows these are pairings.
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
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe {
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
}

/// bilinear_check with prepared arguments, which the rows of each group meet in turn.
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
    // SAFETY: the caller keeps the conditions in the head of memory.rs
    unsafe {
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
}
