//! Where a kernel finds the constants of a modulus: `ifma::modulus::Modulus` in vectors of 64 bytes.

use crate::function::At;

/// The register that holds the address of the constants.
const BASE: &str = "rcx";

/// The layout for L limbs.
#[derive(Clone, Copy)]
pub(crate) struct Layout(pub(crate) usize);

impl Layout {
    /// Limbs of p from here on.
    pub(crate) fn p(self) -> At {
        At(BASE, 0)
    }

    /// Limbs of (p·u + 1)/2^52 for u = −1/p mod 2^52.
    pub(crate) fn friendly(self) -> At {
        At(BASE, self.0)
    }

    /// Limbs of 2^(52L) − p.
    pub(crate) fn complement(self) -> At {
        At(BASE, 2 * self.0)
    }

    /// Limbs of the multiple of p that makes a form of elements positive.
    pub(crate) fn lift(self) -> At {
        At(BASE, 3 * self.0)
    }

    /// Limbs of the multiple of p that, times R, makes a form of unreduced values positive.
    pub(crate) fn lift_wide(self) -> At {
        At(BASE, 4 * self.0)
    }

    /// Limbs of the multiple of p that makes a difference of two elements positive.
    pub(crate) fn lift_difference(self) -> At {
        At(BASE, 5 * self.0)
    }

    /// u.
    pub(crate) fn u(self) -> At {
        At(BASE, 6 * self.0)
    }

    /// 2^52 − 1.
    pub(crate) fn mask(self) -> At {
        At(BASE, 6 * self.0 + 1)
    }

    /// The reciprocal of p.
    pub(crate) fn reciprocal(self) -> At {
        At(BASE, 6 * self.0 + 2)
    }

    /// How far an estimated quotient is shifted.
    pub(crate) fn shift(self) -> At {
        At(BASE, 6 * self.0 + 3)
    }
}

/// Tables of L limbs and numbers of one vector, in the order above.
pub(crate) const TABLES: usize = 6;
pub(crate) const SCALARS: usize = 4;
