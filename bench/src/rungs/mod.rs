//! The rungs below batches of pairings: operations of the field, parts of the pairing, operations on its groups.

mod below;
mod field;
mod groups;
mod parts;

pub(crate) use below::field_operations;
pub(crate) use groups::groups;
pub(crate) use parts::parts;

/// The tag for hashing messages in this crate.
pub(crate) const TAG: &[u8] = b"BILINEAR-BENCH-V01";

/// The number of elements or pairs that a rung cycles through: none is reused before all others, and all stay in the
/// first-level cache.
const DISTINCT: usize = 16;

/// Returns a function that counts 0, 1, …, n − 1, 0, …
pub(crate) fn cycle(n: usize) -> impl FnMut() -> usize {
    let mut next = 0;
    move || {
        let i = next;
        next = (i + 1) % n;
        i
    }
}
