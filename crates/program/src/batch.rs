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
    /// Wraps a prepared argument in a type of the machine's own.
    pub fn new(own: Arc<dyn Any + Send + Sync>) -> Self {
        Uniforms(own)
    }

    /// Returns the residues, if they have type `T`.
    pub fn of<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }

    /// Returns true if both are the same argument, that is, clones of each other.
    pub fn is(&self, other: &Uniforms) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The inputs and outputs of one run.
pub struct Batch {
    vectors: usize,
    lanes: usize,
    /// The number of words of a residue.
    words: usize,
    /// The numbers of elements and masks that go in and out of each vector.
    counts: PortCounts,
    pub(crate) elems_in: Vec<u64>,
    pub(crate) elems_out: Vec<u64>,
    /// The masks that come in, one bit per lane.
    pub(crate) masks_in: Vec<u64>,
    pub(crate) masks_out: Vec<u64>,
    /// The prepared arguments of each vector, if the program takes any.
    pub(crate) streams: Vec<Vec<Uniforms>>,
    pub(crate) uniforms_out: Option<Uniforms>,
    is_secret: bool,
    stored: Option<Stored>,
}

/// A store from which lanes take their elements, and in which they leave results.
struct Stored {
    store: Store,
    /// For each input, the number of the residue that each lane takes; `None` if elements do not come from the store.
    from: Option<Vec<u32>>,
    /// For each output, the number under which each lane leaves it.
    to: Vec<u32>,
    /// For each output, whether it goes to the store.
    is_stored: Vec<bool>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        if self.is_secret {
            self.masks_in.zeroize();
        }
    }
}

/// Returns, for each output among the elements, whether it goes to a store.
fn is_stored(program: &Program) -> impl Iterator<Item = bool> + '_ {
    let elements = program.outputs().iter().filter(|o| matches!(o, Output::Elem(_) | Output::Stored(_)));
    elements.map(|o| matches!(o, Output::Stored(_)))
}

const NO_STORE: &str = "the batch has no store for this";

impl Batch {
    /// Creates a batch of this number of vectors, with all inputs and outputs 0.
    ///
    /// # Panics
    /// Panics for 2^32 vectors or more.
    pub fn new(program: &Program, machine: &dyn Machine, vectors: usize) -> Self {
        Batch::with_words(program, machine, vectors, [true; 2])
    }

