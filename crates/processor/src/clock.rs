//! The clock: when instructions begin and end.
//!
//! *Serial*: an instruction begins when the previous one has ended.
//!
//! *Beside*: there are two units, the multiplier for products and squares and the integer datapath for everything else.
//! A product also occupies the integer datapath in its first cycles, in which its operands are read, and in its last,
//! in which its result is written ([`Alu::ends`]); in between another instruction may run there. Instructions are
//! issued in order, at most one per cycle. An instruction begins at the first cycle in which
//!
//! * the previous instruction has begun, in an earlier cycle; or has ended, if it was a control instruction;
//! * its units have finished their previous work, and it ends before the last cycles of a running product, or begins
//!   when that product has ended; control instructions occupy no unit, and `halt` waits for both units;
//! * no running instruction writes a register that it reads or writes.
//!
//! *Pipelined*: operands are read in the first cycle; the multiplier starts a product every few cycles, and the integer
//! datapath starts an operation other than an inversion in each cycle. No instruction except a product ends in a cycle
//! in which a product ends, an inversion runs alone, and `ld` begins when an `st` to its place has ended.
//!
//! An instruction ends as many cycles after its beginning as the model of the ALU says. All three exist as hardware in
//! `rtl`; the pipelined one only on polynomials, with two digits per coefficient and a product every 8 cycles. In other
//! configurations it is only a model.

use crate::isa::{CostClass, Instruction, Opcode, Operand};
use crate::model::Alu;
use std::collections::HashMap;

/// How instructions are issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Issue {
    /// One instruction after the other.
    #[default]
    Serial,
    /// Sums, moves and inversions beside products.
    Beside,
    /// Like Beside, with pipelined units: they start new work before the previous work has ended.
    Pipelined {
        /// The number of cycles from one product to the next, at least 1.
        product: u32,
    },
}

/// The units, with the cycles until which they are occupied.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    issue: Issue,
    alu: Alu,
    /// The cycles from which the integer datapath and the multiplier can start new work.
    free: [u64; 2],
    /// The cycles in which the last product and the last other instruction end.
    product: u64,
    other: u64,
    /// The end cycles of products that were still running when the last product began.
    products: Vec<u64>,
}

impl Units {
    /// Creates idle units.
    pub(crate) fn new(issue: Issue, alu: Alu) -> Self {
        Units { issue, alu, free: [0; 2], product: 0, other: 0, products: vec![] }
    }

    /// Returns the cycle in which an instruction of this cost class, other than control, can begin if it may not begin
    /// before `from`.
    pub(crate) fn begin(&self, cost: CostClass, from: u64) -> u64 {
        let [datapath, multiplier] = self.free;
        match (self.issue, cost) {
            (_, CostClass::Product) => from.max(datapath).max(multiplier),
            (Issue::Beside, _) => {
                let begin = from.max(datapath);
                let until = begin + self.alu.cycles(cost) + self.alu.ends()[1];
                if begin < self.product && until > self.product { self.product } else { begin }
            }
            (_, CostClass::Inverse) => from.max(datapath).max(self.product).max(self.other),
            _ => {
                let mut begin = from.max(datapath);
                while self.products.contains(&(begin + self.alu.cycles(cost))) {
                    begin += 1;
                }
                begin
            }
        }
    }

    /// Occupies the units for an instruction that begins in this cycle.
    pub(crate) fn take(&mut self, cost: CostClass, begin: u64) {
        let end = begin + self.alu.cycles(cost);
        match (self.issue, cost) {
            (Issue::Pipelined { product }, CostClass::Product) => self.free[1] = end.min(begin + u64::from(product)),
            (_, CostClass::Product) => self.free[1] = end,
            (Issue::Pipelined { .. }, CostClass::Sum | CostClass::Move) => self.free[0] = begin + 1,
            _ => self.free[0] = end,
        }
        if cost == CostClass::Product {
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

/// The time span of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) begin: u64,
    /// The number of cycles from its beginning to its end.
    pub(crate) cycles: u64,
    /// The number of cycles by which it delays the end of the program so far.
    pub(crate) moves: u64,
}

/// The clock of a running program.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    issue: Issue,
    alu: Alu,
    /// The first cycle in which the next instruction may begin.
    next: u64,
    units: Units,
    /// The cycle in which the last write to each register ends.
    written: Vec<u64>,
    /// The cycle in which the last store to each place of the memory ends.
    stored: HashMap<u32, u64>,
    /// The cycle in which all instructions so far have ended.
    pub(crate) end: u64,
}

impl Clock {
    /// Creates a clock at cycle 0, for a machine with this number of registers.
    pub(crate) fn new(issue: Issue, alu: Alu, registers: u32) -> Self {
        let written = vec![0; registers as usize];
        Clock { issue, alu, next: 0, units: Units::new(issue, alu), written, stored: HashMap::new(), end: 0 }
    }

    /// Returns true if the machine can have wide registers.
    pub(crate) fn has_wide(&self) -> bool {
        self.issue == Issue::Serial && self.alu.has_wide()
    }

    /// Executes the next instruction.
    pub(crate) fn execute(&mut self, instruction: &Instruction) -> Span {
        let cost = instruction.opcode.entry().cost;
        let cycles = self.alu.cycles(cost);
        if self.issue == Issue::Serial {
            self.end += cycles;
            return Span { begin: self.end - cycles, cycles, moves: cycles };
        }
        let begin = self.begin(instruction);
        let end = begin + cycles;
        self.next = begin + 1;
        if cost == CostClass::Control {
            self.next = end;
        } else {
            self.units.take(cost, begin);
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

    /// Returns the cycle in which an instruction can begin.
    fn begin(&self, instruction: &Instruction) -> u64 {
        let hazards = instruction.operands().map(|(kind, register)| match kind {
            Operand::Source | Operand::Destination => self.written[register as usize],
            Operand::Address if instruction.opcode == Opcode::Ld => self.stored.get(&register).copied().unwrap_or(0),
            _ => 0,
        });
        let from = hazards.chain([self.next]).max().unwrap_or(0);
        match (instruction.opcode, instruction.opcode.entry().cost) {
            (Opcode::Halt, _) => from.max(self.end),
            (_, CostClass::Control) => from,
            (_, cost) => self.units.begin(cost, from),
        }
    }
}
