//! The steps of paths, and their comparison.

use super::process::decode;

/// An executed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Step {
    /// The address of the instruction.
    pub(super) at: u64,
    /// A hash of the addresses that the instruction reads and writes.
    pub(super) touches: u64,
}

/// Describes where two paths differ; `None` if they are equal.
pub(super) fn differ(first: &[Step], other: &[Step]) -> Option<String> {
    let i = first.iter().zip(other).position(|(a, b)| a != b);
    let i = i.or_else(|| (first.len() != other.len()).then(|| first.len().min(other.len())))?;
    let before = first.get(i.saturating_sub(1)).map(|step| format!("{} at {:#x}", decode(step.at), step.at));
    let (before, steps) = (before.unwrap_or_default(), first.len());
    Some(format!("step {i} of {steps}, after {before}: {:x?} or {:x?}", first.get(i), other.get(i)))
}
