//! The timing model of instructions: the cycles of the ALU in `rtl`, which processes an element limb by limb. A test
//! compares the two, instruction by instruction.
//!
//! An element of N bits is k = ⌈(N + 2)/W⌉ limbs of W bits: with two spare bits, no sum overflows its limbs. With g
//! generators of partial products, as accepted by [`Machine::verify`](crate::Machine::verify):
//!
//! | instruction | cycles |
//! |---|---|
//! | sum, difference, negative, half, copy, zero test, load, store | k + 3: a pass; a sum and the sum less p are made side by side |
//! | product, Montgomery (Math. Comp. 44, 1985) | ⌈k/g⌉·(2(k + g) + max(g, 4)) + 7: g limbs of a·b, g digits m, g limbs of m·p |
//! | product, reduced in five stages (Barrett, CRYPTO 86) | below |
//! | inversion, binary Euclid (Knuth, vol. 2, 4.5.2) | (4N + 5)(k + 3): 2N steps of two passes, and five passes around them |
//! | product, unreduced, with or without a sum | ⌈k/g⌉·(k + g) + 5 + max(g − 2, 2): the first half of a product |
//! | sum or difference of wide values | l + k + 3: a pass over the l = g·⌈k/g⌉ limbs of the lower half and the k of the upper |
//! | reduction of a wide value, Montgomery | ⌈k/g⌉·(k + g + max(g, 4)) + 7: the other half of a product |
//! | control | 1 |
//!
//! The five stages divide by multiplication. With E = ⌊(N − 3)/W⌋, S = ⌈(2N + 2)/W⌉, f = ⌈(SW − N + 1)/W⌉ limbs of the
//! reciprocal ⌊2^(WS)/p⌋ and t = ⌈(2N − EW)/W⌉ limbs of ⌊ab/2^(WE)⌋:
//!
//! | stage | cycles |
//! |---|---|
//! | the product a·b | 3 + ⌈k/g⌉(k + g) |
//! | the quotient, from the reciprocal | 7 + ⌈t/g⌉(f + g) |
//! | the quotient's product with p, subtracted from a·b, the lower half only | 7 + Σ max(k − ig, g + 4) for i below ⌈k/g⌉ |
//! | the subtraction of p if the result reaches p | k + 5 |
//!
//! An instruction ends before the next begins, unless sums run beside products. Then a product occupies the integer
//! datapath exclusively in its first k + 3 and its last k cycles; on polynomials, in its first and its last cycle.
//!
//! The ALU for BN primes 36u⁴ + 36u³ + 24u² + 6u + 1 with u = 2^m + s, 22 ≤ m ≤ 63, works on polynomials in u, all
//! five coefficients at once (Fan, Vercauteren, Verbauwhede, CHES 2009). With digits of W bits, of which a coefficient
//! has ⌈(m + 1)/W⌉:
//!
//! | instruction | cycles |
//! |---|---|
//! | sum, difference, negative, half, copy, zero test, load, store | 2 |
//! | product | 4⌈(m + 1)/W⌉ + 9: four rows, and 9 to read, reduce and close |
//! | inversion, division steps (Bernstein, Yang, CHES 2019) | 2⌊(49N + 57)/17⌋ + 7 |
//! | control | 1 |

use crate::isa::CostClass;
use std::ops::RangeInclusive;

/// The numbers of bits of a coefficient of polynomials, m + 1: coefficients of up to 2^(m−1) + 2^20 have to fit, and at
/// most 64 bits are loaded at once.
pub(crate) const COEFFICIENT: RangeInclusive<u32> = 23..=64;

/// The method by which a product is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Montgomery reduction.
    Montgomery,
    /// Division by multiplication, in five stages.
    FiveStage,
    /// Reduction of polynomials, for BN primes with u = 2^m + s, N = 4m + 6, m from 22 to 63, and s odd and small
    /// ([`Form`](crate::Form)). W is the number of bits of a digit, and there are five generators, one for each
    /// coefficient.
    Polynomial,
}

