//! From a program to its encodings, and from lines to records.
//!
//! The terms of a sum stand in phases, so that the lanes of a bundle do the same at a time: with k the coefficient other than ±1 that
//! products may have,
//!
//! A = −Σ_(−k); A += Σ_k; A = −kA; A += Σ_(−1); A = −A; A += Σ_1; then forms, elements and what keeps the result,
//!
//! where Σ_c are the products with the coefficient c. A step of a phase that a lane has no record for does nothing in it.

use crate::EncodeError;
use crate::draft::Draft;
use crate::encoding::{Encoding, Stage};
use crate::form::{Form, Limits};
use crate::fuse::{Line, Work};
use crate::modulus::Modulus;
use crate::record::{CONSTANT, Opcode, Record};
use crate::residues::Residues;
use crate::stages::{Part, Sizes};
use bilinear_field::Kind;
use bilinear_program::{Program, Ref};
use std::collections::HashMap;

/// The phases of an operation.
const PHASES: usize = 11;

impl Encoding {
    /// The program for `width` threads a pairing: 1, 4 or 8; 1 alone for threads that split each number, of which all execute it.
    ///
    /// # Errors
    /// If there is no kernel for its field or for so many threads, or a sum of the program leaves its range.
    pub fn new(program: &Program, width: usize) -> Result<Self, EncodeError> {
        Encoder::new(program, None).encoding(width, None)
    }

    /// The program for groups of `width` threads, 4 or 8, whose block has so many `words` for the values of each; the others lie far, in the memory of the device.
    ///
    /// # Errors
    /// As [`Encoding::new`].
    pub fn in_groups(program: &Program, width: usize, words: u32) -> Result<Self, EncodeError> {
        if width == 1 {
            return Err(EncodeError::Width { width });
        }
        Encoder::new(program, None).encoding(width, Some(words))
    }

    /// The program in residues modulo small numbers, whose values share some words of a block's memory with its other pairings: as many
    /// as are there for each.
    ///
    /// # Errors
    /// If there is no kernel for so many moduli, a sum of the program leaves its range, or it asks whether a residue is odd.
    pub fn in_residues(program: &Program, words: u32) -> Result<Self, EncodeError> {
        let none = EncodeError::Residues { bits: program.modulus().bits() };
        Encoder::new(program, Some(Residues::new(program.modulus()).ok_or(none)?)).encoding(1, Some(words))
    }
}

/// Encodings of one program in one arithmetic.
pub(crate) struct Encoder<'p> {
    program: &'p Program,
    residues: Option<Residues>,
    /// With sums as factors of products; with elements alone, where an operand would be out of reach.
    drafts: [Option<Draft>; 2],
}

impl<'p> Encoder<'p> {
    /// In words, or in these residues.
    pub(crate) fn new(program: &'p Program, residues: Option<Residues>) -> Self {
        Encoder { program, residues, drafts: [None, None] }
    }

    /// For so many threads a pairing, whose values have so many `words` near, if that is a limit.
    ///
    /// # Errors
    /// As [`Draft::new`]; if there is no kernel for so many threads.
    pub(crate) fn encoding(&mut self, width: usize, words: Option<u32>) -> Result<Encoding, EncodeError> {
        let is_split = Modulus::new(self.program.modulus())?.split() > 1;
        if ![1, 4, 8].contains(&width) || is_split && width > 1 {
            return Err(EncodeError::Width { width });
        }
        let limits = self.residues.as_ref().map_or(Limits::WORDS, |residues| Limits::residues(residues.bound()));
        for (draft, limits) in self.drafts.iter_mut().zip([limits, Limits::PLAIN]) {
            let draft = match draft {
                Some(draft) => draft,
                None => draft.insert(Draft::new(self.program, self.residues.clone(), limits)?),
            };
            if let Some(encoding) = draft.encoding(width, words) {
                return Ok(encoding);
            }
        }
        unreachable!("products of elements have two operands")
    }
}

/// The records of a stage; `None` if an operand is out of reach.
pub(crate) fn stage(part: &Part, bundles: &[Vec<usize>], of: Lines<'_>, width: usize) -> Option<Stage> {
    let mut records = vec![];
    for bundle in bundles {
        let lanes: Option<Vec<[Vec<Record>; PHASES]>> = bundle.iter().map(|i| of.records(&part.lines[*i])).collect();
        let lanes = lanes?;
        let from = records.len();
        for phase in 0..PHASES {
            let steps = lanes.iter().map(|lane| lane[phase].len()).max().unwrap_or(0);
            for step in 0..steps {
                let record = |lane: usize| lanes.get(lane).and_then(|lane| lane[phase].get(step)).copied();
                records.extend((0..width).map(|lane| record(lane).unwrap_or(Record::NOP)));
            }
        }
        debug_assert!(records.len() > from, "every operation has a record");
        records.iter_mut().rev().take(width).for_each(|record| record.barrier = true);
    }
    Some(Stage { records, inversions: part.inversions.clone() })
}

