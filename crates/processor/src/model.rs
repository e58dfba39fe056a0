//! The time of an instruction: a model of an ALU that works on an element limb by limb.
//!
//! An element of N bits is k = ⌈N/W⌉ limbs of W bits. A *pass* streams these through a unit that takes one limb a cycle: k + 4
//! cycles, of which 4 fill its pipeline. With g generators of partial products:
//!
//! | instruction | cycles |
//! |---|---|
//! | sum, difference, negative, half | 2 passes: the sum, and its correction by p |
//! | product | ⌈k/g⌉ passes, g limbs of a factor each |
//! | its reduction, Montgomery (Math. Comp. 44, 1985) | ⌈k/g⌉ passes of m·p, each 8 cycles longer for the digits of m |
//! | its reduction in five stages, by products with precomputed constants (Barrett, CRYPTO 86) | 2 products and 4 passes |
//! | inversion, binary Euclid (Knuth, vol. 2, 4.5.2) | 2N steps of three passes: u/2 or (u − v)/2, and x/2 or (x − y)/2 mod p |
//! | copy, zero test, load, store | 1 pass |
//! | control | nothing but its issue |
//!
//! An instruction is issued in 3 cycles, and one ends before the next begins. It is a model: no hardware was measured.

use crate::isa::Price;

/// Cycles that fill the pipeline of a pass.
const FILL: u64 = 4;
/// Cycles of a pass in which the digits of Montgomery's m are made.
const DIGITS: u64 = 8;
/// Cycles to fetch and decode an instruction.
const ISSUE: u64 = 3;

/// How a product is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Montgomery's.
    Montgomery,
    /// Division by multiplication, in five stages.
    FiveStage,
}

/// The parameters of an ALU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alu {
    /// N: bits of p; at least 1.
    pub bits: u32,
    /// W: bits of a limb; at least 1.
    pub limb: u32,
    /// g: generators of partial products; at least 1.
    pub generators: u32,
    /// How products are reduced.
    pub reduction: Reduction,
}

impl Alu {
    /// The cycles of an instruction with this price.
    ///
    /// # Panics
    /// If a parameter is 0.
    pub fn cycles(&self, price: Price) -> u64 {
        let limbs = u64::from(self.bits.div_ceil(self.limb));
        let pass = limbs + FILL;
        let passes = limbs.div_ceil(u64::from(self.generators));
        let product = passes * pass;
        let work = match (price, self.reduction) {
            (Price::Sum, _) => 2 * pass,
            (Price::Move, _) => pass,
            (Price::Product, Reduction::Montgomery) => product + passes * (pass + DIGITS),
            (Price::Product, Reduction::FiveStage) => 3 * product + 4 * pass,
            (Price::Inverse, _) => 2 * u64::from(self.bits) * 3 * pass,
            (Price::Control, _) => 0,
        };
        ISSUE + work
    }
}
