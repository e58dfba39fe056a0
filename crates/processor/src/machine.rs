//! What a program is compiled for.

use crate::clock::Issue;
use crate::isa::Price;
use crate::model::Alu;

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
    /// The price of an inversion in products, for which programs can be recorded.
    pub fn inversion(&self) -> u64 {
        self.alu.cycles(Price::Inverse) / self.alu.cycles(Price::Product)
    }
}
