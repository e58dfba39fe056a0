//! The numbers of limbs that have kernels, and how products of these sizes are computed. The sizes lie so close
//! together that no modulus of three limbs or more pays for more than a sixth more limbs than it needs: less than 1.3
//! times the work.

/// The numbers of limbs whose kernels are straight-line code.
pub(crate) const LIMBS: [usize; 14] = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 20, 21];
/// The numbers of limbs whose kernels are composed of kernels for half as many limbs.
pub(crate) const BLOCKS: [usize; 13] = [24, 26, 28, 30, 34, 40, 44, 48, 52, 56, 60, 68, 80];
/// The numbers of limbs that serve only as halves of larger sizes: their only kernels are a product and a square.
pub(crate) const HALVES: [usize; 3] = [12, 14, 22];

/// How a product is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    /// Row by row.
    Rows,
    /// By Karatsuba's method, its middle by rows (`middle`).
    Middle,
    /// By Karatsuba's method from three products (`karatsuba`).
    Three,
}

impl Product {
    /// Returns the method for products of `limbs` limbs. Up to 19 limbs, and for an odd number of limbs, Karatsuba's
    /// method gains nothing.
    pub(crate) fn of(limbs: usize) -> Self {
        match limbs {
            21 => Product::Rows,
            _ if limbs < 20 => Product::Rows,
            _ if Product::of(limbs / 2) == Product::Rows => Product::Middle,
            _ => Product::Three,
        }
    }
}

/// Returns true if the kernels of `limbs` limbs are straight-line code, apart from products.
pub(crate) fn straight(limbs: usize) -> bool {
    limbs < BLOCKS[0]
}
