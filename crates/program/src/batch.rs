//! The inputs and outputs of a run over a batch: vectors of as many values as a machine has lanes.
//!
//! Elements are residues in [0, p), as little-endian words; truth values are bits, one per lane. Lanes that are not set are 0.

use crate::machine::Machine;
use crate::program::{Output, PortCounts, Program};
use crate::store::{NOWHERE, Store};
use bilinear_field::memcheck;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;
use zeroize::Zeroize;

/// The residues of a prepared argument, each the same in every lane, in the form of the machine that made them.
#[derive(Clone)]
pub struct Uniforms(pub(crate) Arc<dyn Any + Send + Sync>);

impl Uniforms {
    /// What a machine has prepared, in a type of its own.
    pub fn new(own: Arc<dyn Any + Send + Sync>) -> Self {
        Uniforms(own)
    }

    /// The residues, if they are in this type.
    pub fn of<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }

    /// Whether both are one argument: clones of each other.
    pub fn is(&self, other: &Uniforms) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The inputs and outputs of one run.
pub struct Batch {
    vectors: usize,
    lanes: usize,
    /// Words of a residue.
    words: usize,
    /// How many elements and masks go in and out of each vector.
    counts: PortCounts,
    pub(crate) elems_in: Vec<u64>,
    pub(crate) elems_out: Vec<u64>,
    /// One bit per lane.
    pub(crate) masks_in: Vec<u64>,
    pub(crate) masks_out: Vec<u64>,
    /// The prepared arguments of each vector, if the program takes any.
    pub(crate) streams: Vec<Vec<Uniforms>>,
    pub(crate) uniforms_out: Option<Uniforms>,
    is_secret: bool,
    stored: Option<Stored>,
}

/// A store that lanes take their elements from and leave others in.
struct Stored {
    store: Store,
    /// The number of the residue that each lane takes for each input, where elements come from the store.
    from: Option<Vec<u32>>,
    /// The number at which each lane leaves each output.
    to: Vec<u32>,
    /// Whether an output goes to the store.
    is_kept: Vec<bool>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        if self.is_secret {
            self.masks_in.zeroize();
        }
    }
}

/// Of each output among the elements, whether it goes to a store.
fn is_kept(program: &Program) -> impl Iterator<Item = bool> + '_ {
    let elements = program.outputs().iter().filter(|o| matches!(o, Output::Elem(_) | Output::Kept(_)));
    elements.map(|o| matches!(o, Output::Kept(_)))
}

const NO_STORE: &str = "a batch that has a store";

impl Batch {
    /// Places for the inputs and outputs of so many vectors, all 0.
    ///
    /// # Panics
    /// For 2^32 vectors or more.
    pub fn new(program: &Program, machine: &dyn Machine, vectors: usize) -> Self {
        Batch::with_words(program, machine, vectors, [true; 2])
    }

    /// The same, with words for elements that come in, and for those that go out, only where they are wanted.
    fn with_words(program: &Program, machine: &dyn Machine, vectors: usize, wanted: [bool; 2]) -> Self {
        // places are counted by as many bits: no product of both leaves 64
        assert!(u32::try_from(vectors).is_ok(), "{vectors} vectors in a batch");
        let counts = program.ports();
        let (lanes, words) = (machine.lanes(), machine.word_len());
        let of = |count: usize, wanted: bool| vec![0; if wanted { vectors * count * lanes * words } else { 0 }];
        Batch {
            vectors,
            lanes,
            words,
            counts,
            elems_in: of(counts.elems_in, wanted[0]),
            elems_out: of(counts.elems_out, wanted[1]),
            masks_in: vec![0; vectors * counts.masks_in],
            masks_out: vec![0; vectors * counts.masks_out],
            streams: vec![vec![]; if counts.streams > 0 { vectors } else { 0 }],
            uniforms_out: None,
            is_secret: false,
            stored: None,
        }
    }

    /// The same with a store in which lanes leave what goes out as [`Output::Kept`], and from which all elements come if `reads`.
    ///
    /// In one run no lane may take what another one leaves.
    pub fn on_store(program: &Program, machine: &dyn Machine, vectors: usize, store: Store, reads: bool) -> Self {
        let is_kept: Vec<bool> = is_kept(program).collect();
        // none for what stays in the machine's own form
        let words = [!reads, is_kept.contains(&false)].map(|wanted| wanted || store.has_words());
        let mut batch = Batch::with_words(program, machine, vectors, words);
        let PortCounts { elems_in, elems_out, .. } = batch.counts;
        let from = reads.then(|| vec![0; vectors * elems_in * batch.lanes]);
        let to = vec![NOWHERE; vectors * elems_out * batch.lanes];
        batch.stored = Some(Stored { store, from, to, is_kept });
        batch
    }

