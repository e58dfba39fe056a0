//! Placement of outcomes, and checks that ranges lie within the rows.

use crate::backend::{PointError, RowError, Side};
use bilinear_field::CollectVec;
use std::ops::Range;

/// Checks that the range of a product lies within the `count` points of a side.
///
/// # Errors
/// Returns an error if the range does not lie within them.
pub(super) fn within(range: &Range<usize>, count: usize, side: Side) -> Result<(), RowError> {
    let Range { start, end } = *range;
    if start <= end && end <= count {
        return Ok(());
    }
    Err(RowError { row: start, side, reason: PointError::Range { start, end, count } })
}

/// Replaces the valid values by what `work` computes from all of them; the errors stay in their places.
pub(super) fn in_place<T, U>(
    results: &[Result<T, RowError>],
    work: impl FnOnce(&[&T]) -> Vec<U>,
) -> Vec<Result<U, RowError>> {
    let good: Vec<&T> = results.iter().flatten().collect_vec();
    let mut made = work(&good).into_iter();
    let mut next = || made.next().unwrap_or_else(|| unreachable!("one value for every good one"));
    results.iter().map(|result| result.as_ref().map(|_| next()).map_err(|e| *e)).collect_vec()
}
