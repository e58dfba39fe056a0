//! The records of a program: 16 bytes each, for a machine with one accumulator.
//!
//! The accumulator A is a number of 2N + 1 words in two's complement, or residues. Terms are added to it, and an
//! operation that keeps something leaves 0 in it. An operand is the number of the first word of a value. Bit 31
//! says that the value is a constant. With residues, bit 30 says that it lies in the part of a stage's memory that
//! a block does not share; in words such places have higher numbers than all others.
//!
//! A factor of a product is an element, or in words also the sum or the difference of two (`factor.rs`). Beside
//! `a`, `b` and `c` a product has a fourth operand d in the first word, and signs: A += (a ± c)·(b ± d), where c,
//! or c and d, may be missing. In a square the second factor is the first, which is read once.
//!
//! Residues are integers: there an element is added as it is and not times R, so that `Sum` and `High` keep A
//! itself, and a reduction divides by the product of the moduli. `Odd` is for words only, `Residues` and `Words`
//! are for residues only.

use crate::factor::{Factor, Sign};

/// The effect of a record on A or on the memory. `a`, `b` and `c` are fields of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Opcode {
    /// Does nothing, while another lane works.
    Nop,
    /// A += a·b, for two elements, or sums or differences of two elements.
    Product,
    /// A *= c.
    Scale,
    /// A += c·a, for an unreduced value a.
    Form,
    /// A += c·a·R, for an element a.
    Element,
    /// A += a, for an element a.
    Low,
    /// A += (c ? a : b)·R, for a truth value c and elements a and b.
    Select,
    /// a = A, as an unreduced value.
    Wide,
    /// a = A/R mod p.
    Close,
    /// a = A/R mod p, where A is a multiple of R.
    Sum,
    /// a = A/R, if that is an element.
    High,
    /// a = the truth value of whether A/R mod p is odd.
    Odd,
    /// a = the truth value of whether the element b is 0.
    Zero,
    /// a = b ∧ c, for truth values b and c.
    And,
    /// a = ¬b, for a truth value b.
    Not,
    /// Copies c words from slot b of the pairing to place a.
    Load,
    /// Copies c words from place b to slot a of the pairing.
    Save,
    /// a = the integer of N words in slot b of the pairing, as residues.
    Residues,
    /// Writes the words of b, which is in [0, 2p), to slot a of the pairing, reduced below p.
    Words,
}

impl Opcode {
    /// All opcodes, in the order of their numbers.
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
/// Marks a place that a block does not share, with residues; in words such places come after all others.
pub(crate) const FAR: u32 = 1 << 30;
/// The bits of the opcode in the first word.
const OPCODE: u32 = BARRIER - 1;
/// Marks the last record of a bundle in each lane.
const BARRIER: u32 = 1 << 5;
/// The positions of the signs of both factors of a product: each has a bit for a second element and a bit for a minus.
const SIGNS: [u32; 2] = [6, 8];
/// Marks a square.
const SQUARE: u32 = 1 << 10;
/// The position of d; bit 31 says that d is a constant, as in every operand.
const FOURTH: u32 = 11;

/// A record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The opcode.
    pub opcode: Opcode,
    /// Whether the lanes of a group wait for each other after the record.
    pub barrier: bool,
    /// A coefficient, a number of words, or the third operand.
    pub c: i32,
    /// The first operand, or the place of the result.
    pub a: u32,
    /// The second operand.
    pub b: u32,
    /// For a product: the signs of its factors and its fourth operand, in bits 6 to 31.
    pub terms: u32,
}

fn sign(terms: u32, at: u32) -> Option<Sign> {
    match terms >> at & 3 {
        1 => Some(Sign::Plus),
        3 => Some(Sign::Minus),
        _ => None,
    }
}

fn bits(factor: Factor<u32>, at: u32) -> u32 {
    factor.second.map_or(0, |(sign, _)| if sign == Sign::Plus { 1 << at } else { 3 << at })
}

impl Record {
    /// The record that does nothing.
    pub(crate) const NOP: Record = Record::new(Opcode::Nop, 0, 0, 0);

    /// Creates a record that is not a product.
    pub(crate) const fn new(opcode: Opcode, c: i32, a: u32, b: u32) -> Record {
        Record { opcode, barrier: false, c, a, b, terms: 0 }
    }

