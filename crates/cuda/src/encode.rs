//! Turns a program into its encodings, and lines into records.
//!
//! The terms of a sum are ordered by phases, so that the lanes of a bundle do the same thing at a time. With k the
//! only coefficient other than ±1 that products may have, the phases are
//!
//! A = −Σ_(−k); A += Σ_k; A = −kA; A += Σ_(−1); A = −A; A += Σ_1; then forms, elements, and the record that keeps
//! the result,
//!
//! where Σ_c are the products with the coefficient c. A lane that has no record for a step of a phase does nothing
//! in that step.

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

/// The number of phases of an operation.
const PHASES: usize = 11;

impl Encoding {
    /// Encodes a program for `width` threads per pairing: 1, 4 or 8. Where threads split each number, only 1 is
    /// possible, and all of these threads execute the records.
    ///
    /// # Errors
    /// Returns an error if there is no kernel for the program's field or for the number of threads, or if a sum of
    /// the program leaves its range.
    pub fn new(program: &Program, width: usize) -> Result<Self, EncodeError> {
        Encoder::new(program, None).encoding(width, None)
    }

    /// Encodes a program for groups of `width` threads, 4 or 8. A block has `words` words for the values of each
    /// group; the other values lie far, in the memory of the device.
    ///
    /// # Errors
    /// Returns the errors of [`Encoding::new`].
    pub fn in_groups(program: &Program, width: usize, words: u32) -> Result<Self, EncodeError> {
        if width == 1 {
            return Err(EncodeError::Width { width });
        }
        Encoder::new(program, None).encoding(width, Some(words))
    }

    /// Encodes a program in residues modulo small numbers. The memory of a block, which its pairings share, has
    /// `words` words for the values of each pairing.
    ///
    /// # Errors
    /// Returns an error if there is no kernel for the number of moduli, if a sum of the program leaves its range,
    /// or if the program asks whether a residue is odd.
    pub fn in_residues(program: &Program, words: u32) -> Result<Self, EncodeError> {
        let none = EncodeError::Residues { bits: program.modulus().bits() };
        Encoder::new(program, Some(Residues::new(program.modulus()).ok_or(none)?)).encoding(1, Some(words))
    }
}

/// An encoder, which makes the encodings of one program in one arithmetic.
pub(crate) struct Encoder<'p> {
    program: &'p Program,
    residues: Option<Residues>,
    /// The draft with sums as factors of products, and the one with elements alone for programs in which an operand
    /// would be out of reach.
    drafts: [Option<Draft>; 2],
}

impl<'p> Encoder<'p> {
    /// Creates an encoder that encodes in words, or in these residues.
    pub(crate) fn new(program: &'p Program, residues: Option<Residues>) -> Self {
        Encoder { program, residues, drafts: [None, None] }
    }

    /// Encodes the program for `width` threads per pairing, with at most `words` words of its values near, if there
    /// is such a limit.
    ///
    /// # Errors
    /// Returns the errors of [`Draft::new`], and an error if there is no kernel for the number of threads.
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

/// Returns the records of a stage, or `None` if an operand is out of reach.
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

/// The places of the values of a stage, their kinds, and the sizes of kinds.
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

    /// Returns the records of an operation by phase, or `None` if an operand is out of reach.
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

    /// Writes the records of the terms of a sum into their phases; `None` if an operand is out of reach.
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