    /// A lane takes residues of the store from a number on for so many inputs among the elements, and no others. What it takes without
    /// that means nothing.
    ///
    /// # Panics
    /// If there is no such vector, input or lane, or the batch takes no elements from a store; when it runs, if there is no such residue.
    #[inline]
    pub fn take_from(&mut self, vector: usize, inputs: Range<usize>, lane: usize, first: u32) {
        let exist = vector < self.vectors && inputs.end <= self.counts.elems_in && lane < self.lanes;
        assert!(exist, "inputs of the program");
        let at = (vector * self.counts.elems_in + inputs.start) * self.lanes + lane;
        let from = self.stored.as_mut().and_then(|stored| stored.from.as_mut());
        let from = &mut from.unwrap_or_else(|| panic!("{NO_STORE}"))[at..];
        from.iter_mut().step_by(self.lanes).zip(first..).take(inputs.len()).for_each(|(from, number)| *from = number);
    }

    /// A lane leaves outputs among the elements, of those that are kept, as residues of the store from a number on.
    ///
    /// # Panics
    /// As [`Batch::take_from`], and for the number 2^32 − 1, which no residue has.
    #[inline]
    pub fn leave_at(&mut self, vector: usize, outputs: Range<usize>, lane: usize, first: u32) {
        let exist = vector < self.vectors && outputs.end <= self.counts.elems_out && lane < self.lanes;
        assert!(exist, "outputs of the program");
        assert!(u64::from(first) + outputs.len() as u64 <= NOWHERE.into(), "numbers of residues");
        let at = (vector * self.counts.elems_out + outputs.start) * self.lanes + lane;
        let stored = self.stored.as_mut().unwrap_or_else(|| panic!("{NO_STORE}"));
        assert!(stored.is_kept[outputs.clone()].iter().all(|kept| *kept), "outputs that are kept");
        let to = stored.to[at..].iter_mut().step_by(self.lanes);
        to.zip(first..).take(outputs.len()).for_each(|(to, number)| *to = number);
    }

    /// The store, when the batch has run.
    pub fn into_store(mut self) -> Option<Store> {
        self.stored.take().map(|stored| stored.store)
    }

    /// Where the elements of an input come from the store in the machine's own form: the store, and the number of each lane's.
    pub(crate) fn taken(&self, vector: usize, input: usize) -> Option<(&Store, &[u32])> {
        let Stored { store, from: Some(from), .. } = self.stored.as_ref()? else { return None };
        let at = (vector * self.counts.elems_in + input) * self.lanes;
        let numbers = from.get(at..at + self.lanes)?;
        (!store.has_words()).then_some((store, numbers))
    }

    /// Where an output goes to a store in the machine's own form: the store, and the number of each lane's.
    pub(crate) fn left(&mut self, vector: usize, output: usize) -> Option<(&mut Store, &[u32])> {
        let at = (vector * self.counts.elems_out + output) * self.lanes;
        let Stored { store, to, is_kept, .. } = self.stored.as_mut()?;
        (is_kept[output] && !store.has_words()).then(|| (store, &to[at..at + self.lanes]))
    }

    /// The same for secret masks: they, and all memory that a run uses, are wiped after it. Outputs are public.
    pub fn secret(mut self) -> Self {
        self.is_secret = true;
        self
    }

    /// Whether its masks are secret: a machine that runs it does so in constant time, and wipes what it used.
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// What every run of a machine that keeps words begins with: elements that a store has become inputs.
    ///
    /// # Panics
    /// If the store keeps another machine's own form.
    pub fn begin(&mut self) {
        let Some(Stored { store, from, .. }) = &self.stored else { return };
        assert!(store.has_words(), "a store of this machine");
        for (to, number) in self.elems_in.chunks_mut(self.words).zip(from.iter().flatten()) {
            to.copy_from_slice(store.words(*number));
        }
    }

    /// What every run ends with: secret inputs are wiped, and what they were for is public; a store of words has what it keeps.
    pub fn end(&mut self) {
        if let Some(Stored { store, to, .. }) = &mut self.stored
            && store.has_words()
        {
            for (from, number) in self.elems_out.chunks(self.words).zip(to).filter(|(_, number)| **number != NOWHERE) {
                store.words_mut(*number).copy_from_slice(from);
            }
        }
        if self.is_secret {
            self.masks_in.as_mut_slice().zeroize();
            memcheck::reveal_all(&mut self.elems_out);
            memcheck::reveal_all(&mut self.masks_out);
        }
    }

