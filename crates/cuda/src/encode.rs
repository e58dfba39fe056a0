//! From a program to its encoding.
//!
//! The terms of a sum stand in phases, so that the lanes of a bundle do the same at a time: with k the coefficient other than ±1 that
//! products may have,
//!
//! A = −Σ_(−k); A += Σ_k; A = −kA; A += Σ_(−1); A = −A; A += Σ_1; then forms, elements and what keeps the result,
//!
//! where Σ_c are the products with the coefficient c. A step of a phase that a lane has no record for does nothing in it.

use crate::EncodeError;
use crate::encoding::{Encoding, Stage};
use crate::form::Form;
use crate::fuse::{Line, Work, fused};
use crate::modulus::Modulus;
use crate::record::{CONSTANT, Opcode, Record};
use crate::stages::{Part, cut, size};
use crate::{order, places};
use bilinear_field::Kind;
use bilinear_program::schedule::Schedule;
use bilinear_program::{Input, Program, Ref};
use num_bigint::BigUint;
use std::collections::HashMap;

/// The phases of an operation.
const PHASES: usize = 11;

impl Encoding {
    /// The program for `width` threads a pairing: 1, 4 or 8.
    ///
    /// # Errors
    /// If there is no kernel for its field or for so many threads, or a sum of the program leaves its range.
    pub fn new(program: &Program, width: usize) -> Result<Self, EncodeError> {
        if ![1, 4, 8].contains(&width) {
            return Err(EncodeError::Width { width });
        }
        let modulus = Modulus::new(program.modulus())?;
        let schedule = Schedule::new(program, 1, 0);
        let lines = fused(&schedule)?;

        let montgomery = |x: &BigUint| modulus.to_montgomery(x);
        let mut constants: Vec<BigUint> = schedule.constants().iter().map(montgomery).collect();
        let square = Ref::constant(constants.len());
        constants.push(montgomery(&montgomery(&BigUint::from(1u32))));
        let uniforms = constants.len();
        let shared = schedule.inputs().iter().filter(|input| matches!(input, Input::Uniform { .. }));
        constants.extend(shared.map(|_| BigUint::ZERO));

        let parts = cut(&schedule, &lines, modulus.words(), uniforms, square);
        let staged: Vec<(Stage, u32)> =
            parts.parts.iter().map(|part| stage(part, &parts.kinds, modulus.words(), width)).collect();
        let places = staged.iter().map(|(_, places)| *places).max().unwrap_or(0);
        Ok(Encoding {
            width,
            stages: staged.into_iter().map(|(stage, _)| stage).collect(),
            constants,
            inputs: parts.inputs,
            outputs: parts.outputs,
            slots: parts.slots,
            places,
            modulus,
        })
    }
}

/// The records of a stage, and the words of its memory.
fn stage(part: &Part, kinds: &[Kind], words: usize, width: usize) -> (Stage, u32) {
    let bundles = order::bundles(&part.lines, width);
    let (places, total) = places::assign(&part.lines, &bundles, kinds, words, width);
    let of = Lines { places, kinds, words };
    let mut records = vec![];
    for bundle in &bundles {
        let lanes: Vec<[Vec<Record>; PHASES]> = bundle.iter().map(|i| of.records(&part.lines[*i])).collect();
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
    (Stage { records, inversions: part.inversions.clone() }, total)
}

struct Lines<'s> {
    places: HashMap<u32, u32>,
    kinds: &'s [Kind],
    words: usize,
}

impl Lines<'_> {
    fn operand(&self, x: Ref) -> u32 {
        match x.is_constant() {
            true => CONSTANT | (x.number() * self.words) as u32,
            false => self.places[&(x.number() as u32)],
        }
    }

    /// The records of an operation by phase.
    fn records(&self, line: &Line) -> [Vec<Record>; PHASES] {
        let mut phases: [Vec<Record>; PHASES] = Default::default();
        let made = line.makes.map_or(0, |v| self.places[&v]);
        let size = |v: Option<u32>| v.map_or(0, |v| size(self.kinds[v as usize], self.words)) as i32;
        let x = |x: &Ref| self.operand(*x);
        let record = |opcode, c, a, b| Record { opcode, barrier: false, c, a, b };
        let end = match &line.work {
            Work::Wide(form) | Work::Close(form) | Work::Sum(form) => {
                self.sum(form, &mut phases);
                let opcode = match &line.work {
                    Work::Wide(_) => Opcode::Wide,
                    Work::Close(_) => Opcode::Close,
                    _ => Opcode::Sum,
                };
                record(opcode, 0, made, 0)
            }
            Work::Leave(a) => {
                phases[8].push(record(Opcode::Low, 0, x(a), 0));
                record(Opcode::Close, 0, made, 0)
            }
            Work::Odd(a) => {
                phases[8].push(record(Opcode::Low, 0, x(a), 0));
                record(Opcode::Odd, 0, made, 0)
            }
            Work::Select([mask, a, b]) => {
                phases[9].push(record(Opcode::Select, x(mask) as i32, x(a), x(b)));
                record(Opcode::High, 0, made, 0)
            }
            Work::Zero(a) => record(Opcode::Zero, 0, made, x(a)),
            Work::And([a, b]) => record(Opcode::And, x(b) as i32, made, x(a)),
            Work::Not(a) => record(Opcode::Not, 0, made, x(a)),
            Work::Load(slot) => record(Opcode::Load, size(line.makes), made, *slot),
            Work::Save(slot, a) => {
                let words = if a.is_constant() { self.words as i32 } else { size(Some(a.number() as u32)) };
                record(Opcode::Save, words, *slot, x(a))
            }
            Work::Invert(_) => unreachable!("an inversion ends its stage"),
        };
        phases[10].push(end);
        phases
    }

    /// The terms of a sum.
    fn sum(&self, form: &Form, phases: &mut [Vec<Record>; PHASES]) {
        let record = |opcode, c, a, b| Record { opcode, barrier: false, c, a, b };
        let of = |k: i32| {
            let products = form.products.iter().filter(move |(c, ..)| *c == k);
            products.map(|(_, a, b)| record(Opcode::Product, 0, self.operand(*a), self.operand(*b))).collect()
        };
        let scale = |c: i32| vec![record(Opcode::Scale, c, 0, 0)];
        let k = form.products.iter().map(|(c, ..)| c.abs()).max().unwrap_or(1);
        if k != 1 {
            phases[0] = of(-k);
            phases[1] = if phases[0].is_empty() { vec![] } else { scale(-1) };
            phases[2] = of(k);
        }
        phases[4] = of(-1);
        let negated = !phases[4].is_empty();
        if k != 1 {
            phases[3] = scale(if negated { -k } else { k });
        }
        phases[5] = if negated { scale(-1) } else { vec![] };
        phases[6] = of(1);
        let terms = |opcode, terms: &[(i32, Ref)]| {
            terms.iter().map(|(c, x)| record(opcode, *c, self.operand(*x), 0)).collect::<Vec<_>>()
        };
        phases[7] = terms(Opcode::Form, &form.wides);
        phases[8] = terms(Opcode::Element, &form.elements);
    }
}
