//! The rungs below the batch: operations of the field, parts of the pairing, operations on its groups.

mod below;
mod field;
mod groups;
mod parts;

pub(crate) use below::field_operations;
pub(crate) use groups::groups;
pub(crate) use parts::parts;

/// The tag under which messages are hashed here.
pub(crate) const TAG: &[u8] = b"BILINEAR-BENCH-V01";

/// Elements, or pairs, that a rung goes through one after the other: none is used again before the others were, and all
/// stay in the first-level cache.
const DISTINCT: usize = 16;

/// 0, 1, …, n − 1, 0, …
pub(crate) fn cycle(n: usize) -> impl FnMut() -> usize {
    let mut next = 0;
    move || {
        let i = next;
        next = (i + 1) % n;
        i
    }
}
