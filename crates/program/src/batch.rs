//! The inputs and outputs of a run over a batch: vectors of as many values as a machine has lanes.
//!
//! Elements are residues in [0, p), as little-endian words; truth values are bits, one per lane. Lanes that are not set are 0.

use crate::machine::Machine;
use crate::program::{Input, Output, Program};
use bilinear_field::memcheck;
use std::any::Any;
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
#[derive(Clone)]
pub struct Batch {
    vectors: usize,
    lanes: usize,
    /// Words of a residue.
    words: usize,
    /// How many elements and masks go in and out of each vector.
    counts: Counts,
    pub(crate) elems_in: Vec<u64>,
    pub(crate) elems_out: Vec<u64>,
    /// One bit per lane.
    pub(crate) masks_in: Vec<u64>,
    pub(crate) masks_out: Vec<u64>,
    /// The prepared arguments of each vector.
    pub(crate) streams: Vec<Vec<Uniforms>>,
    pub(crate) uniforms_out: Option<Uniforms>,
    is_secret: bool,
}

impl Drop for Batch {
    fn drop(&mut self) {
        if self.is_secret {
            self.masks_in.zeroize();
        }
    }
}

/// Ports of one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    elems_in: usize,
    elems_out: usize,
    masks_in: usize,
    masks_out: usize,
}

impl Counts {
    fn of(program: &Program) -> Self {
        let inputs = |is: fn(&Input) -> bool| program.inputs().iter().filter(|i| is(i)).count();
        let outputs = |is: fn(&Output) -> bool| program.outputs().iter().filter(|o| is(o)).count();
        Counts {
            elems_in: inputs(|i| matches!(i, Input::Elem { .. })),
            elems_out: outputs(|o| matches!(o, Output::Elem(_))),
            masks_in: inputs(|i| matches!(i, Input::Mask { .. })),
            masks_out: outputs(|o| matches!(o, Output::Mask(_))),
        }
    }
}

impl Batch {
    /// Places for the inputs and outputs of so many vectors, all 0.
    pub fn new(program: &Program, machine: &dyn Machine, vectors: usize) -> Self {
        let counts = Counts::of(program);
        let (lanes, words) = (machine.lanes(), machine.word_len());
        Batch {
            vectors,
            lanes,
            words,
            counts,
            elems_in: vec![0; vectors * counts.elems_in * lanes * words],
            elems_out: vec![0; vectors * counts.elems_out * lanes * words],
            masks_in: vec![0; vectors * counts.masks_in],
            masks_out: vec![0; vectors * counts.masks_out],
            streams: vec![vec![]; vectors],
            uniforms_out: None,
            is_secret: false,
        }
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

    /// What every run ends with: secret inputs are wiped, and what they were for is public.
    pub fn end(&mut self) {
        if self.is_secret {
            self.masks_in.zeroize();
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
        self.elem_mut(vector, input, lane)[..residue.len()].copy_from_slice(residue);
    }

    /// Sets an input among the masks in one lane.
    pub fn set_mask(&mut self, vector: usize, input: usize, lane: usize, value: bool) {
        assert!(input < self.counts.masks_in && lane < self.lanes, "an input of the program");
        let mask = &mut self.masks_in[vector * self.counts.masks_in + input];
        *mask = *mask & !(1 << lane) | u64::from(value) << lane;
    }

    /// Sets the prepared arguments of a vector.
    pub fn set_streams(&mut self, vector: usize, streams: Vec<Uniforms>) {
        self.streams[vector] = streams;
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
        &self.streams[vector]
    }

    /// Keeps the prepared argument that the program made.
    pub fn set_uniforms(&mut self, made: Uniforms) {
        self.uniforms_out = Some(made);
    }

    /// The prepared argument that the program made, if it made one.
    pub fn uniforms(&self) -> Option<Uniforms> {
        self.uniforms_out.clone()
    }

    /// Whether it is a batch for such a program, with so many lanes and words of residues.
    pub fn suits(&self, program: &Program, lanes: usize, words: usize) -> bool {
        (self.lanes, self.words, self.counts) == (lanes, words, Counts::of(program))
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