    /// How many vectors there are.
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// Lanes of a vector.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Words of a residue.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The words of an input among the elements, for one lane of one vector: a residue below p, the lowest word first.
    ///
    /// # Panics
    /// As all the following, if there is no such vector, input, output or lane.
    pub fn elem_mut(&mut self, vector: usize, input: usize, lane: usize) -> &mut [u64] {
        assert!(input < self.counts.elems_in && lane < self.lanes, "an input of the program");
        let at = ((vector * self.counts.elems_in + input) * self.lanes + lane) * self.words;
        &mut self.elems_in[at..at + self.words]
    }

    /// Sets an input among the elements to a residue below p of at most as many words as p has.
    pub fn set(&mut self, vector: usize, input: usize, lane: usize, residue: &[u64]) {
        let (words, rest) = self.elem_mut(vector, input, lane).split_at_mut(residue.len());
        words.copy_from_slice(residue);
        rest.fill(0);
    }

    /// Sets an input among the masks in one lane.
    pub fn set_mask(&mut self, vector: usize, input: usize, lane: usize, value: bool) {
        assert!(input < self.counts.masks_in && lane < self.lanes, "an input of the program");
        let mask = &mut self.masks_in[vector * self.counts.masks_in + input];
        *mask = *mask & !(1 << lane) | u64::from(value) << lane;
    }

    /// Sets the prepared arguments of a vector.
    pub fn set_streams(&mut self, vector: usize, streams: Vec<Uniforms>) {
        match self.streams.get_mut(vector) {
            Some(own) => *own = streams,
            // a program that takes none
            None => assert!(vector < self.vectors, "a vector of the batch"),
        }
    }

    /// The residue of an output among the elements in one lane, the lowest word first.
    pub fn get(&self, vector: usize, output: usize, lane: usize) -> &[u64] {
        assert!(output < self.counts.elems_out && lane < self.lanes, "an output of the program");
        let at = ((vector * self.counts.elems_out + output) * self.lanes + lane) * self.words;
        &self.elems_out[at..at + self.words]
    }

    /// The truth value of an output among the masks in one lane.
    pub fn get_mask(&self, vector: usize, output: usize, lane: usize) -> bool {
        assert!(output < self.counts.masks_out && lane < self.lanes, "an output of the program");
        self.masks_out[vector * self.counts.masks_out + output] >> lane & 1 == 1
    }

    /// The prepared arguments of a vector.
    pub fn streams(&self, vector: usize) -> &[Uniforms] {
        self.streams.get(vector).map_or(&[], |own| own)
    }

    /// Keeps the prepared argument that the program made.
    pub fn set_uniforms(&mut self, made: Uniforms) {
        self.uniforms_out = Some(made);
    }

    /// The prepared argument that the program made, if it made one.
    pub fn uniforms(&self) -> Option<Uniforms> {
        self.uniforms_out.clone()
    }

    /// Whether it is a batch for such a program, with so many lanes and words of residues: ports are as many, and those that go to a store
    /// are the same, which has residues of this field.
    pub fn suits(&self, program: &Program, lanes: usize, words: usize) -> bool {
        let is_of = |stored: &Stored| {
            stored.store.modulus() == program.modulus() && is_kept(program).eq(stored.is_kept.iter().copied())
        };
        (self.lanes, self.words, self.counts) == (lanes, words, program.ports())
            && self.stored.as_ref().is_none_or(is_of)
    }

    /// The store, if it has one.
    pub(crate) fn store(&self) -> Option<&Store> {
        self.stored.as_ref().map(|stored| &stored.store)
    }

    /// The words of an input among the elements of all lanes, one residue after the other.
    pub fn lanes_in(&self, vector: usize, input: usize) -> &[u64] {
        let at = (vector * self.counts.elems_in + input) * self.lanes * self.words;
        &self.elems_in[at..at + self.lanes * self.words]
    }

    /// The words of an output among the elements of all lanes, one residue after the other: residues below p.
    pub fn lanes_out(&mut self, vector: usize, output: usize) -> &mut [u64] {
        let at = (vector * self.counts.elems_out + output) * self.lanes * self.words;
        &mut self.elems_out[at..at + self.lanes * self.words]
    }

    /// The bits of an input among the masks, bit i of lane i: as many lanes as a word has bits are possible.
    pub fn mask_in(&self, vector: usize, input: usize) -> u64 {
        self.masks_in[vector * self.counts.masks_in + input]
    }

    /// The bits of an output among the masks.
    pub fn mask_out(&mut self, vector: usize, output: usize) -> &mut u64 {
        &mut self.masks_out[vector * self.counts.masks_out + output]
    }
}
