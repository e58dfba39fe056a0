//! The instruction set, as defined in `isa.toml`.

use serde::Deserialize;
use std::fmt::{self, Display};
use std::sync::LazyLock;

/// The operation of an instruction; the data file describes it in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each is explained in the data")]
pub enum Opcode {
    Add,
    Sub,
    Neg,
    Copy,
    Halve,
    Mul,
    Sqr,
    Inv,
    IsZero,
    Ld,
    St,
    Jump,
    Load,
    Jdec,
    Jsr,
    Halt,
    WMul,
    WMac,
    WMsc,
    WAdd,
    WSub,
    WRed,
}

impl Operand {
    /// Returns true if the operand is a register that is not wide.
    pub fn is_register(self) -> bool {
        matches!(self, Operand::Destination | Operand::Source)
    }

    /// Returns true if the operand is a wide register.
    pub fn is_wide(self) -> bool {
        matches!(self, Operand::WideDestination | Operand::WideSource | Operand::Accumulator)
    }

    /// Returns true if the operand is a register, wide or not, that is read.
    pub fn is_read(self) -> bool {
        matches!(self, Operand::Source | Operand::WideSource | Operand::Accumulator)
    }
}

impl Opcode {
    /// Returns the opcode's entry in the data.
    pub fn entry(self) -> &'static Entry {
        let entry = isa().instructions.iter().find(|entry| entry.mnemonic == self);
        entry.unwrap_or_else(|| unreachable!("a test finds every opcode in the data"))
    }
}

/// Formats the mnemonic.
impl Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
    }
}

/// The kind of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operand {
    /// A register that is written.
    Destination,
    /// A register that is read.
    Source,
    /// A wide register that is written.
    WideDestination,
    /// A wide register that is read.
    WideSource,
    /// A wide register that is read and written.
    Accumulator,
    /// A place of the data memory.
    Address,
    /// The number of an instruction.
    Target,
    /// A number of repetitions, at least 1.
    Count,
}

/// The class that determines the time of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CostClass {
    /// A sum or difference, corrected.
    Sum,
    /// A transfer: an element is read and written unchanged.
    Move,
    /// A product and its reduction.
    Product,
    /// An unreduced product, optionally added to a wide value.
    WideProduct,
    /// A sum or difference of wide values.
    WideSum,
    /// The reduction of a wide value.
    Reduction,
    /// An inversion.
    Inverse,
    /// No element is involved.
    Control,
}

/// The definition of one instruction in the data.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The mnemonic.
    pub mnemonic: Opcode,
    /// The number of the opcode in a word.
    pub opcode: u32,
    /// The kinds of the operands, in order; three at most.
    pub operands: Vec<Operand>,
    /// The class of the instruction's time.
    pub cost: CostClass,
    /// A description of the instruction. d is the destination, a and b are the sources.
    pub meaning: String,
}

/// The instruction set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Isa {
    /// The number of bits of the opcode.
    pub opcode_bits: u32,
    /// The instructions.
    #[serde(rename = "instruction")]
    pub instructions: Vec<Entry>,
}

/// Returns the instruction set of the processor.
pub fn isa() -> &'static Isa {
    static ISA: LazyLock<Isa> = LazyLock::new(|| {
        toml::from_str(include_str!("../isa.toml")).unwrap_or_else(|error| unreachable!("tests read the data: {error}"))
    });
    &ISA
}

/// An instruction of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The operation.
    pub opcode: Opcode,
    /// The operands in the order of the data; unused ones are 0.
    pub operands: [u32; 3],
}

impl Instruction {
    /// Creates an instruction with these operands.
    ///
    /// # Panics
    /// Panics if the opcode takes another number of operands.
    pub fn new(opcode: Opcode, operands: &[u32]) -> Self {
        assert_eq!(opcode.entry().operands.len(), operands.len(), "wrong number of operands for {opcode}");
        let mut all = [0; 3];
        all[..operands.len()].copy_from_slice(operands);
        Instruction { opcode, operands: all }
    }

    /// Returns the operands with their kinds.
    pub fn operands(&self) -> impl Iterator<Item = (Operand, u32)> {
        self.opcode.entry().operands.iter().copied().zip(self.operands)
    }
}

/// Formats the instruction in the assembler's syntax; targets are numbers.
impl Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.opcode)?;
        for (i, (kind, value)) in self.operands().enumerate() {
            let prefix = match kind {
                Operand::Destination | Operand::Source => "r",
                Operand::WideDestination | Operand::WideSource | Operand::Accumulator => "w",
                Operand::Address => "m",
                Operand::Target | Operand::Count => "",
            };
            write!(f, "{}{prefix}{value}", if i == 0 { " " } else { ", " })?;
        }
        Ok(())
    }
}
