//! The cost of an encoding on a device for one pairing: the model with which measured times are compared.
//!
//! With words, a product takes N² wide multiply-adds, a reduction N² + N, the estimate of a quotient N, and a
//! multiple by a coefficient other than ±1 one for each word of the value. Where T threads split a number, each
//! computes the N factors of a reduction and has a carry beside its words, and multiples by ±1 cost the same as
//! others. With n moduli in each base, a product takes 2n and a reduction 29n: folding the sum (5 for each residue of
//! both bases), ξ and ξ' (4 each), S in B' (7) and in B (4). The base extensions of a reduction are 2·2Q·K products
//! of 16 × 8 × 32 numbers of 8 bits for 16 pairings, Q = ⌈n/4⌉, including those for rows that do not exist.
//!
//! An instruction of one thread of a group is issued for all of its warp, so that the other threads wait.
//! Inversions are in words, and count with the share that a pairing has in a large launch.

use crate::code::SHARING;
use crate::encoding::Encoding;
use crate::factor::Factor;
use crate::record::{CONSTANT, Opcode, Record};
use crate::residues::PAIRINGS;
use std::ops::{AddAssign, Div};

/// The cost of one pairing: operations and words moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Products of words with a sum of 64 bits.
    pub multiply_adds: u64,
    /// Multiply-adds that threads of a group could have done while they waited for another thread: a multiprocessor
    /// issues them for all threads or for none.
    pub waited: u64,
    /// Products of numbers of 8 bits, with their sums.
    pub digits: u64,
    /// Words read from the memory that a block shares, and written there.
    pub shared: u64,
    /// Words read from the memory of the device, and written there, without constants and records, which are the
    /// same for all pairings.
    pub memory: u64,
    /// Words that warps read from the second-level cache: records, and matrices for which there are no registers.
    pub cached: u64,
    /// The number of reductions.
    pub reductions: u64,
}

impl Cost {
    /// Returns every part with its name.
    pub fn parts(&self) -> [(&'static str, u64); 7] {
        let Cost { multiply_adds, waited, digits, shared, memory, cached, reductions } = *self;
        [
            ("multiply_adds", multiply_adds),
            ("waited", waited),
            ("digits", digits),
            ("shared", shared),
            ("memory", memory),
            ("cached", cached),
            ("reductions", reductions),
        ]
    }

    fn of_parts(of: impl Fn(usize) -> u64) -> Cost {
        let [multiply_adds, waited, digits, shared, memory, cached, reductions] = std::array::from_fn(of);
        Cost { multiply_adds, waited, digits, shared, memory, cached, reductions }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        let (own, other) = (self.parts(), other.parts());
        *self = Cost::of_parts(|i| own[i].1 + other[i].1);
    }
}

/// Divides every part of a cost by a count.
impl Div<u64> for Cost {
    type Output = Cost;

    fn div(self, count: u64) -> Cost {
        let own = self.parts();
        Cost::of_parts(|i| own[i].1 / count)
    }
}

impl Encoding {
    /// Returns the cost of the stages for one pairing, and of its share of inversions, which pairings have in common.
    pub fn cost(&self) -> Cost {
        let mut all = Cost::default();
        let steps = self.stages.iter().flat_map(|stage| stage.records.chunks(self.width));
        for step in steps.clone() {
            let each = step.iter().map(|record| self.arithmetic(record).multiply_adds);
            all.waited += self.width as u64 * each.clone().max().unwrap_or(0) - each.sum::<u64>();
        }
        // a record has four words, and each warp of 32 threads reads it once
        all.cached = steps.map(|step| 4 * step.len() as u64).sum::<u64>() * self.threads() / 32;
        for record in self.stages.iter().flat_map(|stage| &stage.records) {
            all += self.arithmetic(record);
            for (at, words) in self.operands(record) {
                let is_alone = self.residues.is_none() && self.width == 1;
                match (at & CONSTANT != 0, is_alone || self.far_place(at).is_some()) {
                    (true, _) => {}
                    (false, true) => all.memory += words,
                    (false, false) => all.shared += words,
                }
            }
            // the words of the slots
            all.memory += match record.opcode {
                Opcode::Load | Opcode::Save => u64::from(record.c.unsigned_abs()),
                Opcode::Residues | Opcode::Words => u64::from(self.sizes.residue),
                _ => 0,
            };
        }
        let inversions: usize = self.stages.iter().map(|stage| stage.inversions.len()).sum();
        all.multiply_adds += inversions as u64 * self.inversion();
        all
    }

