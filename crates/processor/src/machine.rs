//! The machine for which a program is compiled.

use crate::clock::Issue;
use crate::isa::CostClass;
use crate::model::{Alu, COEFFICIENT, Reduction};
use thiserror::Error;

/// The least number of bits of a digit of polynomials: that of the highest coefficient, which is a single digit.
const DIGIT: u32 = 7;

/// The reason why a machine cannot be built: the hardware would compute something else.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MachineError {
    /// There are too few limbs for Montgomery reduction.
    #[error(
        "limbs: {limbs}, generators: {generators}; Montgomery reduction needs at least 4 limbs, or 2 or 3 limbs and at least as \
         many generators"
    )]
    Montgomery {
        /// The number of limbs k.
        limbs: u32,
        /// The number of generators g.
        generators: u32,
    },
    /// There are more generators than a register has places for limbs: the constant of the reduction has a limb for
    /// each generator.
    #[error("{generators} generators: Montgomery reduction takes at most {most} with {limbs} limbs")]
    Generators {
        /// The number of limbs k.
        limbs: u32,
        /// The number of generators g.
        generators: u32,
        /// The largest possible number of generators.
        most: u32,
    },
    /// There are too few limbs for the reduction in five stages.
    #[error(
        "limbs: {limbs}, generators: {generators}; a reduction in five stages needs at least 4 limbs, or more generators than limbs"
    )]
    FiveStage {
        /// The number of limbs k.
        limbs: u32,
        /// The number of generators g.
        generators: u32,
    },
    /// Coefficients would overflow, or have more than 64 bits.
    #[error("coefficients of {bits} bits: polynomials need a seed 2^m + s with m from 22 to 63, and m + 1 bits")]
    Coefficient {
        /// The number of bits of a coefficient.
        bits: u32,
    },
    /// The highest coefficient does not fit in a digit, or another coefficient has fewer than two digits.
    #[error("a digit width of {digit}: polynomials need {DIGIT} to {most} bits, half a coefficient")]
    Digit {
        /// The number of bits W of a digit.
        digit: u32,
        /// The largest possible number of bits.
        most: u32,
    },
    /// Wide registers are combined with an option that excludes them.
    #[error(
        "wide registers need Montgomery reduction, instructions issued one after the other, more limbs than generators, at least 4, \
         and an even number of registers"
    )]
    Wide,
}

/// A processor, and the options of compilation for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The arithmetic unit, and its timing.
    pub alu: Alu,
    /// How instructions are issued.
    pub issue: Issue,
    /// The number of registers in the register file.
    pub registers: u32,
    /// The number of wide registers, for unreduced sums of products. 0 without that option of the ALU, which requires
    /// Montgomery reduction, serial issue, more limbs than generators ([`Alu::has_wide`]), and an even number of
    /// registers.
    pub wide: u32,
    /// Whether values may be spilled to the data memory when there are too few registers.
    pub spill: bool,
    /// Whether repeated steps become loops; otherwise all steps are written out, which takes much program memory.
    pub loops: bool,
}

impl Machine {
    /// Verifies that the hardware can be built: rejects what `rtl` rejects.
    ///
    /// # Errors
    /// Returns an error if the parameters are not compatible.
    ///
    /// # Panics
    /// Panics if W is 0.
    pub fn verify(&self) -> Result<(), MachineError> {
        let Alu { limb: digit, generators, reduction, .. } = self.alu;
        let limbs = self.alu.limbs();
        match reduction {
            Reduction::Montgomery => {
                let most = (limbs + 1).next_power_of_two();
                if limbs < 2 || (limbs < 4 && limbs > generators) {
                    return Err(MachineError::Montgomery { limbs, generators });
                }
                if generators > most {
                    return Err(MachineError::Generators { limbs, generators, most });
                }
            }
            Reduction::FiveStage if limbs < 4 && limbs >= generators => {
                return Err(MachineError::FiveStage { limbs, generators });
            }
            Reduction::Polynomial => {
                let bits = self.alu.coefficient();
                if !COEFFICIENT.contains(&bits) {
                    return Err(MachineError::Coefficient { bits });
                }
                let most = bits / 2;
                if !(DIGIT..=most).contains(&digit) {
                    return Err(MachineError::Digit { digit, most });
                }
            }
            Reduction::FiveStage => {}
        }
        let has_wide = self.issue == Issue::Serial && self.alu.has_wide() && self.registers.is_multiple_of(2);
        if self.wide > 0 && !has_wide { Err(MachineError::Wide) } else { Ok(()) }
    }

    /// Returns the cost of an inversion in products, for which programs can be recorded.
    pub fn inversion(&self) -> u64 {
        self.alu.cycles(CostClass::Inverse) / self.alu.cycles(CostClass::Product)
    }
}
