//! When instructions begin and end.
//!
//! *Serial*: an instruction begins when the one before it has ended.
//!
//! *Beside*: there are two units, the multiplier for products and squares and the integer datapath for the rest, and an instruction
//! may run on one beside one on the other. Instructions are issued in order, at most one a cycle. An instruction begins at the
//! first cycle in which
//!
//! * the one before it has begun, in an earlier cycle; after a control instruction, it has ended;
//! * its unit has ended what it did before; control instructions take none, and `halt` waits for both;
//! * no running instruction writes a register that it reads or writes;
//! * no running instruction reads the register that it writes.
//!
//! *Pipelined*: as beside, but operands are read in the first cycle, the multiplier takes up a product every so many cycles, and the
//! integer datapath whatever is no inversion in each cycle.
//!
//! An instruction ends as many cycles after it begins as the model of the ALU says. Serial is the hardware in `rtl`; the others are
//! models.

use crate::isa::{Instruction, Opcode, Operand, Price};
use crate::model::Alu;

/// How instructions follow one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Issue {
    /// One after the other.
    #[default]
    Serial,
    /// Sums, moves and inversions beside products.
    Beside,
    /// Beside, with units that take up new work before they have ended the old.
    Pipelined {
        /// From one product to the next: so many cycles, at least 1.
        product: u32,
    },
}

/// The unit of an instruction of this price: 1 for the multiplier.
pub(crate) fn unit(price: Price) -> usize {
    usize::from(price == Price::Product)
}

impl Issue {
    /// For how many cycles an instruction of this price keeps its unit from the next.
    pub(crate) fn occupies(self, alu: &Alu, price: Price) -> u64 {
        match (self, price) {
            (Issue::Pipelined { product }, Price::Product) => alu.cycles(price).min(u64::from(product)),
            (Issue::Pipelined { .. }, Price::Sum | Price::Move) => 1,
            _ => alu.cycles(price),
        }
    }
}

/// The time so far.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    issue: Issue,
    alu: Alu,
    /// The first cycle in which the next instruction may begin.
    next: u64,
    /// When the integer datapath and the multiplier can begin something else.
    units: [u64; 2],
    /// When each register was written and read last.
    written: Vec<u64>,
    read: Vec<u64>,
    /// When all have ended.
    pub(crate) end: u64,
}

impl Clock {
    /// At the start, on a machine with so many registers.
    pub(crate) fn new(issue: Issue, alu: Alu, registers: u32) -> Self {
        let never = vec![0; registers as usize];
        Clock { issue, alu, next: 0, units: [0; 2], written: never.clone(), read: never, end: 0 }
    }

    /// The next instruction; by how many cycles the end moves.
    pub(crate) fn execute(&mut self, instruction: &Instruction) -> u64 {
        let price = instruction.opcode.entry().price;
        let cycles = self.alu.cycles(price);
        if self.issue == Issue::Serial {
            self.end += cycles;
            return cycles;
        }
        let begin = self.begin(instruction);
        let end = begin + cycles;
        self.next = begin + 1;
        if price == Price::Control {
            self.next = end;
        } else {
            self.units[unit(price)] = begin + self.issue.occupies(&self.alu, price);
        }
        for (kind, register) in instruction.operands() {
            match kind {
                Operand::Destination => self.written[register as usize] = end,
                Operand::Source => {
                    let until = if self.issue == Issue::Beside { end } else { begin + 1 };
                    let read = &mut self.read[register as usize];
                    *read = until.max(*read);
                }
                _ => {}
            }
        }
        let before = self.end;
        self.end = self.end.max(end);
        self.end - before
    }

    /// When an instruction can begin.
    fn begin(&self, instruction: &Instruction) -> u64 {
        let hazards = instruction.operands().map(|(kind, register)| match kind {
            Operand::Source => self.written[register as usize],
            Operand::Destination => self.written[register as usize].max(self.read[register as usize]),
            _ => 0,
        });
        let unit = match (instruction.opcode, instruction.opcode.entry().price) {
            (Opcode::Halt, _) => self.end,
            (_, Price::Control) => 0,
            (_, price) => self.units[unit(price)],
        };
        hazards.chain([self.next, unit]).max().unwrap_or(0)
    }
}
