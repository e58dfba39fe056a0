//! The records of a program: 16 bytes each, for a machine with one accumulator.
//!
//! The accumulator A is a number of 2N + 1 words in two's complement, or residues. Terms are added to it; an operation that keeps
//! something leaves it 0. Operands are the first of the words where a value lies; bit 31 says that it is among the constants, bit 30
//! that it is in the memory of a stage that a block does not share.
//!
//! Residues are integers: there an element is added as it is and not times R, so that `Sum` and `High` keep A itself, and a reduction
//! divides by the product of the moduli. `Odd` is for words alone, the last two for residues.

/// What a record does, to A or to the memory. `a`, `b` and `c` are its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Opcode {
    /// Nothing: another lane works.
    Nop,
    /// A += a·b, two elements.
    Product,
    /// A *= c.
    Scale,
    /// A += c·a, an unreduced value.
    Form,
    /// A += c·a·R, an element.
    Element,
    /// A += a, an element.
    Low,
    /// A += (c ? a : b)·R, a truth value and two elements.
    Select,
    /// a = A, unreduced.
    Wide,
    /// a = A/R mod p.
    Close,
    /// a = A/R mod p, where A is a multiple of R.
    Sum,
    /// a = A/R, where that is an element.
    High,
    /// a = whether A/R mod p is odd.
    Odd,
    /// a = whether the element b is 0.
    Zero,
    /// a = b ∧ c, truth values.
    And,
    /// a = ¬b.
    Not,
    /// c words from slot b of the pairing to place a.
    Load,
    /// c words from place b to slot a of the pairing.
    Save,
    /// a = the integer of N words in slot b of the pairing, as residues.
    Residues,
    /// The words of b, which is in [0, 2p), below p, to slot a of the pairing.
    Words,
}

impl Opcode {
    /// All, in the order of their numbers.
    pub const ALL: [Opcode; 19] = [
        Opcode::Nop,
        Opcode::Product,
        Opcode::Scale,
        Opcode::Form,
        Opcode::Element,
        Opcode::Low,
        Opcode::Select,
        Opcode::Wide,
        Opcode::Close,
        Opcode::Sum,
        Opcode::High,
        Opcode::Odd,
        Opcode::Zero,
        Opcode::And,
        Opcode::Not,
        Opcode::Load,
        Opcode::Save,
        Opcode::Residues,
        Opcode::Words,
    ];
}

/// Marks an operand that is a constant.
pub(crate) const CONSTANT: u32 = 1 << 31;
/// Marks a place that a block does not share.
pub(crate) const FAR: u32 = 1 << 30;
/// Marks the last record of a bundle in each lane.
const BARRIER: u32 = 1 << 8;

/// A record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it does.
    pub opcode: Opcode,
    /// Whether the lanes of a group wait for each other behind it.
    pub barrier: bool,
    /// A coefficient, a number of words, or the third operand.
    pub c: i32,
    /// The first operand, or where the result goes.
    pub a: u32,
    /// The second operand.
    pub b: u32,
}

impl Record {
    /// Does nothing.
    pub(crate) const NOP: Record = Record { opcode: Opcode::Nop, barrier: false, c: 0, a: 0, b: 0 };

    /// As four words, the lowest byte first in each: the opcode with the barrier in bit 8, c, a, b.
    pub fn to_bytes(self) -> [u8; 16] {
        let opcode = self.opcode as u32 | if self.barrier { BARRIER } else { 0 };
        let mut bytes = [0; 16];
        for (four, word) in bytes.chunks_exact_mut(4).zip([opcode, self.c as u32, self.a, self.b]) {
            four.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The reverse; `None` if the first word is none of an opcode.
    pub fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
        let word = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[4 * i + k]));
        let opcode = *Opcode::ALL.get((word(0) & !BARRIER) as usize)?;
        Some(Record { opcode, barrier: word(0) & BARRIER != 0, c: word(1) as i32, a: word(2), b: word(3) })
    }
}
