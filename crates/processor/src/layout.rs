//! The encoding of instructions as words: the opcode in the lowest bits, the operands above it in order, zeros above
//! them.

use crate::image::Image;
use crate::isa::{Instruction, Operand, isa};
use serde::{Deserialize, Serialize};
use std::cmp::max;
use thiserror::Error;

/// The number of bits that an operand takes in a word, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Bits")]
pub struct Layout {
    register: u32,
    address: u32,
    target: u32,
    count: u32,
}

/// A layout as it is deserialised, before validation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bits {
    register: u32,
    address: u32,
    target: u32,
    count: u32,
}

impl TryFrom<Bits> for Layout {
    type Error = LayoutError;

    fn try_from(Bits { register, address, target, count }: Bits) -> Result<Self, LayoutError> {
        Layout::new(register, address, target, count)
    }
}

/// The error that an operand would have too many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the layout has operands of {0} bits: at most 19 for a register and 20 for any other operand are allowed")]
pub struct LayoutError(pub u32);

/// The reason why a word or an instruction cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordError {
    /// An operand is too large for its bits.
    #[error("`{instruction}`: operand {value} does not fit in {bits} bits")]
    Operand {
        /// The instruction.
        instruction: String,
        /// The operand.
        value: u32,
        /// The number of bits of the operand.
        bits: u32,
    },
    /// No instruction has this opcode.
    #[error("word {word:#x}: no instruction has opcode {opcode}")]
    Opcode {
        /// The word.
        word: u64,
        /// The opcode of the word.
        opcode: u32,
    },
    /// Bits above the operands are set.
    #[error("word {word:#x}: bits above the {used} bits of `{instruction}` are set")]
    Unused {
        /// The word.
        word: u64,
        /// The instruction in the bits below.
        instruction: String,
        /// The number of bits that the instruction takes.
        used: u32,
    },
}

/// Returns the number of bits for the numbers from 0 to `most`.
fn bits(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

impl Layout {
    /// Creates the layout with these numbers of bits for a register, wide or not, for a place of the data memory, for
    /// the number of an instruction and for a count.
    ///
    /// # Errors
    /// Returns an error if a register has more than 19 bits, since a word of 64 bits holds three of them, or another
    /// operand more than 20.
    pub fn new(register: u32, address: u32, target: u32, count: u32) -> Result<Self, LayoutError> {
        let too_many =
            [(register, 19), (address, 20), (target, 20), (count, 20)].into_iter().find(|(bits, most)| bits > most);
        match too_many {
            Some((bits, _)) => Err(LayoutError(bits)),
            None => Ok(Layout { register, address, target, count }),
        }
    }

    /// Returns the smallest layout that holds a program.
    pub fn of(image: &Image) -> Self {
        let counts = image.instructions.iter().flat_map(Instruction::operands);
        let count = counts.filter(|(kind, _)| *kind == Operand::Count).map(|(_, value)| value).max();
        Layout {
            register: max(bits(image.registers.max(image.wide).saturating_sub(1) as usize), 1),
            address: max(bits(image.memory.saturating_sub(1) as usize), 1),
            target: max(bits(image.instructions.len().saturating_sub(1)), 1),
            count: max(bits(count.unwrap_or(1) as usize), 1),
        }
    }

    /// Returns the number of bits of an operand of this kind.
    fn operand(self, kind: Operand) -> u32 {
        match kind {
            Operand::Destination | Operand::Source => self.register,
            kind if kind.is_wide() => self.register,
            Operand::Address => self.address,
            Operand::Target => self.target,
            _ => self.count,
        }
    }

    /// Returns the number of bits of a word.
    pub fn word(self) -> u32 {
        let operands = |entry: &crate::isa::Entry| entry.operands.iter().map(|kind| self.operand(*kind)).sum();
        isa().opcode_bits + isa().instructions.iter().map(operands).max().unwrap_or(0)
    }

    /// Encodes an instruction as a word.
    ///
    /// # Errors
    /// Returns an error if an operand does not fit.
    pub fn encode(self, instruction: &Instruction) -> Result<u64, WordError> {
        let mut word = u64::from(instruction.opcode.entry().opcode);
        let mut used = isa().opcode_bits;
        for (kind, value) in instruction.operands() {
            let bits = self.operand(kind);
            if u64::from(value) >> bits != 0 {
                return Err(WordError::Operand { instruction: instruction.to_string(), value, bits });
            }
            word |= u64::from(value) << used;
            used += bits;
        }
        Ok(word)
    }

    /// Decodes a word to an instruction.
    ///
    /// # Errors
    /// Returns an error if the word has no valid opcode, or if bits above the operands are set.
    pub fn decode(self, word: u64) -> Result<Instruction, WordError> {
        let low = |word: u64, bits: u32| (word & ((1 << bits) - 1)) as u32;
        let opcode = low(word, isa().opcode_bits);
        let entry = isa().instructions.iter().find(|entry| entry.opcode == opcode);
        let entry = entry.ok_or(WordError::Opcode { word, opcode })?;
        let mut instruction = Instruction { opcode: entry.mnemonic, operands: [0; 3] };
        let (mut rest, mut used) = (word >> isa().opcode_bits, isa().opcode_bits);
        for (kind, value) in entry.operands.iter().zip(&mut instruction.operands) {
            let bits = self.operand(*kind);
            *value = low(rest, bits);
            rest >>= bits;
            used += bits;
        }
        match rest {
            0 => Ok(instruction),
            _ => Err(WordError::Unused { word, instruction: instruction.to_string(), used }),
        }
    }
}
