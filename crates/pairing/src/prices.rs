//! What operations take on a machine, where that decides between two ways to the same value.

use bilinear_field::count::Tally;

/// The prices of a machine. A product and a reduction in F_p cost 1 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prices {
    /// An inversion in F_p. The powers of compressed squarings take one each, windows of full squarings none (`sextic/power.rs`).
    pub inversion: u64,
}

/// Those of processors with words of 64 bits, on which an inversion by divsteps takes up to 150 products and reductions, and few
/// where many vectors share it: the shipped curves have the same programs from 0 to 150.
impl Default for Prices {
    fn default() -> Self {
        Prices { inversion: 150 }
    }
}

impl Prices {
    /// What the operations take.
    pub(crate) fn of(self, t: Tally) -> u64 {
        t.mul + t.sqr + t.reduction + self.inversion * t.inversion
    }
}
