//! The inputs and outputs of a program that is being recorded.

use super::{Elem, Mask, NEVER, Recorder};
use crate::op::Term;
use crate::program::{Input, Output};
use bilinear_field::{Code, Kind, Prime};

/// The ports of a program that is being recorded.
pub struct Ports<'r> {
    pub(super) recorder: &'r Recorder,
    /// For each prepared argument, the number of residues asked for so far.
    pub(super) streams: Vec<u32>,
}

impl Ports<'_> {
    /// Adds an input: one residue per lane.
    pub fn elem(&mut self) -> Elem {
        let mut tape = self.recorder.tape();
        let value = tape.trace.input(Kind::Elem);
        tape.inputs.push(Input::Elem { value: value.0 });
        Elem(value)
    }

    /// Adds an input: one truth value per lane.
    pub fn mask(&mut self) -> Mask {
        self.recorder.mask_input()
    }

    /// Adds an input: the next residue of a prepared argument, the same in every lane.
    pub fn uniform(&mut self, stream: usize) -> Elem {
        let mut tape = self.recorder.tape();
        if self.streams.len() <= stream {
            self.streams.resize(stream + 1, 0);
        }
        let value = tape.trace.input(Kind::Elem);
        tape.inputs.push(Input::Uniform { value: value.0, stream: stream as u32, index: self.streams[stream] });
        self.streams[stream] += 1;
        Elem(value)
    }

    /// Adds an output: one residue per lane.
    pub fn output(&mut self, x: &Elem) {
        self.put(Output::Elem(x.0));
    }

    /// Adds an output: the next residue of a prepared argument, the same in every lane. A value that may not be
    /// closed is closed first, since other programs read it as closed.
    pub fn output_uniform(&mut self, x: &Elem) {
        let kept = self.recorder.uniform(x);
        self.put(Output::Uniform(kept.0));
    }

    /// Adds an output: one residue per lane, which a store can take over. A value that may not be closed is closed first.
    pub fn output_to_store(&mut self, x: &Elem) {
        let kept = self.recorder.uniform(x);
        self.put(Output::Stored(kept.0));
    }

    fn put(&mut self, output: Output) {
        let mut tape = self.recorder.tape();
        assert!(tape.has(output.value()), "{NEVER}");
        tape.outputs.push(output);
    }

    /// Adds an output: one truth value per lane.
    pub fn output_mask(&mut self, x: Mask) {
        let mut tape = self.recorder.tape();
        // a constant truth value is output as the test of 0 = 0 or of 1 = 0
        let shown = match tape.truth(x) {
            None => x.0,
            Some(truth) => {
                let residue = tape.constants.elem(&u32::from(!truth).into());
                tape.trace.push(Code::IsZero, [Term { coeff: 1, value: residue }])
            }
        };
        tape.outputs.push(Output::Mask(shown));
    }
}
