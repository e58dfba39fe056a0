//! What is computed in parts: products, that lanes and threads have one each, and sums of more digits than a machine has places for.

use bilinear_field::CollectVec;
use std::ops::Range;

/// Pairs of one product that stay together at most; longer products are shared among threads and lanes in parts, at a squaring of f each
/// step.
const PART: usize = 64;

/// How many of the pairs of products stay together: as many as give every lane of every thread a part, since a lane without one
/// costs as much as a lane with one.
pub(crate) fn longest_part(pairs: usize, threads: usize, lanes: usize) -> usize {
    if lanes == 1 { PART } else { pairs.div_ceil(threads * lanes).clamp(1, PART) }
}

/// Consecutive runs of at most `longest` items; one for none.
pub(crate) fn parts(items: Range<usize>, longest: usize) -> Vec<Range<usize>> {
    if items.is_empty() {
        return vec![items];
    }
    items.clone().step_by(longest).map(|start| start..items.end.min(start + longest)).collect_vec()
}
