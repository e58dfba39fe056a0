//! Costs of operations on a machine, where they decide between two ways to compute the same value.

use bilinear_field::count::Tally;

/// The cost model of a machine. A product and a reduction in F_p cost 1 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CostModel {
    /// The cost of an inversion in F_p. A power by compressed squarings takes one inversion, windows of full
    /// squarings take none (`sextic/power.rs`).
    pub inversion: u64,
}

/// The costs of processors with 64-bit words. An inversion by divsteps takes up to 150 products and reductions
/// there, and few where many vectors share it. The shipped curves have the same programs for all costs from 0 to
/// 150.
impl Default for CostModel {
    fn default() -> Self {
        CostModel { inversion: 150 }
    }
}

impl CostModel {
    /// The total cost of the operations counted in `t`.
    pub(crate) fn of(self, t: Tally) -> u64 {
        t.mul + t.sqr + t.reduction + self.inversion * t.inversion
    }
}