/// Where the values of a stage lie, and of what kind they are.
pub(crate) struct Lines<'s> {
    pub(crate) places: HashMap<u32, u32>,
    pub(crate) kinds: &'s [Kind],
    pub(crate) sizes: &'s Sizes,
}

impl Lines<'_> {
    fn operand(&self, x: Ref) -> u32 {
        match x.is_constant() {
            true => CONSTANT | (x.number() as u32 * self.sizes.elem),
            false => self.places[&(x.number() as u32)],
        }
    }

    /// The records of an operation by phase.
    fn records(&self, line: &Line) -> Option<[Vec<Record>; PHASES]> {
        let mut phases: [Vec<Record>; PHASES] = Default::default();
        let made = line.makes.map_or(0, |v| self.places[&v]);
        let size = |v: Option<u32>| v.map_or(0, |v| self.sizes.of(self.kinds[v as usize])) as i32;
        let x = |x: &Ref| self.operand(*x);
        let end = match &line.work {
            Work::Wide(form) | Work::Close(form) | Work::Sum(form) => {
                self.sum(form, &mut phases)?;
                let opcode = match &line.work {
                    Work::Wide(_) => Opcode::Wide,
                    Work::Close(_) => Opcode::Close,
                    _ => Opcode::Sum,
                };
                Record::new(opcode, 0, made, 0)
            }
            Work::Leave(a) => {
                phases[8].push(Record::new(Opcode::Low, 0, x(a), 0));
                Record::new(Opcode::Close, 0, made, 0)
            }
            Work::Odd(a) => {
                phases[8].push(Record::new(Opcode::Low, 0, x(a), 0));
                Record::new(Opcode::Odd, 0, made, 0)
            }
            Work::Select([mask, a, b]) => {
                phases[9].push(Record::new(Opcode::Select, x(mask) as i32, x(a), x(b)));
                Record::new(Opcode::High, 0, made, 0)
            }
            Work::Zero(a) => Record::new(Opcode::Zero, 0, made, x(a)),
            Work::And([a, b]) => Record::new(Opcode::And, x(b) as i32, made, x(a)),
            Work::Not(a) => Record::new(Opcode::Not, 0, made, x(a)),
            Work::Load(slot) => Record::new(Opcode::Load, size(line.makes), made, *slot),
            Work::Save(slot, a) => {
                let words = if a.is_constant() { self.sizes.elem as i32 } else { size(Some(a.number() as u32)) };
                Record::new(Opcode::Save, words, *slot, x(a))
            }
            Work::Residues(slot) => Record::new(Opcode::Residues, 0, made, *slot),
            Work::Words(slot, a) => Record::new(Opcode::Words, 0, *slot, x(a)),
            Work::Invert(_) => unreachable!("an inversion ends its stage"),
        };
        phases[10].push(end);
        Some(phases)
    }

    /// The terms of a sum.
    fn sum(&self, form: &Form, phases: &mut [Vec<Record>; PHASES]) -> Option<()> {
        let of = |k: i32| {
            let products = form.products.iter().filter(move |(c, ..)| *c == k);
            products
                .map(|(_, a, b)| Record::product([a, b].map(|factor| factor.map(|x| self.operand(x)))))
                .collect::<Option<Vec<_>>>()
        };
        let scale = |c: i32| vec![Record::new(Opcode::Scale, c, 0, 0)];
        let k = form.products.iter().map(|(c, ..)| c.abs()).max().unwrap_or(1);
        if k != 1 {
            phases[0] = of(-k)?;
            phases[1] = if phases[0].is_empty() { vec![] } else { scale(-1) };
            phases[2] = of(k)?;
        }
        phases[4] = of(-1)?;
        let negated = !phases[4].is_empty();
        if k != 1 {
            phases[3] = scale(if negated { -k } else { k });
        }
        phases[5] = if negated { scale(-1) } else { vec![] };
        phases[6] = of(1)?;
        let terms = |opcode, terms: &[(i32, Ref)]| {
            terms.iter().map(|(c, x)| Record::new(opcode, *c, self.operand(*x), 0)).collect::<Vec<_>>()
        };
        phases[7] = terms(Opcode::Form, &form.wides);
        phases[8] = terms(Opcode::Element, &form.elements);
        Some(())
    }
}
