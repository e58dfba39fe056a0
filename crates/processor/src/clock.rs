//! When instructions begin and end.
//!
//! *Serial*: an instruction begins when the one before it has ended.
//!
//! *Beside*: there are two units, the multiplier for products and squares and the integer datapath for the rest. A product has the
//! integer datapath as well in its first cycles, in which its operands are read, and in its last, in which its result is written
//! ([`Alu::ends`]); in between another instruction may run there. Instructions are issued in order, at most one a cycle. An
//! instruction begins at the first cycle in which
//!
//! * the one before it has begun, in an earlier cycle; after a control instruction, it has ended;
//! * its units have ended what they did before, and it ends before the last cycles of a running product, or begins when that has
//!   ended; control instructions take no unit, and `halt` waits for both;
//! * no running instruction writes a register that it reads or writes.
//!
//! *Pipelined*: operands are read in the first cycle, the multiplier takes up a product every so many cycles, the integer datapath
//! whatever is no inversion in each cycle. No instruction but a product ends in a cycle in which a product does, an inversion runs alone,
//! and `ld` begins when an `st` to its place has ended.
//!
//! An instruction ends as many cycles after it begins as the model of the ALU says. All are hardware in `rtl`; pipelined on polynomials
//! alone, with two digits a coefficient and a product every 8 cycles, otherwise it is a model.

use crate::isa::{Instruction, Opcode, Operand, Price};
use crate::model::Alu;
use std::collections::HashMap;

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

/// The units, and until when they are taken.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    issue: Issue,
    alu: Alu,
    /// When the integer datapath and the multiplier can begin something else.
    free: [u64; 2],
    /// When the last product ends, and the last of the others.
    product: u64,
    other: u64,
    /// When those products end that had not when the last of them began.
    products: Vec<u64>,
}

impl Units {
    /// Nothing runs.
    pub(crate) fn new(issue: Issue, alu: Alu) -> Self {
        Units { issue, alu, free: [0; 2], product: 0, other: 0, products: vec![] }
    }

    /// When something of this price, which is not of control, can begin if it may from a cycle on.
    pub(crate) fn begin(&self, price: Price, from: u64) -> u64 {
        let [datapath, multiplier] = self.free;
        match (self.issue, price) {
            (_, Price::Product) => from.max(datapath).max(multiplier),
            (Issue::Beside, _) => {
                let begin = from.max(datapath);
                let until = begin + self.alu.cycles(price) + self.alu.ends()[1];
                if begin < self.product && until > self.product { self.product } else { begin }
            }
            (_, Price::Inverse) => from.max(datapath).max(self.product).max(self.other),
            _ => {
                let mut begin = from.max(datapath);
                while self.products.contains(&(begin + self.alu.cycles(price))) {
                    begin += 1;
                }
                begin
            }
        }
    }

    /// It begins.
    pub(crate) fn take(&mut self, price: Price, begin: u64) {
        let end = begin + self.alu.cycles(price);
        match (self.issue, price) {
            (Issue::Pipelined { product }, Price::Product) => self.free[1] = end.min(begin + u64::from(product)),
            (_, Price::Product) => self.free[1] = end,
            (Issue::Pipelined { .. }, Price::Sum | Price::Move) => self.free[0] = begin + 1,
            _ => self.free[0] = end,
        }
        if price == Price::Product {
            self.product = end;
            if self.issue != Issue::Beside {
                self.products.retain(|end| *end > begin);
                self.products.push(end);
            }
            if self.issue == Issue::Beside {
                self.free[0] = begin + self.alu.ends()[0];
            }
        } else {
            self.other = end;
        }
    }
}

/// When an instruction runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) begin: u64,
    /// From there to its end.
    pub(crate) cycles: u64,
    /// By how many cycles the end of all moves.
    pub(crate) moves: u64,
}

/// The time so far.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    issue: Issue,
    alu: Alu,
    /// The first cycle in which the next instruction may begin.
    next: u64,
    units: Units,
    /// When each register was written last.
    written: Vec<u64>,
    /// When what was stored last is in each place of the memory.
    stored: HashMap<u32, u64>,
    /// When all have ended.
    pub(crate) end: u64,
}

impl Clock {
    /// At the start, on a machine with so many registers.
    pub(crate) fn new(issue: Issue, alu: Alu, registers: u32) -> Self {
        let written = vec![0; registers as usize];
        Clock { issue, alu, next: 0, units: Units::new(issue, alu), written, stored: HashMap::new(), end: 0 }
    }

    /// Whether the machine can have wide registers.
    pub(crate) fn has_wide(&self) -> bool {
        self.issue == Issue::Serial && self.alu.has_wide()
    }

    /// The next instruction.
    pub(crate) fn execute(&mut self, instruction: &Instruction) -> Span {
        let price = instruction.opcode.entry().price;
        let cycles = self.alu.cycles(price);
        if self.issue == Issue::Serial {
            self.end += cycles;
            return Span { begin: self.end - cycles, cycles, moves: cycles };
        }
        let begin = self.begin(instruction);
        let end = begin + cycles;
        self.next = begin + 1;
        if price == Price::Control {
            self.next = end;
        } else {
            self.units.take(price, begin);
        }
        for (kind, register) in instruction.operands() {
            if kind == Operand::Destination {
                self.written[register as usize] = end;
            }
        }
        if instruction.opcode == Opcode::St {
            self.stored.insert(instruction.operands[1], end);
        }
        let before = self.end;
        self.end = self.end.max(end);
        Span { begin, cycles, moves: self.end - before }
    }

    /// When an instruction can begin.
    fn begin(&self, instruction: &Instruction) -> u64 {
        let hazards = instruction.operands().map(|(kind, register)| match kind {
            Operand::Source | Operand::Destination => self.written[register as usize],
            Operand::Address if instruction.opcode == Opcode::Ld => self.stored.get(&register).copied().unwrap_or(0),
            _ => 0,
        });
        let from = hazards.chain([self.next]).max().unwrap_or(0);
        match (instruction.opcode, instruction.opcode.entry().price) {
            (Opcode::Halt, _) => from.max(self.end),
            (_, Price::Control) => from,
            (_, price) => self.units.begin(price, from),
        }
    }
}
