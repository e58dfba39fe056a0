//! The layout of a modulus's constants, as kernels read them: `ifma::modulus::Modulus` in vectors of 64 bytes.

use crate::function::At;

/// The register that holds the address of the constants.
const BASE: &str = "rcx";

/// The layout of the constants of a modulus of L limbs.
#[derive(Clone, Copy)]
pub(crate) struct Layout(pub(crate) usize);

impl Layout {
    /// u = −1/p mod 2^52.
    pub(crate) fn u(self) -> At {
        At(BASE, 0)
    }

    /// 2^52 − 1.
    pub(crate) fn mask(self) -> At {
        At(BASE, 1)
    }

    /// The reciprocal of p.
    pub(crate) fn reciprocal(self) -> At {
        At(BASE, 2)
    }

    /// The number of bits by which an estimated quotient is shifted.
    pub(crate) fn shift(self) -> At {
        At(BASE, 3)
    }

    /// The first limb of p.
    pub(crate) fn p(self) -> At {
        self.table(0)
    }

    /// The first limb of (p·u + 1)/2^52.
    pub(crate) fn friendly(self) -> At {
        self.table(1)
    }

    /// The first limb of 2^(52L) − p.
    pub(crate) fn complement(self) -> At {
        self.table(2)
    }

    /// The first limb of the multiple of p that makes a form of elements positive.
    pub(crate) fn bias(self) -> At {
        self.table(3)
    }

    /// The first limb of the multiple of p that, times R, makes any form of unreduced values positive.
    pub(crate) fn bias_wide(self) -> At {
        self.table(4)
    }

    /// The first limb of the multiple of p that, times R, a reduction begins with: p itself where the reduction
    /// estimates no quotient.
    pub(crate) fn bias_reduced(self, is_tight: bool) -> At {
        if is_tight { self.bias_wide() } else { self.p() }
    }

    /// The first limb of the multiple of p that makes a difference of two elements positive.
    pub(crate) fn bias_difference(self) -> At {
        self.table(5)
    }

    /// The first limb of the multiple of p that, times R, makes a form of unreduced values large enough for three
    /// times the form less two elements to be positive.
    pub(crate) fn bias_three(self) -> At {
        self.table(6)
    }

    fn table(self, index: usize) -> At {
        At(BASE, SCALARS + index * self.0)
    }
}

/// The number of constants of one vector each, and of tables of L limbs behind them, in the order above. So u and p
/// lie at the same offset for every L.
pub(crate) const SCALARS: usize = 4;
pub(crate) const TABLES: usize = 7;
