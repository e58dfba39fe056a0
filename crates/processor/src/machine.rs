//! What a program is compiled for.

use crate::clock::Issue;
use crate::isa::Price;
use crate::model::{Alu, Reduction};
use thiserror::Error;

/// Bits of a digit of polynomials, at least: those of the highest coefficient, which is one digit.
const DIGIT: u32 = 7;

/// Why there is no such hardware: it would compute something else.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MachineError {
    /// Too few limbs for Montgomery's reduction.
    #[error(
        "{limbs} limbs and {generators} generators: Montgomery's reduction takes at least 4 limbs, or 2 or 3 and no fewer generators"
    )]
    Montgomery {
        /// k.
        limbs: u32,
        /// g.
        generators: u32,
    },
    /// More generators than a register has places for limbs, of its constant for one.
    #[error("{generators} generators: Montgomery's reduction takes at most {most} with {limbs} limbs")]
    Generators {
        /// k.
        limbs: u32,
        /// g.
        generators: u32,
        /// How many there may be.
        most: u32,
    },
    /// Too few limbs for the reduction in five stages.
    #[error(
        "{limbs} limbs and {generators} generators: a reduction in five stages takes at least 4 limbs, or more generators than limbs"
    )]
    FiveStage {
        /// k.
        limbs: u32,
        /// g.
        generators: u32,
    },
    /// The highest coefficient has no place in a digit, or another one has fewer than two digits.
    #[error("digits of {digit} bits: polynomials take {DIGIT} to {most}, half a coefficient")]
    Digit {
        /// W.
        digit: u32,
        /// How many bits there may be.
        most: u32,
    },
    /// Wide registers, and something that they do not go with.
    #[error(
        "wide registers take Montgomery's reduction, instructions one after the other, and more limbs than generators, at least 4"
    )]
    Wide,
}

/// A processor, and how programs are compiled for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its arithmetic, and what it takes.
    pub alu: Alu,
    /// How its instructions follow one another.
    pub issue: Issue,
    /// The depth of the register file.
    pub registers: u32,
    /// How many wide registers, for unreduced sums of products; none without that option of the ALU, which takes Montgomery's reduction,
    /// instructions one after the other, and more limbs than generators ([`Alu::has_wide`]).
    pub wide: u32,
    /// Whether values that find no register may go to the data memory and come back.
    pub spill: bool,
    /// Whether repeated steps become loops; otherwise all are written out, which takes much memory for the program.
    pub loops: bool,
}

impl Machine {
    /// Makes sure that there can be hardware: what `rtl` refuses is refused here.
    ///
    /// # Errors
    /// If its parameters do not go together.
    ///
    /// # Panics
    /// If W is 0.
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
                let most = self.alu.coefficient() / 2;
                if !(DIGIT..=most).contains(&digit) {
                    return Err(MachineError::Digit { digit, most });
                }
            }
            Reduction::FiveStage => {}
        }
        let has_wide = self.issue == Issue::Serial && self.alu.has_wide();
        if self.wide > 0 && !has_wide { Err(MachineError::Wide) } else { Ok(()) }
    }

    /// The price of an inversion in products, for which programs can be recorded.
    pub fn inversion(&self) -> u64 {
        self.alu.cycles(Price::Inverse) / self.alu.cycles(Price::Product)
    }
}
