//! The records of a program: 16 bytes each, for a machine with one accumulator.
//!
//! The accumulator A is a number of 2N + 1 words in two's complement, or residues. Terms are added to it; an operation that keeps
//! something leaves it 0. Operands are the first of the words where a value lies; bit 31 says that it is among the constants, bit 30
//! of residues that it is in the memory of a stage that a block does not share; in words such places have the numbers behind all others.
//!
//! A factor of a product is an element or the sum or the difference of two (`factor.rs`); the latter are for words alone. Beside `a`, `b`
//! and `c` a product has a fourth operand d in the first word, and signs: A += (a ± c)·(b ± d), where c, or c and d, may be missing. In a
//! square the second factor is the first, which is read once.
//!
//! Residues are integers: there an element is added as it is and not times R, so that `Sum` and `High` keep A itself, and a reduction
//! divides by the product of the moduli. `Odd` is for words alone, the last two for residues.

use crate::factor::{Factor, Sign};

/// What a record does, to A or to the memory. `a`, `b` and `c` are its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Opcode {
    /// Nothing: another lane works.
    Nop,
    /// A += a·b, two elements, or sums or differences of two.
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
/// Marks a place that a block does not share, with residues; in words those behind the others are.
pub(crate) const FAR: u32 = 1 << 30;
/// The bits of the first word that are the opcode.
const OPCODE: u32 = BARRIER - 1;
/// Marks the last record of a bundle in each lane.
const BARRIER: u32 = 1 << 5;
/// Where the signs of both factors of a product lie: a bit for a second element, and one for a minus.
const SIGNS: [u32; 2] = [6, 8];
/// Marks a square.
const SQUARE: u32 = 1 << 10;
/// Where d lies; bit 31 says that it is among the constants, as in every operand.
const FOURTH: u32 = 11;

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
    /// Of a product: the signs of its factors and its fourth operand, in bits 6 to 31.
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
    /// Does nothing.
    pub(crate) const NOP: Record = Record::new(Opcode::Nop, 0, 0, 0);

    /// One that is no product.
    pub(crate) const fn new(opcode: Opcode, c: i32, a: u32, b: u32) -> Record {
        Record { opcode, barrier: false, c, a, b, terms: 0 }
    }

    /// A += f·g; `None` if the fourth operand is beyond what its bits reach, word 2^20.
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

    /// The factors of a product.
    pub(crate) fn factors(&self) -> [Factor<u32>; 2] {
        let d = self.terms & CONSTANT | (self.terms & !CONSTANT) >> FOURTH;
        let factor = |first, second, at| Factor { first, second: sign(self.terms, at).map(|sign| (sign, second)) };
        let f = factor(self.a, self.c as u32, SIGNS[0]);
        [f, if self.is_square() { f } else { factor(self.b, d, SIGNS[1]) }]
    }

    /// Whether both factors of a product are one, which is read once.
    pub(crate) fn is_square(&self) -> bool {
        self.terms & SQUARE != 0
    }

    /// As four words, the lowest byte first in each: the opcode with the barrier in bit 5 and the terms, c, a, b.
    pub fn to_bytes(self) -> [u8; 16] {
        let opcode = self.opcode as u32 | if self.barrier { BARRIER } else { 0 } | self.terms;
        let mut bytes = [0; 16];
        for (four, word) in bytes.chunks_exact_mut(4).zip([opcode, self.c as u32, self.a, self.b]) {
            four.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The reverse; `None` if the first word is none of an opcode.
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

    /// Every pair of factors is found again in its record, the one with a second element first; a square has one of them.
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

    /// The fourth operand reaches 2^20 words; every other one may lie anywhere.
    #[test]
    fn a_fourth_operand_out_of_reach_has_no_record() {
        let sum = |first, second| Factor { first, second: Some((Sign::Plus, second)) };
        let far = 1 << 20;
        assert_eq!(Record::product([sum(far, far), sum(1, far)]), None);
        assert!(Record::product([sum(far, far), sum(far, far - 1)]).is_some());
        assert!(Record::product([1.into(), sum(1, far)]).is_some());
    }
}
