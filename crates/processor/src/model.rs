//! The time of an instruction: that of the ALU in `rtl`, which works on an element limb by limb. A test compares them, instruction
//! by instruction.
//!
//! An element of N bits is k = ⌈(N + 2)/W⌉ limbs of W bits: with two bits to spare, no sum leaves its limbs. With g generators of
//! partial products:
//!
//! | instruction | cycles |
//! |---|---|
//! | sum, difference, negative, half, copy, zero test, load, store | k + 3: a pass; a sum and the sum less p are made side by side |
//! | product, Montgomery (Math. Comp. 44, 1985) | ⌈k/g⌉·(2(k + g) + max(g, 4)) + 6: g limbs of a·b, g digits m, g limbs of m·p |
//! | product, reduced in five stages (Barrett, CRYPTO 86) | below |
//! | inversion, binary Euclid (Knuth, vol. 2, 4.5.2) | (4N + 5)(k + 3): 2N steps of two passes, and five passes around them |
//! | control | 1 |
//!
//! The five stages divide by multiplication. With E = ⌊(N − 3)/W⌋, S = ⌈(2N + 2)/W⌉, f = ⌈(SW − N + 1)/W⌉ limbs of the
//! reciprocal ⌊2^(WS)/p⌋ and t = ⌈(2N − EW)/W⌉ limbs of ⌊ab/2^(WE)⌋:
//!
//! | stage | cycles |
//! |---|---|
//! | the product a·b | 3 + ⌈k/g⌉(k + g) |
//! | the quotient, from the reciprocal | 6 + ⌈t/g⌉(f + g) |
//! | its product with p, taken from a·b, the lower half alone | 6 + Σ max(k − ig, g + 4) for i below ⌈k/g⌉ |
//! | less p if it reaches p | k + 4 |
//!
//! An instruction ends before the next begins.

use crate::isa::Price;

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
    /// N: bits of p; at least 3.
    pub bits: u32,
    /// W: bits of a limb; at least 2.
    pub limb: u32,
    /// g: generators of partial products; at least 1.
    pub generators: u32,
    /// How products are reduced.
    pub reduction: Reduction,
}

impl Alu {
    /// k: the limbs of an element.
    ///
    /// # Panics
    /// If W is 0.
    pub fn limbs(&self) -> u32 {
        (self.bits + 2).div_ceil(self.limb)
    }

    /// The cycles of an instruction with this price.
    ///
    /// # Panics
    /// If a parameter is smaller than it may be.
    pub fn cycles(&self, price: Price) -> u64 {
        let limbs = u64::from(self.limbs());
        let pass = limbs + 3;
        match price {
            Price::Sum | Price::Move => pass,
            Price::Product => match self.reduction {
                Reduction::Montgomery => self.montgomery(limbs),
                Reduction::FiveStage => self.five_stages(limbs),
            },
            Price::Inverse => (4 * u64::from(self.bits) + 5) * pass,
            Price::Control => 1,
        }
    }

    fn montgomery(&self, limbs: u64) -> u64 {
        let generators = u64::from(self.generators);
        limbs.div_ceil(generators) * (2 * (limbs + generators) + generators.max(4)) + 6
    }

    fn five_stages(&self, limbs: u64) -> u64 {
        let (bits, limb, generators) = (u64::from(self.bits), u64::from(self.limb), u64::from(self.generators));
        let dropped = (bits - 3) / limb;
        let digits = (2 * bits + 2).div_ceil(limb);
        let factor = (digits * limb - bits + 1).div_ceil(limb);
        let top = (2 * bits - dropped * limb).div_ceil(limb);
        let steps = limbs.div_ceil(generators);
        let product = 3 + steps * (limbs + generators);
        let quotient = 6 + top.div_ceil(generators) * (factor + generators);
        let rest: u64 = (0..steps).map(|i| (limbs - i * generators).max(generators + 4)).sum();
        product + quotient + 6 + rest + limbs + 4
    }
}