    /// Creates the record of A += f·g, or returns `None` if the fourth operand is at word 2^20 or beyond, which its
    /// bits cannot reach.
    pub(crate) fn product([f, g]: [Factor<u32>; 2]) -> Option<Record> {
        let [f, g] = if f.second.is_none() && g.second.is_some() { [g, f] } else { [f, g] };
        let signs = bits(f, SIGNS[0]) | bits(g, SIGNS[1]);
        let (b, terms) = match g.second {
            _ if f == g => (0, bits(f, SIGNS[0]) | SQUARE),
            None => (g.first, signs),
            Some((_, d)) if (d & !CONSTANT) < (CONSTANT >> FOURTH) => (g.first, signs | d & CONSTANT | d << FOURTH),
            Some(_) => return None,
        };
        let c = f.second.map_or(0, |(_, y)| y as i32);
        Some(Record { terms, ..Record::new(Opcode::Product, c, f.first, b) })
    }

    /// Returns the factors of a product.
    pub(crate) fn factors(&self) -> [Factor<u32>; 2] {
        let d = self.terms & CONSTANT | (self.terms & !CONSTANT) >> FOURTH;
        let factor = |first, second, at| Factor { first, second: sign(self.terms, at).map(|sign| (sign, second)) };
        let f = factor(self.a, self.c as u32, SIGNS[0]);
        [f, if self.is_square() { f } else { factor(self.b, d, SIGNS[1]) }]
    }

    /// Returns true if both factors of a product are the same, which is then read once.
    pub(crate) fn is_square(&self) -> bool {
        self.terms & SQUARE != 0
    }

    /// Encodes a record as four words, the lowest byte first in each: the opcode with the barrier in bit 5 and the
    /// terms, then c, a, b.
    pub fn to_bytes(self) -> [u8; 16] {
        let opcode = self.opcode as u32 | if self.barrier { BARRIER } else { 0 } | self.terms;
        let mut bytes = [0; 16];
        for (four, word) in bytes.chunks_exact_mut(4).zip([opcode, self.c as u32, self.a, self.b]) {
            four.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Decodes a record, the reverse of [`to_bytes`](Self::to_bytes), or returns `None` if the first word has no
    /// valid opcode.
    pub fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
        let word = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[4 * i + k]));
        let opcode = *Opcode::ALL.get((word(0) & OPCODE) as usize)?;
        let (barrier, terms) = (word(0) & BARRIER != 0, word(0) & !(OPCODE | BARRIER));
        Some(Record { barrier, terms, ..Record::new(opcode, word(1) as i32, word(2), word(3)) })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Every pair of factors is recovered from its record, the one with a second element first; a square has a
    /// single factor.
    #[test]
    fn records_have_the_factors_of_products() {
        let signs = [None, Some(Sign::Plus), Some(Sign::Minus)];
        let places = [0, 33, (1 << 20) - 1, CONSTANT | 66];
        let factors: Vec<Factor<u32>> = places
            .iter()
            .flat_map(|first| places.map(|second| (*first, second)))
            .flat_map(|(first, y)| signs.map(|sign| Factor { first, second: sign.map(|sign| (sign, y)) }))
            .collect();
        for (f, g) in factors.iter().flat_map(|f| factors.iter().map(move |g| (*f, *g))) {
            let record = Record::product([f, g]).unwrap();
            let turned = f.second.is_none() && g.second.is_some();
            assert_eq!(record.factors(), if turned { [g, f] } else { [f, g] });
            assert_eq!(record.is_square(), f == g);
            assert_eq!(Record::from_bytes(record.to_bytes()), Some(record));
            assert_eq!(Record::product(record.factors()), Some(record));
        }
    }

    /// The fourth operand must lie within 2^20 words; every other operand may lie anywhere.
    #[test]
    fn a_fourth_operand_out_of_reach_has_no_record() {
        let sum = |first, second| Factor { first, second: Some((Sign::Plus, second)) };
        let far = 1 << 20;
        assert_eq!(Record::product([sum(far, far), sum(1, far)]), None);
        assert!(Record::product([sum(far, far), sum(far, far - 1)]).is_some());
        assert!(Record::product([1.into(), sum(1, far)]).is_some());
    }
}