/// The parameters of an ALU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alu {
    /// N: the number of bits of p; at least 3.
    pub bits: u32,
    /// W: the number of bits of a limb; at least 2.
    pub limb: u32,
    /// g: the number of generators of partial products; at least 1.
    pub generators: u32,
    /// The reduction of products.
    pub reduction: Reduction,
}

impl Alu {
    /// k: the number of limbs of an element, or of its coefficients if it is a polynomial.
    ///
    /// # Panics
    /// Panics if W is 0.
    pub fn limbs(&self) -> u32 {
        match self.reduction {
            Reduction::Polynomial => 5,
            _ => (self.bits + 2).div_ceil(self.limb),
        }
    }

    /// Returns true if the ALU can have wide registers.
    ///
    /// # Panics
    /// Panics if W is 0.
    pub fn has_wide(&self) -> bool {
        self.reduction == Reduction::Montgomery && self.limbs() > self.generators.max(3)
    }

    /// Returns the cycles of an instruction of this cost class.
    ///
    /// # Panics
    /// Panics if a parameter is below its minimum.
    pub fn cycles(&self, cost: CostClass) -> u64 {
        let (limbs, bits) = (u64::from(self.limbs()), u64::from(self.bits));
        let pass = limbs + 3;
        match (cost, self.reduction) {
            (CostClass::Control, _) => 1,
            (CostClass::Sum | CostClass::Move, Reduction::Polynomial) => 2,
            (CostClass::Sum | CostClass::Move, _) => pass,
            (CostClass::Product, Reduction::Montgomery) => self.montgomery(limbs),
            (CostClass::WideProduct, _) => {
                let generators = u64::from(self.generators);
                self.steps() * (limbs + generators) + 5 + generators.max(4) - 2
            }
            (CostClass::WideSum, _) => self.steps() * u64::from(self.generators) + limbs + 3,
            (CostClass::Reduction, _) => {
                let generators = u64::from(self.generators);
                self.steps() * (limbs + generators + generators.max(4)) + 7
            }
            (CostClass::Product, Reduction::FiveStage) => self.five_stages(limbs),
            (CostClass::Product, Reduction::Polynomial) => 4 * u64::from(self.coefficient().div_ceil(self.limb)) + 9,
            (CostClass::Inverse, Reduction::Polynomial) => 2 * ((49 * bits + 57) / 17) + 7,
            (CostClass::Inverse, _) => (4 * bits + 5) * pass,
        }
    }

    /// Returns the numbers of first and of last cycles in which a product occupies the integer datapath, if sums run
    /// beside it: the cycles in which its operands are read, and in which its result is written.
    ///
    /// # Panics
    /// Panics if a parameter is below its minimum.
    pub fn ends(&self) -> [u64; 2] {
        match self.reduction {
            Reduction::Polynomial => [1, 1],
            _ => [u64::from(self.limbs()) + 3, u64::from(self.limbs())],
        }
    }

    /// m + 1: the number of bits of a coefficient with its sign.
    pub(crate) fn coefficient(&self) -> u32 {
        self.bits.saturating_sub(6) / 4 + 1
    }

    fn montgomery(&self, limbs: u64) -> u64 {
        let generators = u64::from(self.generators);
        self.steps() * (2 * (limbs + generators) + generators.max(4)) + 7
    }

    /// ⌈k/g⌉: the number of passes of a product.
    fn steps(&self) -> u64 {
        u64::from(self.limbs()).div_ceil(u64::from(self.generators))
    }

    fn five_stages(&self, limbs: u64) -> u64 {
        let (bits, limb, generators) = (u64::from(self.bits), u64::from(self.limb), u64::from(self.generators));
        let dropped = (bits - 3) / limb;
        let digits = (2 * bits + 2).div_ceil(limb);
        let factor = (digits * limb - bits + 1).div_ceil(limb);
        let top = (2 * bits - dropped * limb).div_ceil(limb);
        let steps = limbs.div_ceil(generators);
        let product = 3 + steps * (limbs + generators);
        let quotient = 7 + top.div_ceil(generators) * (factor + generators);
        let rest: u64 = (0..steps).map(|i| (limbs - i * generators).max(generators + 4)).sum();
        product + quotient + 7 + rest + limbs + 5
    }
}
