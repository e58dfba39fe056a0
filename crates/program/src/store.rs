//! Residues by numbers, one of one lane each, that lanes of a batch take and leave: a table of points to which host code adds.
//!
//! A machine whose values are an engine's keeps them in that form, closed, so that nothing is converted between two runs. Others keep
//! words below p, which a batch hands to them as its own.

use num_bigint::BigUint;
use std::any::Any;
use std::ops::Range;

/// The number of a residue that nobody wants.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Residues of one machine.
pub struct Store {
    len: usize,
    modulus: BigUint,
    form: Form,
}

enum Form {
    /// In the machine's own form.
    Own(Box<dyn Any + Send + Sync>),
    /// As words below p, so many each.
    Words(Vec<u64>, usize),
}

impl Store {
    /// So many residues modulo p in a form of the machine's own.
    pub(crate) fn own(len: usize, p: &BigUint, residues: Box<dyn Any + Send + Sync>) -> Self {
        Store { len, modulus: p.clone(), form: Form::Own(residues) }
    }

    /// So many residues modulo p as words, all 0.
    pub(crate) fn of_words(len: usize, p: &BigUint) -> Self {
        let words = p.bits().div_ceil(64) as usize;
        Store { len, modulus: p.clone(), form: Form::Words(vec![0; len * words], words) }
    }

    /// p.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What the machine keeps, if it is of this type.
    pub(crate) fn form<T: Any>(&self) -> Option<&T> {
        match &self.form {
            Form::Own(residues) => residues.downcast_ref(),
            Form::Words(..) => None,
        }
    }

    /// The same, to change.
    pub(crate) fn form_mut<T: Any>(&mut self) -> Option<&mut T> {
        match &mut self.form {
            Form::Own(residues) => residues.downcast_mut(),
            Form::Words(..) => None,
        }
    }

    /// Whether residues are words.
    pub(crate) fn has_words(&self) -> bool {
        matches!(self.form, Form::Words(..))
    }

    /// The words of a residue, where they are words.
    pub(crate) fn words(&self, number: u32) -> &[u64] {
        match &self.form {
            Form::Own(_) => &[],
            Form::Words(all, words) => &all[place(number, *words)],
        }
    }

    /// The same, to change.
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
