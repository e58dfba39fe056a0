//! Elements of the target group: checks and encodings, products, powers, inverses.

use crate::context::Context;
use crate::fault::Fault;
use crate::groups::ranges;
use crate::table::{of_lengths, rows, secrets};
use bilinear_engine::{Gt, GtEncoding, groups_in_place, in_place, try_in_place};
use std::ops::Range;

/// An outcome for each of many values.
pub(crate) type Values = Vec<Result<Gt, Fault>>;

/// Checks and reads values.
pub(crate) fn read(context: &Context, encoding: GtEncoding, bytes: &[u8], count: usize) -> Result<Values, Fault> {
    let (rows, len) = (rows("values", bytes, count)?, context.system().gt_encoded_len(encoding)?);
    of_lengths("values", &rows, "a value", &[len])?;
    let values = context.batch().decode_gt_as(encoding, &rows);
    Ok(values.into_iter().enumerate().map(|(row, value)| value.map_err(|error| Fault::from(error).at(row))).collect())
}

/// Returns values in another encoding.
pub(crate) fn converted(
    context: &Context,
    to: GtEncoding,
    values: Values,
) -> Result<Vec<Result<Vec<u8>, Fault>>, Fault> {
    Ok(try_in_place(values, |values| context.batch().encode_gt_as(to, &values))?)
}

/// Returns the product of each group of values. The first bad value of a group is the outcome of the group.
pub(crate) fn products(
    context: &Context,
    bytes: &[u8],
    count: usize,
    lengths: Option<&[usize]>,
    products: usize,
) -> Result<Values, Fault> {
    let groups = ranges(("products", "values"), lengths, products, count)?;
    let values = read(context, GtEncoding::Plain, bytes, count)?;
    let products = |values: &[Gt], ranges: &[_]| context.batch().gt_products(values, ranges);
    Ok(groups_in_place(values, groups.iter().map(Range::len), products))
}

/// Returns x^e of every row.
pub(crate) fn powers(context: &Context, bytes: &[u8], exponents: &[u8], count: usize) -> Result<Values, Fault> {
    let exponents = secrets("exponents", exponents, count)?;
    let terms = read(context, GtEncoding::Plain, bytes, count)?.into_iter().zip(exponents);
    Ok(in_place(terms.map(|(x, e)| Ok((x?, e))), |terms| context.batch().gt_pow_secret(&terms)))
}

/// Returns 1/x of every row.
pub(crate) fn inverses(context: &Context, bytes: &[u8], count: usize) -> Result<Values, Fault> {
    let read = read(context, GtEncoding::Plain, bytes, count)?;
    Ok(read.into_iter().map(|value| value.map(|value| context.system().gt_inv(&value))).collect())
}
