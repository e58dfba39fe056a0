//! What is known of a modulus when a kernel for it is written: the number of its limbs, and which of them are 0.

use std::fmt::{Display, Formatter};

/// A modulus of L limbs. With z > 0 it is Montgomery-friendly: limb 0 is 3 and limbs 1 to z are 0, so that a multiple
/// p·u = 2^52 − 1 + 2^(52(z + 1))·v has as many. Supersingular curves can have such a p whatever their order: y² = x³ + x needs
/// p ≡ 3 (mod 4).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) limbs: usize,
    pub(crate) zeros: usize,
}

impl Shape {
    /// Any modulus of so many limbs.
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

/// What the names of its kernels say beside the number of limbs.
impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.zeros > 0 { write!(f, "_friendly{}", self.zeros) } else { Ok(()) }
    }
}