    /// Like [`Batch::new`], but has words for elements that come in only if `wanted[0]`, and for elements that go out
    /// only if `wanted[1]`.
    fn with_words(program: &Program, machine: &dyn Machine, vectors: usize, wanted: [bool; 2]) -> Self {
        // ports are counted in 32 bits as well, so no product of both exceeds 64 bits
        assert!(u32::try_from(vectors).is_ok(), "{vectors} vectors in a batch: fewer than 2^32 are allowed");
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

    /// Creates a batch on a store. Lanes leave outputs of the kind [`Output::Stored`] in the store, and all elements
    /// come from the store if `reads` is set.
    ///
    /// In one run, no lane may take a residue that another lane leaves.
    pub fn on_store(program: &Program, machine: &dyn Machine, vectors: usize, store: Store, reads: bool) -> Self {
        let is_stored: Vec<bool> = is_stored(program).collect();
        // no words for elements that stay in the machine's own form
        let words = [!reads, is_stored.contains(&false)].map(|wanted| wanted || store.has_words());
        let mut batch = Batch::with_words(program, machine, vectors, words);
        let PortCounts { elems_in, elems_out, .. } = batch.counts;
        let from = reads.then(|| vec![0; vectors * elems_in * batch.lanes]);
        let to = vec![NOWHERE; vectors * elems_out * batch.lanes];
        batch.stored = Some(Stored { store, from, to, is_stored });
        batch
    }

    /// Lets one lane take residues of the store, with numbers from `first` on, for a range of inputs among the
    /// elements. An input for which this is not set takes a residue without meaning.
    ///
    /// # Panics
    /// Panics if there is no such vector, input or lane, or if the batch takes no elements from a store. The run
    /// panics if there is no such residue.
    #[inline]
    pub fn load_from_store(&mut self, vector: usize, inputs: Range<usize>, lane: usize, first: u32) {
        let exist = vector < self.vectors && inputs.end <= self.counts.elems_in && lane < self.lanes;
        assert!(exist, "the batch has no such vector, input or lane");
        let at = (vector * self.counts.elems_in + inputs.start) * self.lanes + lane;
        let from = self.stored.as_mut().and_then(|stored| stored.from.as_mut());
        let from = &mut from.unwrap_or_else(|| panic!("{NO_STORE}"))[at..];
        from.iter_mut().step_by(self.lanes).zip(first..).take(inputs.len()).for_each(|(from, number)| *from = number);
    }

    /// Lets one lane leave a range of outputs among the elements, all of them kept, as residues of the store with
    /// numbers from `first` on.
    ///
    /// # Panics
    /// Panics as [`Batch::load_from_store`] does, also for an output that is not kept, and for the number 2^32 − 1, which
    /// no residue has.
    #[inline]
    pub fn save_to_store(&mut self, vector: usize, outputs: Range<usize>, lane: usize, first: u32) {
        let exist = vector < self.vectors && outputs.end <= self.counts.elems_out && lane < self.lanes;
        assert!(exist, "the batch has no such vector, output or lane");
        assert!(
            u64::from(first) + outputs.len() as u64 <= NOWHERE.into(),
            "numbers of residues must be below 2^32 - 1"
        );
        let at = (vector * self.counts.elems_out + outputs.start) * self.lanes + lane;
        let stored = self.stored.as_mut().unwrap_or_else(|| panic!("{NO_STORE}"));
        assert!(stored.is_stored[outputs.clone()].iter().all(|kept| *kept), "an output is not kept");
        let to = stored.to[at..].iter_mut().step_by(self.lanes);
        to.zip(first..).take(outputs.len()).for_each(|(to, number)| *to = number);
    }

    /// Returns the store, after the batch has run.
    pub fn into_store(mut self) -> Option<Store> {
        self.stored.take().map(|stored| stored.store)
    }

    /// For an input whose elements come from a store in the machine's own form, returns the store and the number of
    /// each lane's residue.
    pub(crate) fn taken(&self, vector: usize, input: usize) -> Option<(&Store, &[u32])> {
        let Stored { store, from: Some(from), .. } = self.stored.as_ref()? else { return None };
        let at = (vector * self.counts.elems_in + input) * self.lanes;
        let numbers = from.get(at..at + self.lanes)?;
        (!store.has_words()).then_some((store, numbers))
    }

    /// For an output that goes to a store in the machine's own form, returns the store and the number of each lane's residue.
    pub(crate) fn left(&mut self, vector: usize, output: usize) -> Option<(&mut Store, &[u32])> {
        let at = (vector * self.counts.elems_out + output) * self.lanes;
        let Stored { store, to, is_stored, .. } = self.stored.as_mut()?;
        (is_stored[output] && !store.has_words()).then(|| (store, &to[at..at + self.lanes]))
    }

    /// Marks the masks as secret: they, and all memory that a run uses, are wiped after the run. Outputs are public.
    pub fn secret(mut self) -> Self {
        self.is_secret = true;
        self
    }

    /// Returns true if the masks are secret. A machine then runs the batch in constant time, and wipes the memory that it used.
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// Copies the elements that come from a store to the inputs. Every run on a machine that keeps words begins with this call.
    ///
    /// # Panics
    /// Panics if the store keeps another machine's own form.
    pub fn begin(&mut self) {
        let Some(Stored { store, from, .. }) = &self.stored else { return };
        assert!(store.has_words(), "the store belongs to another machine");
        for (to, number) in self.elems_in.chunks_mut(self.words).zip(from.iter().flatten()) {
            to.copy_from_slice(store.words(*number));
        }
    }

    /// Wipes secret inputs, marks the outputs that depend on them as public, and copies kept outputs to a store of
    /// words. Every run ends with this call.
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

    /// The number of vectors.
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// The number of lanes of a vector.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// The number of words of a residue.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The words of an input among the elements, for one lane of one vector: a residue below p, the lowest word first.
    ///
    /// # Panics
    /// Panics if there is no such vector, input or lane. The methods below panic likewise, and if there is no such output.
    pub fn elem_mut(&mut self, vector: usize, input: usize, lane: usize) -> &mut [u64] {
        assert!(input < self.counts.elems_in && lane < self.lanes, "the batch has no such input or lane");
        let at = ((vector * self.counts.elems_in + input) * self.lanes + lane) * self.words;
        &mut self.elems_in[at..at + self.words]
    }

    /// Sets an input among the elements to a residue below p, which has at most as many words as p.
    pub fn set(&mut self, vector: usize, input: usize, lane: usize, residue: &[u64]) {
        let (words, rest) = self.elem_mut(vector, input, lane).split_at_mut(residue.len());
        words.copy_from_slice(residue);
        rest.fill(0);
    }

    /// Sets an input among the masks in one lane.
    pub fn set_mask(&mut self, vector: usize, input: usize, lane: usize, value: bool) {
        assert!(input < self.counts.masks_in && lane < self.lanes, "the batch has no such input or lane");
        let mask = &mut self.masks_in[vector * self.counts.masks_in + input];
        *mask = *mask & !(1 << lane) | u64::from(value) << lane;
    }

    /// Sets the prepared arguments of a vector.
    pub fn set_streams(&mut self, vector: usize, streams: Vec<Uniforms>) {
        match self.streams.get_mut(vector) {
            Some(own) => *own = streams,
            // the program takes no prepared arguments
            None => assert!(vector < self.vectors, "the batch has no such vector"),
        }
    }

    /// The residue of an output among the elements in one lane, the lowest word first.
    pub fn get(&self, vector: usize, output: usize, lane: usize) -> &[u64] {
        assert!(output < self.counts.elems_out && lane < self.lanes, "the batch has no such output or lane");
        let at = ((vector * self.counts.elems_out + output) * self.lanes + lane) * self.words;
        &self.elems_out[at..at + self.words]
    }

    /// The truth value of an output among the masks in one lane.
    pub fn get_mask(&self, vector: usize, output: usize, lane: usize) -> bool {
        assert!(output < self.counts.masks_out && lane < self.lanes, "the batch has no such output or lane");
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

    /// Returns true if the batch fits this program, this number of lanes and this number of words of a residue: the
    /// numbers of ports are equal, the same outputs go to a store, and the store has residues of this field.
    pub fn suits(&self, program: &Program, lanes: usize, words: usize) -> bool {
        let is_of = |stored: &Stored| {
            stored.store.modulus() == program.modulus() && is_stored(program).eq(stored.is_stored.iter().copied())
        };
        (self.lanes, self.words, self.counts) == (lanes, words, program.ports())
            && self.stored.as_ref().is_none_or(is_of)
    }

    /// The store, if the batch has one.
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

    /// The bits of an input among the masks, bit i for lane i. A machine can have at most as many lanes as a word has bits.
    pub fn mask_in(&self, vector: usize, input: usize) -> u64 {
        self.masks_in[vector * self.counts.masks_in + input]
    }

    /// The bits of an output among the masks, for writing.
    pub fn mask_out(&mut self, vector: usize, output: usize) -> &mut u64 {
        &mut self.masks_out[vector * self.counts.masks_out + output]
    }
}
