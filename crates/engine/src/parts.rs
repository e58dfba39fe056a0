//! Work that is computed in parts: products, of which each lane and each thread gets a part, and sums with more
//! digits than a machine has places for.

use bilinear_field::CollectVec;
use std::ops::Range;

/// The most pairs of one product that stay together. Longer products are shared among threads and lanes in parts;
/// each part costs a squaring of f per step.
const PART: usize = 64;

/// The number of pairs of products that stay together: small enough that every lane of every thread gets a part,
/// since an empty lane costs as much as a full one.
pub(crate) fn longest_part(pairs: usize, threads: usize, lanes: usize) -> usize {
    if lanes == 1 { PART } else { pairs.div_ceil(threads * lanes).clamp(1, PART) }
}

/// Cuts items into consecutive runs of at most `longest` items; one run if there are no items.
pub(crate) fn parts(items: Range<usize>, longest: usize) -> Vec<Range<usize>> {
    if items.is_empty() {
        return vec![items];
    }
    items.clone().step_by(longest).map(|start| start..items.end.min(start + longest)).collect_vec()
}