    /// Returns the multiply-adds of an inversion in words for one of the pairings that share a power. The power
    /// takes a square for each bit of p and a product for every other bit.
    fn inversion(&self) -> u64 {
        let (n, bits) = (self.modulus.words() as u64, self.modulus.p().bits());
        (3 * SHARING as u64 + bits + bits / 2) * (2 * n * n + 2 * n) / SHARING as u64
    }

    /// Returns the number of threads that a pairing takes; in residues its share of a block.
    fn threads(&self) -> u64 {
        match &self.residues {
            Some(residues) => 32 * residues.kernel() as u64 / PAIRINGS as u64,
            None => (self.width * self.modulus.split()) as u64,
        }
    }

    /// Returns the operands and the result of a record in the memory of a stage, with their sizes in words.
    fn operands(&self, record: &Record) -> Vec<(u32, u64)> {
        let (elem, wide) = (u64::from(self.sizes.elem), u64::from(self.sizes.wide));
        let Record { opcode, c, a, b, .. } = *record;
        match opcode {
            Opcode::Nop | Opcode::Scale => vec![],
            Opcode::Product => {
                let read = record.factors().into_iter().take(if record.is_square() { 1 } else { 2 });
                read.flat_map(Factor::reads).map(|x| (x, elem)).collect()
            }
            Opcode::Form | Opcode::Wide => vec![(a, wide)],
            Opcode::Element | Opcode::Low | Opcode::Close | Opcode::Sum | Opcode::High => vec![(a, elem)],
            Opcode::Select => vec![(a, elem), (b, elem), (c as u32, 1)],
            Opcode::Odd => vec![(a, 1)],
            Opcode::Zero => vec![(a, 1), (b, elem)],
            Opcode::And => vec![(a, 1), (b, 1), (c as u32, 1)],
            Opcode::Not => vec![(a, 1), (b, 1)],
            Opcode::Load => vec![(a, c.unsigned_abs().into())],
            Opcode::Save => vec![(b, c.unsigned_abs().into())],
            Opcode::Residues => vec![(a, elem)],
            Opcode::Words => vec![(b, elem)],
        }
    }

    fn arithmetic(&self, record: &Record) -> Cost {
        let scaled = record.c.unsigned_abs() != 1;
        match &self.residues {
            Some(residues) => {
                let (n, quads, k) = (residues.moduli() as u64, residues.words() as u64 / 8, residues.kernel() as u64);
                let reduction = |extensions: u64| Cost {
                    multiply_adds: 29 * n,
                    digits: extensions * 2 * quads * k * 8 * 32,
                    // ξ is written by lanes, and read by all warps
                    shared: extensions * (4 * quads + k * 8 * k),
                    // two products for each quad, of which a lane has 2K words
                    cached: if residues.keeps_matrices() {
                        0
                    } else {
                        extensions * 2 * quads * 2 * k * 32 / PAIRINGS as u64
                    },
                    reductions: 1,
                    ..Cost::default()
                };
                match record.opcode {
                    Opcode::Product => Cost { multiply_adds: 2 * n, ..Cost::default() },
                    Opcode::Form | Opcode::Element if scaled => Cost { multiply_adds: 2 * n, ..Cost::default() },
                    Opcode::Scale => Cost { multiply_adds: 12 * n, ..Cost::default() },
                    Opcode::Wide | Opcode::Sum | Opcode::High => Cost { multiply_adds: 10 * n, ..Cost::default() },
                    Opcode::Close => reduction(2),
                    Opcode::Zero => reduction(1),
                    Opcode::Residues => Cost { multiply_adds: 6 * n * self.modulus.words() as u64, ..Cost::default() },
                    Opcode::Words => Cost { multiply_adds: 2 * n * self.modulus.words() as u64, ..Cost::default() },
                    _ => Cost::default(),
                }
            }
            None => {
                let (n, threads) = (self.modulus.words() as u64, self.modulus.split() as u64);
                let is_split = threads > 1;
                let estimate = if is_split { n + threads } else { n };
                let of = |multiply_adds| Cost { multiply_adds, ..Cost::default() };
                match record.opcode {
                    Opcode::Product => of(n * n),
                    Opcode::Form | Opcode::Scale if is_split => of(2 * (n + threads)),
                    Opcode::Form | Opcode::Scale if scaled => of(2 * n + 1),
                    Opcode::Element if is_split || scaled => of(n + threads),
                    Opcode::Close | Opcode::Odd => Cost { reductions: 1, ..of(n * n + threads * n + estimate) },
                    Opcode::Sum => of(estimate),
                    _ => Cost::default(),
                }
            }
        }
    }
}
