//! Residues of one lane each, kept by number, that lanes of a batch take and leave: for example a table of points to
//! which host code adds.
//!
//! A machine that computes with an engine's values keeps residues in the engine's form, closed, so that nothing is converted
//! between two runs. Other machines keep words below p, which a batch copies into its inputs and out of its outputs.

use num_bigint::BigUint;
use std::any::Any;
use std::ops::Range;

/// The number that no residue has. An output with this number is discarded.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A store of residues for one machine.
pub struct Store {
    len: usize,
    modulus: BigUint,
    form: Form,
}

enum Form {
    /// Residues in the machine's own form.
    Own(Box<dyn Any + Send + Sync>),
    /// Residues as words below p, and the number of words of each.
    Words(Vec<u64>, usize),
}

impl Store {
    /// Creates a store of `len` residues modulo p in a form of the machine's own.
    pub(crate) fn own(len: usize, p: &BigUint, residues: Box<dyn Any + Send + Sync>) -> Self {
        Store { len, modulus: p.clone(), form: Form::Own(residues) }
    }

    /// Creates a store of `len` residues modulo p as words, all 0.
    pub(crate) fn of_words(len: usize, p: &BigUint) -> Self {
        let words = p.bits().div_ceil(64) as usize;
        Store { len, modulus: p.clone(), form: Form::Words(vec![0; len * words], words) }
    }

    /// The modulus p.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// The number of residues.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the store has no residues.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the residues in the machine's own form, if they have type `T`.
    pub(crate) fn form<T: Any>(&self) -> Option<&T> {
        match &self.form {
            Form::Own(residues) => residues.downcast_ref(),
            Form::Words(..) => None,
        }
    }

    /// Returns the residues in the machine's own form for writing, if they have type `T`.
    pub(crate) fn form_mut<T: Any>(&mut self) -> Option<&mut T> {
        match &mut self.form {
            Form::Own(residues) => residues.downcast_mut(),
            Form::Words(..) => None,
        }
    }

    /// Returns true if the residues are kept as words.
    pub(crate) fn has_words(&self) -> bool {
        matches!(self.form, Form::Words(..))
    }

    /// The words of a residue; empty if residues are kept in the machine's own form.
    pub(crate) fn words(&self, number: u32) -> &[u64] {
        match &self.form {
            Form::Own(_) => &[],
            Form::Words(all, words) => &all[place(number, *words)],
        }
    }

    /// The words of a residue for writing; empty if residues are kept in the machine's own form.
    pub(crate) fn words_mut(&mut self, number: u32) -> &mut [u64] {
        match &mut self.form {
            Form::Own(_) => &mut [],
            Form::Words(all, words) => &mut all[place(number, *words)],
        }
    }
}

fn place(number: u32, words: usize) -> Range<usize> {
    number as usize * words..(number as usize + 1) * words
}
