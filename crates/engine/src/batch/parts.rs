//! Products in parts, and outcomes in their places.

use crate::backend::{PointError, RowError, Side};
use bilinear_field::CollectVec;
use std::ops::Range;

/// Makes sure that a product's range lies within so many points of a side.
///
/// # Errors
/// If it does not.
pub(super) fn within(range: &Range<usize>, count: usize, side: Side) -> Result<(), RowError> {
    let Range { start, end } = *range;
    if start <= end && end <= count {
        return Ok(());
    }
    Err(RowError { row: start, side, reason: PointError::Range { start, end, count } })
}

/// Replaces the good values by what `work` makes of all of them; the errors stay in their places.
pub(super) fn in_place<T, U>(
    results: &[Result<T, RowError>],
    work: impl FnOnce(&[&T]) -> Vec<U>,
) -> Vec<Result<U, RowError>> {
    let good: Vec<&T> = results.iter().flatten().collect_vec();
    let mut made = work(&good).into_iter();
    let mut next = || made.next().unwrap_or_else(|| unreachable!("one value for every good one"));
    results.iter().map(|result| result.as_ref().map(|_| next()).map_err(|e| *e)).collect_vec()
}

/// Pairs of one product that stay together at most; longer products are shared among threads and lanes in parts, at a squaring of f each
/// step.
const PART: usize = 64;

/// How many of the pairs of products stay together: as many as give every lane of every thread a part, since a lane without one
/// costs as much as a lane with one.
pub(crate) fn longest_part(pairs: usize, threads: usize, lanes: usize) -> usize {
    if lanes == 1 { PART } else { pairs.div_ceil(threads * lanes).clamp(1, PART) }
}

/// Consecutive runs of at most `longest` rows; one for none.
pub(crate) fn parts(rows: Range<usize>, longest: usize) -> Vec<Range<usize>> {
    if rows.is_empty() {
        return vec![rows];
    }
    rows.clone().step_by(longest).map(|start| start..rows.end.min(start + longest)).collect_vec()
}
