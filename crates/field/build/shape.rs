//! The facts about a modulus that are known when a kernel for it is written: its number of limbs, and which of them
//! are 0.

use std::fmt::{Display, Formatter};

/// The shape of a modulus p of L limbs. With z > 0 the modulus is Montgomery-friendly: limb 0 is 3 and limbs 1 to z
/// are 0, so that a multiple p·u = 2^52 − 1 + 2^(52(z + 1))·v has as many zero limbs. Supersingular curves can have
/// such a p whatever their order: y² = x³ + x needs p ≡ 3 (mod 4).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) limbs: usize,
    pub(crate) zeros: usize,
}

impl Shape {
    /// Creates the shape of an arbitrary modulus of `limbs` limbs.
    pub(crate) fn any(limbs: usize) -> Self {
        Shape { limbs, zeros: 0 }
    }

    /// The shape of the lower half of the limbs.
    pub(crate) fn lower_half(self) -> Self {
        Shape { limbs: self.limbs / 2, zeros: self.zeros }
    }

    /// The name of the kernel that does `operation` for this shape.
    pub(crate) fn kernel(self, operation: impl Display) -> String {
        format!("{operation}{self}_{}", self.limbs)
    }
}

/// Writes the part of a kernel's name that describes the zero limbs of the modulus; the number of limbs comes after it.
impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.zeros > 0 { write!(f, "_friendly{}", self.zeros) } else { Ok(()) }
    }
}
