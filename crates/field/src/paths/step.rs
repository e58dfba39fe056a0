//! What is compared of two paths.

use super::process::decode;

/// An executed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Step {
    /// Where it stands.
    pub(super) at: u64,
    /// The addresses of what it reads and writes, mixed.
    pub(super) touches: u64,
}

/// Where two paths part, in words.
pub(super) fn differ(first: &[Step], other: &[Step]) -> Option<String> {
    let i = first.iter().zip(other).position(|(a, b)| a != b);
    let i = i.or_else(|| (first.len() != other.len()).then(|| first.len().min(other.len())))?;
    let before = first.get(i.saturating_sub(1)).map(|step| format!("{} at {:#x}", decode(step.at), step.at));
    let (before, steps) = (before.unwrap_or_default(), first.len());
    Some(format!("step {i} of {steps}, after {before}: {:x?} or {:x?}", first.get(i), other.get(i)))
}
