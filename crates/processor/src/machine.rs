//! What a program is compiled for.

use crate::model::Alu;

/// A processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its arithmetic, and what it takes.
    pub alu: Alu,
    /// The depth of the register file.
    pub registers: u32,
    /// Whether values that find no register may go to the data memory and come back.
    pub spill: bool,
    /// Whether repeated steps become loops; otherwise all are written out, which takes much memory for the program.
    pub loops: bool,
}
