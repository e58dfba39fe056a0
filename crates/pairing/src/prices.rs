//! Costs of operations on a machine, where they decide between two ways to compute the same value.

use bilinear_field::count::Tally;

/// The prices of operations on a machine. A product and a reduction in F_p cost 1 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prices {
    /// The price of an inversion in F_p. A power by compressed squarings takes one inversion, windows of full
    /// squarings take none (`sextic/power.rs`).
    pub inversion: u64,
}

/// The prices of processors with 64-bit words. An inversion by divsteps takes up to 150 products and reductions
/// there, and few where many vectors share it. The shipped curves have the same programs for all prices from 0 to
/// 150.
impl Default for Prices {
    fn default() -> Self {
        Prices { inversion: 150 }
    }
}

impl Prices {
    /// The total price of the operations counted in `t`.
    pub(crate) fn of(self, t: Tally) -> u64 {
        t.mul + t.sqr + t.reduction + self.inversion * t.inversion
    }
}
