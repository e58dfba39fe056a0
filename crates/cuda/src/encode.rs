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
use crate::form::{Form, Limits};
use crate::fuse::{Line, Work, fused};
use crate::modulus::Modulus;
use crate::order;
use crate::places::{self, Places};
use crate::record::{CONSTANT, FAR, Opcode, Record};
use crate::residues::Residues;
use crate::stages::{Conversions, Part, Sizes, cut};
use bilinear_field::{Code, Kind};
use bilinear_program::schedule::Schedule;
use bilinear_program::{Input, Op, Program, Ref};
use num_bigint::BigUint;
use std::collections::HashMap;

/// The phases of an operation.
const PHASES: usize = 11;

impl Encoding {
    /// The program for `width` threads a pairing: 1, 4 or 8; 1 alone for threads that split each number, of which all execute it.
    ///
    /// # Errors
    /// If there is no kernel for its field or for so many threads, or a sum of the program leaves its range.
    pub fn new(program: &Program, width: usize) -> Result<Self, EncodeError> {
        let is_split = Modulus::new(program.modulus())?.split() > 1;
        if ![1, 4, 8].contains(&width) || is_split && width > 1 {
            return Err(EncodeError::Width { width });
        }
        Encoding::with(program, width, None, None)
    }

    /// The program for groups of `width` threads, 4 or 8, whose block has `room` words for the values of each; the others lie far, in the memory of the device.
    ///
    /// # Errors
    /// As [`Encoding::new`].
    pub fn in_groups(program: &Program, width: usize, room: u32) -> Result<Self, EncodeError> {
        if ![4, 8].contains(&width) || Modulus::new(program.modulus())?.split() > 1 {
            return Err(EncodeError::Width { width });
        }
        Encoding::with(program, width, None, Some(room))
    }

    /// The program in residues modulo small numbers, whose values share some words of a block's memory with its other pairings: as many
    /// as are there for each.
    ///
    /// # Errors
    /// If there is no kernel for so many moduli, a sum of the program leaves its range, or it asks whether a residue is odd.
    pub fn in_residues(program: &Program, room: u32) -> Result<Self, EncodeError> {
        let none = EncodeError::Residues { bits: program.modulus().bits() };
        Encoding::with(program, 1, Some(Residues::new(program.modulus()).ok_or(none)?), Some(room))
    }

    fn with(
        program: &Program,
        width: usize,
        residues: Option<Residues>,
        room: Option<u32>,
    ) -> Result<Self, EncodeError> {
        let limits = residues.as_ref().map_or(Limits::WORDS, |residues| Limits::residues(residues.bound()));
        let made = match Encoding::within(program, width, residues.clone(), room, limits)? {
            // a fourth operand is out of reach
            None => Encoding::within(program, width, residues, room, Limits::PLAIN)?,
            made => made,
        };
        Ok(made.unwrap_or_else(|| unreachable!("products of elements have two operands")))
    }

    /// `None` if an operand of a product is beyond what its record can say.
    fn within(
        program: &Program,
        width: usize,
        residues: Option<Residues>,
        room: Option<u32>,
        limits: Limits,
    ) -> Result<Option<Self>, EncodeError> {
        let modulus = Modulus::new(program.modulus())?;
        let sizes = sizes(&modulus, residues.as_ref());
        let schedule = Schedule::new(program, 1, 0);
        let odd = |op: &Op| op.code == Code::IsOdd && residues.is_some();
        if let Some(operation) = schedule.routine().ops.iter().position(odd) {
            return Err(EncodeError::Odd { operation });
        }
        let mut lines = fused(&schedule, &limits)?;

        let montgomery = |x: &BigUint| match &residues {
            Some(residues) => residues.to_montgomery(x),
            None => modulus.to_montgomery(x),
        };
        let mut constants: Vec<BigUint> = schedule.constants().iter().map(montgomery).collect();
        let mut constant = |x: BigUint| {
            constants.push(x);
            Ref::constant(constants.len() - 1)
        };
        let one = BigUint::from(1u32);
        let square = constant(montgomery(&montgomery(&one)));
        let words = residues.as_ref().map(|_| {
            let to_words = montgomery(&modulus.to_montgomery(&one));
            [constant(to_words), constant(montgomery(&montgomery(&modulus.from_montgomery(&one))))]
        });
        if limits.multiplies {
            let mut multiples = HashMap::new();
            let mut multiple = |c: i32| {
                let of = |c: i32| montgomery(&(BigUint::from(c.unsigned_abs()) % modulus.p()));
                let value = || if c < 0 { modulus.p() - of(c) } else { of(c) };
                *multiples.entry(c).or_insert_with(|| constant(value()))
            };
            lines.iter_mut().for_each(|line| multiply(line, &mut multiple));
        }
        let uniforms = constants.len();
        let shared = schedule.inputs().iter().filter(|input| matches!(input, Input::Uniform { .. }));
        constants.extend(shared.map(|_| BigUint::ZERO));

        let parts = cut(&schedule, &lines, sizes, Conversions { uniforms, square, words });
        let placed: Vec<(Vec<Vec<usize>>, Places)> = parts
            .parts
            .iter()
            .map(|part| {
                let bundles = order::bundles(&part.lines, width);
                let places = places::assign(&part.lines, &bundles, &parts.kinds, &sizes, width, room);
                (bundles, places)
            })
            .collect();
        let most = |of: fn(&Places) -> u32| placed.iter().map(|(_, places)| of(places)).max().unwrap_or(0);
        let [places, far] = [most(|places| places.near), most(|places| places.far)];
        let staged = parts.parts.iter().zip(placed).map(|(part, (bundles, mut own))| {
            if residues.is_none() {
                own.of
                    .values_mut()
                    .filter(|place| **place & FAR != 0)
                    .for_each(|place| *place = (*place ^ FAR) + places);
            }
            stage(part, &bundles, Lines { places: own.of, kinds: &parts.kinds, sizes: &sizes }, width)
        });
        let staged: Option<Vec<Stage>> = staged.collect();
        let Some(stages) = staged else { return Ok(None) };
        Ok(Some(Encoding {
            width,
            stages,
            far,
            constants,
            inputs: parts.inputs,
            outputs: parts.outputs,
            slots: parts.slots,
            places,
            sizes,
            limits,
            residues,
            modulus,
        }))
    }
}

fn sizes(modulus: &Modulus, residues: Option<&Residues>) -> Sizes {
    let words = modulus.words() as u32;
    let [elem, wide] = residues.map_or([words, 2 * words + 1], |residues| [residues.words() as u32; 2]);
    Sizes { residue: words, elem, wide }
}

/// Elements in a sum of products become products with multiples of A: c·x·A.
fn multiply(line: &mut Line, multiple: &mut impl FnMut(i32) -> Ref) {
    if let Work::Close(form) = &mut line.work {
        let products = form.elements.drain(..).map(|(c, x)| (1, x.into(), multiple(c).into()));
        form.products.extend(products);
    }
}

/// The records of a stage; `None` if an operand is out of reach.
fn stage(part: &Part, bundles: &[Vec<usize>], of: Lines<'_>, width: usize) -> Option<Stage> {
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

struct Lines<'s> {
    places: HashMap<u32, u32>,
    kinds: &'s [Kind],
    sizes: &'s Sizes,
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
