//! The common part of all encodings of a program in one arithmetic: its operations as lines, in stages, and its
//! constants.
//!
//! A device chooses among up to nine encodings (`shape.rs`). Lines are made once for all of them, bundles once for
//! each number of threads, places and records for each encoding.

use crate::EncodeError;
use crate::encode::{Lines, stage};
use crate::encoding::{Encoding, Stage};
use crate::form::Limits;
use crate::fuse::{Line, Work, fused};
use crate::modulus::Modulus;
use crate::order;
use crate::places::{self, Places};
use crate::record::FAR;
use crate::residues::Residues;
use crate::stages::{Conversions, Parts, Sizes, cut};
use bilinear_field::Code;
use bilinear_program::schedule::Schedule;
use bilinear_program::{Input, Op, Program, Ref};
use num_bigint::BigUint;
use std::collections::HashMap;

/// The draft of a program in one arithmetic.
pub(crate) struct Draft {
    modulus: Modulus,
    residues: Option<Residues>,
    limits: Limits,
    sizes: Sizes,
    constants: Vec<BigUint>,
    parts: Parts,
    /// For each number of threads and each stage, the lines that are executed side by side, in their order.
    bundles: HashMap<usize, Vec<Vec<Vec<usize>>>>,
}

impl Draft {
    /// Creates the lines of a program. Their sums keep these limits.
    ///
    /// # Errors
    /// Returns an error if there is no kernel for the program's field, if a sum of the program leaves its range, or
    /// if a program in residues asks whether a residue is odd.
    pub(crate) fn new(program: &Program, residues: Option<Residues>, limits: Limits) -> Result<Self, EncodeError> {
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
        Ok(Draft { modulus, residues, limits, sizes, constants, parts, bundles: HashMap::new() })
    }

    /// Encodes the program for `width` threads per pairing, with at most `words` words of its values near, if there
    /// is such a limit. Returns `None` if an operand of a product is beyond the reach of its record.
    pub(crate) fn encoding(&mut self, width: usize, words: Option<u32>) -> Option<Encoding> {
        let Draft { modulus, residues, limits, sizes, constants, parts, bundles } = self;
        let Parts { parts, kinds, inputs, outputs, slots } = parts;
        let bundles = bundles
            .entry(width)
            .or_insert_with(|| parts.iter().map(|part| order::bundles(&part.lines, width)).collect());
        let staged = || parts.iter().zip(bundles.iter());
        let placed: Vec<Places> =
            staged().map(|(part, bundles)| places::assign(&part.lines, bundles, kinds, sizes, width, words)).collect();
        let most = |of: fn(&Places) -> u32| placed.iter().map(of).max().unwrap_or(0);
        let [places, far] = [most(|places| places.near), most(|places| places.far)];
        let stages = staged().zip(placed).map(|((part, bundles), mut own)| {
            if residues.is_none() {
                own.of
                    .values_mut()
                    .filter(|place| **place & FAR != 0)
                    .for_each(|place| *place = (*place ^ FAR) + places);
            }
            stage(part, bundles, Lines { places: own.of, kinds, sizes }, width)
        });
        let stages: Vec<Stage> = stages.collect::<Option<_>>()?;
        Some(Encoding {
            width,
            stages,
            far,
            constants: constants.clone(),
            inputs: inputs.clone(),
            outputs: outputs.clone(),
            slots: *slots,
            places,
            sizes: *sizes,
            limits: *limits,
            residues: residues.clone(),
            modulus: modulus.clone(),
        })
    }
}

fn sizes(modulus: &Modulus, residues: Option<&Residues>) -> Sizes {
    let words = modulus.words() as u32;
    let [elem, wide] = residues.map_or([words, 2 * words + 1], |residues| [residues.words() as u32; 2]);
    Sizes { residue: words, elem, wide }
}

/// Turns the elements in a sum of products into products with multiples of A: c·x·A.
fn multiply(line: &mut Line, multiple: &mut impl FnMut(i32) -> Ref) {
    if let Work::Close(form) = &mut line.work {
        let products = form.elements.drain(..).map(|(c, x)| (1, x.into(), multiple(c).into()));
        form.products.extend(products);
    }
}
