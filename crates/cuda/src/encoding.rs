//! An encoded program: stages of records, the slots of a pairing, constants.

use crate::form::Limits;
use crate::modulus::Modulus;
use crate::record::{FAR, Record};
use crate::residues::Residues;
use crate::stages::Sizes;
use num_bigint::BigUint;

/// A stage: records that run without an inversion in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The records step by step, in each step one for each lane.
    pub records: Vec<Record>,
    /// The inversions that follow the records, one after the other.
    pub inversions: Vec<Inversion>,
}

/// An inversion: 1/x for every pairing of a batch, and 0 for 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inversion {
    /// The slot of x.
    pub from: u32,
    /// The slot of the result, which differs from that of x.
    pub to: u32,
}

/// The location of an input or an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A residue below p of each pairing: the N words from this one on.
    Elem(u32),
    /// A truth value of each pairing: a word that is 0 or 2^32 − 1.
    Mask(u32),
    /// A residue that all pairings share: the constant of this number.
    Constant(u32),
}

/// The value of an input or an output, for one pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Port {
    /// A residue below p.
    Elem(BigUint),
    /// A truth value.
    Mask(bool),
}

/// A program for the kernels.
///
/// Word j of the slot s of pairing g of G lies at (s + j)·G + g of the batch's memory. Word j of the place q of a
/// stage's memory lies in the same way at (q + j)·G + g, where G counts the pairings that share the memory: all
/// pairings with one thread per pairing, those of a block with groups or residues. With groups or residues some
/// places are far, in the memory of the device: with groups those from [`Encoding::places`] on, with residues those
/// that records mark.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub(crate) modulus: Modulus,
    pub(crate) width: usize,
    pub(crate) stages: Vec<Stage>,
    pub(crate) constants: Vec<BigUint>,
    pub(crate) inputs: Vec<Slot>,
    pub(crate) outputs: Vec<Slot>,
    pub(crate) slots: u32,
    pub(crate) places: u32,
    pub(crate) far: u32,
    pub(crate) sizes: Sizes,
    pub(crate) limits: Limits,
    pub(crate) residues: Option<Residues>,
}

/// Returns x in Montgomery's form, as the words of an element.
pub(crate) fn element(modulus: &Modulus, residues: Option<&Residues>, x: &BigUint) -> Vec<u32> {
    match residues {
        Some(residues) => residues.to_words(&residues.to_montgomery(x)),
        None => modulus.to_words(&modulus.to_montgomery(x)),
    }
}

impl Encoding {
    /// The modulus p with the constants that the kernels take.
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// The moduli, if values are residues.
    pub fn residues(&self) -> Option<&Residues> {
        self.residues.as_ref()
    }

    /// Returns x in Montgomery's form, as the words of an element.
    pub fn element(&self, x: &BigUint) -> Vec<u32> {
        element(&self.modulus, self.residues.as_ref(), x)
    }

    /// The words of a constant.
    pub(crate) fn words_of(&self, constant: &BigUint) -> Vec<u32> {
        match &self.residues {
            Some(residues) => residues.to_words(constant),
            None => self.modulus.to_words(constant),
        }
    }

    /// The number of threads per pairing; 1 with residues, where all threads of a block compute all its pairings.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The stages, one after the other.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The stages, for replacing records as a test of [`check`](Encoding::check) does.
    pub fn stages_mut(&mut self) -> &mut [Stage] {
        &mut self.stages
    }

    /// The constants in Montgomery's form. Those that stand for inputs that all pairings share are 0 here.
    pub fn constants(&self) -> &[BigUint] {
        &self.constants
    }

    /// The constants, for setting inputs that all pairings share, in Montgomery's form.
    pub fn constants_mut(&mut self) -> &mut [BigUint] {
        &mut self.constants
    }

    /// The location of each input of the program.
    pub fn inputs(&self) -> &[Slot] {
        &self.inputs
    }

    /// The location of each output of the program.
    pub fn outputs(&self) -> &[Slot] {
        &self.outputs
    }

    /// The number of words of the slots of a pairing.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The number of words of a stage's memory for a pairing, without the far ones.
    pub fn places(&self) -> u32 {
        self.places
    }

    /// The number of far words of a stage's memory for a pairing, those that a block does not share.
    pub fn far(&self) -> u32 {
        self.far
    }

    /// Returns the place among the far ones, if `at`, which must not be a constant, is far.
    pub(crate) fn far_place(&self, at: u32) -> Option<u32> {
        match &self.residues {
            Some(_) => (at & FAR != 0).then_some(at ^ FAR),
            None => at.checked_sub(self.places),
        }
    }
}
